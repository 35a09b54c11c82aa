"""What a traveller may do in one turn, as far as code can check it, and one way in which a reply breaks it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from benchmark.suites.grouptravel.preferences import cities, filled_fields
from benchmark.suites.grouptravel.view import Card, GroupView

SHORTEST = 2
"""Characters of a table's item that is told apart from ordinary words."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """me: the chat name; others: chat names of everybody else but the agent; roles: what those are to the group.

    solicited: the last visible message is the agent's and mentions `me`. compromisable, left: whether the traveller
    yields, and how often still. items: texts of the own table, which may be quoted verbatim whatever they hold.
    cities: those that the own table has fields for.
    """

    me: str
    others: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    solicited: bool = False
    compromisable: bool = False
    left: int = 0
    items: tuple[str, ...] = ()
    cities: tuple[str, ...] = ()

    @property
    def may_mark(self) -> bool:
        """Whether a compromise marker is allowed in this turn."""
        return self.solicited and self.compromisable and self.left > 0


def bounds_of(view: GroupView, card: Card) -> Bounds:
    """The bounds of the turn in progress."""
    group = [member for member in (*view.travellers, *view.companions) if member.name != view.me]
    return Bounds(
        me=view.me,
        others=tuple(member.name for member in group),
        roles=tuple(dict.fromkeys(member.role for member in group if member.role)),
        solicited=view.turn.solicited,
        compromisable=card.compromisable,
        left=card.compromises_left,
        items=tuple(sorted(set(_items(card)), key=len, reverse=True)),
        cities=cities(card.preference),
    )


def _items(card: Card) -> Iterator[str]:
    """Every text of the original and the effective table, city names included."""
    for table in (card.preference, card.effective):
        for _, city, value in filled_fields(table):
            yield from (text for text in (city, *_texts(value)) if len(text) >= SHORTEST)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        yield from (item for item in value if isinstance(item, str))


@dataclass(frozen=True, slots=True)
class Fault:
    """name: short, by which drafts are counted; a line of the prompts' `faults` says it in words.

    evidence: the offending text as it stands in the reply, cut where it is long.
    """

    name: str
    evidence: str = ""
