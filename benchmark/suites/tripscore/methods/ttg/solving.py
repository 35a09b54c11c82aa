"""The program of a request, solved, and its solution as days of a plan."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic
from typing import Final

from benchmark.suites.tripscore.methods.requests import Request
from benchmark.suites.tripscore.methods.results import Line, Result, order_sights
from benchmark.suites.tripscore.methods.ttg.days import RELAXABLE, DayRows
from benchmark.suites.tripscore.methods.ttg.journey import JourneyRows
from benchmark.suites.tripscore.methods.ttg.program import Key, Program, Solution
from benchmark.suites.tripscore.planner.agent import write_plan
from benchmark.suites.tripscore.planner.days import DayDraft, Stretch, empty_days
from benchmark.suites.tripscore.scoring.trip import VISIT_WINDOWS

_LEAST_S: Final = 1.0
"""Of a program after others that took all the time."""


@dataclass(frozen=True)
class Limits:
    """seconds: of all programs of a request. gap: relative, at which a solution is good enough. relax: whether wishes
    are given up, one after the other, where nothing keeps all; else there is no plan then, as in the paper.
    """

    seconds: float = 5.0
    gap: float = 0.01
    relax: bool = False


def plan_by_program(request: Request, limits: Limits) -> Result:
    """The plan of the best solution, or none, with what the solver says."""
    begun, log = monotonic(), list[Line]()
    for count in range(len(RELAXABLE) + 1 if limits.relax else 1):
        relaxed = RELAXABLE[:count]
        program = Program()
        journey = JourneyRows(program, request.task, request.parameters)
        DayRows(program, request, journey, relaxed)
        left = max(_LEAST_S, limits.seconds - (monotonic() - begun))
        solution = program.solve(left, limits.gap)
        log.append(_report(program, solution, relaxed))
        if solution.choice is not None:
            days = days_of(request, journey, solution.choice)
            return Result(write_plan(request.task, days), log)
        if solution.status == "failed":
            break
    return Result(None, [*log, Line.of("ttg_no_plan")])


def _report(program: Program, solution: Solution, relaxed: tuple[str, ...]) -> Line:
    variables, rows = program.size
    return Line.of(
        f"ttg_{solution.status}",
        variables=variables,
        rows=rows,
        worth=f"{solution.worth:.4f}" if solution.choice is not None else "–",
        gap="–" if solution.gap is None else f"{solution.gap:.2%}",
        seconds=f"{solution.seconds:.2f}",
        relaxed=", ".join(relaxed) or "–",
    )


def days_of(request: Request, journey: JourneyRows, choice: frozenset[Key]) -> list[DayDraft]:
    """The days of a choice; a sight stands in the stretch of its city that has most of its period."""
    task = request.task
    sights = {sight.id: sight for sight in task.reference.attractions}
    hotels = {hotel.id: hotel for hotel in task.reference.hotels}
    days = empty_days(task, journey.moves(choice), request.parameters)
    for day in days:
        day.visits = [{} for _ in day.stretches]
    for key in sorted(choice, key=str):
        match key:
            case ("see", str(id_), int(at), int(period)):
                nth = _stretch(days[at], sights[id_].folded_city, period)
                days[at].visits[nth].setdefault(period, []).append(sights[id_])
            case ("sleep", str(id_), int(night)):
                days[night].hotel = hotels[id_]
    for at, day in enumerate(days):
        order_sights(task, at, day, request.parameters)
    return days


def _stretch(day: DayDraft, city: str, period: int) -> int:
    def minutes(stretch: Stretch) -> float:
        return VISIT_WINDOWS[period].overlap(stretch.start, stretch.end)

    own = [nth for nth, stretch in enumerate(day.stretches) if stretch.city == city]
    return max(own, key=lambda nth: minutes(day.stretches[nth]))
