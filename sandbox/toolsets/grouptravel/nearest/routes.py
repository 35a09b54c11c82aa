"""plan_route, compare_routes and search_along_route: ways between two places, computed from where these are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast, get_args

from pydantic import ValidationError

from sandbox.calls import Call, Example
from sandbox.toolsets.base import Question
from sandbox.toolsets.grouptravel.compare_routes import CompareRoutesArguments, CompareRoutesResult
from sandbox.toolsets.grouptravel.nearest.records import (
    difference,
    fit_example,
    good,
    lists_of,
    result_text,
    spot_of,
)
from sandbox.toolsets.grouptravel.nearest.sameness import point_of, same_kind, same_place
from sandbox.toolsets.grouptravel.plan_route import PlanRouteArguments, PlanRouteResult, mode_of
from sandbox.toolsets.grouptravel.routing import (
    Estimate,
    Route,
    RouteMode,
    check_distance,
    check_transit_city,
    estimate,
    route_fields,
    step_texts,
    too_far,
)
from sandbox.toolsets.grouptravel.search_along_route import (
    DEFAULT_LIMIT,
    DEFAULT_RANGE_M,
    PoiAlong,
    SearchAlongRouteArguments,
    SearchAlongRouteResult,
    check_route_index,
    detour_m,
)
from sandbox.worlds import Spot
from sandbox.worlds.geo import metres_aside
from sandbox.worlds.records import Station

RouteArguments = PlanRouteArguments | CompareRoutesArguments | SearchAlongRouteArguments


class _NoMetro:
    """No cache tells where the metro runs."""

    def stations(self, city: str, kind: str) -> tuple[Station, ...]:
        return ()


def plan(question: Question) -> str:
    """The cached route of the same ends and mode, else one that is computed.

    Raises:
        BadArgument: the mode does not go so far, or transit without a city.
        ToolFailure: nobody knows where an end is.
    """
    asked = cast("PlanRouteArguments", question.valid.arguments)
    mode = mode_of(asked)
    check_transit_city(mode, asked.city)
    for example in _between_same_ends(question, asked):
        if _mode_of_record(example) == mode:
            return example.result
    origin, destination, way = _way(question, asked, mode)
    fields: dict[str, Any] = route_fields(mode, origin, destination, way)
    return result_text(PlanRouteResult(**fields, steps=step_texts(way.steps, question.language)))


def compare(question: Question) -> str:
    """The cached comparison of the same ends, else one that is computed.

    Raises:
        ToolFailure: nobody knows where an end is.
    """
    asked = cast("CompareRoutesArguments", question.valid.arguments)
    for example in _between_same_ends(question, asked):
        return example.result
    origin, destination = _ends(question, asked)
    modes: list[RouteMode] = [mode for mode in get_args(RouteMode) if asked.city or mode != "transit"]
    routes = [
        _route(mode, origin, destination, asked.city)
        for mode in modes
        if not too_far(mode, origin, destination)
    ]
    ordered = tuple(sorted(routes, key=lambda route: route.duration_minutes))
    return result_text(CompareRoutesResult(routes=ordered))


def answer_along_route(question: Question) -> str:
    """The cached answer for the same route and kind, else a computed route with the cached places that lie beside it.

    Raises:
        BadArgument: the mode does not go so far, or there is no such route.
        ToolFailure: nobody knows where an end is.
    """
    asked = cast("SearchAlongRouteArguments", question.valid.arguments)
    mode: RouteMode = asked.mode or "driving"
    for example in _between_same_ends(question, asked):
        if _is_of(example, asked) and not difference(example, question).differs("mode", "route_index"):
            return fit_example(example, question)
    check_route_index(asked)
    origin, destination, way = _way(question, asked, mode)
    beside = (poi for poi in _known_places(question, asked) if _is_beside(poi, way, asked))
    pois = {poi["id"]: poi for poi in beside}
    places = [_poi_along(poi, way) for poi in pois.values()][: asked.poi_limit or DEFAULT_LIMIT]
    route = _route(mode, origin, destination, asked.city)
    return result_text(SearchAlongRouteResult(route=route, pois=tuple(places)))


def _between_same_ends(question: Question, asked: RouteArguments) -> Iterator[Example]:
    for example in good(question.examples):
        given = example.call.arguments
        city = given.get("city")
        if same_place(asked.origin, asked.city, given.get("origin"), city) and same_place(
            asked.destination, asked.city, given.get("destination"), city
        ):
            yield example


def _mode_of_record(example: Example) -> object:
    given = example.call.arguments
    return given.get("mode") or ("transit" if given.get("city") else "driving")


def _ends(question: Question, asked: RouteArguments) -> tuple[Spot, Spot]:
    return (
        spot_of(question, "origin", asked.origin, asked.city),
        spot_of(question, "destination", asked.destination, asked.city),
    )


def _way(question: Question, asked: RouteArguments, mode: RouteMode) -> tuple[Spot, Spot, Estimate]:
    origin, destination = _ends(question, asked)
    check_distance(mode, origin, destination)
    return origin, destination, estimate(_NoMetro(), mode, origin, destination, asked.city or "")


def _route(mode: RouteMode, origin: Spot, destination: Spot, city: str | None) -> Route:
    way = estimate(_NoMetro(), mode, origin, destination, city or "")
    fields: dict[str, Any] = route_fields(mode, origin, destination, way)
    return Route(**fields)


def _known_places(question: Question, asked: SearchAlongRouteArguments) -> Iterator[Mapping[str, Any]]:
    """Places of the kind, wherever they are: those beside other routes, then those of searches in the city."""
    for example in good(question.examples):
        if _is_of(example, asked):
            yield from lists_of(example)
    if asked.city:
        search = Call("search_poi", {"keywords": asked.keywords, "city": asked.city})
        for example in good(question.similar(search)):
            if _is_of(example, asked):
                yield from lists_of(example)


def _is_of(example: Example, asked: SearchAlongRouteArguments) -> bool:
    given = example.call.arguments
    return same_kind(asked.keywords, asked.city, given.get("keywords"), given.get("city"))


def _is_beside(poi: Mapping[str, Any], way: Estimate, asked: SearchAlongRouteArguments) -> bool:
    """Whether a place in the form of our tools lies near enough to the way."""
    point = point_of(poi.get("location"))
    if point is None or not isinstance(poi.get("id"), str):
        return False
    try:
        _poi_along(poi, way)
    except ValidationError:
        return False
    return metres_aside(point, way.line) <= (asked.route_range or DEFAULT_RANGE_M)


def _poi_along(poi: Mapping[str, Any], way: Estimate) -> PoiAlong:
    point = point_of(poi["location"])
    assert point is not None
    away = round(metres_aside(point, way.line))
    return PoiAlong.model_validate({**poi, "distance_m": away, "detour_m": detour_m(away)})
