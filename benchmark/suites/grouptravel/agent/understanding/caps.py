"""Numbers with a meaning: budget, sights a day, hours a day."""

from __future__ import annotations

from functools import lru_cache

from benchmark.suites.grouptravel.agent.lexicon import lexicon
from benchmark.suites.grouptravel.agent.lexicon.model import Subject
from benchmark.suites.grouptravel.agent.understanding.topics import Cap
from benchmark.text import guarded
from benchmark.text.numerals.chinese import NUMBER, read_number

_LEAST_BUDGET = 100
_MOST_SIGHTS = 12
_MOST_HOURS = 24
_PERSONS = guarded.compile(rf"({NUMBER})\s*(?:个人|人|口)")


@lru_cache
def _patterns(language: str, name: str) -> tuple[guarded.Pattern, ...]:
    patterns: tuple[str, ...] = getattr(lexicon(language), name)
    return tuple(guarded.compile(pattern) for pattern in patterns)


def find_caps(clause: str, language: str, asked: frozenset[Subject]) -> list[Cap]:
    """The caps that a clause states. A bare number counts only when the question before was about it."""
    if guarded.search(lexicon(language).cap_block_pattern, clause):
        return []
    hours = _hours(clause, language)
    sights = _sights(clause, language, "intensity" in asked)
    caps = [*([hours] if hours else []), *([sights] if sights else [])]
    budget = None if caps else _budget(clause, language, "budget" in asked)
    return [*caps, *([budget] if budget else [])]


def _upper(match: guarded.Match) -> float | None:
    """The upper end of a written range, the number itself without one."""
    values = [read_number(match.group(name) or "") for name in ("n", "m")]
    return next((value for value in reversed(values) if value is not None), None)


def _hours(clause: str, language: str) -> Cap | None:
    for pattern in _patterns(language, "hours_patterns"):
        for match in pattern.finditer(clause):
            value = _upper(match)
            if value and value <= _MOST_HOURS:
                return Cap("max_active_hours", value + (0.5 if match.group("half") else 0))
    span = guarded.search(lexicon(language).clock_span_pattern, clause)
    return Cap("max_active_hours", length) if span and (length := _span_length(span)) else None


def _span_length(match: guarded.Match) -> float | None:
    start, end = read_number(match.group("a")), read_number(match.group("b"))
    if start is None or end is None:
        return None
    end += 12 if end <= start or (match.group("pm") and end < 12) else 0
    length = end - start + (0.5 if match.group("bh") else 0) - (0.5 if match.group("ah") else 0)
    return length if 0 < length < _MOST_HOURS else None


def _sights(clause: str, language: str, asked: bool) -> Cap | None:
    names = ("per_day_patterns", "bare_per_day_patterns") if asked else ("per_day_patterns",)
    for pattern in (pattern for name in names for pattern in _patterns(language, name)):
        match = pattern.search(clause)
        value = _upper(match) if match else None
        if value and value <= _MOST_SIGHTS:
            return Cap("max_poi_per_day", value)
    return None


def _budget(clause: str, language: str, asked: bool) -> Cap | None:
    words = lexicon(language)
    blocked = guarded.search(words.budget_block_pattern, clause) and not guarded.search(r"预算|人均", clause)
    if blocked:
        return None
    values = [
        value for pattern in _patterns(language, "budget_patterns") for value in _amounts(pattern, clause)
    ]
    if asked:
        values += [value for text in guarded.findall(NUMBER, clause) if (value := read_number(text))]
    values = [value for value in values if value >= _LEAST_BUDGET]
    return Cap("avg_budget", values[0] / _sharers(clause, words.budget_total_pattern)) if values else None


def _amounts(pattern: guarded.Pattern, clause: str) -> list[float]:
    return [value for match in pattern.finditer(clause) if (value := _upper(match))]


def _sharers(clause: str, total_pattern: str) -> float:
    """How many people share a total; 1 when the amount is each one's own."""
    persons = _PERSONS.search(clause)
    shared = guarded.search(total_pattern, clause) and "人均" not in clause and "每人" not in clause
    if not shared:
        return 1.0
    pair = 2.0 if "俩" in clause else 1.0
    return max(pair, read_number(persons.group(1)) or 1.0) if persons else pair
