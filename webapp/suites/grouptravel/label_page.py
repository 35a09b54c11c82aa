"""What annotators see of a group's trip: who wants what, and plans rendered alike, what only one has marked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from benchmark.suites.grouptravel.tasks import Task
from benchmark.suites.grouptravel.travellers.people.outcome import Wish, outcome
from webapp.pages import LabelPage
from webapp.plans.mapping import places_of
from webapp.plans.pair import plans_of
from webapp.sessions.reading import Reading
from webapp.suites.grouptravel.comparison import WishRow, side_by_side
from webapp.suites.grouptravel.seat.ending import AVERSIONS, WishLine
from webapp.suites.grouptravel.wording.fields import field_of, line_label, value_words


@dataclass(frozen=True)
class TravellerOutcome:
    """What a traveller gets: wishes as wished, not so, and given up on the way, each in words with where."""

    user: str
    met_wishes: Sequence[WishLine]
    missed_wishes: Sequence[WishLine]
    given_up: Sequence[WishLine]

    @property
    def wishes(self) -> int:
        return len(self.met_wishes) + len(self.missed_wishes)


def task(definition: Task) -> dict[str, Any]:
    """What each traveller wishes for, and what the trip is. What another wants the contrary of is contested."""
    cards = definition.user_preferences
    rows = side_by_side({name: card.preference for name, card in cards.items()})
    return {
        "query": definition.query,
        "metadata": definition.metadata,
        "time": definition.time,
        "travellers": [
            {"name": name, "role": card.role, "yields": card.compromisable, "groups": _groups(rows, at)}
            for at, (name, card) in enumerate(cards.items())
        ],
    }


def _groups(rows: Sequence[WishRow], at: int) -> list[tuple[str, list[tuple[str, list[Any]]]]]:
    """The wishes of one traveller by city: each a label and its items."""
    groups: dict[str, list[tuple[str, list[Any]]]] = {}
    for row in rows:
        if row.cells[at]:
            groups.setdefault(row.city, []).append((row.label, row.cells[at]))
    return list(groups.items())


def plans(readings: Sequence[Reading], ticks: bool) -> dict[str, Any]:
    """One or two plans, and their days side by side. ticks: with what the scorer finds met and missed."""
    shown = plans_of(readings, plain=not ticks)
    for side, reading in zip(shown["sides"], readings, strict=True):
        side["got"] = (
            [_outcome_of(user, reading) for user in reading.users] if ticks and side["planned"] else []
        )
    return shown


def _outcome_of(user: str, reading: Reading) -> TravellerOutcome:
    state = reading.state
    original = state.cards[user].preference if user in state.cards else None
    wish_outcomes = outcome(
        state.plan, original, state.tables.get(user), user, reading.users, places_of(reading.session)
    )
    several = len({wish.city for wish in wish_outcomes if wish.city}) > 1

    def wish_lines(wishes: Iterator[Wish]) -> list[WishLine]:
        return [WishLine(_wish(wish, several), _where(wish)) for wish in wishes]

    return TravellerOutcome(
        user,
        wish_lines(wish for wish in wish_outcomes if not wish.given_up and wish.got is True),
        wish_lines(wish for wish in wish_outcomes if not wish.given_up and wish.got is False),
        wish_lines(wish for wish in wish_outcomes if wish.given_up),
    )


def ticks(reading: Reading) -> list[str]:
    """A line for each wish of each traveller: met, missed or given up."""
    if reading.state.plan is None:
        return []
    outcomes = [_outcome_of(user, reading) for user in reading.users]
    return [
        f"{got.user}: {words}: {' '.join(filter(None, (wish.text, wish.note)))}"
        for got in outcomes
        for words, wishes in (
            (_("met"), got.met_wishes),
            (_("not met"), got.missed_wishes),
            (_("given up"), got.given_up),
        )
        for wish in wishes
    ]


def _wish(wish: Wish, several: bool) -> str:
    """`must visit: 西湖`. several: with the city, since there is more than one."""
    field, city = field_of(wish.path)
    value: Any = float(wish.item) if wish.tier == "cap" else wish.item
    words = f"{line_label(field)}: {value_words(value, field)}" if field else wish.item
    return f"{words} · {city.removesuffix('市')}" if several and city else words


def _where(wish: Wish) -> str:
    """Where in the plan a wish is met or broken."""
    if wish.given_up or wish.where is None:
        return ""
    day, place = wish.where
    there = _("day %(day)s") % {"day": day} if day is not None else ""
    words = " ".join(filter(None, (there, place)))
    if wish.got is False and wish.tier not in (*AVERSIONS, "cap"):
        return _("without this traveller: %(place)s") % {"place": words}
    return words


LABEL_PAGE = LabelPage(task, plans, ticks)
