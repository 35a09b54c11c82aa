"""The believed preference tables, read leniently into what the search needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Tier = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CityTaste:
    must_visit: Tier = ()
    reject_visit: Tier = ()
    positive: Tier = ()
    negative: Tier = ()
    must_eat: Tier = ()
    prefer_eat: Tier = ()
    avoid_eat: Tier = ()
    reject_eat: Tier = ()


@dataclass(frozen=True, slots=True)
class Taste:
    """One traveller's wishes. budget in CNY, max_places and max_hours a day; 0 means no limit."""

    budget: float = 0.0
    max_places: float = 0.0
    max_hours: float = 0.0
    must_ride: Tier = ()
    prefer_ride: Tier = ()
    avoid_ride: Tier = ()
    reject_ride: Tier = ()
    prefer_hotel: Tier = ()
    avoid_hotel: Tier = ()
    cities: Mapping[str, CityTaste] = field(default_factory=dict)

    def of(self, city: str) -> CityTaste:
        return self.cities.get(city) or CityTaste()

    def ride_points(self, mode: str) -> int:
        """Utility of one inter-city leg: strong tiers first, weak ones only where no strong one speaks."""
        strong = 2 * (mode in self.must_ride) - 2 * (mode in self.reject_ride)
        if mode in self.must_ride or mode in self.reject_ride:
            return strong
        return 1 if mode in self.prefer_ride else -1 if mode in self.avoid_ride else 0

    def put_off_by(self, modes: Sequence[str]) -> bool:
        """Whether one of the modes is refused, or none is what the traveller insists on."""
        insisted = not self.must_ride or not modes or any(mode in self.must_ride for mode in modes)
        return not insisted or any(mode in self.reject_ride for mode in modes)

    def hotel_points(self, hotel_class: str) -> int:
        """Utility of one night."""
        return 1 if hotel_class in self.prefer_hotel else -1 if hotel_class in self.avoid_hotel else 0

    def meal_points(self, city: str, name: str, cuisine: str) -> int:
        """Utility of one meal: the first tier that names the restaurant, else the tiers of its cuisine."""
        taste = self.of(city)
        for tier, points in _tiers(taste):
            if any(item in name for item in tier):
                return points
        strong = 2 * (cuisine in taste.must_eat) - 2 * (cuisine in taste.reject_eat)
        if cuisine in taste.must_eat or cuisine in taste.reject_eat:
            return strong
        return 1 if cuisine in taste.prefer_eat else -1 if cuisine in taste.avoid_eat else 0

    def sight_points(self, city: str, name: str, category: str) -> int:
        """Utility of one visit by its category, for a sight that no must or reject item names."""
        taste = self.of(city)
        liked = any(item in name for item in taste.positive) or category in taste.positive
        disliked = any(item in name for item in taste.negative) or category in taste.negative
        return int(liked) - int(disliked)


def read_tastes(
    tables: Mapping[str, Any], travellers: Iterable[str], cities: Iterable[str]
) -> tuple[Taste, ...]:
    """A taste for every traveller, in their order; whatever is missing or odd in a table is left out."""
    wanted = tuple(cities)
    return tuple(read_taste(tables.get(name), wanted) for name in travellers)


def read_taste(table: object, cities: Iterable[str]) -> Taste:
    root = _object(table)
    whole = _object(root.get("global_constraints"))
    ride = _object(whole.get("transport"))
    pace = _object(whole.get("intensity"))
    hotel = _object(whole.get("hotel_preference"))
    places = _object(root.get("city_specific_preferences"))
    return Taste(
        budget=_number(whole.get("avg_budget")),
        max_places=_number(pace.get("max_poi_per_day")),
        max_hours=_number(pace.get("max_active_hours")),
        must_ride=_items(ride.get("must")),
        prefer_ride=_items(ride.get("prefer")),
        avoid_ride=_items(ride.get("avoid")),
        reject_ride=_items(ride.get("reject")),
        prefer_hotel=_items(hotel.get("prefer")),
        avoid_hotel=_items(hotel.get("avoid")),
        cities={city: _city_taste(_entry(places, city)) for city in cities},
    )


def _tiers(taste: CityTaste) -> tuple[tuple[Tier, int], ...]:
    return (taste.must_eat, 2), (taste.reject_eat, -2), (taste.prefer_eat, 1), (taste.avoid_eat, -1)


def _city_taste(entry: Mapping[str, Any]) -> CityTaste:
    sights, food = _object(entry.get("attractions")), _object(entry.get("food"))
    categories = _object(sights.get("category_pref"))
    return CityTaste(
        must_visit=_items(sights.get("must_visit")),
        reject_visit=_items(sights.get("reject_visit")),
        positive=_items(categories.get("positive")),
        negative=_items(categories.get("negative")),
        must_eat=_items(food.get("must_eat")),
        prefer_eat=_items(food.get("prefer_eat")),
        avoid_eat=_items(food.get("avoid_eat")),
        reject_eat=_items(food.get("reject_eat")),
    )


def _entry(places: Mapping[str, Any], city: str) -> Mapping[str, Any]:
    """A city's part of a table; 杭州 stands for 杭州市 where the full name has none."""
    if city in places:
        return _object(places[city])
    near = (key for key in places if len(key) > 1 and _same_city(key, city))
    return _object(places.get(next(near, "")))


def _same_city(key: str, city: str) -> bool:
    return city.startswith(key) or key.startswith(city)


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _items(value: object) -> Tier:
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list | tuple):
        return ()
    return tuple(dict.fromkeys(item for item in value if isinstance(item, str) and item.strip()))


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return 0.0
    try:
        number = float(value)
    except ValueError:
        return 0.0
    return number if 0 < number < float("inf") else 0.0
