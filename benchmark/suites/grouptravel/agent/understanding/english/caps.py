"""Numbers with a meaning in an English sentence: budget, sights a day, hours a day."""

from __future__ import annotations

from collections.abc import Iterator

from benchmark.suites.grouptravel.agent.lexicon import en
from benchmark.suites.grouptravel.agent.lexicon.model import Subject
from benchmark.suites.grouptravel.agent.understanding.topics import Cap
from benchmark.text import guarded
from benchmark.text.numerals.english import NUMBER, read_number

_LEAST_BUDGET, _MOST_SIGHTS, _MOST_HOURS = 100, 12, 24
_RANGE = rf"(?:(?:{NUMBER})\s*(?:-|–|to|or)\s*)?(?P<n>{NUMBER})"
_SIGHTS = guarded.compile(
    rf"{_RANGE}\s+(?:\w+\s+){{0,2}}?{en.SIGHTS_A_DAY}|{_RANGE.replace('<n>', '<bare>')}\s+(?:a|per|each)\s+day",
    guarded.IGNORECASE,
)
_HOURS = guarded.compile(rf"{_RANGE}[\s-]*(?:\w+\s+)?(?:hours?|hrs?|h)\b", guarded.IGNORECASE)
_CLOCK = guarded.compile(
    r"\b(?:from|between)?\s*(?P<a>\d{1,2})(?::(?P<am>\d\d))?\s*(?:am|a\.m\.|o'clock)?\s*(?:to|until|till|and|-|–)\s*"
    r"(?P<b>\d{1,2})(?::(?P<bm>\d\d))?\s*(?P<pm>pm|p\.m\.|in the (?:evening|afternoon)|at night)",
    guarded.IGNORECASE,
)
_MONEY = guarded.compile(
    rf"(?:[¥￥]|\b(?:cny|rmb))\s*(?P<a>{NUMBER})|(?P<b>{NUMBER})\s*{en.CURRENCY}\b", guarded.IGNORECASE
)
_BARE = guarded.compile(NUMBER, guarded.IGNORECASE)
_SHARERS = guarded.compile(rf"\b(?:both|(?P<n>{NUMBER})) of us\b", guarded.IGNORECASE)


def find_caps(piece: str, asked: frozenset[Subject]) -> list[Cap]:
    """The caps that a piece states. A bare number counts only when the question before was about it."""
    caps = [*_hours(piece, "intensity" in asked), *_sights(piece, "intensity" in asked)]
    return caps or list(_budget(piece, "budget" in asked))


def _has(pattern: str, text: str) -> bool:
    return bool(guarded.search(pattern, text, guarded.IGNORECASE))


def _hours(piece: str, asked: bool) -> Iterator[Cap]:
    daily = _has(en.A_DAY, piece) or _has(r"\bout\b", piece)
    if _has(en.JOURNEY_HOURS, piece) and not daily:
        return
    spans = (_length(match) for match in _CLOCK.finditer(piece))
    stated = (read_number(match["n"]) for match in _HOURS.finditer(piece))
    values = [value for value in (*stated, *spans) if value and value <= _MOST_HOURS]
    if values and (asked or daily):
        yield Cap("max_active_hours", values[-1])


def _length(match: guarded.Match) -> float:
    start = int(match["a"]) + int(match["am"] or 0) / 60
    return (int(match["b"]) + int(match["bm"] or 0) / 60 + 12 - start) % 24


def _sights(piece: str, asked: bool) -> Iterator[Cap]:
    for match in _SIGHTS.finditer(piece):
        value = read_number(match["n"] or match["bare"])
        if value and value <= _MOST_SIGHTS and (asked if match["bare"] else asked or _has(en.A_DAY, piece)):
            yield Cap("max_poi_per_day", value)
            return


def _budget(piece: str, asked: bool) -> Iterator[Cap]:
    if _has(en.NOT_BUDGET, piece) and not _has(r"\bbudget\b", piece):
        return
    values = [read_number(match["a"] or match["b"]) for match in _MONEY.finditer(piece)]
    if not values and (asked or _has(en.BUDGET_WORDS, piece)):
        values = [read_number(match.group()) for match in _BARE.finditer(piece)]
    large = [value for value in values if value and value >= _LEAST_BUDGET]
    if large and (asked or _has(en.BUDGET_WORDS, piece)):
        yield Cap("avg_budget", large[-1] / _sharers(piece))


def _sharers(piece: str) -> float:
    """How many people share a total; 1 when the amount is each one's own."""
    if not _has(en.TOTAL, piece) or _has(en.EACH, piece):
        return 1.0
    match = _SHARERS.search(piece)
    return (read_number(match["n"] or "two") or 1.0) if match else 1.0
