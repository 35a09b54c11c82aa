"""The plan on the map: the stops of a day in order, and the way of each traveller."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from benchmark.suites.grouptravel.itineraries.reading import REST, TRANSIT, Activity, Day, Leg
from benchmark.suites.grouptravel.scoring.leniency import members
from benchmark.suites.grouptravel.scoring.trip import prepare
from sandbox.worlds import World as Pack
from sandbox.worlds import WorldError
from webapp.catalogue.geometry import map_of
from webapp.catalogue.packs import PLACES, open_pack
from webapp.sessions.cast import colour_of
from webapp.sessions.reading import Reading
from webapp.suites.grouptravel.panels.plan import NOBODY, times


@dataclass(frozen=True, slots=True)
class MappedStop:
    """A stop of a day. number: of its place among those on the map, None where the world does not know it.

    at: latitude and longitude in degrees. who: those who take part, () for everybody.
    """

    number: int | None
    name: str
    time: str
    who: tuple[str, ...]
    at: tuple[float, float] | None
    href: str


@dataclass(frozen=True, slots=True)
class MappedDay:
    """A day; place: of it in the plan, from 0. legs: inter-city legs in words."""

    place: int
    label: Any
    legs: list[str]
    stops: list[MappedStop]


def context(reading: Reading, _traveller: str) -> dict[str, Any]:
    """The days and the map; `days` is None before there is a plan, `pack` where the world is not here."""
    plan = reading.state.plan
    if plan is None:
        return {"days": None}
    pack = _pack(reading)
    if pack is None:
        return {"days": None, "planned": True}
    users = reading.users
    trip = prepare(plan, users, NOBODY)
    days = [
        _day(place, day, users, pack, reading.session.world.name if reading.session.world else "")
        for place, day in enumerate(trip.days)
    ]
    points = [point for day in days for point in _points(day)]
    paths = [path for day in days for path in _paths(day, users)]
    return {
        "days": days,
        "map": {**map_of(points, paths), "day": 0 if days else None},
        "users": users,
    }


def _pack(reading: Reading) -> Pack | None:
    """The pack that the session was played in."""
    name = reading.session.pack or (reading.session.world.pack if reading.session.world else "")
    if not name or name.endswith(PLACES):
        return None
    try:
        return open_pack(name)
    except WorldError:
        return None


def _day(place: int, day: Day, users: list[str], pack: Pack, world: str) -> MappedDay:
    legs = [f"{leg.mode} {leg.from_city} → {leg.to_city}" for leg in day.segments if isinstance(leg, Leg)]
    return MappedDay(place, day.label, legs, list(_stops(day, users, pack, world)))


def _stops(day: Day, users: list[str], pack: Pack, world: str) -> Iterator[MappedStop]:
    """What has a place of its own: neither ways between places nor rests."""
    numbers: dict[tuple[float, float], int] = {}
    for block in day.blocks:
        for activity in block.activities:
            if activity.kind in (TRANSIT, REST) or not activity.place:
                continue
            spot = pack.locate(activity.place, block.city)
            at = (spot.latitude, spot.longitude) if spot is not None and spot.kind != "city" else None
            number = None if at is None else numbers.setdefault(at, len(numbers) + 1)
            yield MappedStop(
                number,
                activity.place,
                times(activity.start_text, activity.end_text),
                _who(activity, users),
                at,
                _address(pack, activity.place, block.city, world),
            )


def _who(activity: Activity, users: list[str]) -> tuple[str, ...]:
    taking_part = members(activity.participants, users)
    return () if activity.shared else tuple(user for user in users if user in taking_part)


def _address(pack: Pack, name: str, city: str, world: str) -> str:
    """Where the world's pages tell of the place; "" where they do not."""
    place = pack.place_named(name, city) if world else None
    return f"{reverse('world_city', args=[world, place.city])}?find={place.name}#{place.id}" if place else ""


def _points(day: MappedDay) -> Iterator[dict[str, Any]]:
    """A point a place; what happens there one after another stands together."""
    found: dict[int, dict[str, Any]] = {}
    for stop in day.stops:
        if stop.number is None:
            continue
        point = found.setdefault(
            stop.number,
            {
                "at": stop.at,
                "kind": "stop",
                "name": stop.name,
                "facts": [],
                "label": str(stop.number),
                "whole": f"{day.label}·{stop.number}",
                "day": day.place,
                "href": stop.href,
            },
        )
        point["facts"].append(" ".join([stop.time, *(["(" + ", ".join(stop.who) + ")"] if stop.who else [])]))
    yield from found.values()


def _paths(day: MappedDay, users: list[str]) -> Iterator[dict[str, Any]]:
    for rank, user in enumerate(users):
        line = [stop.at for stop in day.stops if stop.at is not None and (not stop.who or user in stop.who)]
        if len(line) > 1:
            name = _("%(user)s, day %(day)s") % {"user": user, "day": day.label}
            hue = colour_of(user, users).removeprefix("t") or "1"
            yield {"line": line, "name": name, "hue": hue, "rank": rank, "day": day.place}
