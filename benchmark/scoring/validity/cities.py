"""Between two cities there is a leg."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from benchmark.itineraries.reading import Block, Day, Leg
from benchmark.scoring.trip import Trip
from benchmark.scoring.validity.issue import Issue

_SUFFIXES = ("市", "区", "县", "自治州", "地区")


def missing_intercity_transport(trip: Trip) -> Iterator[Issue]:
    """A block in another city than the block or leg before it; overnight, unless the day opens with a leg."""
    last = ""
    for day in trip.days:
        for i, segment in enumerate(day.segments):
            if isinstance(segment, Leg):
                last = segment.to_city
            elif segment.city:
                if last and city_stem(last) != city_stem(segment.city):
                    yield _gap(day, segment, last, overnight=i == 0)
                last = segment.city


@lru_cache(maxsize=4096)
def city_stem(city: str) -> str:
    """The name without its one administrative suffix: 苏州市 and 苏州 are one city."""
    for suffix in _SUFFIXES:
        if city.endswith(suffix):
            return city.removesuffix(suffix)
    return city


def _gap(day: Day, block: Block, last: str, *, overnight: bool) -> Issue:
    cities = {"from_city": last, "to_city": block.city}
    key = "intercity_gap_overnight" if overnight else "intercity_gap"
    return Issue("missing_intercity_transport", day.label, cities, block.at, None, "", (), key, cities)
