"""Constraints 5 to 10: whether somebody can travel so. A rule yields what is against it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Final

from benchmark.plans.clock import hour_text
from benchmark.plans.hours import DAY, Window
from benchmark.plans.view import Mark
from benchmark.suites.tripscore.scoring.trip import (
    HOTEL,
    PERIOD_WINDOWS,
    POI,
    TRANSPORT,
    VISIT_WINDOWS,
    Item,
    Trip,
)

_HOUR: Final = 60


def _mark(key: str, **params: object) -> Mark:
    return Mark((), key, params)


# 5.


def completeness_faults(trip: Trip) -> Iterator[Mark]:
    """Days, sights in each city, nights and legs that lack."""
    query = trip.task.query
    if trip.day_count != query.days:
        yield _mark("day_count", wanted=query.days, found=trip.day_count)
    seen = {
        item.place.folded_city if item.place else city for item, city, _ in trip.stays if item.kind == POI
    }
    for name, city in dict(zip(query.folded_cities, query.cities, strict=True)).items():
        if name not in seen:
            yield _mark("no_sight", city=city)
    for day, items in enumerate(trip.days[:-1]):
        if not any(item.kind == HOTEL or _spends_night(trip, item) for item in items):
            yield Mark(("dayInfos", day), "no_hotel", {"day": day + 1})
    yield from _missing_legs(trip)


def _spends_night(trip: Trip, item: Item) -> bool:
    return item.leg_times is not None and item.leg_times[1].date() > trip.date(item.day)


def _missing_legs(trip: Trip) -> Iterator[Mark]:
    query, home = trip.task.query, trip.task.query.folded_departure
    left = {item.leg.ends[0] for item in trip.legs if item.leg}
    reached = {item.leg.ends[1] for item in trip.legs if item.leg}
    if query.leaves_from_outside and home is not None:
        if home not in left and not trip.waives(leaving=home):
            yield _mark("no_leg_from", city=query.departure_city)
        if query.returns and home not in reached and not trip.waives(reaching=home):
            yield _mark("no_leg_to", city=query.departure_city)
    for name, city in zip(query.folded_cities, query.cities, strict=True):
        if name not in (trip.start, *reached) and not trip.waives(reaching=name):
            yield _mark("no_leg_to", city=city)


# 6.


def order_faults(trip: Trip) -> Iterator[Mark]:
    """Periods and departures out of order or place, and days that do not end at the hotel."""
    for day in trip.details:
        for earlier, detail in pairwise(day):
            if detail.period < earlier.period:
                yield detail.mark("period_goes_back")
    for item in trip.legs:
        yield from _departure_faults(trip, item)
    timed = [(item, item.leg_times[0]) for item in trip.legs if item.leg_times]
    for (_, before), (item, departs) in pairwise(timed):
        if departs < before:
            yield item.mark("departure_goes_back", time=f"{departs:%H:%M}")
    if trip.parameters.hotel_last:
        for items in trip.days[:-1]:
            hotels = [item for item in items if item.kind == HOTEL]
            if hotels and items[-1].kind != HOTEL:
                yield items[-1].mark("after_hotel")


def _departure_faults(trip: Trip, item: Item) -> Iterator[Mark]:
    if item.leg_times is None:
        return
    departs = item.leg_times[0]
    slack, window = trip.parameters.period_slack_min, PERIOD_WINDOWS[item.period]
    if departs.date() != trip.date(item.day):
        yield item.mark("other_date", date=f"{departs:%Y-%m-%d}")
    elif not window.start - slack <= _minute_of_day(departs) < window.end + slack:
        yield item.mark("other_period", time=f"{departs:%H:%M}")


def _minute_of_day(moment: datetime) -> int:
    return moment.hour * _HOUR + moment.minute


# 7.


def place_faults(trip: Trip) -> Iterator[Mark]:
    """Places that are not where the traveller is."""
    for item, _, fits in trip.stays:
        if not fits and item.place:
            yield item.mark("elsewhere", city=item.place.city)


# 8.


def closing_faults(trip: Trip) -> Iterator[Mark]:
    """Sights that are not open long enough in their period."""
    for item in trip.items:
        windows = trip.open_windows(item)
        if windows is None or item.sight is None:
            continue
        hours = item.sight.hours or trip.parameters.default_visit_h
        wanted, visit = min(trip.parameters.min_visit_min, hours * _HOUR), VISIT_WINDOWS[item.period]
        if not any(window.overlap(visit.start, visit.end) >= wanted for window in windows):
            yield item.mark("closed", hours=_hours_text(windows))


def _hours_text(windows: Sequence[Window]) -> str:
    """Such as 09:00–17:00; – where it is closed."""
    return ", ".join("–".join(map(hour_text, window)) for window in windows) or "–"


# 9.


def block_faults(trip: Trip) -> Iterator[Mark]:
    """Sights for which a leg leaves no time, and legs that begin before the one before has ended."""
    yield from _cut_short(trip)
    latest: tuple[datetime, str] | None = None
    for item in trip.items:
        if item.leg_times:
            latest = max(latest or (item.leg_times[1], item.name), (item.leg_times[1], item.name))
        elif item.kind == POI and latest:
            start, end = _visit(item)
            if end - max(start, trip.minute(latest[0])) < trip.parameters.block_min_free:
                yield item.mark("arrives_late", leg=latest[1][:80], time=f"{latest[0]:%m-%d %H:%M}")
    timed = [(item, *item.leg_times) for item in trip.legs if item.leg_times]
    for (_, _, arrives), (item, departs, _) in pairwise(timed):
        if departs < arrives:
            yield item.mark("overlaps_leg", time=f"{departs:%H:%M}", arrives=f"{arrives:%m-%d %H:%M}")


def _cut_short(trip: Trip) -> Iterator[Mark]:
    """Sights before the legs of their day, of which the first departure and the earliest time of day decide."""
    for items in trip.days:
        first: tuple[datetime, str] | None = None
        earliest: tuple[int, str] | None = None
        for item in reversed(items):
            if item.leg_times:
                departs = item.leg_times[0]
                first = min(first or (departs, item.name), (departs, item.name))
                clock = (_minute_of_day(departs), item.name)
                earliest = min(earliest or clock, clock)
            elif item.kind == POI and first and earliest:
                yield from _before(trip, item, first, earliest)


def _before(
    trip: Trip, sight: Item, first: tuple[datetime, str], earliest: tuple[int, str]
) -> Iterator[Mark]:
    start, end = _visit(sight)
    if earliest[0] < trip.parameters.early_minutes:
        yield sight.mark("leaves_early", leg=earliest[1][:80], time=hour_text(earliest[0]))
    elif min(end, trip.minute(first[0])) - start < trip.parameters.block_min_free:
        yield sight.mark("leaves_soon", leg=first[1][:80], time=f"{first[0]:%H:%M}")


def _visit(item: Item) -> tuple[int, int]:
    """Minutes since the first midnight."""
    window = VISIT_WINDOWS[item.period]
    return window.start + item.day * DAY, window.end + item.day * DAY


# 10.


def journey_faults(trip: Trip) -> Iterator[Mark]:
    """Legs that do not make one journey as the query asks."""
    if not trip.legs:
        return
    yield from _ends(trip)
    ways, waives = trip.lookup.ways, trip.parameters.waive_missing_legs
    for before, item in pairwise(trip.legs):
        way = (_ends_of(before)[1], _ends_of(item)[0])
        if way[0] != way[1] and not (waives and way not in ways):
            yield item.mark("jump", arrived=before.leg.to_city if before.leg else "")
    seen: set[str] = set()
    for item in trip.legs:
        if item.id in seen:
            yield item.mark("leg_twice")
        seen.add(item.id)
        if _ends_of(item)[0] == _ends_of(item)[1]:
            yield item.mark("round_leg")
    yield from _entered_again(trip)
    yield from _strays(trip)
    yield from _other_order(trip)


def _ends_of(item: Item) -> tuple[str, str]:
    assert item.leg is not None
    return item.leg.ends


def _ends(trip: Trip) -> Iterator[Mark]:
    query, home = trip.task.query, trip.task.query.folded_departure
    if home is None:
        return
    first, last = trip.legs[0], trip.legs[-1]
    if _ends_of(first)[0] != home and not trip.waives(leaving=home):
        yield first.mark("first_leg", city=query.departure_city)
    asked = query.returns and query.leaves_from_outside
    if asked and _ends_of(last)[1] != home and not trip.waives(reaching=home):
        yield last.mark("last_leg", city=query.departure_city)


def _entered_again(trip: Trip) -> Iterator[Mark]:
    query = trip.task.query
    named, entered = Counter(query.folded_cities), Counter[str]()
    if query.folded_departure is None and trip.start is not None:
        entered[trip.start] += 1
    for item in trip.legs:
        city = _ends_of(item)[1]
        entered[city] += 1
        if city in named and city != query.folded_departure and entered[city] > named[city]:
            yield item.mark("entered_again", city=item.leg.to_city if item.leg else "")


def _strays(trip: Trip) -> Iterator[Mark]:
    usual = {*trip.task.query.folded_cities, trip.start}
    for item, after in zip(trip.items, [*trip.items[1:], None], strict=True):
        stops = after is None or after.kind != TRANSPORT
        if item.leg and stops and item.leg.ends[1] not in usual:
            yield item.mark("no_hub", city=item.leg.to_city)


def _other_order(trip: Trip) -> Iterator[Mark]:
    query = trip.task.query
    if not query.fixed_order:
        return
    reached = dict.fromkeys([trip.start, *(city for _, city, _ in trip.stays)])
    order = [city for city in reached if city in query.folded_cities]
    asked = [city for city in dict.fromkeys(query.folded_cities) if city in order]
    if order != asked:
        yield _mark("order", cities=" – ".join(query.cities))
