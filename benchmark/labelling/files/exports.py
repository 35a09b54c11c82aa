"""A study, its items and what was said of them, as files hold them.

The plan on the left of an item is called A, the one on its right B, whichever side an annotator saw it on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmark.text.spelling import plain

PERSON = "person"
NORMAL = "normal"
PURPOSES = (NORMAL, "gold", "qualification", "example", "training")
"""What an item is for; all but the first have a known answer."""
LETTERS: Mapping[str, str] = {"left": "A", "right": "B"}
"""What files call the choices of a pair; the others keep their names."""
SIDES: Mapping[str, str] = {letter: side for side, letter in LETTERS.items()}
SLIGHT = "slight"
"""What files say of an answer's strength where its side is slightly better."""
SLIGHTLY = "slightly "
"""Before A or B, where a file has the side and its strength in one word."""
CHOICES = ("left", "right", "neither", "tie", "yes", "no")


def letter_of(choice: str, *, slight: bool = False) -> str:
    """A stored choice as files call it; slight: with its strength, `slightly A`."""
    return f"{SLIGHTLY if slight else ''}{LETTERS.get(choice, choice)}"


def choice_of(letter: str) -> str:
    """The choice that a file names, in either case; A and B, or left and right. What is none stays as it is."""
    named = plain(letter)
    small = named.casefold()
    return SIDES.get(named.upper(), small if small in CHOICES else named)


def side_of(words: str) -> tuple[str, bool]:
    """The choice that a file names, and whether it is slightly better: `A` or `slightly A`."""
    named = plain(words)
    slight = named.casefold().startswith(SLIGHTLY)
    return choice_of(named[len(SLIGHTLY) :] if slight else named), slight


def strength_of(slight: bool) -> str:
    """How files tell the strength of an answer; "" for a plain one."""
    return SLIGHT if slight else ""


AnswerContent = tuple[str, bool, tuple[tuple[str, int], ...]]
"""What an answer says: its choice, whether slightly, and its ratings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerExport:
    """choice: as stored. slight: its side is slightly better. scores: under a rubric, by dimension."""

    choice: str = ""
    slight: bool = False
    scores: Mapping[str, int] = field(default_factory=dict)

    @property
    def content(self) -> AnswerContent:
        """What makes two answers the same."""
        return self.choice, self.slight, tuple(sorted(self.scores.items()))


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyExport:
    """choices: the answers that the study has, as stored; none under a rubric. scales: of a rubric, the ratings that
    each dimension can have.

    slight: a side can be slightly better.
    """

    id: str
    name: str
    kind: str
    suite: str
    choices: Sequence[str] = ()
    scales: Mapping[str, range] = field(default_factory=dict)
    slight: bool = False
    question: str = ""
    pilot: bool = False

    @property
    def dimensions(self) -> Sequence[str]:
        """Their names, in order."""
        return tuple(self.scales)


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelExport(AnswerExport):
    """One answer of one rater.

    rater: a name that no other rater has in the file. rater_id: "" where names are hidden. rater_key: of what is
    no person. ticks: the scorer's findings were on the page. more: what else a model said. at: ISO 8601.
    """

    rater: str
    rater_id: str = ""
    rater_kind: str = PERSON
    rater_key: str = ""
    more: Mapping[str, Any] = field(default_factory=dict)
    rationale: str = ""
    seconds: float | None = None
    swapped: bool = False
    hurried: bool = False
    ticks: bool = False
    source: str = "page"
    repeat: int = 0
    counts: bool = True
    current: bool = True
    at: str = ""

    @property
    def main(self) -> bool:
        """Whether statistics take it: the present first answer of a person."""
        return self.current and not self.repeat and self.rater_kind == PERSON


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionExport(AnswerExport):
    """What an adjudicator decided. seen: positions, from 0, of the labels of its item that it was made from."""

    note: str = ""
    seen: Sequence[int] = ()
    current: bool = True
    at: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownExport(AnswerExport):
    """The known answer of an item."""

    explanation: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemExport:
    """final: the choice decided or of the strict majority, "" for none; decided: by an adjudicator.

    finals: the same under a rubric, by dimension. left, right: ids of sessions, "" for none. message: which one of
    `left` is rated, as the number of its event, None for all of it; facets: by what its results are split. known:
    its right answer, where one is known.
    """

    number: int
    task: str
    purpose: str = NORMAL
    left: str = ""
    right: str = ""
    left_agent: str = ""
    right_agent: str = ""
    message: int | None = None
    facets: Mapping[str, str] = field(default_factory=dict)
    stratum: str = ""
    cities: Sequence[str] = ()
    withdrawn: bool = False
    labels: Sequence[LabelExport] = ()
    decisions: Sequence[DecisionExport] = ()
    final: str = ""
    finals: Mapping[str, float] = field(default_factory=dict)
    decided: bool = False
    known: KnownExport | None = None

    def main_labels(self) -> Iterator[LabelExport]:
        """Those that statistics take; none of an item with a known answer, or that was withdrawn."""
        if self.purpose == NORMAL and not self.withdrawn:
            yield from (label for label in self.labels if label.main)

    @property
    def slight(self) -> bool:
        """Whether the final side is slightly better: as decided, else by most of those who chose it."""
        if self.decided:
            return self.decision is not None and self.decision.slight
        chosen = [label.slight for label in self.main_labels() if label.choice == self.final]
        return 2 * sum(chosen) > len(chosen)

    @property
    def decision(self) -> DecisionExport | None:
        """The one in force."""
        return next((decision for decision in self.decisions if decision.current), None)
