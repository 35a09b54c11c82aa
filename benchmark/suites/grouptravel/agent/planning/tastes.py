"""The believed preference tables, read leniently into what the search needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmark.suites.grouptravel.preferences import (
    CITY_FIELDS,
    FIELD,
    FieldValues,
    PreferenceField,
    filled_by_city,
)

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
    held = filled_by_city(table)
    whole = held.pop("")
    return Taste(
        budget=_number(whole.get(FIELD["avg_budget"])),
        max_places=_number(whole.get(FIELD["intensity.max_poi_per_day"])),
        max_hours=_number(whole.get(FIELD["intensity.max_active_hours"])),
        must_ride=_items(whole.get(FIELD["transport.must"])),
        prefer_ride=_items(whole.get(FIELD["transport.prefer"])),
        avoid_ride=_items(whole.get(FIELD["transport.avoid"])),
        reject_ride=_items(whole.get(FIELD["transport.reject"])),
        prefer_hotel=_items(whole.get(FIELD["hotel_preference.prefer"])),
        avoid_hotel=_items(whole.get(FIELD["hotel_preference.avoid"])),
        cities={city: _city_taste(_own(held, city)) for city in cities},
    )


def _tiers(taste: CityTaste) -> tuple[tuple[Tier, int], ...]:
    return (taste.must_eat, 2), (taste.reject_eat, -2), (taste.prefer_eat, 1), (taste.avoid_eat, -1)


def _city_taste(held: Mapping[PreferenceField, Any]) -> CityTaste:
    """A tier of a city has the name of its field."""
    return CityTaste(**{field.keys[-1]: _items(held.get(field)) for field in CITY_FIELDS})


def _own(held: FieldValues, city: str) -> Mapping[PreferenceField, Any]:
    """What is held of a city; 杭州 stands for 杭州市 where the full name has nothing."""
    if city in held:
        return held[city]
    near = (key for key in held if len(key) > 1 and _same_city(key, city))
    return held.get(next(near, ""), {})


def _same_city(key: str, city: str) -> bool:
    return city.startswith(key) or key.startswith(city)


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
