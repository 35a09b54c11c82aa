"""What a preference may name in a city: the lists that D.1 gives to whoever writes a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import cached_property
from typing import NamedTuple

from benchmark.remarks import Remark, gettext_noop
from benchmark.suites.grouptravel.agent.planning.hours import windows_of
from sandbox.worlds import World
from sandbox.worlds.reader import published_hours
from sandbox.worlds.records import HOTEL_CLASSES, Place

MOST_SIGHTS = 100
LEAST_SHARE = 0.01
NEVER_NAMED = frozenset(("", "其它", "其他", "其他中餐", "食堂", "米粉", "旅游景点", "滑雪", "游客中心"))
"""Categories that nobody would name, or that scores know by another name."""
_LEAST_SIGHTS, _LEAST_CATEGORIES, _LEAST_FOODS = 8, 3, 4


class Sight(NamedTuple):
    """A candidate. rank: from 0 by popularity. tag: what the place is said to be beside its category."""

    name: str
    category: str
    tag: str
    rank: int
    place: Place

    def closed(self, days: Iterable[date]) -> bool:
        """Whether it is closed on each of the days."""
        hours = published_hours(self.place.opening_hours)
        return all(windows_of(hours, day) == () for day in days)


class Candidates:
    """The candidates of one city. sights: the top 100 by popularity. attractions, foods: shares of at least 1 %."""

    def __init__(self, world: World, city: str) -> None:
        self.city = city
        places = list(world.places(city, "attraction"))
        restaurants = list(world.places(city, "restaurant"))
        hotels = list(world.places(city, "hotel"))
        self.names = frozenset(place.name for place in places)
        self.sights = tuple(_top(places))
        self.attractions = _shares(places)
        self.foods = _shares(restaurants)
        self.restaurants = frozenset(place.name for place in restaurants)
        self.hotels = _nights(hotels)

    @cached_property
    def by_name(self) -> Mapping[str, Sight]:
        """The sights by name."""
        return {sight.name: sight for sight in self.sights}

    @property
    def night(self) -> float:
        """CNY a person for a night in the cheapest class, a room shared by two."""
        return min(self.hotels.values(), default=0.0)

    def gaps(self) -> list[Remark]:
        """What the city lacks to be a destination."""
        counts = (
            (gettext_noop("%(count)s sights, and at least %(least)s are needed"), self.sights, _LEAST_SIGHTS),
            (
                gettext_noop("%(count)s categories of sights, and at least %(least)s are needed"),
                self.attractions,
                _LEAST_CATEGORIES,
            ),
            (
                gettext_noop("%(count)s categories of food, and at least %(least)s are needed"),
                self.foods,
                _LEAST_FOODS,
            ),
            (gettext_noop("%(count)s classes of hotels, and at least %(least)s are needed"), self.hotels, 1),
        )
        return [
            Remark(what, {"count": len(held), "least": least})
            for what, held, least in counts
            if len(held) < least
        ]


def popularity(place: Place) -> tuple[float, int, float, str]:
    """The order of sights: the number of reviews, else the world's own rank, else the rating; then the name."""
    return (-(place.reviews or 0), -place.popularity, -(place.rating or 0.0), place.name)


def _top(places: Iterable[Place]) -> list[Sight]:
    named: dict[str, Place] = {}
    for place in sorted(places, key=popularity):
        named.setdefault(place.name, place)
    best = list(named.values())[:MOST_SIGHTS]
    return [Sight(place.name, place.category, _tag(place), rank, place) for rank, place in enumerate(best)]


def _tag(place: Place) -> str:
    """The first of its categories that is not the main one."""
    return next((name for name in place.categories if name != place.category), place.category)


def _shares(places: Sequence[Place]) -> dict[str, float]:
    """Categories with their share of the places, the commonest first."""
    counts = Counter(place.category for place in places)
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return {
        name: count / len(places)
        for name, count in ordered
        if name not in NEVER_NAMED and count / len(places) >= LEAST_SHARE
    }


def _nights(hotels: Iterable[Place]) -> dict[str, float]:
    """The classes that the city has, in their fixed order, each with its cheaper quarter: what one may count on."""
    prices: dict[str, list[float]] = {}
    for hotel in hotels:
        if hotel.price is not None:
            prices.setdefault(hotel.category, []).append(hotel.price)
    return {name: sorted(prices[name])[len(prices[name]) // 4] for name in HOTEL_CLASSES if name in prices}
