"""The reference data of a query, from a world: its sights and hotels, and its services on each day of the journey."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from functools import lru_cache
from itertools import permutations
from typing import Any, Final, NamedTuple

from sandbox.worlds import World
from sandbox.worlds.reader import published_hours
from sandbox.worlds.records import Place, Service

Entry = dict[str, Any]
_MODES: Final = {"飞机": "flight"}
_STARS: Final = ((0.10, 5), (0.35, 4), (0.65, 3), (0.85, 2))
"""The share of a city's dearest hotels up to which they have so many stars; the others have one."""
_THEME_PARKS: Final = {"游乐园", "体育娱乐"}
_BY_NAME: Final = {"cycling": ("骑行", "绿道"), "hiking": ("步道", "古道")}
_NATURE, _PEAKS = "自然风光", ("山", "峰")


class Limits(NamedTuple):
    """How much a query is given. sights, hotels: a city. services: an ordered pair of cities and a day."""

    sights: int = 25
    hotels: int = 10
    services: int = 10


def reference_of(
    pack: World, departure: str | None, cities: Sequence[str], first: date, days: int, limits: Limits
) -> dict[str, list[Entry]]:
    """As a task holds it."""
    ends = dict.fromkeys([*([departure] if departure else []), *cities])
    return {
        "attractions": [
            sight for city in dict.fromkeys(cities) for sight in _sights(pack, city, limits.sights)
        ],
        "hotels": [hotel for city in dict.fromkeys(cities) for hotel in _hotels(pack, city, limits.hotels)],
        "transportation": _legs(
            pack, list(ends), [first + timedelta(days=n) for n in range(days)], limits.services
        ),
    }


def effort_tags(place: Place) -> list[str]:
    """What a sight asks of the legs, by its kinds and its name; it is derived, not told by the world."""
    kinds = {place.category, *place.categories}
    tags = ["theme-park"] if kinds & _THEME_PARKS else []
    tags += [tag for tag, words in _BY_NAME.items() if any(word in place.name for word in words)]
    is_peak = _NATURE in kinds and any(word in place.name for word in _PEAKS)
    return [*tags, "mountain-climbing"] if is_peak else tags


@lru_cache(maxsize=64)
def _sights(pack: World, city: str, most: int) -> Sequence[Entry]:
    return tuple(_best_sights(pack, city, most))


def _best_sights(pack: World, city: str, most: int) -> Iterator[Entry]:
    places = sorted(pack.places(city, "attraction"), key=lambda place: (-place.popularity, place.id))
    for place in places[:most]:
        efforts = effort_tags(place)
        derived = {"hours": bool(place.stay_hours), "tags": bool(efforts)}
        derived["openTimeCalendar"] = "opening_hours" in place.derived
        yield {
            **_place("a", place),
            "tags": [*dict.fromkeys(filter(None, (place.category, *place.categories, *efforts)))],
            "hours": round(sum(place.stay_hours) / 2, 2) if place.stay_hours else None,
            "openTimeCalendar": published_hours(place.opening_hours),
            "derived": [key for key, is_derived in derived.items() if is_derived],
        }


@lru_cache(maxsize=64)
def _hotels(pack: World, city: str, most: int) -> Sequence[Entry]:
    return tuple(_hotels_of_all_classes(pack, city, most))


def _hotels_of_all_classes(pack: World, city: str, most: int) -> Iterator[Entry]:
    """Spread over the prices, so that each class of stars is there."""
    ranked = sorted(pack.places(city, "hotel"), key=lambda place: (-(place.price or 0), place.id))
    stars = {place.id: _star(at / len(ranked)) for at, place in enumerate(ranked) if place.price is not None}
    for place in spread(ranked, most):
        yield {**_place("h", place), "star": stars.get(place.id), "price": place.price, "derived": ["star"]}


def _star(rank: float) -> int:
    return next((star for share, star in _STARS if rank < share), 1)


def spread(entries: Sequence[Any], most: int) -> list[Any]:
    """So many of a list at even distances, the first and the last among them."""
    if len(entries) <= most or most < 2:
        return list(entries[:most])
    return [entries[round(n * (len(entries) - 1) / (most - 1))] for n in range(most)]


def _place(prefix: str, place: Place) -> Entry:
    named = {"id": f"{prefix}-{place.city}-{place.id}", "name": place.name, "city": place.city}
    return {**named, "lat": place.latitude, "lon": place.longitude}


def _legs(pack: World, cities: Sequence[str], dates: Sequence[date], most: int) -> list[Entry]:
    legs: dict[str, Entry] = {}
    for start, end in permutations(cities, 2):
        services = spread(pack.services(start, end), most)
        for day in dates:
            for service in services:
                leg = _leg(service, start, end, day)
                if leg["id"] in legs:
                    leg["id"] += f"-{start}-{end}"
                legs[leg["id"]] = leg
    return list(legs.values())


def _leg(service: Service, start: str, end: str, day: date) -> Entry:
    """Arrival before departure means the next day."""
    later = service.day_offset or int(service.arrive <= service.depart)
    arrives = day + timedelta(days=later)
    return {
        "id": f"{service.number}@{day}",
        "mode": _MODES.get(service.mode, "train"),
        "name": service.number,
        "from_city": start,
        "to_city": end,
        "depart": f"{day}T{service.depart}",
        "arrive": f"{arrives}T{service.arrive}",
        "from_station": service.origin_station,
        "to_station": service.destination_station,
        "price": service.price,
    }
