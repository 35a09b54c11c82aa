"""What a benchmark brings to the page of a session."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from django.utils.functional import Promise

from benchmark.core.events import EventBody, TurnGranted
from webapp.pages.kinds import Context, Json, Reading, Row, State


@dataclass(frozen=True)
class Panel:
    """A tab of a session page.

    context: what its template needs, from a reading of the session and a traveller's name. refresh: the types of the
    events that change what it shows. before: the name of the shared panel that an own one stands before. for_suite:
    whether sessions of the benchmark of this name have it; applies_to: whether a session has it. by_traveller:
    whether it shows each traveller something else.
    """

    name: str
    label: Promise
    context: Callable[[Reading, str], Context]
    refresh: str
    before: str = ""
    for_suite: Callable[[str], bool] = lambda suite: True
    applies_to: Callable[[Row], bool] = lambda session: True
    by_traveller: bool = False


@dataclass(frozen=True)
class Mark:
    """Events worth jumping to.

    before: the name of the shared kind that an own one stands before. letter: the key that goes to the next of them.
    """

    name: str
    label: Promise
    applies_to: Callable[[EventBody], bool]
    before: str = ""
    letter: str = ""


@dataclass(frozen=True)
class Card:
    """One thing that a tool returned, for a reader: what it is called, and its facts."""

    title: str
    facts: Sequence[str]

    @classmethod
    def of(cls, title: object, facts: Sequence[object]) -> Card:
        """From what was returned, without the facts that lack."""
        return cls(str(title or "?"), [str(fact) for fact in facts if fact not in (None, "")])


MOST_COMPARED = 4
"""Sessions that stand side by side."""


@dataclass(frozen=True)
class ComparedRow:
    """A line of sessions side by side. items: what each has there, a text an item. notes: of each, "" for none."""

    label: str
    items: Sequence[Sequence[str]]
    notes: Sequence[str] = ()

    @property
    def differs(self) -> bool:
        return any(list(own) != list(self.items[0]) for own in self.items[1:])

    @property
    def is_one_value(self) -> bool:
        """Whether no session has several items, so that nothing is to be said of which ones it has."""
        return all(len(own) <= 1 for own in self.items)

    @property
    def sides(self) -> list[ComparedSide]:
        """What each session has, with the others that have it as well."""
        notes = [*self.notes, *[""] * (len(self.items) - len(self.notes))]
        return [
            ComparedSide(_mark_items(place, self.items), note, list(self.items[place]) != list(self.items[0]))
            for place, note in zip(range(len(self.items)), notes, strict=True)
        ]


class ComparedSide(NamedTuple):
    """What one session has in a line. differs: the first one has something else."""

    items: Sequence[ComparedItem]
    note: str
    differs: bool


class ComparedItem(NamedTuple):
    """One item of a session. lacking: the places of the other sessions that lack it. is_alone: all others do."""

    text: str
    lacking: Sequence[int]
    is_alone: bool


def _mark_items(place: int, items: Sequence[Sequence[str]]) -> list[ComparedItem]:
    others = {other: Counter(own) for other, own in enumerate(items) if other != place}
    marked = []
    for text in items[place]:
        lacking = [other for other, left in others.items() if left[text] <= 0]
        marked.append(ComparedItem(text, lacking, len(lacking) == len(others)))
        for left in others.values():
            left[text] -= 1
    return marked


@dataclass(frozen=True)
class ComparedPart:
    """One part of sessions side by side. name: in addresses."""

    name: str
    title: str
    rows: Sequence[ComparedRow]

    @property
    def unlike(self) -> list[ComparedRow]:
        """Rows that differ."""
        return [row for row in self.rows if row.differs]

    @property
    def alike(self) -> list[ComparedRow]:
        """Rows that do not."""
        return [row for row in self.rows if not row.differs]


def round_of(turn: TurnGranted) -> tuple[str, str]:
    """The section of a turn where a benchmark has no other ones than its rounds."""
    return str(turn.round), str(turn.round + 1)


@dataclass(frozen=True)
class SessionPage:
    """What a benchmark brings to the page of a session."""

    panels: Sequence[Panel] = ()
    """Beside the shared ones, or in place of the one with the same name."""
    marks: Sequence[Mark] = ()
    """Likewise."""
    section: Callable[[State], tuple[str, str] | None] = round_of
    """Of the outline, which a turn belongs to, as a key and a label; None for the section before it."""
    standing: Callable[[State], str] = lambda state: ""
    """What goes on, from the state of the session, in a line; "" for the shared words."""
    endings: Mapping[str, Promise] = field(default_factory=dict)
    """How a session ended, by the reasons that are the benchmark's own."""
    cards: Callable[[Json], Sequence[Card]] = lambda result: ()
    """Of a tool's result; none where its text is shown."""
    outcome: Callable[[Reading], Context | None] = lambda reading: None
    """What `templates/suites/NAME/outcome.html` needs of a session that has ended, None where it shows nothing."""
    compare: Callable[[Sequence[Reading]], Sequence[ComparedPart]] = lambda readings: ()
    """What sessions have beside conditions, scores, messages, tool calls and plans."""
