"""Whether a plan follows the query: its length and its tags (compliance)."""

from __future__ import annotations

from benchmark.plans.view import Mark
from benchmark.suites.traveleval.scoring.itinerary import MEAL, Itinerary
from benchmark.suites.traveleval.scoring.queue import Queues
from benchmark.suites.traveleval.scoring.reading import Node, ratio
from benchmark.suites.traveleval.scoring.results import Result


def as_long_as_asked(plan: Itinerary) -> Result:
    """TCS: whether total_days is as asked."""
    asked = plan.query.days
    return Result(asked == 0 or plan.summary.get("total_days", 0).value == asked)


def hotel_as_wished(plan: Itinerary) -> Result:
    """PAS-A: whether the nights fit, and the hotel's feature is a preferred one, or else none of the rejected."""
    rooms = plan.plan.need("accommodation").need("room_type").items()
    nights = ratio(sum(room.get("nights", 0).integer() for room in rooms), len(rooms))
    if nights != plan.summary.get("total_days", 0).figure() - 1:
        return Result(0, [Mark(("accommodation",), "other_nights", {"nights": nights})])
    if not plan.city.hotels:
        return Result(0)
    wishes, name = plan.query.accommodations, plan.plan.get("accommodation").get("hotel_name").value
    hotel = plan.city.hotel.get(name) if isinstance(name, str) else None
    feature = hotel.feature if hotel else ""
    kept = feature in wishes.preferences if wishes.preferences else feature not in wishes.constraints
    return Result(kept, [] if kept else [Mark(("accommodation",), "other_hotel", {"feature": feature})])


def transport_as_wished(plan: Itinerary) -> Result:
    """PAS-T: whether each leg has a preferred mode; of rejected ones the last leg alone is asked."""
    wishes = plan.query.transportation
    if not wishes:
        return Result(1)
    kept = False
    for leg in plan.legs:
        mode = leg.get("transportation_to").value
        if wishes.preferences and mode not in wishes.preferences:
            return Result(0, [Mark(leg.at, "other_mode", {"mode": str(mode)})])
        kept = mode not in wishes.constraints
    return Result(kept)


def meals_as_wished(plan: Itinerary) -> Result:
    """PAS-C: whether each preferred cuisine comes, and no rejected one once all of them have come.

    As published, a restaurant that is not in the table has the cuisine of the meal before.
    """
    if not plan.city.taverns:
        return Result(0)
    open_wishes, cuisine = [*plan.query.diet.preferences], ""
    for _day, activity in plan.activities:
        if activity.get("type").value != MEAL:
            continue
        served = _cuisine(plan, activity)
        cuisine = cuisine if served is None else served
        if open_wishes:
            if cuisine in open_wishes:
                open_wishes.remove(cuisine)
        elif cuisine in plan.query.diet.constraints:
            return Result(0, [Mark(activity.at, "rejected_cuisine", {"cuisine": cuisine})])
    return Result(not open_wishes, [Mark((), "open_cuisine", {"cuisine": wish}) for wish in open_wishes])


def _cuisine(plan: Itinerary, activity: Node) -> str | None:
    name = activity.get("location_name").value
    tavern = plan.city.tavern.get(name) if isinstance(name, str) else None
    return tavern.cuisine if tavern else None


def visits_of_good_length(plan: Itinerary, queues: Queues) -> Result:
    """TTCS: whether each visit without its queue is within the recommended hours."""
    for day, activity, sight in plan.known_sights():
        hours = queues.effective_hours(plan, day, activity, sight)
        if not sight.least <= hours <= sight.most:
            told = {"name": sight.name, "hours": hours, "least": sight.least, "most": sight.most}
            return Result(0, [Mark(activity.at, "other_length", told)])
    return Result(1)
