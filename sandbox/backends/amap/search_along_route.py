"""search_along_route, composed of one of AMap's routes and searches around points along it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import ceil

from sandbox.backends.amap.failures import unreadable
from sandbox.backends.amap.fields import Answer, point
from sandbox.backends.amap.gazetteer import Gazetteer
from sandbox.backends.amap.place_search import (
    LARGEST_RADIUS_M,
    PAGE_SIZE,
    Circle,
    PlaceSearch,
    words_and_types,
)
from sandbox.backends.amap.places import poi_fields
from sandbox.backends.amap.routing import NoRoute, Trip, Way, located_ends, route_fields, trip_between, ways
from sandbox.tools.errors import BadArgument
from sandbox.tools.language import Language, Says
from sandbox.toolsets.grouptravel.routing import Route, RouteMode, check_distance
from sandbox.toolsets.grouptravel.search_along_route import (
    DEFAULT_LIMIT,
    DEFAULT_RANGE_M,
    PoiAlong,
    SearchAlongRouteArguments,
    SearchAlongRouteResult,
)
from sandbox.worlds.geo import Point, distance_m, metres_to_line

SEARCHES_AT_MOST = 8
_SPACING_IN_RANGES = 2
"""How far apart the centres are where they need not be fewer, in widths of the corridor on one side."""


def run(
    arguments: SearchAlongRouteArguments, gazetteer: Gazetteer, language: Language
) -> SearchAlongRouteResult:
    """Places within range of the line of a route, along it.

    Each of at most SEARCHES_AT_MOST circles covers its part of the corridor, and gives the PAGE_SIZE places nearest
    to its centre: on a long route not every place beside it is among them.
    """
    trip, way = _way(arguments, gazetteer)
    if len(way.line) < 2:
        raise unreadable("a route without a line")
    within = arguments.route_range or DEFAULT_RANGE_M
    places = _places_by_line(arguments.keywords, way.line, within, gazetteer)
    fields = (_poi_by_line(poi, way.line, within, language) for poi in places)
    pois = [poi for poi in fields if poi]
    limit = arguments.poi_limit or DEFAULT_LIMIT
    return SearchAlongRouteResult(route=Route(**route_fields(trip, way)), pois=tuple(pois[:limit]))


def _way(arguments: SearchAlongRouteArguments, gazetteer: Gazetteer) -> tuple[Trip, Way]:
    mode: RouteMode = arguments.mode or "driving"
    start, end = located_ends(arguments, gazetteer)
    check_distance(mode, start.spot, end.spot)
    trip, index = trip_between(mode, start, end, gazetteer, lines=True), arguments.route_index or 1
    try:
        offered = ways(gazetteer.client, trip)
    except NoRoute as none:
        raise none.as_argument(mode) from none
    if index > len(offered):
        many = len(offered)
        raise BadArgument("route_index", Says(f"只有 {many} 条路线", f"there are {many} routes only"))
    return trip, offered[index - 1]


def _places_by_line(
    keywords: str, line: Sequence[Point], within: int, gazetteer: Gazetteer
) -> Iterator[Answer]:
    """What the circles give, each place once."""
    words, types = words_and_types(keywords, "")
    seen = set[object]()
    for circle in circles_along(line, within):
        search = PlaceSearch(words, types, "", circle)
        for poi in search.iterate_places(gazetteer.client, PAGE_SIZE):
            if poi.get("id") not in seen:
                seen.add(poi.get("id"))
                yield poi


def circles_along(line: Sequence[Point], within: int) -> list[Circle]:
    """Circles whose centres lie on the line, evenly spaced, and that cover all within so many metres of it,
    unless that takes larger circles than AMap searches.
    """
    length = sum(distance_m(start, end) for start, end in pairwise(line))
    count = min(SEARCHES_AT_MOST, max(1, ceil(length / (_SPACING_IN_RANGES * within))))
    half = length / count / 2
    radius = min(LARGEST_RADIUS_M, ceil(half + within))
    return [Circle(_point_at(line, half * (2 * nth + 1)), radius) for nth in range(count)]


def _point_at(line: Sequence[Point], metres: float) -> Point:
    """The point so far along the line; its end where the line is shorter."""
    for start, end in pairwise(line):
        piece = distance_m(start, end)
        if metres <= piece and piece > 0:
            share = metres / piece
            return (start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1]))
        metres -= piece
    return line[-1]


def _poi_by_line(poi: Answer, line: Sequence[Point], within: int, language: Language) -> PoiAlong | None:
    """A place with its distance from the line; None beyond `within`."""
    fields, at = poi_fields(poi, language), point(poi.get("location"))
    if fields is None or at is None:
        return None
    away = metres_to_line(at, line)
    metres = round(away)
    return PoiAlong(**(fields | {"distance_m": metres}), detour_m=2 * metres) if away <= within else None
