"""Pages of worlds: their cities, places, timetables and gaps."""

from __future__ import annotations

from collections import Counter
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse

from sandbox.extras import count_extras
from sandbox.toolsets import TOOLSETS
from sandbox.worlds import World as Pack
from sandbox.worlds import WorldError
from sandbox.worlds.check import check_city
from sandbox.worlds.records import City, Place, PlaceKind
from webapp.accounts.access import researchers_only
from webapp.catalogue.geometry import (
    MOST_POINTS,
    city_point,
    facts_of,
    map_of,
    metro_lines,
    place_point,
    station_point,
    stations_of,
)
from webapp.catalogue.models import Task, World
from webapp.catalogue.packs import pack_of
from webapp.fields import NUL

PAGE = 50
KINDS: tuple[PlaceKind, ...] = ("attraction", "restaurant", "hotel", "landmark")
MOST_GAPS = 100


@researchers_only
def world_list(request: HttpRequest) -> HttpResponse:
    """All worlds, and the toolsets that answer from them."""
    toolsets = [toolset for toolset in TOOLSETS.values() if toolset.tools]
    return render(request, "worlds/list.html", {"worlds": World.objects.all(), "toolsets": toolsets})


@researchers_only
def world_page(request: HttpRequest, name: str) -> HttpResponse:
    """A world: its cities on the map and in a table, and the tasks that are made for it."""
    world, pack = _open_world(name)
    if pack is None:
        return _gone_page(request, world)
    cities = [(city, reverse("world_city", args=[world.name, city.name])) for city in pack.cities()]
    tasks = Task.objects.filter(collection__world=world)
    context = {
        "world": world,
        "cities": cities,
        "map": map_of(city_point(city, href) for city, href in cities),
        "tasks": tasks.count(),
        "collections": world.collections.all(),
        "extras": count_extras(pack),
    }
    return render(request, "worlds/world.html", context)


@researchers_only
def city_page(request: HttpRequest, name: str, city: str) -> HttpResponse:
    """A city: places by kind and words, on the map and in a table, stations, metro lines, gaps."""
    world, pack = _open_world(name)
    if pack is None:
        return _gone_page(request, world)
    known = _city(pack, city)
    kind, find = request.GET.get("kind", ""), request.GET.get("find", "").replace(NUL, "").strip()
    places = _matching_places(pack, known, kind, find)
    page = Paginator(places, PAGE).get_page(request.GET.get("page"))
    stations = stations_of(pack, known.name)
    shown = places[:MOST_POINTS]
    points = [*map(station_point, stations), *(place_point(place, f"#{place.id}") for place in shown)]
    return render(
        request,
        "worlds/city.html",
        {
            "world": world,
            "city": known,
            "kinds": KINDS,
            "kind": kind,
            "find": find,
            "page": page,
            "query": urlencode({"kind": kind, "find": find}),
            "rows": [(place, facts_of(place)) for place in page.object_list],
            "map": map_of(points),
            "left_out": len(places) - len(shown),
            "lines": [(line, len(stops)) for line, stops in metro_lines(stations).items()],
            "stations": [station for station in stations if station.kind != "metro"],
            **_gaps(pack, known),
        },
    )


def _matching_places(pack: Pack, city: City, kind: str, find: str) -> list[Place]:
    """The places of a kind whose name, category or address holds the words."""
    words = find.lower().split()
    chosen = next((place_kind for place_kind in KINDS if place_kind == kind), None)
    return [
        place
        for place in pack.places(city.name, chosen)
        if all(word in f"{place.name} {place.category} {place.address}".lower() for word in words)
    ]


def _gaps(pack: Pack, city: City) -> dict[str, Any]:
    """What is wrong or doubtful here, the kinds counted."""
    findings = check_city(pack, city)
    counted = Counter((finding.kind, finding.field) for finding in findings)
    return {
        "gaps": findings[:MOST_GAPS],
        "gap_kinds": [(kind, field, n) for (kind, field), n in counted.most_common()],
        "more_gaps": max(0, len(findings) - MOST_GAPS),
    }


@researchers_only
def timetable(request: HttpRequest, name: str) -> HttpResponse:
    """Trains and flights from one city to another, on any day."""
    world, pack = _open_world(name)
    if pack is None:
        return _gone_page(request, world)
    cities = [city.name for city in pack.cities()]
    ends = [request.GET.get(side, "").replace(NUL, "") for side in ("from", "to")]
    start, end = (city if city in cities else "" for city in ends)
    if not (start or end) and len(cities) > 1:
        start, end = cities[0], cities[1]
    context = {
        "world": world,
        "cities": cities,
        "start": start,
        "end": end,
        "services": pack.services(start, end) if start and end else (),
    }
    return render(request, "worlds/timetable.html", context)


def _open_world(name: str) -> tuple[World, Pack | None]:
    world = get_object_or_404(World, name=name)
    try:
        return world, pack_of(world)
    except WorldError:
        return world, None


def _gone_page(request: HttpRequest, world: World) -> HttpResponse:
    return render(request, "worlds/gone.html", {"world": world}, status=404)


def _city(pack: Pack, name: str) -> City:
    city = pack.city(name.replace(NUL, ""))
    if city is None:
        raise Http404
    return city
