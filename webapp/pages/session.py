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


@dataclass(frozen=True)
class ComparedRow:
    """A line of two sessions side by side: what each has there, a text an item. note: of the difference.

    changes: for either side, what has become of items that the other has in another way, by their places in it.
    """

    label: str
    left: Sequence[str]
    right: Sequence[str]
    note: str = ""
    changes: tuple[Mapping[int, str], Mapping[int, str]] = ({}, {})

    @property
    def differs(self) -> bool:
        return list(self.left) != list(self.right)

    @property
    def sides(self) -> tuple[list[ComparedItem], list[ComparedItem]]:
        """The items of either side."""
        first, second = self.changes
        return _mark_items(self.left, self.right, first), _mark_items(self.right, self.left, second)


class ComparedItem(NamedTuple):
    """One item of a side. is_alone: the other side has it in no way. change: how the other side has it otherwise."""

    text: str
    is_alone: bool
    change: str


def _mark_items(own: Sequence[str], other: Sequence[str], changed: Mapping[int, str]) -> list[ComparedItem]:
    left = Counter(other)
    items = []
    for place, item in enumerate(own):
        change = changed.get(place, "")
        items.append(ComparedItem(item, left[item] <= 0 and not change, change))
        left[item] -= 1
    return items


@dataclass(frozen=True)
class ComparedPart:
    """One part of two sessions side by side. name: in addresses."""

    name: str
    title: str
    rows: Sequence[ComparedRow]

    @property
    def alike(self) -> int:
        """Rows that do not differ."""
        return sum(not row.differs for row in self.rows)


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
    compare: Callable[[Reading, Reading], Sequence[ComparedPart]] = lambda first, second: ()
    """What differs between two sessions beside scores and messages."""
