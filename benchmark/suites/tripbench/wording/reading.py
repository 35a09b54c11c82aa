"""What a user's words ask for: the sentences of the table found in a message, whatever stands round them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple

from benchmark.suites.tripbench.rubrics import RUBRICS, read_rubric
from benchmark.suites.tripbench.rubrics.base import Rubric
from benchmark.suites.tripbench.rubrics.figures import COMPARISONS
from benchmark.suites.tripbench.rubrics.transport import PERIODS
from benchmark.suites.tripbench.wording.table import (
    EXPRESSIONS,
    FIGURE,
    LISTS,
    MARK,
    MARKS,
    OP,
    PERCENT,
    TIMES,
    WHEN,
    Expression,
    line,
)
from benchmark.text import guarded
from sandbox.tools.language import Language

Act = Literal["ask", "modify", "rollback", "delete", "vague"]
_NUMBER: Final = "[0-9]+(?:[.][0-9]+)?"
_CLOCK: Final = "[0-9]{2}:[0-9]{2}"
_NAME: Final = "“[^“”]+”"
_QUOTES = guarded.compile("“([^“”]+)”")
_NUMBERS: Final = ("a", "b", "km", "hub_km", "min", "max", "hours", "n", "rate", "delay")
FindId = Callable[[str], str | None]
"""The id of a place by its name; None where nobody knows it."""


class Reading(NamedTuple):
    """Something that a message asks for. key: of the rubric. rubric: None where no arguments are told (the deletion
    of one, a vague phrase). at: where it stands.
    """

    act: Act
    key: str
    rubric: Rubric | None
    at: int

    @property
    def arguments(self) -> dict[str, Any]:
        """Those that are told."""
        return {} if self.rubric is None else self.rubric.arguments


def read_requests(text: str, language: Language, find_id: FindId) -> list[Reading]:
    """All that a message asks for, in its order."""
    found = [*_clauses(text, language, find_id), *_fixed_sentences(text, language)]
    return sorted(found, key=lambda reading: reading.at)


def _clauses(text: str, language: Language, find_id: FindId) -> Iterator[Reading]:
    """The longest where sentences begin alike."""
    spans: list[tuple[int, int, Expression, Mapping[str, str | None]]] = [
        (match.start(), -match.end(), expression, match.groupdict())
        for key, expression in EXPRESSIONS.items()
        for match in _pattern(language, key).finditer(text)
    ]
    reach = -1
    for start, end, expression, groups in sorted(spans, key=lambda span: span[:2]):
        if start < reach:
            continue
        reach = -end
        rubric = _read_groups(expression, groups, language, find_id)
        if rubric is not None:
            yield Reading(_act(text[:start], rubric.key, language), rubric.key, rubric, start)


def _act(before: str, key: str, language: Language) -> Act:
    """By the words right before."""
    acts: tuple[Act, ...] = ("modify", "rollback")
    told = before.casefold()
    return next((act for act in acts if told.endswith(_opening(language, act, key))), "ask")


@lru_cache(maxsize=1024)
def _opening(language: Language, act: str, key: str) -> str:
    topic = line(language, f"topic.{key}")
    return line(language, act, topic=topic, clause=MARK).partition(MARK)[0].casefold()


def _fixed_sentences(text: str, language: Language) -> Iterator[Reading]:
    told = text.casefold()
    for key in RUBRICS:
        topic = line(language, f"topic.{key}")
        acts: Mapping[Act, str] = {
            "delete": line(language, "delete", topic=topic),
            "vague": line(language, f"vague.{key}"),
        }
        for act, words in acts.items():
            at = told.find(words.casefold())
            if at >= 0:
                yield Reading(act, key, None, at)


# Patterns.


@lru_cache(maxsize=1024)
def _pattern(language: Language, key: str) -> guarded.Pattern:
    """A sentence of the table, with a group for each value."""
    names = (FIGURE, WHEN, "level", *LISTS, *_NUMBERS)
    marks = {name: f"{MARK}{name}{MARK}" for name in (*names, *(f"{own}{PERCENT}" for own in _NUMBERS))}
    return guarded.compile(_expression(line(language, key, **marks), language, marks), guarded.IGNORECASE)


def _expression(text: str, language: Language, marks: Mapping[str, str], numbers: str = _NUMBER) -> str:
    parts = MARKS.split(text)
    told = [guarded.escape(parts[0])]
    for name, literal in zip(parts[1::2], parts[2::2], strict=True):
        told += [_group(name, language, marks, numbers), guarded.escape(literal)]
    return "".join(told)


def _group(name: str, language: Language, marks: Mapping[str, str], numbers: str) -> str:
    """numbers: what a number looks like; a time, in sentences about times."""
    if name == FIGURE:
        return _alternatives(FIGURE, COMPARISONS, language, marks, numbers)
    if name == WHEN:
        return _alternatives(WHEN, TIMES, language, marks, _CLOCK)
    if name == "periods":
        words = "|".join(guarded.escape(line(language, f"period.{period}")) for period in _PERIODS)
        return f"(?P<periods>(?:{words})(?:{guarded.escape(line(language, 'or'))}(?:{words}))*)"
    if name in LISTS:
        between = guarded.escape(line(language, "list"))
        return f"(?P<{name}>{_NAME}(?:{between}{_NAME})*)"
    if name == "level":
        return "(?P<level>[1-5]A)"
    return f"(?P<{name}>{_CLOCK}|{numbers})" if name in ("a", "b") else f"(?P<{name}>{numbers})"


def _alternatives(
    kind: str, names: tuple[str, ...], language: Language, marks: Mapping[str, str], numbers: str
) -> str:
    told = {**marks, "periods": f"{MARK}periods{MARK}"}
    forms = [
        f"(?P<op_{name}>{_expression(line(language, f'{kind}.{name}', **told), language, marks, numbers)})"
        for name in names
    ]
    return f"(?:{'|'.join(forms)})"


_PERIODS: Final = sorted(PERIODS, key=len, reverse=True)


def _read_groups(
    expression: Expression, groups: Mapping[str, str | None], language: Language, find_id: FindId
) -> Rubric | None:
    """The requirement of a sentence; None where a place is not known."""
    told: dict[str, Any] = dict(expression.arguments)
    for name, text in groups.items():
        if text is None:
            continue
        if name.startswith("op_"):
            told[OP] = name.removeprefix("op_")
        elif name == "periods":
            told[name] = [
                period
                for word in text.casefold().split(line(language, "or"))
                for period in PERIODS
                if line(language, f"period.{period}").casefold() == word
            ]
        elif name in LISTS:
            quoted = _QUOTES.findall(text)
            told[name] = [find_id(own) for own in quoted] if name == "ids" else quoted
        elif name == "level":
            told[name] = text.upper()
        elif name.endswith(PERCENT):
            told[name.removesuffix(PERCENT)] = round(float(text) / 100, 12)
        else:
            told[name] = text if ":" in text else float(text)
    return read_rubric(expression.rubric, told)
