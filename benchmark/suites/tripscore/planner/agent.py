"""Writes the drafts as plans, and gives the best."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, islice
from pathlib import Path
from typing import Any, Final

from benchmark.agents.briefing import fence_plan
from benchmark.core.actions import Say
from benchmark.core.participant import SeatContext
from benchmark.core.view import View
from benchmark.plans.clock import hour_text
from benchmark.plans.hours import DAY
from benchmark.plans.view import Plan
from benchmark.suites.tripscore.planner.days import DayDraft, Filling
from benchmark.suites.tripscore.planner.journeys import Move, journeys
from benchmark.suites.tripscore.scoring.options import parameters_of
from benchmark.suites.tripscore.scoring.parameters import DEFAULTS, Parameters
from benchmark.suites.tripscore.scoring.reward import score_plan
from benchmark.suites.tripscore.scoring.trip import HOTEL, PERIODS, POI, TRANSPORT, Lookup
from benchmark.suites.tripscore.tasks import Task
from benchmark.suites.tripscore.tasks.names import fold_name
from benchmark.suites.tripscore.tasks.task import Attraction, Hotel, Leg
from benchmark.text.prompts import Prompts

_WORDS: Final = Prompts(Path(__file__).parent / "wording")
_MOST_DRAFTS: Final = 12
_DRIVE: Final = "drive"
Part = Attraction | Hotel | Leg | Move
Piece = tuple[int, str, Part]
"""A period, a type, and what stands there; a drive without a leg is told, and is no item."""


def make_plan(task: Task, parameters: Parameters = DEFAULTS) -> Plan:
    """The best of some drafts by the rules; it may break some where no draft keeps all."""
    lookup = Lookup(task.reference)
    drafts = [*drafts_of(task, parameters)] or [write_plan(task, Filling(task, [], parameters).fill())]
    return max(drafts, key=lambda plan: score_plan(plan, task, parameters, {}, lookup).reward)


def drafts_of(task: Task, parameters: Parameters = DEFAULTS) -> Iterator[Plan]:
    """A plan by each of the likeliest journeys; none where the data has no journey."""
    for moves in islice(journeys(task), _MOST_DRAFTS):
        yield write_plan(task, Filling(task, moves, parameters).fill())


def write_plan(task: Task, days: list[DayDraft]) -> Plan:
    """In the form of appendix H.4."""
    cities = {"cities": " – ".join(task.query.cities), "days": len(days)}
    return {
        "itineraryName": _line(task, "name" if len(days) > 1 else "name_of_day", **cities),
        "recommendReason": _line(task, "reason"),
        "dayInfos": [_day(task, at, day) for at, day in enumerate(days, 1)],
        "tips": {"title": _line(task, "tips"), "info": _line(task, "info")},
    }


def _day(task: Task, number: int, day: DayDraft) -> dict[str, Any]:
    runs = groupby(_pieces(day), key=lambda piece: piece[:2])
    details = [_detail(task, period, kind, [piece[2] for piece in run]) for (period, kind), run in runs]
    free = {"period": PERIODS[0], "description": _line(task, "free"), "detailList": []}
    return {
        "day": number,
        "scheduleTitle": _line(task, "day", day=number),
        "scheduleDetail": details or [free],
    }


def _pieces(day: DayDraft) -> Iterator[Piece]:
    for nth, visits in enumerate(day.visits):
        for period in sorted(visits):
            yield from ((period, POI, sight) for sight in visits[period])
        move = day.moves[nth] if nth < len(day.moves) else None
        if move and move.leg:
            yield move.period, TRANSPORT, move.leg
        elif move and move.arrives > move.departs:
            yield move.period, _DRIVE, move
    if day.hotel:
        yield len(PERIODS) - 1, HOTEL, day.hotel


def _detail(task: Task, period: int, kind: str, parts: list[Part]) -> dict[str, Any]:
    between = ", " if task.language == "en" else "、"
    return {
        "period": PERIODS[period],
        "description": _line(task, kind, places=between.join(_mention(task, part) for part in parts)),
        "detailList": [
            {"type": kind, "id": part.id, "name": part.name} for part in parts if not isinstance(part, Move)
        ],
    }


def _mention(task: Task, part: Part) -> str:
    if isinstance(part, Move):
        cities = (*task.query.cities, task.query.departure_city or "")
        name = next(city for city in cities if fold_name(city) == part.city)
        return f"{name} {hour_text(part.departs % DAY)}–{hour_text(part.arrives % DAY)}"
    if not isinstance(part, Leg):
        return f"**[{part.name}]({part.id})**"
    times = f" {part.depart:%H:%M}–{part.arrive:%H:%M}" if part.times else ""
    return f"{part.name} {part.from_city} → {part.to_city}{times}"


def _line(task: Task, key: str, **fields: object) -> str:
    return _WORDS.line(task.language, "plan", key, **fields)


@dataclass(frozen=True)
class PlannerAgent:
    """Gives the planner's plan."""

    context: SeatContext

    @cached_property
    def _answer(self) -> str:
        assert isinstance(self.context.task, Task)
        return fence_plan(make_plan(self.context.task, parameters_of(self.context.options)))

    def act(self, view: View) -> Say:
        """The one answer."""
        return Say(self._answer)
