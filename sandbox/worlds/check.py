"""What is wrong or doubtful in a world: the checks behind `check_world`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from sandbox.worlds.extras import ExtraKinds
from sandbox.worlds.geo import distance_m
from sandbox.worlds.reader import World
from sandbox.worlds.records import HOTEL_CLASSES, City, Place, PlaceKind
from sandbox.worlds.text import normalise

Severity = Literal["error", "warning"]
FindingKind = Literal[
    "missing_field",
    "far_away",
    "duplicate_name",
    "unknown_class",
    "no_services",
    "no_climate",
    "room_price",
    "unknown_extra",
    "wrong_extra",
]

_NEEDED_FIELDS: dict[PlaceKind, tuple[str, ...]] = {
    "attraction": ("category", "price", "rating", "stay_hours", "opening_hours"),
    "restaurant": ("category", "price", "opening_hours"),
    "hotel": ("category", "price", "rooms"),
    "landmark": (),
}
_MONTHS = range(1, 13)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to look at. place and field are empty where a whole city is meant, city where an extra is."""

    severity: Severity
    kind: FindingKind
    city: str
    message: str
    place: str = ""
    field: str = ""


def check_world(world: World) -> list[Finding]:
    """All findings, by city in the world's order, those of a city before those of its places.

    An error breaks planning or scoring (no services, no category, a class outside the rules); a warning is
    something that a person should look at.
    """
    return [finding for city in world.cities() for finding in check_city(world, city)]


def check_extras(world: World, declared: ExtraKinds) -> list[Finding]:
    """What a world keeps beside its records and can't be read: undeclared kinds, entries that are off their model."""
    return [*_unknown_extras(world, declared), *_wrong_extras(world, declared)]


def _unknown_extras(world: World, declared: ExtraKinds) -> Iterator[Finding]:
    for owner, kind, _, entries in world.extra_counts():
        if (owner, kind) not in declared:
            message = (
                f"this version knows no {kind} of {owner} ({entries} entries), so nothing reads them; "
                "use the version that made the world, or import the world again"
            )
            yield Finding("warning", "unknown_extra", "", message, place=f"{owner}.{kind}")


def _wrong_extras(world: World, declared: ExtraKinds) -> Iterator[Finding]:
    for kind in declared.values():
        for key, seq, problem in world.wrong_extras(kind):
            message = f"{problem}; import the world again"
            yield Finding("error", "wrong_extra", "", message, place=f"{kind} of {key!r}, entry {seq}")


def check_city(world: World, city: City) -> list[Finding]:
    """The findings of one city."""
    findings = list(_check_city(world, city))
    seen: dict[tuple[PlaceKind, str], str] = {}
    for place in world.places(city.name):
        findings += _check_place(place, city)
        findings += _check_name(place, seen)
    return findings


def _check_city(world: World, city: City) -> Iterator[Finding]:
    if not _has_services(world, city):
        yield Finding("error", "no_services", city.name, "no train or flight leaves or reaches this city")
    missing = [month for month in _MONTHS if world.climate(city.name, month) is None]
    if missing:
        months = ", ".join(map(str, missing))
        yield Finding("warning", "no_climate", city.name, f"no climate for month {months}", field="climate")


def _has_services(world: World, city: City) -> bool:
    others = (other.name for other in world.cities() if other.name != city.name)
    return any(world.services(city.name, other) or world.services(other, city.name) for other in others)


def _check_place(place: Place, city: City) -> Iterator[Finding]:
    for field in _NEEDED_FIELDS[place.kind]:
        if getattr(place, field) in (None, "", ()):
            severity: Severity = "error" if field == "category" else "warning"
            yield _about(place, severity, "missing_field", f"this {place.kind} has no {field}", field)
    away = distance_m((city.longitude, city.latitude), (place.longitude, place.latitude)) / 1000
    if away > city.radius_km:
        message = f"{away:.0f} km from the centre of {city.name}, expected within {city.radius_km:g}"
        yield _about(place, "error", "far_away", message, "longitude")
    if place.kind == "hotel":
        yield from _check_hotel(place)


def _check_hotel(hotel: Place) -> Iterator[Finding]:
    if hotel.category and hotel.category not in HOTEL_CLASSES:
        yield _about(hotel, "error", "unknown_class", f"{hotel.category} is no hotel class", "category")
    for room in hotel.rooms:
        if room.price == 0:
            yield _about(hotel, "warning", "room_price", f"the room {room.name} has no price", "rooms")


def _check_name(place: Place, seen: dict[tuple[PlaceKind, str], str]) -> Iterator[Finding]:
    key = (place.kind, normalise(place.name))
    if key in seen:
        yield _about(place, "warning", "duplicate_name", f"the same name as {seen[key]}", "name")
    seen.setdefault(key, place.id)


def _about(place: Place, severity: Severity, kind: FindingKind, message: str, field: str) -> Finding:
    return Finding(severity, kind, place.city, message, f"{place.name} ({place.id})", field)
