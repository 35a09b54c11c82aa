"""Between two cities there is a leg."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from benchmark.suites.grouptravel.itineraries.reading import Block, Day, Leg
from benchmark.suites.grouptravel.scoring.published import MISSING, city_of
from benchmark.suites.grouptravel.scoring.trip import Trip
from benchmark.suites.grouptravel.scoring.validity.issue import Issue

_SUFFIXES = ("市", "区", "县", "自治州", "地区")


def missing_intercity_transport(trip: Trip) -> Iterator[Issue]:
    """A block in another city than the block or leg before it: first all inside a day, then all overnight.

    Overnight only the day directly before counts, and nothing is compared with one that ends nowhere; a day that
    opens with a leg is fine.
    """
    for day in trip.days:
        yield from _inside(day)
    for before, day in zip(trip.days, trip.days[1:], strict=False):
        yield from _overnight(before, day)


def _inside(day: Day) -> Iterator[Issue]:
    last: Any = None
    for segment in day.segments:
        city = city_of(segment)
        if city is MISSING:
            continue
        if isinstance(segment, Block) and last is not None and _stem(last) != _stem(city):
            yield _gap(day, segment, last, city, "intercity_gap")
        last = city


def _overnight(before: Day, day: Day) -> Iterator[Issue]:
    first = next((segment for segment in day.segments if city_of(segment) is not MISSING), None)
    if not isinstance(first, Block) or isinstance(day.segments[0], Leg):
        return
    last = next((city for s in reversed(before.segments) if (city := city_of(s)) is not MISSING), None)
    if last and _stem(last) != _stem(city_of(first)):
        yield _gap(day, first, last, city_of(first), "intercity_gap_overnight")


def _stem(city: Any) -> Any:
    return city_stem(city) if isinstance(city, str) else city


@lru_cache(maxsize=4096)
def city_stem(city: str) -> str:
    """The name without its one administrative suffix: 苏州市 and 苏州 are one city. A suffix alone is a name."""
    for suffix in _SUFFIXES:
        if city.endswith(suffix) and city != suffix:
            return city.removesuffix(suffix)
    return city


def _gap(day: Day, block: Block, last: Any, city: Any, key: str) -> Issue:
    cities = {"from_city": last, "to_city": city}
    words = {name: value or "?" for name, value in cities.items()}
    return Issue("missing_intercity_transport", day, cities, block.at, None, "", (), key, words)
