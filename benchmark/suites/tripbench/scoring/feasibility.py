"""The four constraints of basic feasibility (appendix B.4.1). A rule yields what is against it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchmark.plans.view import Mark
from benchmark.suites.tripbench.frame import Frame
from benchmark.suites.tripbench.plans.schema import (
    ATTRACTION,
    LEG,
    RESTAURANT,
    Activity,
    Day,
    Purchase,
    Stay,
    TripPlan,
)
from benchmark.suites.tripbench.plans.trip import Trip, day_mark
from sandbox.toolsets.tripbench.records import TripWorld


def item_faults(plan: TripPlan, world: TripWorld, frame: Frame) -> Iterator[Mark]:
    """Items that do not exist or lie outside the destinations, and products of others (`poi_validity`)."""
    by_type: Mapping[str, Mapping[str, Any]] = {
        ATTRACTION: world.attractions_by_id,
        RESTAURANT: world.restaurants_by_id,
        LEG: world.services_by_id,
    }
    for day in plan.days:
        if day.stay is not None:
            hotel = world.hotels_by_id.get(day.stay.id)
            yield from _place_faults(day, day.stay, day.stay.rooms, hotel, frame)
        for activity in day.of_type(*by_type):
            item = by_type[activity.type].get(activity.id)
            yield from _place_faults(day, activity, activity.products, item, frame)


def _place_faults(
    day: Day, at: Activity | Stay, purchases: Sequence[Purchase], item: Any, frame: Frame
) -> Iterator[Mark]:
    if item is None:
        yield day_mark(day, "item_unknown", at, item=at.id)
        return
    city = getattr(item, "city", None)
    if city is not None and city not in frame.destinations:
        expected = ", ".join(frame.destinations)
        yield day_mark(day, "item_elsewhere", at, item=at.id, expected=expected, seen=city)
    for purchase in purchases:
        if item.product(purchase.id) is None:
            yield day_mark(day, "product_unknown", at, item=at.id, seen=purchase.id)


def frame_faults(trip: Trip) -> Iterator[Mark]:
    """Dates, party, legs and nights that are not those of the task (`trip_frame`)."""
    plan, frame = trip.plan, trip.frame
    if not plan.days:
        yield Mark(("trip_plan", "daily_schedule"), "no_days")
        return
    for key, expected, seen in (
        ("start_date", frame.start_date, plan.start),
        ("end_date", frame.end_date, plan.end),
        ("number_of_people", frame.people, plan.people),
    ):
        if expected != seen:
            yield Mark(("trip_plan", key), "other_frame", {"expected": str(expected), "seen": str(seen)})
    dates = [day.date for day in plan.days]
    for date in sorted({*frame.dates} ^ {*dates}):
        yield Mark(
            ("trip_plan", "daily_schedule"),
            "date_missing" if date in frame.dates else "date_outside",
            {"seen": str(date)},
        )
    legs = [(leg.service.from_city, leg.service.to_city) for leg in trip.legs]
    if legs != frame.legs:
        yield Mark(
            ("trip_plan",), "other_legs", {"expected": _legs_text(frame.legs), "seen": _legs_text(legs)}
        )
    nights = [night.hotel.city for night in trip.nights]
    if len(nights) == len(plan.days) - 1 and nights != frame.nights:
        told = {"expected": ", ".join(frame.nights), "seen": ", ".join(nights)}
        yield Mark(("trip_plan",), "other_nights", told)


def _legs_text(legs: list[tuple[str, str]]) -> str:
    return ", ".join(f"{start} → {end}" for start, end in legs)


def content_faults(trip: Trip) -> Iterator[Mark]:
    """Nights without a hotel, and full days without an attraction or a restaurant (`daily_content`)."""
    days = trip.plan.days
    if not days:
        yield Mark(("trip_plan", "daily_schedule"), "no_days")
    for day in days:
        if day.stay is None and day is not days[-1]:
            yield day_mark(day, "no_hotel")
        for kind in (ATTRACTION, RESTAURANT) if day.is_full else ():
            if not day.of_type(kind):
                yield day_mark(day, "day_lacks", expected=kind)
