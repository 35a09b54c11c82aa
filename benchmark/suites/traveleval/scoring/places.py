"""Whether the places of a plan exist, and are open (accuracy)."""

from __future__ import annotations

from benchmark.plans.view import Mark
from benchmark.suites.traveleval.scoring.itinerary import Itinerary
from benchmark.suites.traveleval.scoring.reading import Node, UndefinedFigure
from benchmark.suites.traveleval.scoring.results import Result
from benchmark.suites.traveleval.world import Sight


def fictitious(plan: Itinerary) -> Result:
    """FAR (formula 2): the share of visits to what is no point of interest of the city; a restaurant is one."""
    if not any(_is_point(stop.name, plan) for stop in plan.stops):
        return Result(1.0)
    unknown = [visit for visit in plan.visits if visit.name.name() not in plan.city.points]
    marks = [Mark(visit.node.at, "unknown_place", {"name": visit.name.value}) for visit in unknown]
    return Result(len(unknown) / len(plan.visits) if plan.visits else 0.0, marks)


def _is_point(name: Node, plan: Itinerary) -> bool:
    return isinstance(name.value, str) and name.value in plan.city.points


def closed_visits(plan: Itinerary) -> Result:
    """VROH: the share of activities at attractions, meals too, that begin while those are closed."""
    if not plan.city.sights:
        return Result(1.0)
    known = []
    for _day, activity in plan.activities:
        name, start = activity.need("location_name").name(), activity.need("start_time")
        if sight := plan.city.sight.get(name):
            known.append((activity, sight, start))
    wrong = [(activity, sight) for activity, sight, start in known if not _is_open(sight, start)]
    marks = [Mark(a.at, "closed", {"name": s.name, "opens": s.opens, "closes": s.closes}) for a, s in wrong]
    return Result(len(wrong) / len(known) if known else 0.0, marks)


def _is_open(sight: Sight, start: Node) -> bool:
    """Both ends count; a start that can't be read is inside."""
    try:
        opens, closes = Node(sight.opens).hour_and_minute(), Node(sight.closes).hour_and_minute()
        return opens <= start.hour_and_minute() <= closes
    except UndefinedFigure:
        return True
