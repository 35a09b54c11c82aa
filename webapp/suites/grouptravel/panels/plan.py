"""The plan day by day: lanes of the travellers, what it costs each, and every issue at its place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from benchmark.suites.grouptravel.itineraries.reading import REST, TRANSIT, Activity, Block, Day, Leg
from benchmark.suites.grouptravel.preferences import GLOBAL_FIELDS, number, read
from benchmark.suites.grouptravel.provenance import Sources
from benchmark.suites.grouptravel.scoring import Catalogue
from benchmark.suites.grouptravel.scoring.leniency import members
from benchmark.suites.grouptravel.scoring.trip import Trip, prepare
from benchmark.suites.grouptravel.scoring.utility import trip_cost
from webapp.sessions.reading import Reading
from webapp.sessions.selectors import scores_of, values_in
from webapp.suites.grouptravel.panels.lanes import Bar, Mark, bars, span_of
from webapp.suites.grouptravel.panels.scores import PAPER, proposed_at, stricter_issues
from webapp.suites.grouptravel.wording.issues import IssueLine, cell_id, issue_lines

_BUDGET = GLOBAL_FIELDS[0]
NOBODY = Catalogue({})
"""Costs and times need no catalogue; opening hours come with the score."""


@dataclass(frozen=True)
class Stop:
    """One line of a day. who: those who take part, () for everybody. kind: as in the plan, or `leg`.

    place: what a tool should have returned, "" where there is no such; source: the tool result that names it.
    """

    kind: str
    time: str
    name: str
    who: tuple[str, ...]
    cost: str
    issues: tuple[IssueLine, ...]
    place: str = ""
    source: int | None = None
    cell: str = ""


@dataclass
class DayPlan:
    """A day. lanes: a traveller's name with the bars; hours: the marks of the time axis.

    issues: those of no one stop, the first of a place with its id, which others lead to.
    """

    label: Any
    date: str
    cities: list[str]
    stops: list[Stop] = field(default_factory=list)
    lanes: list[tuple[str, list[Bar]]] = field(default_factory=list)
    hours: list[Mark] = field(default_factory=list)
    issues: list[tuple[str, IssueLine]] = field(default_factory=list)
    cell: str = ""


@dataclass(frozen=True)
class Cost:
    """What a traveller pays against the budget, which None means they did not state. share: of the budget, in %."""

    user: str
    total: float
    budget: float | None
    share: str

    @property
    def exceeds_budget(self) -> bool:
        return self.budget is not None and self.total > self.budget


def context(reading: Reading, _traveller: str) -> dict[str, Any]:
    """The plan of the session at this moment, an empty context before there is one."""
    plan = reading.state.plan
    if plan is None:
        return {"days": None}
    trip = prepare(plan, reading.users, NOBODY)
    figures = reading.score.figures if reading.score else {}
    lines = issue_lines(figures.get("evidence", {}).get("validity", ()))
    more = stricter_issues(reading.score, scores_of(reading.session).get(PAPER)) if reading.score else []
    days = [day_plan(day, reading.users, lines + more) for day in trip.days]
    sources, proposed = Sources(reading.events), proposed_at(reading)
    for day in days:
        day.stops = [
            replace(stop, source=sources.result_with(stop.place, proposed)) if stop.place else stop
            for stop in day.stops
        ]
    return {
        "days": days,
        "costs": [cost_of(user, trip, reading) for user in reading.users],
        "issues": int(values_in(reading.score).get("issues", 0)),
        "stricter": len(more),
        "checked": figures.get("pv") is not None,
        "proposed_at": proposed,
        "apart": any(not outing.activity.shared for stay in trip.stays for outing in stay.outings),
    }


def day_plan(day: Day, users: list[str], lines: list[IssueLine]) -> DayPlan:
    """A day with its lanes, and each of the issues that are its own at its place."""
    here = [line for line in lines if _is_of(line, day)]
    cities = list(dict.fromkeys(_cities(day)))
    shown = DayPlan(day.label, str(day.date or ""), cities, cell=cell_id(day.at, None, None))
    for segment in day.segments:
        shown.stops += _stops(segment, users, here, day.at)
    placed = {id(line) for stop in shown.stops for line in stop.issues}
    taken = {shown.cell, *(stop.cell for stop in shown.stops)}
    for line in here:
        if id(line) not in placed:
            shown.issues.append(("" if line.cell in taken else line.cell, line))
            taken.add(line.cell)
    span = span_of(day)
    bad = {(line.segment, line.activity, user) for line in here for user in line.users or users}
    shown.lanes = [(user, bars(day, user, users, span, bad)) for user in users] if span else []
    shown.hours = span.marks() if span else []
    return shown


def _is_of(line: IssueLine, day: Day) -> bool:
    """By the day's place, since days may carry equal labels; evidence that has none yet goes by its label."""
    return line.day == day.label if line.day_at is None else line.day_at == day.at


def _cities(day: Day) -> Iterator[str]:
    for segment in day.segments:
        if isinstance(segment, Leg):
            yield from (segment.from_city, segment.to_city)
        elif segment.city:
            yield segment.city


def _stops(segment: Leg | Block, users: list[str], lines: list[IssueLine], day: int) -> Iterator[Stop]:
    if isinstance(segment, Leg):
        own = tuple(line for line in lines if line.segment == segment.at and line.activity is None)
        yield replace(_leg(segment, own), cell=cell_id(day, segment.at, None))
        return
    for activity in segment.activities:
        at = (segment.at, activity.at)
        found = tuple(line for line in lines if (line.segment, line.activity) == at)
        yield replace(_stop(activity, users, found), cell=cell_id(day, *at))


def _leg(leg: Leg, lines: tuple[IssueLine, ...]) -> Stop:
    name = f"{leg.mode} {leg.from_city} → {leg.to_city}"
    return Stop("leg", times(leg.start_text, leg.end_text), name, (), _money(leg.cost), lines)


def _stop(activity: Activity, users: list[str], lines: tuple[IssueLine, ...]) -> Stop:
    taking_part = members(activity.participants, users)
    who = () if activity.shared else tuple(user for user in users if user in taking_part)
    cost = "" if activity.kind == REST else _money(activity.cost)
    return Stop(
        activity.kind,
        times(activity.start_text, activity.end_text),
        _name(activity),
        who,
        cost,
        lines,
        "" if activity.kind in (TRANSIT, REST) else activity.place,
    )


def _name(activity: Activity) -> str:
    if activity.kind == TRANSIT:
        return f"{activity.origin} → {activity.destination}"
    return activity.place or (_("rest") if activity.kind == REST else activity.kind)


def times(start: Any, end: Any) -> str:
    return f"{_text(start)}–{_text(end)}"


def _text(value: Any) -> str:
    return "?" if value is None else str(value)[:12]


def _money(cost: Any) -> str:
    if isinstance(cost, bool) or not isinstance(cost, int | float):
        return "" if cost is None else str(cost)[:12]
    try:
        return f"¥{round(cost, 1):,.15g}" if cost else _("free")
    except OverflowError:
        return f"¥{Decimal(cost):.0e}"


def cost_of(user: str, trip: Trip, reading: Reading) -> Cost:
    """What a traveller pays in this plan, beside their budget."""
    budget = number(read(reading.state.tables[user], _BUDGET))
    total = trip_cost(user, trip)
    share = min(100.0, 100 * total / budget) if budget else 0.0
    return Cost(user, total, budget, f"{share:.1f}%")
