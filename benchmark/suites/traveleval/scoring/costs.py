"""What a plan costs, in six kinds (CNY of the whole party)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from benchmark.suites.traveleval.scoring.itinerary import (
    ATTRACTION,
    HOTEL_TYPES,
    MEAL,
    TRANSPORT_TYPES,
    Itinerary,
)
from benchmark.suites.traveleval.scoring.reading import Node, UndefinedFigure, keep_answers, ratio
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
_TYPES_WITHOUT_COSTS: Final = (*HOTEL_TYPES, *TRANSPORT_TYPES)
_OF_ROOMS: Final = ("quantity", "price_per_night", "nights")
Costs = dict[str, float]


def costs_of(plan: Itinerary) -> Costs:
    """The costs by kind, as published: without ways in the city that are as dear as a leg. Raises UndefinedFigure."""
    legs = plan.legs
    costs = dict.fromkeys(KINDS, 0.0)
    costs["intercity_transportation"], costs["accommodation"] = legs_cost(plan), rooms_cost(plan)
    for kind, cost in _activity_costs(plan).items():
        costs[kind] += cost
    highest = None
    for stop in _moves(plan):
        fare = _fare(stop)
        if highest is None:
            highest = legs[-1].need("details").need("price").figure() if legs else math.inf
        costs["intracity_transportation"] += fare if fare < highest else 0.0  # one as high is that of a leg
    return costs


@keep_answers
def costs_by_paper(plan: Itinerary) -> Costs:
    """The costs by kind, with every way in the city. Raises UndefinedFigure."""
    try:
        costs = {**_activity_costs(plan), "intercity_transportation": legs_cost(plan)}
        costs |= {"intracity_transportation": ways_cost(plan), "accommodation": rooms_cost(plan)}
    except (UndefinedFigure, OverflowError):
        costs = {kind: cost(plan) for kind, cost in PARTS.items()}  # ends at what the first kind lacks
    return {kind: costs[kind] for kind in KINDS}


def total(costs: Costs) -> float:
    """All of them."""
    return sum(costs.values())


@keep_answers
def legs_cost(plan: Itinerary) -> float:
    """Of the journeys between cities."""
    details = [leg.need("details") for leg in plan.legs]
    return sum(own.need("price").number() * own.need("number").number() for own in details)


@keep_answers
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
        return sum(_activity_cost(own, plan) for own in plan.every_activity() if _kind(own) == kind)

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


def _moves(plan: Itinerary) -> Iterator[Node]:
    """What a way leads to."""
    for entry in plan.entries:
        yield from entry.need("activities").items()
        if (end := entry.get("ending_point")).value:
            yield end


@keep_answers
def _activity_costs(plan: Itinerary) -> Costs:
    """Of all activities."""
    costs: Costs = {"attractions": 0, "meals": 0, "other": 0}
    for activity in plan.every_activity():
        cost, kind = _activity_cost(activity, plan), _kind(activity)
        if kind:
            costs[kind] += cost
    return costs


def _kind(activity: Node) -> str:
    """The kind of costs of an activity, "" for none."""
    kind = activity.need("type").value
    if kind in _TYPES_WITHOUT_COSTS:
        return ""
    return _OF_TYPES.get(kind, "other") if isinstance(kind, str) else "other"


def _activity_cost(activity: Node, plan: Itinerary) -> float:
    """By its tickets; what has none has a cost of its own."""
    details = activity.get("details")
    if details.value is None:
        return activity.get("cost", 0).number()
    price = details.get("ticket_price").number_or(0)
    tickets = details.get("ticket_number")
    count = tickets.integer() if tickets.value else 0
    if price == 0:
        return activity.get("cost", 0).number()
    return price * (count or plan.summary.need("total_travelers").figure())


def _fare(stop: Node) -> float:
    return stop.get("transportation_cost", 0).number()


def deviation(plan: Itinerary, costs: Costs) -> Result:
    """CCD (formula 1): how far the costs that the plan tells are from the actual ones."""
    told = plan.plan.need("cost_breakdown")
    rows = [{"kind": kind, "told": told.get(kind, 0).number(), "actual": costs[kind]} for kind in KINDS]
    apart = sum(abs(costs[kind] - told.get(kind, 0).number()) for kind in KINDS)
    return Result(ratio(apart, total(costs)), rows=rows)


def within_budget(plan: Itinerary, costs: Costs) -> Result:
    """BCS: whether the plan says that it keeps its own budget, and does."""
    budget = plan.summary.get("total_budget").number_or(0.0)
    spent = total(costs)
    kept = bool(plan.summary.get("is_within_budget").value) and (budget == 0 or spent <= budget)
    return Result(kept, rows=[{"spent": spent, "budget": budget}])
