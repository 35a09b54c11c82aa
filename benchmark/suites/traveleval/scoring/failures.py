"""Failures of plans that no metric names (appendix B.2 of the paper): sessions are counted and found by them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from benchmark.suites.traveleval.scoring.costs import KINDS, costs_by_paper, total
from benchmark.suites.traveleval.scoring.itinerary import Itinerary
from benchmark.suites.traveleval.scoring.reading import Node, UndefinedFigure

_ROUNDING_CNY: Final = 1.0
_SMALL_HOURS: Final = 5.0
"""Until which hour of the morning a day has no sensible end."""


def count_failures(plan: Itinerary) -> dict[str, int]:
    """How often a plan fails, by the kind of failure. What can't be read fails in nothing here."""
    counts = {}
    for kind, count in FAILURES.items():
        try:
            if found := count(plan):
                counts[kind] = found
        except (UndefinedFigure, OverflowError):
            continue
    return counts


def _claimed_costs(plan: Itinerary) -> int:
    """Whether the told total is another than the sum of the told kinds, by more than 1 CNY."""
    claimed = plan.summary.need("calculated_total_cost").number()
    return int(abs(claimed - _told_costs(plan)) > _ROUNDING_CNY)


def _false_within_budget(plan: Itinerary) -> int:
    """Whether a plan says that it keeps the budget, and its own prices or told costs exceed the query's."""
    told = plan.summary.get("is_within_budget").value is True
    return int(told and _costs(plan) > plan.query.budget)


def _costs(plan: Itinerary) -> float:
    """Those that follow from the prices; where these can't be read, those that are told."""
    try:
        return total(costs_by_paper(plan))
    except UndefinedFigure:
        return _told_costs(plan)


def _told_costs(plan: Itinerary) -> float:
    told = plan.plan.need("cost_breakdown")
    return sum(told.get(kind, 0).number() for kind in KINDS)


def _omitted_days(plan: Itinerary) -> int:
    """How many days of the query no entry is about."""
    numbers = {_whole_number(entry.get("day")) for entry in plan.entries}
    return sum(day not in numbers for day in range(1, plan.query.days + 1))


def _whole_number(day: Node) -> int | None:
    try:
        return day.integer()
    except UndefinedFigure:
        return None


def _nightly_ends(plan: Itinerary) -> int:
    """How many days end with something that begins between midnight and five."""
    return sum(_ends_at_night(entry.get("ending_point")) for entry in plan.entries)


def _ends_at_night(end: Node) -> bool:
    try:
        return 0 <= end.get("start_time").clock() < _SMALL_HOURS
    except UndefinedFigure:
        return False


FAILURES: Final[Mapping[str, Callable[[Itinerary], int]]] = {
    "claimed_costs": _claimed_costs,
    "false_within_budget": _false_within_budget,
    "omitted_days": _omitted_days,
    "nightly_ends": _nightly_ends,
}
