"""The plan day by day: lanes of the travellers, what it costs each, and every issue at its place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any

from django.utils.translation import gettext_lazy

from benchmark.plans.view import CostLine, PlanView
from benchmark.suites.grouptravel.itineraries import last_plan
from benchmark.suites.grouptravel.itineraries.view import view_plan
from benchmark.suites.grouptravel.preferences import GLOBAL_FIELDS, number, read
from benchmark.suites.grouptravel.provenance import Sources
from benchmark.suites.grouptravel.scoring import Catalogue
from benchmark.suites.grouptravel.scoring.trip import prepare
from benchmark.suites.grouptravel.scoring.utility import trip_cost
from sandbox.worlds import World as Pack
from webapp.plans.costs import CostWords
from webapp.plans.days import DayPlan, day_plans
from webapp.plans.mapping import locate, map_context, pack_of
from webapp.plans.versions import plan_versions
from webapp.sessions.reading import Reading
from webapp.sessions.selectors import scores_of, values_in
from webapp.suites.grouptravel.panels.scores import PAPER, proposed_at, stricter_issues
from webapp.suites.grouptravel.wording.issues import issue_lines

_BUDGET = GLOBAL_FIELDS[0]
_NO_CATALOGUE = Catalogue({})
"""Costs need no catalogue; opening hours come with the score."""
COST_WORDS = CostWords(
    gettext_lazy("Cost per person"),
    gettext_lazy(
        "Legs, hotels and the meals that the traveller joins. Tickets and local transport do not count against "
        "the budget."
    ),
)


def view_of(reading: Reading, pack: Pack | None = None) -> PlanView | None:
    """The plan of the session at this moment, None before there is one. pack: where its places lie."""
    plan = reading.state.plan
    if plan is None:
        return None
    costs = cost_lines(plan, {user: reading.state.tables[user] for user in reading.users})
    if pack is None:
        return view_plan(plan, reading.users, costs)
    return view_plan(plan, reading.users, costs, partial(locate, pack))


def cost_lines(plan: Any, tables: dict[str, Any]) -> list[CostLine]:
    """What each traveller pays in a plan, beside the budget of their table."""
    trip = prepare(plan, list(tables), _NO_CATALOGUE)
    return [
        CostLine(user, trip_cost(user, trip), number(read(table, _BUDGET))) for user, table in tables.items()
    ]


def context(reading: Reading, _traveller: str) -> dict[str, Any]:
    """The plan of the session at this moment, an empty context before there is one."""
    view = view_of(reading)
    if view is None:
        return {"days": None}
    figures = reading.score.figures if reading.score else {}
    lines = issue_lines(figures.get("evidence", {}).get("validity", ()))
    more = stricter_issues(reading.score, scores_of(reading.session).get(PAPER)) if reading.score else []
    days = day_plans(view, reading.users, lines + more)
    proposed = proposed_at(reading)
    _add_sources(days, Sources(reading.events), proposed)
    return {
        "days": days,
        "costs": view.costs,
        "cost_words": COST_WORDS,
        "issues": int(values_in(reading.score).get("issues", 0)),
        "stricter": len(more),
        "checked": figures.get("pv") is not None,
        "proposed_at": proposed,
        "versions": plan_versions(reading.events, _plan_in, lambda plan: view_plan(plan, reading.users)),
    }


def _plan_in(words: str) -> dict[str, Any] | None:
    return last_plan([words])


def _add_sources(days: Iterable[DayPlan], sources: Sources, proposed: int | None) -> None:
    """Note of each place the tool result that names it."""
    for day in days:
        day.stops = [
            replace(stop, source=sources.result_with(stop.place, proposed)) if stop.place else stop
            for stop in day.stops
        ]


def show_map(reading: Reading, _traveller: str) -> dict[str, Any]:
    """The days and the map; `days` is None before there is a plan, `planned` where the world is not here."""
    if reading.state.plan is None:
        return {"days": None}
    pack = pack_of(reading.session)
    if pack is None:
        return {"days": None, "planned": True}
    view = view_of(reading, pack)
    assert view is not None
    return map_context(view, reading.users, pack, reading.session.world.name if reading.session.world else "")
