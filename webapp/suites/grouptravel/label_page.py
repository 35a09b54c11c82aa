"""What annotators see of a group's trip: who wants what, and plans rendered alike, what only one has marked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from django.utils.translation import gettext as _

from benchmark.suites.grouptravel.itineraries.reading import REST, TRANSIT
from benchmark.suites.grouptravel.scoring.trip import prepare
from benchmark.suites.grouptravel.tasks import Task
from benchmark.suites.grouptravel.travellers.people.outcome import Wish, outcome
from sandbox.worlds import WorldError
from webapp.catalogue.packs import pack_for_scores
from webapp.pages import LabelPage
from webapp.sessions.reading import Reading
from webapp.suites.grouptravel.comparison import WishRow, side_by_side
from webapp.suites.grouptravel.panels import plan_map
from webapp.suites.grouptravel.panels.plan import NOBODY, Cost, DayPlan, Stop, cost_of, day_plan
from webapp.suites.grouptravel.seat.ending import AVERSIONS, WishLine
from webapp.suites.grouptravel.wording.fields import field_of, line_label, value_words
from webapp.suites.grouptravel.wording.plans import plan_message

LEG = "leg"
_UNCOMPARED_KINDS = (TRANSIT, REST)
"""Kinds of stops that tell little: nobody chooses between plans by them."""


@dataclass(frozen=True)
class ShownStop:
    """A line of a day. only: how it differs from the other plan, in words; "" where both have it alike.

    new: the other plan has it nowhere.
    """

    stop: Stop
    only: str = ""
    new: bool = False


@dataclass(frozen=True)
class ShownDay:
    """A day of a plan, and its stops with what differs."""

    plan: DayPlan
    stops: Sequence[ShownStop]


@dataclass(frozen=True)
class ShownCost:
    """What a traveller pays. difference: how much less or more than in the other plan, in words."""

    cost: Cost
    difference: str = ""
    less: bool = False


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


@dataclass
class _Plan:
    """One plan on its way to the page."""

    reading: Reading
    days: list[DayPlan]
    costs: list[Cost]
    places: dict[tuple[str, str], list[tuple[Any, str]]] = field(default_factory=dict)
    """By kind and name: the label of the day, and the time."""

    @classmethod
    def of(cls, reading: Reading) -> _Plan | None:
        if reading.state.plan is None:
            return None
        trip = prepare(reading.state.plan, reading.users, NOBODY)
        days = [day_plan(day, reading.users, []) for day in trip.days]
        found = cls(reading, days, [cost_of(user, trip, reading) for user in reading.users])
        for day in days:
            for stop in day.stops:
                found.places.setdefault((stop.kind, stop.name), []).append((day.label, stop.time))
        return found


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
    """One or two plans, and their days side by side; `planned` says whether a session has one.

    ticks: with what the scorer finds met and missed.
    """
    found = [_Plan.of(reading) for reading in readings]
    others = found[::-1] if len(found) > 1 else [None] * len(found)
    pairs = list(zip(found, others, strict=True))
    columns = [[_day(day, other) for day in plan.days] if plan else [] for plan, other in pairs]
    return {
        "sides": [_side(plan, other, ticks) if plan else {"planned": False} for plan, other in pairs],
        "days": list(zip_longest(*columns)),
        "users": readings[0].users if readings else [],
    }


def _side(plan: _Plan, other: _Plan | None, ticks: bool) -> dict[str, Any]:
    return {
        "planned": True,
        "costs": list(_costs(plan, other)),
        "plain": not ticks,
        "got": [_outcome_of(user, plan.reading) for user in plan.reading.users] if ticks else [],
        "map": _map(plan.reading),
    }


def _map(reading: Reading) -> dict[str, Any] | None:
    """The plan's places without ways to pages that annotators can't open; None without coordinates."""
    shown = plan_map.context(reading, "")
    if not shown["days"]:
        return None
    points = [{**point, "href": ""} for point in shown["map"]["points"]]
    return {"days": shown["days"], "map": {**shown["map"], "points": points}} if points else None


def _day(day: DayPlan, other: _Plan | None) -> ShownDay:
    return ShownDay(day, [_stop(stop, day.label, other) for stop in day.stops])


def _stop(stop: Stop, label: Any, other: _Plan | None) -> ShownStop:
    if other is None or stop.kind in _UNCOMPARED_KINDS:
        return ShownStop(stop)
    there = other.places.get((stop.kind, stop.name))
    if not there:
        return ShownStop(stop, _("only here"), new=True)
    times = [time for day, time in there if day == label]
    if not times:
        days = ", ".join(dict.fromkeys(str(day) for day, _time in there))
        return ShownStop(stop, _("other plan: day %(day)s") % {"day": days})
    if stop.time not in times:
        return ShownStop(stop, _("other plan: %(time)s") % {"time": times[0]})
    return ShownStop(stop)


def _costs(plan: _Plan, other: _Plan | None) -> Iterator[ShownCost]:
    there = {cost.user: cost.total for cost in other.costs} if other else {}
    for cost in plan.costs:
        more = cost.total - there.get(cost.user, cost.total)
        if abs(more) < 0.5:  # half a yuan, which no figure shows
            yield ShownCost(cost)
            continue
        words = _("¥%(n)s more") if more > 0 else _("¥%(n)s less")
        yield ShownCost(cost, words % {"n": f"{abs(more):,.0f}"}, less=more < 0)


def _outcome_of(user: str, reading: Reading) -> TravellerOutcome:
    state = reading.state
    original = state.cards[user].preference if user in state.cards else None
    found = outcome(state.plan, original, state.tables.get(user), user, reading.users, _places(reading))
    several = len({wish.city for wish in found if wish.city}) > 1

    def wish_lines(wishes: Iterator[Wish]) -> list[WishLine]:
        return [WishLine(_wish(wish, several), _where(wish)) for wish in wishes]

    return TravellerOutcome(
        user,
        wish_lines(wish for wish in found if not wish.given_up and wish.got is True),
        wish_lines(wish for wish in found if not wish.given_up and wish.got is False),
        wish_lines(wish for wish in found if wish.given_up),
    )


def ticks(reading: Reading) -> list[str]:
    """A line for each wish of each traveller: met, missed or given up."""
    if reading.state.plan is None:
        return []
    found = [_outcome_of(user, reading) for user in reading.users]
    return [
        f"{got.user}: {words}: {' '.join(filter(None, (wish.text, wish.note)))}"
        for got in found
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


def _places(reading: Reading) -> Any:
    """What the world knows, for wishes for kinds of places; None where it can't be read."""
    try:
        return pack_for_scores(reading.session.suite, reading.session.pack)
    except (WorldError, OSError, ValueError):
        return None


def words_of(text: str) -> str:
    """The words around a plan, which stands beside the chat."""
    parts = plan_message(text)
    if not parts.raw:
        return text
    return "\n".join(part for part in (parts.before, _("(the plan)"), parts.after) if part)


LABEL_PAGE = LabelPage(task, plans, ticks, words_of)
