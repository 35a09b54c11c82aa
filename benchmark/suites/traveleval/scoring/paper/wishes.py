"""Whether a plan keeps the query by the paper: days, people, and both lists of wishes."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from statistics import fmean
from typing import Final

from benchmark.plans.clock import calendar_day
from benchmark.plans.view import Mark
from benchmark.suites.traveleval.scoring.costs import Costs, total
from benchmark.suites.traveleval.scoring.itinerary import MEAL, Itinerary
from benchmark.suites.traveleval.scoring.paper.visits import refuse_empty
from benchmark.suites.traveleval.scoring.people import (
    USUAL_SEATS,
    all_tickets,
    beds,
    capacities,
    details_of_stops,
)
from benchmark.suites.traveleval.scoring.reading import Node, UndefinedFigure
from benchmark.suites.traveleval.scoring.results import Result

_CITY_MODES: Final = {"自驾": "驾车", "驾车": "驾车", "骑行": "骑行"}
"""Wishes that are about ways in the city, as plans call them."""


def within_budget(plan: Itinerary, costs: Costs) -> Result:
    """BCS: whether the costs keep the query's budget."""
    spent = total(costs)
    return Result(spent <= plan.query.budget, rows=[{"spent": spent, "budget": plan.query.budget}])


def days_as_asked(plan: Itinerary) -> Result:
    """TCS: whether the plan has each asked day once, with its date."""
    dates = {}
    for entry in plan.entries:
        day = entry.need("day")
        if not isinstance(day.value, int | float) or day.value in dates:
            return Result(0, [Mark(entry.at, "other_days")])
        dates[day.value] = calendar_day(entry.need("date").value)
    first = plan.query.first_day
    asked = {nth + 1: first + timedelta(days=nth) for nth in range(plan.query.days)}
    return Result(dates == asked, [] if dates == asked else [Mark(("daily_plans",), "other_days")])


def people_deviation(plan: Itinerary) -> Result:
    """PD (formula 6): beds, cars and tickets too many or too few, for each traveller."""
    n = plan.travellers
    if n == 0:
        raise UndefinedFigure(("people_number",))
    kinds = [[beds(plan)], list(_cars(plan)), all_tickets(plan)]
    apart = sum(fmean(abs(own - n) for own in kind) for kind in kinds if kind)
    return Result(
        apart / n, rows=[{"beds": kinds[0], "cars": kinds[1], "tickets": kinds[2], "travellers": n}]
    )


def _cars(plan: Itinerary) -> Iterator[float]:
    """Seats of all cars of a way."""
    for details in details_of_stops(plan):
        count = details.get("car_number").number_or(0)
        if count:
            yield details.get("load_limit").number_or(USUAL_SEATS) * count


def enough_for_all(plan: Itinerary) -> Result:
    """HCS: as published, but for the number that the plan tells, and with the seats of drivers."""
    n = plan.travellers
    for at, key, room in capacities(plan, drivers=0) if n else ():
        if room < n:
            return Result(0, [Mark(at, key, {"room": room, "people": n})])
    return Result(1)


def hotel_as_wished(plan: Itinerary) -> Result:
    """PAS-A: whether the hotel's feature is a preferred one, where there are such, and no rejected one."""
    refuse_empty(plan.city.hotels, "accommodations")
    wishes = plan.query.accommodations
    hotel = plan.city.hotel.get(plan.plan.need("accommodation").need("hotel_name").name())
    feature = hotel.feature if hotel else ""
    kept = feature not in wishes.constraints and (not wishes.preferences or feature in wishes.preferences)
    return Result(kept, [] if kept else [Mark(("accommodation",), "other_hotel", {"feature": feature})])


def transport_as_wished(plan: Itinerary) -> Result:
    """PAS-T: whether every leg, and the ways in the city, are by preferred modes and by no rejected one."""
    wishes = plan.query.transportation
    marks = [] if not wishes else [*_wrong_legs(plan), *_wrong_ways(plan)]
    return Result(not marks, marks)


def _wrong_legs(plan: Itinerary) -> Iterator[Mark]:
    wishes = plan.query.transportation
    liked = [mode for mode in wishes.preferences if mode not in _CITY_MODES]
    rejected = [mode for mode in wishes.constraints if mode not in _CITY_MODES]
    if not liked and not rejected:
        return
    modes = [(leg.at, leg.need("transportation_to").value) for leg in plan.legs]
    for at, mode in modes:
        if mode in rejected or (liked and mode not in liked):
            yield Mark(at, "other_mode", {"mode": str(mode)})
    if not modes:
        yield Mark(("intercity_transport",), "other_mode", {"mode": "–"})


def _wrong_ways(plan: Itinerary) -> Iterator[Mark]:
    wishes = plan.query.transportation
    liked, rejected = (
        {_CITY_MODES[mode] for mode in own if mode in _CITY_MODES}
        for own in (wishes.preferences, wishes.constraints)
    )
    if not liked and not rejected:
        return
    ways = [(stop.node.at, _mode(stop.node)) for stop in plan.stops if isinstance(stop.node.value, dict)]
    yield from (Mark(at, "other_mode", {"mode": mode}) for at, mode in ways if mode in rejected)
    for missing in sorted(liked - {mode for _, mode in ways}):
        yield Mark(("daily_plans",), "open_mode", {"mode": missing})


def _mode(stop: Node) -> str:
    mode = stop.get("transportation_to").value
    return _CITY_MODES.get(mode, mode) if isinstance(mode, str) else ""


def meals_as_wished(plan: Itinerary) -> Result:
    """PAS-C: whether each preferred cuisine comes and no rejected one does; an unknown restaurant has none."""
    refuse_empty(plan.city.taverns, "restaurants")
    served: dict[str, Node] = {}
    for _day, activity in plan.activities:
        if activity.get("type").value == MEAL:
            tavern = plan.city.tavern.get(activity.get("location_name").name())
            if tavern:
                served.setdefault(tavern.cuisine, activity)
    wishes = plan.query.diet
    marks = [
        Mark(served[wish].at, "rejected_cuisine", {"cuisine": wish})
        for wish in wishes.constraints
        if wish in served
    ]
    marks += [
        Mark((), "open_cuisine", {"cuisine": wish}) for wish in wishes.preferences if wish not in served
    ]
    return Result(not marks, marks)
