"""What a plan costs, in six kinds (CNY of the whole party)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from benchmark.suites.traveleval.scoring.itinerary import (
    ATTRACTION,
    HOTEL_TYPES,
    MEAL,
    TRANSPORT_TYPES,
    Itinerary,
)
from benchmark.suites.traveleval.scoring.reading import Node, ratio
from benchmark.suites.traveleval.scoring.results import Result

KINDS: Final = (
    "attractions",
    "intercity_transportation",
    "intracity_transportation",
    "accommodation",
    "meals",
    "other",
)
_OF_TYPES: Final = {ATTRACTION: "attractions", MEAL: "meals"}
_OF_ROOMS: Final = ("quantity", "price_per_night", "nights")
Costs = dict[str, float]


def costs_of(plan: Itinerary) -> Costs:
    """The costs by kind, as published: without ways in the city that are as dear as a leg. Raises UndefinedFigure."""
    legs = plan.legs
    costs = dict.fromkeys(KINDS, 0.0)
    costs["intercity_transportation"], costs["accommodation"] = legs_cost(plan), rooms_cost(plan)
    for activity in _activities(plan):
        cost, kind = _activity_cost(activity, plan), _kind(activity)
        if kind:
            costs[kind] += cost
    for stop in _moves(plan):
        costs["intracity_transportation"] += _fare_below(stop, legs)
    return costs


def total(costs: Costs) -> float:
    """All of them."""
    return sum(costs.values())


def legs_cost(plan: Itinerary) -> float:
    """Of the journeys between cities."""
    details = [leg.need("details") for leg in plan.legs]
    return sum(own.need("price").number() * own.need("number").number() for own in details)


def rooms_cost(plan: Itinerary) -> float:
    """Of the hotel."""
    rooms = plan.plan.need("accommodation").need("room_type").items()
    numbers = ([room.need(key).number() for key in _OF_ROOMS] for room in rooms)
    return sum(map(math.prod, numbers))


def ways_cost(plan: Itinerary) -> float:
    """Of all ways in the city (appendix A.1)."""
    return sum(_fare(stop) for stop in _moves(plan))


def _cost_of_kind(kind: str) -> Callable[[Itinerary], float]:
    def cost(plan: Itinerary) -> float:
        return sum(_activity_cost(own, plan) for own in _activities(plan) if _kind(own) == kind)

    return cost


PARTS: Final[Mapping[str, Callable[[Itinerary], float]]] = {
    "attractions": _cost_of_kind("attractions"),
    "intercity_transportation": legs_cost,
    "intracity_transportation": ways_cost,
    "accommodation": rooms_cost,
    "meals": _cost_of_kind("meals"),
    "other": _cost_of_kind("other"),
}
"""Each kind by itself, so that what is wrong with one takes no other away."""


def _activities(plan: Itinerary) -> Iterator[Node]:
    for entry in plan.entries:
        yield from entry.need("activities").items()


def _moves(plan: Itinerary) -> Iterator[Node]:
    """What a way leads to."""
    for entry in plan.entries:
        yield from entry.need("activities").items()
        if (end := entry.get("ending_point")).value:
            yield end


def _kind(activity: Node) -> str:
    """The kind of costs of an activity, "" for none."""
    kind = activity.need("type").value
    if kind in (*HOTEL_TYPES, *TRANSPORT_TYPES):
        return ""
    return _OF_TYPES.get(kind, "other") if isinstance(kind, str) else "other"


def _activity_cost(activity: Node, plan: Itinerary) -> float:
    """By its tickets; what has none has a cost of its own."""
    details = activity.get("details")
    if details.value is None:
        return activity.get("cost", 0).number()
    price = details.get("ticket_price").value_or(0).number()
    count = details.get("ticket_number").value_or(0).integer()
    if price == 0:
        return activity.get("cost", 0).number()
    return price * (count or plan.summary.need("total_travelers").figure())


def _fare(stop: Node) -> float:
    return stop.get("transportation_cost", 0).number()


def _fare_below(stop: Node, legs: Sequence[Node]) -> float:
    """0 for a fare as high as that of the last leg, which is one of a leg."""
    fare = _fare(stop)
    highest = legs[-1].need("details").need("price").figure() if legs else math.inf
    return fare if fare < highest else 0.0


def deviation(plan: Itinerary, costs: Costs) -> Result:
    """CCD (formula 1): how far the costs that the plan tells are from the actual ones."""
    told = plan.plan.need("cost_breakdown")
    rows = [{"kind": kind, "told": told.get(kind, 0).number(), "actual": costs[kind]} for kind in KINDS]
    apart = sum(abs(costs[kind] - told.get(kind, 0).number()) for kind in KINDS)
    return Result(ratio(apart, total(costs)), rows=rows)


def within_budget(plan: Itinerary, costs: Costs) -> Result:
    """BCS: whether the plan says that it keeps its own budget, and does."""
    budget = plan.summary.get("total_budget").value_or(0).number()
    spent = total(costs)
    kept = bool(plan.summary.get("is_within_budget").value) and (budget == 0 or spent <= budget)
    return Result(kept, rows=[{"spent": spent, "budget": budget}])
