"""What a file of labels says, checked against the study that it is for."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from benchmark.inputs import MOST_LINES, InputTooLarge, LineProblem, Problems
from benchmark.jsonlines import read_json, why_unstorable
from benchmark.labelling.files.exports import (
    LETTERS,
    NORMAL,
    PURPOSES,
    SLIGHT,
    DecisionExport,
    KnownExport,
    LabelExport,
    letter_of,
)
from benchmark.labelling.tables import BadTable
from benchmark.text.spelling import FieldSpellings

YEARS = range(1970, 9999)
"""Of answers: far enough from the calendar's ends to be told in any time zone."""
LONGEST_NAME, LONGEST_TEXT = 200, 5_000
"""Letters of a rater's name, and of a reason."""


class ItemClues(NamedTuple):
    """What a file says of an item beside its number, to tell another item by."""

    task: str = ""
    left_agent: str = ""
    right_agent: str = ""


@dataclass(frozen=True, slots=True)
class Terms:
    """What a study takes. choices: as stored. scales: the ratings that each dimension can have. items: by
    number. slight: a side can be slightly better.
    """

    choices: Sequence[str]
    scales: Mapping[str, range]
    items: Mapping[int, ItemClues]
    slight: bool = False


@dataclass(frozen=True, slots=True)
class ItemAnswers:
    """What a file says of one item, from a line on: labels, decisions and known answers, each with its line.

    known_answers: with what the item is for.
    """

    number: int
    labels: list[tuple[int, LabelExport]] = field(default_factory=list)
    decisions: list[tuple[int, DecisionExport]] = field(default_factory=list)
    known_answers: list[tuple[int, str, KnownExport]] = field(default_factory=list)


class Wrong(ValueError):
    """What is wrong with a field, and what to do."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


def refusal(line: int, field: str, message: str) -> BadTable:
    problems = Problems()
    problems.add(LineProblem(line, field, message))
    return BadTable(problems)


@dataclass
class Reading:
    """What has been read so far. answer_lines: the line of each present answer, by item, rater and repeat."""

    terms: Terms
    problems: Problems = field(default_factory=Problems)
    items: dict[int, ItemAnswers] = field(default_factory=dict)
    answer_lines: dict[tuple[Any, ...], int] = field(default_factory=dict)
    labels: int = 0
    names: FieldSpellings = field(default_factory=FieldSpellings)

    def wrong(self, line: int, problem: Wrong) -> None:
        self.problems.add(LineProblem(line, problem.field, str(problem)))

    def item(self, value: Any, known: ItemClues) -> ItemAnswers:
        """The item of this number, which has to be the one that the file means."""
        number = whole_number(value, "item")
        here = self.terms.items.get(number)
        if here is None:
            raise Wrong("item", f"the study has no item {number}; correct the number, or remove the line")
        for name, theirs in known._asdict().items():
            own = getattr(here, name)
            called = {"left_agent": "agent_a", "right_agent": "agent_b"}.get(name, name)
            if theirs and own and self.names.plain(called, own) != self.names.plain(called, theirs):
                raise Wrong(
                    called,
                    f"{theirs[:60]!r}, but item {number} of this study has {own[:60]!r}; import the file into "
                    "the study that it is of",
                )
        return self.items.setdefault(number, ItemAnswers(number))

    def add(self, line: int, item: ItemAnswers, label: LabelExport) -> None:
        """Take a label that is among the study's answers, and the only one of its rater there."""
        self.check(label)
        self.labels += 1
        if self.labels > MOST_LINES:
            raise InputTooLarge(f"more than {MOST_LINES:,} labels; split the file")
        if label.current:
            key = (item.number, label.rater, label.rater_id, label.repeat)
            first = self.answer_lines.get(key)
            if first is not None:
                raise Wrong(
                    "rater",
                    f"{label.rater} has a label for item {item.number} on line {first}; keep one of the two",
                )
            self.answer_lines[key] = line
        item.labels.append((line, label))

    def check(self, said: LabelExport | DecisionExport | KnownExport) -> None:
        """Whether an answer is one of the study's."""
        self._check_strength(said)
        if self.terms.choices:
            if said.choice not in self.terms.choices:
                allowed = ", ".join(map(letter_of, self.terms.choices))
                given = letter_of(said.choice)[:40]
                raise Wrong("label", f"{given!r} is no answer of this study; expected one of {allowed}")
            return
        if said.choice:
            raise Wrong("label", "this study has ratings by dimension, not choices; give scores")
        for name, score in said.scores.items():
            if name not in self.terms.scales:
                allowed = ", ".join(self.terms.scales)
                raise Wrong("dimension", f"{name[:40]!r} is none of this study; expected one of {allowed}")
            scale = self.terms.scales[name]
            if type(score) is not int or score not in scale:
                allowed = f"give a whole number from {scale[0]} to {scale[-1]}"
                raise Wrong("label", f"{score!r} is no rating of {name}; {allowed}")
        missing = [name for name in self.terms.scales if name not in said.scores]
        if missing:
            raise Wrong("label", f"no rating of {', '.join(missing)}; rate every dimension")

    def _check_strength(self, said: LabelExport | DecisionExport | KnownExport) -> None:
        if not said.slight:
            return
        if not self.terms.slight:
            remedy = "allow “slightly better” in its settings, or remove the strength"
            raise Wrong("strength", f"no side is slightly better in this study; {remedy}")
        if said.choice not in LETTERS:
            raise Wrong(
                "strength", f"only A or B can be slightly better, not {letter_of(said.choice)[:40]!r}"
            )


def is_slight(value: Any) -> bool:
    """Whether what a file says of an answer's strength is that its side is slightly better."""
    text = text_of(value or "", "strength").strip().casefold()
    if text not in ("", SLIGHT):
        raise Wrong("strength", f"{text[:40]!r} is not {SLIGHT}; correct it or leave it empty")
    return text == SLIGHT


def is_normal(value: Any) -> bool:
    """Whether the labels of an item count: those of one with another purpose are for practice or checks."""
    purpose = text_of(value, "purpose").strip() or NORMAL
    if purpose not in PURPOSES:
        raise Wrong("purpose", f"{purpose[:40]!r} is none; set one of {', '.join(PURPOSES)}")
    return purpose == NORMAL


def whole_number(value: Any, name: str) -> int:
    text = str(value).strip()
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise Wrong(name, f"{text[:40]!r} is not a number; give that of the item, such as 12")
    return int(text)


def text_of(value: Any, name: str, most: int = LONGEST_NAME) -> str:
    """Text that can be stored."""
    if not isinstance(value, str):
        raise Wrong(name, f"{str(value)[:40]!r} is not text; put it in quotes")
    if why := why_unstorable(value):
        raise Wrong(name, why)
    if len(value) > most:
        raise Wrong(name, f"longer than {most:,} characters; shorten it")
    return value


def rater_name(value: Any, names: FieldSpellings) -> str:
    name = " ".join(names.plain("rater", text_of(value, "rater")).split())
    if not name:
        raise Wrong("rater", "empty; say who gave the label, or remove the line")
    return name


def label_text(value: Any, field: str, names: FieldSpellings) -> str:
    """The text of a label as it is compared. field: where it stands in the file."""
    return names.plain("label", text_of(value, field))


def seconds_of(value: Any) -> float | None:
    if value in (None, ""):
        return None
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not (math.isfinite(number) and number >= 0) or isinstance(value, bool):
        raise Wrong(
            "seconds", f"{str(value)[:40]!r} is not a number of seconds; correct it or leave it empty"
        )
    return number


def moment_of(value: Any) -> str:
    text = text_of(value or "", "at")
    try:
        moment = datetime.fromisoformat(text) if text else None
    except ValueError:
        moment = None
    if text and (moment is None or moment.tzinfo is None):
        raise Wrong("at", f"{text[:40]!r} is no time with its zone, such as 2026-03-27T10:00:00+00:00")
    if moment is not None and moment.year not in YEARS:
        years = f"{YEARS[0]} to {YEARS[-1]}"
        raise Wrong("at", f"{text[:40]!r} is not within the years {years}; correct it, or leave it empty")
    return text


def load_object(text: str) -> Any:
    try:
        return read_json(text.encode())
    except ValueError as error:
        raise Wrong("", f"no JSON ({error}); one object a line is expected") from error


def object_of(value: Any, name: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise Wrong(name, f"{str(value)[:40]!r} is not a JSON object; correct it")
    return value


def list_of(value: Any, name: str) -> list[Any]:
    if not isinstance(value, list):
        raise Wrong(name, f"{str(value)[:40]!r} is not a list; correct it")
    return value


def read_part(reading: Reading, line: int, path: str, read: Callable[[], None]) -> None:
    """Read one part of a line; what is wrong with it is told with its path."""
    try:
        read()
    except Wrong as problem:
        reading.wrong(line, Wrong(".".join(filter(None, (path, problem.field))), str(problem)))
