"""The eight constraints of planning soundness (appendix B.4.2). A rule yields what is against it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from benchmark.plans.clock import hour_text
from benchmark.plans.hours import DAY
from benchmark.plans.view import Mark
from benchmark.plans.ways import length_km, shortest_km
from benchmark.suites.tripbench.plans.schema import (
    ATTRACTION,
    CHECK_IN,
    HOTEL,
    LOCAL,
    RESTAURANT,
    Activity,
    Day,
)
from benchmark.suites.tripbench.plans.trip import TINY, DayOfStops, Leg, Meal, Night, Trip, Visit, day_mark
from benchmark.suites.tripbench.world import holds_visit
from sandbox.worlds.geo import Point

_ZIGZAG_POIS = range(4, 10)
"""Of how many places of a day the shortest order is compared."""


def timeline_faults(trip: Trip) -> Iterator[Mark]:
    """Activities that overlap, and full days with gaps, or that begin or end at other times."""
    before = -DAY
    first_date = trip.plan.days[0].date
    for day in trip.plan.days:
        midnight = (day.date - first_date).days * DAY
        for activity in day.activities:
            if midnight + activity.start < before:
                yield day_mark(
                    day, "overlap", activity, expected=f"≥ {hour_text(before)}", seen=_time(activity)
                )
            before = max(before, midnight + activity.start + activity.minutes)
        if day.is_full and day.activities:
            yield from _full_day_faults(trip, day)


def _full_day_faults(trip: Trip, day: Day) -> Iterator[Mark]:
    parameters = trip.parameters
    for earlier, later in pairwise(day.activities):
        if later.start - earlier.end > parameters.gap_max + TINY:
            told = {"expected": f"≤ {parameters.gap_max:g} min", "seen": f"{later.start - earlier.end} min"}
            yield day_mark(day, "gap", later, **told)
    for key, (low, high), minute, activity in (
        ("day_start", parameters.day_start, day.activities[0].start, day.activities[0]),
        ("day_end", parameters.day_end, day.activities[-1].end, day.activities[-1]),
    ):
        if not low <= minute <= high:
            expected = f"{_clock(low)}–{_clock(high)}"
            yield day_mark(day, key, activity, expected=expected, seen=_clock(minute))


def duration_faults(trip: Trip) -> Iterator[Mark]:
    """Visits and meals that are too short or too long."""
    parameters = trip.parameters
    for visit in trip.visits:
        stay, hours = visit.activity.minutes, visit.place.visit_hours
        low = hours[0] * 60 - parameters.stay_slack if hours else 0.0
        high = hours[1] * 60 + parameters.stay_slack if hours else float(DAY)
        if stay <= parameters.attraction_min + TINY or stay < low - TINY or stay > high + TINY:
            expected = f"> {parameters.attraction_min:g}, {max(low, 0):g}–{high:g} min"
            yield _item_mark(visit, "duration", expected=expected, seen=f"{stay} min")
    low, high = parameters.meal
    for meal in trip.meals:
        if not low - TINY <= meal.activity.minutes <= high + TINY:
            yield _item_mark(
                meal, "duration", expected=f"{low:g}–{high:g} min", seen=f"{meal.activity.minutes} min"
            )


def closing_faults(trip: Trip) -> Iterator[Mark]:
    """Visits and meals outside opening hours (`opening_hours`)."""
    slack = trip.parameters.hours_slack
    for item in trip.visits_and_meals:
        hours, activity = item.place.open_hours, item.activity
        if not holds_visit(hours, activity.start, activity.end, slack):
            expected = ", ".join("–".join(window) for window in hours)
            yield _item_mark(item, "closed", expected=expected, seen=_time(activity))


def buffer_faults(trip: Trip) -> Iterator[Mark]:
    """Legs at other times than their services, and without the time that they need before (`intercity_buffers`)."""
    for leg in trip.legs:
        yield from _service_faults(trip, leg)
        activities = leg.day.activities
        number = activities.index(leg.activity)
        before = activities[number - 1] if number else None
        if leg.service.is_flight:
            yield from _flight_faults(trip, leg, before)
        elif before is not None:
            yield from _train_faults(trip, leg, before)


def _service_faults(trip: Trip, leg: Leg) -> Iterator[Mark]:
    """An end at 24:00 is midnight, as 00:00 of the next day is."""
    tolerance, planned, (departs, arrives) = trip.parameters.leg_time_tol, leg.activity, leg.times
    nights = leg.service.day_offset
    late = None if arrives is None else planned.start + planned.minutes - (arrives + nights * DAY)
    early = None if departs is None else planned.start - departs
    if any(by is None or min(by % DAY, -by % DAY) > tolerance + TINY for by in (early, late)):
        expected = f"{leg.service.depart}–{leg.service.arrive}"
        yield _item_mark(leg, "leg_times", expected=expected, seen=_time(planned))
    elif abs(late or 0) > tolerance + TINY or (planned.is_overnight and nights != 1):
        yield _item_mark(leg, "leg_nights", expected=str(nights), seen=_time(planned))


def _flight_faults(trip: Trip, leg: Leg, before: Activity | None) -> Iterator[Mark]:
    low, high = trip.parameters.checkin
    expected = f"{low:g}–{high:g} min"
    if before is None or before.type != CHECK_IN:
        yield _item_mark(leg, "no_check_in", expected=expected)
    elif before.end != leg.activity.start or not low - TINY <= before.minutes <= high + TINY:
        yield _item_mark(leg, "check_in", expected=expected, seen=_time(before))


def _train_faults(trip: Trip, leg: Leg, before: Activity) -> Iterator[Mark]:
    low, high = trip.parameters.train_buffer
    wait = leg.activity.start - before.end
    if before.type == CHECK_IN:
        yield _item_mark(leg, "check_in_for_train")
    elif not low - TINY <= wait <= high + TINY:
        yield _item_mark(leg, "train_buffer", expected=f"{low:g}–{high:g} min", seen=f"{wait} min")


def transfer_faults(trip: Trip) -> Iterator[Mark]:
    """Ways without local transport, or of another length than estimated, and nights begun without a way to the hotel
    (`local_transfers`).
    """
    slept: str | None = None
    for told in trip.days_of_stops:
        here = told.begins
        for stop in told.stops:
            if here is not None and not stop.is_arrival:
                yield from _way_faults(trip, told.day, stop.activity, here, stop.point, stop.transfer)
            here = stop.point
        if told.day is not trip.plan.days[-1]:
            yield from _evening_faults(trip, told)
        if told.day.stay is not None:
            if told.day.stay.id != slept and not told.day.of_type(HOTEL):
                yield day_mark(told.day, "no_hotel_check_in", told.day.stay, item=told.day.stay.id)
            slept = told.day.stay.id


def _way_faults(
    trip: Trip, day: Day, activity: Activity, start: Point, end: Point, minutes: int | None
) -> Iterator[Mark]:
    km = trip.km(start, end)
    if km <= trip.parameters.same_place_km + TINY:
        return
    estimate = trip.estimated_minutes(km)
    if minutes is None or abs(minutes - estimate) >= trip.parameters.transfer_tol - TINY:
        tolerance = f"{trip.parameters.transfer_tol:g}"
        seen = "–" if minutes is None else f"{minutes} min"
        yield day_mark(day, "transfer", activity, expected=f"{estimate} ± {tolerance} min", seen=seen)


def _evening_faults(trip: Trip, told: DayOfStops) -> Iterator[Mark]:
    last = told.day.activities[-1] if told.day.activities else None
    if last is None or not (last.type in (LOCAL, HOTEL) or last.is_overnight):
        yield day_mark(told.day, "day_ends_elsewhere", last)
    elif last.type == LOCAL and (hotel := trip.hotel_of(told.day)) is not None and told.ends is not None:
        yield from _way_faults(trip, told.day, last, told.ends, hotel.point, told.last_transfer)


def place_faults(trip: Trip) -> Iterator[Mark]:
    """Restaurants far from what comes before and after, and days that go to and fro (`spatial_logic`)."""
    limit = trip.parameters.meal_km
    for told in trip.days_of_stops:
        for earlier, later in pairwise(told.stops):
            kinds = {earlier.activity.type, later.activity.type}
            if RESTAURANT in kinds and (km := trip.km(earlier.point, later.point)) > limit + TINY:
                told_km = {"expected": f"≤ {limit:g} km", "seen": f"{km:.1f} km"}
                yield day_mark(told.day, "meal_far", later.activity, **told_km)
        yield from _zigzag_faults(trip, told)


def _zigzag_faults(trip: Trip, told: DayOfStops) -> Iterator[Mark]:
    points = [stop.point for stop in told.stops if stop.activity.type in (ATTRACTION, RESTAURANT)]
    if len(points) not in _ZIGZAG_POIS:
        return
    length, shortest = length_km(points, trip.km), shortest_km(points, trip.km)
    if shortest is None:
        return
    parameters = trip.parameters
    is_longer = length > parameters.route_ratio * shortest + TINY
    if is_longer and length - shortest > parameters.route_extra_km + TINY:
        yield day_mark(told.day, "zigzag", expected=f"{shortest:.1f} km", seen=f"{length:.1f} km")


def repetition_faults(trip: Trip) -> Iterator[Mark]:
    """Attractions and restaurants that come twice (`diversity`)."""
    counts: Counter[tuple[type, str]] = Counter()
    for item in trip.visits_and_meals:
        counts[(type(item), item.place.id)] += 1
        if counts[(type(item), item.place.id)] == 2 and item.place.id not in trip.repeatable:
            yield _item_mark(item, "repeated")


def product_faults(trip: Trip) -> Iterator[Mark]:
    """Too few beds, tickets that are not the party's, and menus for others (`product_consistency`)."""
    people = trip.people
    for night in trip.nights:
        beds = sum(room.occupancy * count for room, count in night.rooms)
        if beds < people:
            yield day_mark(
                night.day, "beds", night.stay, item=night.stay.id, expected=f"≥ {people}", seen=str(beds)
            )
    for leg in trip.legs:
        seats = sum(count for _, count in leg.tickets)
        if seats != people:
            yield _item_mark(leg, "tickets", expected=str(people), seen=str(seats))
    for visit in trip.visits:
        needed = bool(visit.place.products) and (visit.place.price or 0) > 0
        if visit.tickets != people and (needed or visit.tickets):
            expected = str(people) if needed else f"0, {people}"
            yield _item_mark(visit, "tickets", expected=expected, seen=str(visit.tickets))
    for meal in trip.meals:
        yield from _menu_faults(trip, meal)


def _menu_faults(trip: Trip, meal: Meal) -> Iterator[Mark]:
    people, activity = trip.people, meal.activity
    if meal.menus:
        seats = sum(menu.people * count for menu, count in meal.menus)
        smallest = min(menu.people for menu, _ in meal.menus)
        if seats < people or seats - people >= max(smallest, 1):
            yield _item_mark(meal, "seats", expected=str(people), seen=str(seats))
        return
    slack = trip.parameters.hours_slack
    for menu in meal.place.products:
        if menu.people == people and holds_visit(menu.time_ranges, activity.start, activity.end, slack):
            yield _item_mark(meal, "menu_left_out", expected=menu.id)
            return


def _item_mark(item: Visit | Meal | Leg | Night, key: str, **told: object) -> Mark:
    at = item.stay if isinstance(item, Night) else item.activity
    return day_mark(item.day, key, at, item=at.id, **told)


def _clock(minute: float) -> str:
    return f"{int(minute) // 60:02d}:{int(minute) % 60:02d}"


def _time(activity: Activity) -> str:
    return f"{_clock(activity.start)}-{_clock(activity.end)}"
