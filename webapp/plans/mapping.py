"""A plan on the map: the stops of a day in order, and the way of each traveller."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from benchmark.plans.view import Day, PlanView, Ref
from sandbox.worlds import World as Pack
from sandbox.worlds import WorldError
from sandbox.worlds.geo import Point
from webapp.catalogue.geometry import map_of
from webapp.catalogue.packs import PLACES, open_pack, pack_for_scores
from webapp.plans.days import UNPLACED_KINDS
from webapp.plans.times import time_words
from webapp.sessions.cast import colour_of
from webapp.sessions.models import Session


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
    """A day; place: of it in the plan, from 0. legs: legs between cities in words."""

    place: int
    label: str
    legs: list[str]
    stops: list[MappedStop]


def pack_of(session: Session) -> Pack | None:
    """The pack of places that a session was played in; None where it is not here."""
    name = session.pack or (session.world.pack if session.world else "")
    if not name or name.endswith(PLACES):
        return None
    try:
        return open_pack(name)
    except WorldError:
        return None


def places_of(session: Session) -> Any:
    """What scores know of the world of a session; None where it can't be read."""
    try:
        return pack_for_scores(session.suite, session.pack)
    except (WorldError, OSError, ValueError):
        return None


def map_context(view: PlanView, users: Sequence[str], pack: Pack, world: str = "") -> dict[str, Any]:
    """What the panel of the map needs. world: the name of the world whose pages tell of places, "" for no links."""
    days = mapped_days(view, users, pack, world)
    points = [point for day in days for point in _points(day)]
    paths = [path for day in days for path in _paths(day, users)]
    return {
        "days": days,
        "map": {**map_of(points, paths), "day": 0 if days else None},
        "users": users,
    }


def mapped_days(view: PlanView, users: Sequence[str], pack: Pack, world: str = "") -> list[MappedDay]:
    """The days with their stops at places; world: as `map_context` has it."""
    return [_mapped_day(place, day, users, pack, world) for place, day in enumerate(view.days)]


def _mapped_day(place: int, day: Day, users: Sequence[str], pack: Pack, world: str) -> MappedDay:
    legs = [entry.label for entry in day.entries if entry.kind == "leg"]
    return MappedDay(place, day.label, legs, list(_stops(day, users, pack, world)))


def _stops(day: Day, users: Sequence[str], pack: Pack, world: str) -> Iterator[MappedStop]:
    """What has a place of its own."""
    numbers: dict[Point, int] = {}
    for entry in day.entries:
        if entry.place is None or entry.kind in UNPLACED_KINDS:
            continue
        point = entry.place.point
        yield MappedStop(
            None if point is None else numbers.setdefault(point, len(numbers) + 1),
            entry.place.name,
            time_words(entry.when),
            tuple(user for user in users if user in entry.who),
            None if point is None else (point[1], point[0]),
            _address(pack, entry.place, world),
        )


def _address(pack: Pack, ref: Ref, world: str) -> str:
    """Where the world's pages tell of the place; "" where they do not."""
    place = pack.place_named(ref.name, ref.city) if world else None
    return f"{reverse('world_city', args=[world, place.city])}?find={place.name}#{place.id}" if place else ""


def _points(day: MappedDay) -> Iterator[dict[str, Any]]:
    """A point a place; what happens there one after another stands together."""
    points: dict[int, dict[str, Any]] = {}
    for stop in day.stops:
        if stop.number is None:
            continue
        point = points.setdefault(
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
    yield from points.values()


def _paths(day: MappedDay, users: Sequence[str]) -> Iterator[dict[str, Any]]:
    for rank, user in enumerate(users):
        line = [stop.at for stop in day.stops if stop.at is not None and (not stop.who or user in stop.who)]
        if len(line) > 1:
            name = _("%(user)s, day %(day)s") % {"user": user, "day": day.label}
            hue = colour_of(user, users).removeprefix("t") or "1"
            yield {"line": line, "name": name, "hue": hue, "rank": rank, "day": day.place}
