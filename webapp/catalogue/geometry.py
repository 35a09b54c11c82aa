"""What a map shows of a world, as the page's script reads it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from sandbox.worlds import World as Pack
from sandbox.worlds.records import City, Place, Station
from webapp.catalogue.wording import hours_words

MOST_POINTS = 3000


def map_of(points: Iterable[dict[str, Any]], paths: Iterable[dict[str, Any]] = ()) -> dict[str, Any]:
    """A map: points and paths in its order of drawing, the datum's name, and the tile server if there is one."""
    return {
        "points": list(points),
        "paths": list(paths),
        "datum": _("Coordinates as in the world's source; AMap's are GCJ-02, some 500 m off WGS 84."),
        "tiles": settings.CARAVAN_TILES,
        "credit": settings.CARAVAN_TILES_CREDIT,
    }


def place_point(place: Place, href: str = "") -> dict[str, Any]:
    """A place: where it is, its kind, and what stands beside it."""
    facts = facts_of(place)
    at = [place.latitude, place.longitude]
    return {"at": at, "kind": place.kind, "name": place.name, "facts": facts, "href": href}


def facts_of(place: Place) -> list[str]:
    """Category, price and hours, as far as they are known."""
    price = "" if place.price is None else _("free") if not place.price else f"¥{place.price:g}"
    return [fact for fact in (place.category, price, hours_words(place.opening_hours)) if fact]


def station_point(station: Station) -> dict[str, Any]:
    """A station, with the metro lines that stop there."""
    at = [station.latitude, station.longitude]
    return {"at": at, "kind": station.kind, "name": station.name, "facts": list(station.lines)}


def city_point(city: City, href: str) -> dict[str, Any]:
    """The middle of a city."""
    return {
        "at": [city.latitude, city.longitude],
        "kind": "city",
        "name": city.name,
        "facts": [],
        "href": href,
    }


def stations_of(pack: Pack, city: str) -> list[Station]:
    """Railway stations, airports and metro stops of a city."""
    return [station for kind in ("train", "airport", "metro") for station in pack.stations(city, kind)]


def metro_lines(stations: Sequence[Station]) -> dict[str, list[Station]]:
    """The stops of each metro line. The packs hold no tracks, so that a line is its stops, in no order."""
    lines: dict[str, list[Station]] = {}
    for station in stations:
        for line in station.lines:
            lines.setdefault(line, []).append(station)
    return dict(sorted(lines.items()))
