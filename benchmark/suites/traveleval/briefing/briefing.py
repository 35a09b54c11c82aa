"""TravelEval as agents over a model need it (section 4.1 and appendix C of the paper, in our own words)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

from benchmark.agents.briefing import SHARED_PROMPTS, Briefing, fence_plan
from benchmark.core.participant import SeatContext
from benchmark.core.plan_answer import PLAN_TURN
from benchmark.plans.view import Plan
from benchmark.suites.traveleval.conversation.state import QueryView
from benchmark.suites.traveleval.itineraries import find_plan
from benchmark.suites.traveleval.tasks import Query
from benchmark.text.prompts import Prompts
from benchmark.text.repair import repair_json
from sandbox.worlds import World

PROMPTS: Final = Prompts(Path(__file__).parent / "prompts", SHARED_PROMPTS)
_NOTHING_KNOWN = "–"


def _repair(text: str) -> str:
    """An answer that is to be the plan with broken JSON, as the plan alone; "" where there is nothing to repair."""
    if find_plan(text) is not None or "{" not in text:
        return ""
    repaired = repair_json(text[text.index("{") :])
    plan = find_plan(fence_plan(repaired)) if isinstance(repaired, dict) else None
    return "" if plan is None or "daily_plans" not in plan else fence_plan(plan)


BRIEFING: Final = Briefing(
    prompts=PROMPTS,
    facts=lambda view: {"uid": "", "stations": _NOTHING_KNOWN, "airports": _NOTHING_KNOWN},
    instructions={PLAN_TURN: "plan"},
    talking=("role", "schema"),
    planning=("role", "schema"),
    final=PLAN_TURN,
    plan=find_plan,
    plan_anywhere=find_plan,
    repair=_repair,
)


def briefing_of(context: SeatContext) -> Briefing:
    """The briefing of a seat, with what its model is told of the stations and airports between the two cities."""

    @cache
    def ends() -> tuple[str, str]:
        task, pack = context.task, context.pack
        known = isinstance(task, Query) and pack is not None
        return _ends(pack, task) if known else (_NOTHING_KNOWN, _NOTHING_KNOWN)  # type: ignore[arg-type]

    def facts(view: QueryView) -> dict[str, str]:
        stations, airports = ends()
        return {"uid": view.task_id, "stations": stations, "airports": airports}

    return replace(BRIEFING, facts=facts)


def _ends(pack: World, task: Query) -> tuple[str, str]:
    stations, airports = dict[str, None](), dict[str, None]()
    for name, is_plane in _served_stations(pack, task):
        (airports if is_plane else stations)[name] = None
    return tuple("、".join(own) or _NOTHING_KNOWN for own in (stations, airports))  # type: ignore[return-value]


def _served_stations(pack: World, task: Query) -> Iterator[tuple[str, bool]]:
    """Where services between the two cities begin and end, and whether it is an airport."""
    cities = (task.start_city, task.target_city)
    for ends in (cities, cities[::-1]):
        for run in pack.services(*ends):
            for name in (run.origin_station, run.destination_station):
                yield name, run.mode == "飞机"


def look_back(briefing: Briefing, most: int) -> Briefing:
    """A briefing whose reader finds fault with every plan, so often, and so has its model reflect on it."""

    def faults(plan: Plan | None, view: QueryView) -> tuple[str, ...]:
        looked_back = sum(draft.why == "critique" for draft in view.turn.drafts)
        return (briefing.fill(view, "look_back"),) if looked_back < most else ()

    return replace(briefing, faults=faults)
