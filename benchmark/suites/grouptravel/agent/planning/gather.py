"""What to ask the tools before planning, in stages; each is computed from the answers to the stages before it alone.

So the stages do not depend on how often the agent was asked, and no call is ever repeated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from datetime import timedelta
from itertools import permutations
from typing import Any

from benchmark.core.actions import ToolCall
from benchmark.core.view import ToolEntry
from benchmark.suites.grouptravel.agent.brief import Brief
from benchmark.suites.grouptravel.agent.planning.geography import written_point
from benchmark.suites.grouptravel.agent.planning.knowledge import (
    CallKey,
    Knowledge,
    call_key,
)
from benchmark.suites.grouptravel.agent.planning.nesting import as_families
from benchmark.suites.grouptravel.agent.planning.shared_work import SharedWork
from benchmark.suites.grouptravel.agent.planning.skeleton import DRIVE, Skeleton, city_point
from benchmark.suites.grouptravel.agent.planning.spots import Spot, places_in
from benchmark.suites.grouptravel.agent.planning.tastes import Taste
from benchmark.suites.grouptravel.agent.planning.wishes import known_wishes, meaning
from benchmark.suites.grouptravel.agent.understanding.spellings import spellings

_PAGE = 20
_MOST_CATEGORIES, _MOST_FOODS, _MOST_CLASSES = 8, 14, 6
_DETAILS, _SIGHTS_WITH_RESTAURANTS = 24, 4
_AROUND_KM = 3.0
_BATCH = 120
Calls = list[ToolCall]


def first_stage(brief: Brief, tastes: Sequence[Taste]) -> Calls:
    """Legs between all cities, named sights, liked categories, food, hotels."""
    calls = list(_legs(brief))
    for city in brief.cities:
        calls += _searches(city, tastes)
    calls += [_call("maps_geo", address=city) for city in _all_cities(brief)]
    return calls


def second_stage(
    brief: Brief,
    tastes: Sequence[Taste],
    known: Knowledge,
    frames: Iterable[Skeleton],
    shared_work: SharedWork | None = None,
) -> Calls:
    """Other spellings of sights not found, opening hours, restaurants around, exact dates, stations, drives."""
    shared_work = shared_work or SharedWork()
    calls: Calls = list(_other_spellings(brief, tastes, known))
    tastes, _ = known_wishes(tastes, brief.cities, known)
    for city in brief.cities:
        spots = as_families(shared_work.spots(brief, city, tastes, known), places_in(known, city))
        calls += _details(spots)
        calls += _restaurant_searches(city, spots)
    for frame in frames:
        calls += _dated_calls(brief, frame)
        calls += _stations(frame)
    calls += _routes(brief, tastes, known)
    calls += [
        _call("search_poi", keywords="景点", city=city, page_size=_PAGE)
        for city in _unlocated_cities(brief, known)
    ]
    return calls


def third_stage(
    brief: Brief, tastes: Sequence[Taste], known: Knowledge, shared_work: SharedWork | None = None
) -> Calls:
    """Opening hours of named sights that were found only by another spelling, and drives from cities found late."""
    shared_work = shared_work or SharedWork()
    settled, _ = known_wishes(tastes, brief.cities, known)
    spots = (spot for city in brief.cities for spot in shared_work.spots(brief, city, settled, known))
    places = (spot.place for spot in spots if any(spot.must) and not spot.place.detailed)
    details = [_call("get_poi_detail", id=place.id) for place in places][:_DETAILS]
    return [*details, *_routes(brief, tastes, known)]


def _unlocated_cities(brief: Brief, known: Knowledge) -> list[str]:
    """Cities of which nothing tells where they are; their sights will."""
    return [city for city in _all_cities(brief) if city_point(known, city) is None]


def _other_spellings(brief: Brief, tastes: Sequence[Taste], known: Knowledge) -> Iterator[ToolCall]:
    for city in brief.cities:
        places = places_in(known, city)
        for name in dict.fromkeys(name for taste in tastes for name in taste.of(city).must_visit):
            if meaning(name, city, places) is None:
                yield from (
                    _call("search_poi", keywords=text, city=city) for text in spellings(name, city)[1:]
                )


def missing(calls: Iterable[ToolCall], done: Container[CallKey]) -> tuple[ToolCall, ...]:
    """Those calls, each once, that were not made yet, at most one batch of them."""
    fresh = {call_key(call.name, call.arguments): call for call in calls}
    return tuple(call for key, call in fresh.items() if key not in done)[:_BATCH]


def keys_of(calls: Iterable[ToolCall | ToolEntry]) -> frozenset[CallKey]:
    return frozenset(call_key(call.name, call.arguments) for call in calls)


def _call(name: str, **arguments: Any) -> ToolCall:
    return ToolCall(name, arguments)


def _all_cities(brief: Brief) -> tuple[str, ...]:
    return tuple(dict.fromkeys(city for city in (brief.departure_city, *brief.cities) if city))


def _legs(brief: Brief) -> Iterator[ToolCall]:
    last = brief.days - 1
    middle = last // 2
    pairs = [(brief.departure_city, city, 0) for city in brief.cities]
    pairs += [(a, b, middle) for a, b in permutations(brief.cities, 2)]
    pairs += [(city, brief.departure_city, last) for city in brief.cities]
    for origin, destination, day in pairs:
        yield from _services(brief, origin, destination, day)


def _services(brief: Brief, origin: str, destination: str, day: int) -> Iterator[ToolCall]:
    if not origin or not destination or origin == destination:
        return
    date = (brief.start + timedelta(days=day)).isoformat()
    for tool in ("travel_search_trains", "travel_search_flights"):
        yield _call(tool, origin=origin, destination=destination, date=date)


def _searches(city: str, tastes: Sequence[Taste]) -> Calls:
    mine = [taste.of(city) for taste in tastes]
    named = dict.fromkeys(name for t in mine for name in t.must_visit)
    liked = _common((c for t in mine for c in t.positive), _MOST_CATEGORIES)
    eaten = _common((f for t in mine for f in (*t.must_eat, *t.must_eat, *t.prefer_eat)), _MOST_FOODS)
    slept = _common((c for taste in tastes for c in taste.prefer_hotel), _MOST_CLASSES)
    calls = [_call("search_poi", keywords=name, city=city) for name in named]
    words = (*liked, *eaten, *slept)
    calls += [_call("search_poi", keywords=word, city=city, page_size=_PAGE) for word in words]
    calls.append(_call("search_poi", keywords="景点", city=city, page_size=_PAGE))
    calls.append(_call("search_poi", keywords="景点", city=city, sort_by="rating", page_size=_PAGE))
    calls.append(_call("search_poi", keywords="餐厅", city=city, sort_by="rating", page_size=_PAGE))
    calls.append(_call("search_poi", keywords="酒店", city=city, sort_by="rating", page_size=_PAGE))
    calls.append(_call("search_poi", keywords="酒店", city=city, sort_by="price_low", page_size=_PAGE))
    return calls


def _common(items: Iterable[str], most: int) -> list[str]:
    return [item for item, _ in Counter(items).most_common(most)]


def _details(spots: Sequence[Spot]) -> Calls:
    """Of sights by gain, then appeal."""
    sights = [s.place for s in spots if not s.meal and (s.gain >= 0 or any(s.must))]
    sights.sort(key=lambda place: place.id not in {s.place.id for s in spots if any(s.must)})
    return [_call("get_poi_detail", id=place.id) for place in sights[:_DETAILS]]


def _restaurant_searches(city: str, spots: Sequence[Spot]) -> Calls:
    """Restaurants near the most wanted sights."""
    points = [spot.place.point for spot in spots if not spot.meal and spot.gain > 0 and spot.place.point]
    return [
        _call(
            "search_poi",
            keywords="餐厅",
            city=city,
            location=written_point(point),
            radius_km=_AROUND_KM,
            sort_by="rating",
            page_size=_PAGE,
        )
        for point in points[:_SIGHTS_WITH_RESTAURANTS]
    ]


def _dated_calls(brief: Brief, frame: Skeleton) -> Iterator[ToolCall]:
    """The legs of a frame on its own dates."""
    stops = (brief.departure_city, *frame.order, brief.departure_city)
    for index, day in enumerate(frame.days):
        yield from _services(brief, stops[index], stops[index + 1], day)


def _stations(frame: Skeleton) -> Iterator[ToolCall]:
    """Where the stations of a frame are, at the ends that lie in a destination."""
    for index, ride in enumerate(frame.rides):
        if ride is None or ride.mode == DRIVE:
            continue
        if index < len(frame.order) and ride.destination:
            yield _call("maps_geo", address=ride.destination, city=frame.order[index])
        if index and ride.origin:
            yield _call("maps_geo", address=ride.origin, city=frame.order[index - 1])


def _routes(brief: Brief, tastes: Sequence[Taste], known: Knowledge) -> Iterator[ToolCall]:
    """Drives between cities, where somebody likes to drive or nothing else runs."""
    liked = any(taste.ride_points(DRIVE) > 0 for taste in tastes)
    for origin, destination in permutations(_all_cities(brief), 2):
        a, b = city_point(known, origin), city_point(known, destination)
        if a and b and (liked or not known.services_between(origin, destination, "")):
            yield _call("plan_route", origin=written_point(a), destination=written_point(b), mode="driving")
