"""Routes by AMap (路径规划 2.0): one reading of what its four services for routes answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import ceil
from typing import Any, Protocol

from sandbox.backends.amap.client import AmapClient
from sandbox.backends.amap.failures import NO_ROUTE_CODES, AmapFailure, unreadable
from sandbox.backends.amap.fields import Answer, line, number, record, records, text, whole
from sandbox.backends.amap.gazetteer import Gazetteer, Location
from sandbox.tools.errors import BadArgument
from sandbox.tools.language import Says
from sandbox.toolsets.grouptravel.routing import End, RouteMode, cost_per
from sandbox.worlds.geo import Point, format_point

FUEL_PER_KM = 0.6
"""CNY for a car, as every world has it: AMap gives tolls only."""
_PATHS: dict[RouteMode, str] = {
    "driving": "/v5/direction/driving",
    "walking": "/v5/direction/walking",
    "bicycling": "/v5/direction/bicycling",
    "transit": "/v5/direction/transit/integrated",
}
_RECOMMENDED_BY_AMAP = 32
_MOST_ALTERNATIVES = 3


class NoRoute(Exception):
    """AMap knows no way for this mode between the two. detail: why, where it says so."""

    def __init__(self, detail: str = "") -> None:
        super().__init__(detail)
        self.detail = detail

    def as_argument(self, mode: RouteMode) -> BadArgument:
        """The error for the agent."""
        why = f"（{self.detail}）" if self.detail else "", f" ({self.detail})" if self.detail else ""
        return BadArgument(
            "mode",
            Says(
                f"高德地图没有两地之间的 {mode} 路线{why[0]}；请换一种方式或检查起终点",
                f"AMap has no {mode} route between the two{why[1]}; try another mode or check both ends",
            ),
        )


@dataclass(frozen=True, slots=True)
class Trip:
    """What to ask a way for. Transit needs the city codes of both ends; date and time ("" for now) count for it only.

    lines: whether the points of the ways are wanted.
    """

    mode: RouteMode
    origin: Location
    destination: Location
    date: str = ""
    time: str = ""
    lines: bool = False


@dataclass(frozen=True, slots=True)
class Way:
    """A way. cost: CNY for a person or the car, None where AMap gives none. estimated: a rule made part of it."""

    metres: int
    minutes: int
    cost: float | None
    estimated: bool
    steps: tuple[Says, ...]
    line: tuple[Point, ...]


def ways(client: AmapClient, trip: Trip) -> list[Way]:
    """All that AMap offers, the one it recommends first.

    Raises:
        NoRoute: there is none.
        AmapFailure: the service failed.
    """
    try:
        answer = client.get(_PATHS[trip.mode], _parameters(trip))
    except AmapFailure as failure:
        if failure.infocode in NO_ROUTE_CODES:
            raise NoRoute(failure.detail) from failure
        raise
    route = record(answer.get("route"))
    transit = trip.mode == "transit"
    offered = records(route.get("transits" if transit else "paths"))
    if not offered:
        raise NoRoute
    return [_transit(each) if transit else _path(each, trip.mode) for each in offered]


def route_fields(trip: Trip, way: Way) -> dict[str, Any]:
    """The fields of `Route`."""
    origin, destination = trip.origin.spot, trip.destination.spot
    return {
        "mode": trip.mode,
        "origin": End(name=origin.name, location=format_point(origin.point)),
        "destination": End(name=destination.name, location=format_point(destination.point)),
        "distance_m": way.metres,
        "duration_minutes": way.minutes,
        "cost": way.cost,
        "cost_per": cost_per(trip.mode),
        "estimated": way.estimated,
    }


def _parameters(trip: Trip) -> dict[str, str | int]:
    ends = (("origin", trip.origin), ("destination", trip.destination))
    parameters: dict[str, str | int] = {name: format_point(end.spot.point) for name, end in ends}
    parameters["show_fields"] = "cost,polyline" if trip.lines else "cost"
    match trip.mode:
        case "driving":
            parameters["strategy"] = _RECOMMENDED_BY_AMAP
        case "transit":
            parameters |= {"city1": trip.origin.citycode, "city2": trip.destination.citycode}
            parameters |= _departure(trip)
        case _:
            parameters["alternative_route"] = _MOST_ALTERNATIVES
    return parameters


def _departure(trip: Trip) -> dict[str, str]:
    """AMap writes 09:54 as 9-54, and knows no 24:00."""
    hour, _, minute = trip.time.replace("24:00", "23:59").partition(":")
    clock = {"time": f"{int(hour)}-{minute}"} if trip.time else {}
    return clock | ({"date": trip.date} if trip.date else {})


def _path(path: Answer, mode: RouteMode) -> Way:
    cost = record(path.get("cost"))
    metres, seconds = _measures(path, cost)
    steps = records(path.get("steps"))
    driving = mode == "driving"
    tolls = number(cost.get("tolls"))
    said = [Says(each, each) for step in steps if (each := text(step.get("instruction")))]
    return Way(
        metres,
        ceil(seconds / 60),
        _driving_cost(metres, tolls) if driving else 0.0,
        driving,
        (*said, _cost_step(metres, tolls)) if driving else tuple(said),
        tuple(at for step in steps for at in line(step.get("polyline"))),
    )


def _transit(transit: Answer) -> Way:
    cost = record(transit.get("cost"))
    metres, seconds = _measures(transit, cost)
    segments = records(transit.get("segments"))
    return Way(
        metres,
        ceil(seconds / 60),
        number(cost.get("transit_fee")),
        False,
        tuple(transit_steps(segments)),
        tuple(transit_line(segments)),
    )


def _measures(way: Answer, cost: Answer) -> tuple[int, float]:
    """Metres and seconds; the cycling service gives the seconds beside the cost instead of in it."""
    metres, seconds = whole(way.get("distance")), number(cost.get("duration"))
    if seconds is None:
        seconds = number(way.get("duration"))
    if metres is None or seconds is None or metres < 0 or seconds < 0:
        raise unreadable("a route without distance or duration")
    return metres, seconds


def _driving_cost(metres: int, tolls: float | None) -> float | None:
    return None if tolls is None else round(metres / 1000 * FUEL_PER_KM + tolls, 1)


def _cost_step(metres: int, tolls: float | None) -> Says:
    fuel = metres / 1000 * FUEL_PER_KM
    if tolls is None:
        return Says("过路费未知", "Tolls unknown")
    return Says(
        f"费用按每车计：油费按每公里 {FUEL_PER_KM} 元估算约 {fuel:.0f} 元，高德过路费 {tolls:g} 元，不含停车费",
        f"Cost per car: fuel, estimated at {FUEL_PER_KM} CNY per km, about {fuel:.0f} CNY, tolls by AMap "
        f"{tolls:g} CNY, parking not included",
    )


class Ends(Protocol):
    """The arguments that name both ends."""

    @property
    def origin(self) -> str: ...

    @property
    def destination(self) -> str: ...

    @property
    def city(self) -> str | None: ...


def located_ends(ends: Ends, gazetteer: Gazetteer) -> tuple[Location, Location]:
    """Both ends; a name is looked for in the given city first, then anywhere, so that a way may leave it.

    Raises:
        BadArgument: an end or the city is unknown.
    """
    city = gazetteer.city("city", ends.city) if ends.city else None
    start, end = (
        (city and gazetteer.locate(text, city)) or gazetteer.locate_known(argument, text, None)
        for argument, text in (("origin", ends.origin), ("destination", ends.destination))
    )
    return start, end


def trip_between(
    mode: RouteMode, start: Location, end: Location, gazetteer: Gazetteer, *, lines: bool = False
) -> Trip:
    """A trip by a mode; transit needs to know in which city a coordinate lies."""
    if mode == "transit":
        start, end = gazetteer.with_city("origin", start), gazetteer.with_city("destination", end)
    return Trip(mode, start, end, lines=lines)


def transit_steps(segments: Iterable[Answer]) -> Iterator[Says]:
    """The legs in words. Of lines that serve the same leg the first stands for all."""
    for segment in segments:
        walk = whole(record(segment.get("walking")).get("distance"))
        if walk:
            yield Says(f"步行 {walk} 米", f"Walk {walk} m")
        yield from map(_by_line, _lines(segment)[:1])
        railway, taxi = record(segment.get("railway")), record(segment.get("taxi"))
        if text(railway.get("name")):
            yield _by_train(railway)
        if whole(taxi.get("distance")):
            yield Says(f"乘出租车 {taxi['distance']} 米", f"Take a taxi for {taxi['distance']} m")


def transit_line(segments: Iterable[Answer]) -> Iterator[Point]:
    """Where the walks and the lines run; trains come without a line, so that their stations stand for it."""
    for segment in segments:
        for step in records(record(segment.get("walking")).get("steps")):
            yield from line(step.get("polyline"))
        for ridden in _lines(segment)[:1]:
            yield from line(ridden.get("polyline"))
        railway = record(segment.get("railway"))
        for end in ("departure_stop", "arrival_stop"):
            yield from line(record(railway.get(end)).get("location"))


def _lines(segment: Answer) -> list[Answer]:
    return records(record(segment.get("bus")).get("buslines"))


def _by_line(ridden: Answer) -> Says:
    name = text(ridden.get("name"))
    start, end = _stop(ridden, "departure_stop"), _stop(ridden, "arrival_stop")
    between = whole(ridden.get("via_num"))
    stops = ("", "") if between is None else (f"（{between + 1} 站）", f" ({between + 1} stops)")
    return Says(f"从{start}乘{name}到{end}{stops[0]}", f"From {start} take {name} to {end}{stops[1]}")


def _by_train(railway: Answer) -> Says:
    number = text(railway.get("trip")) or text(railway.get("name"))
    start, end = _stop(railway, "departure_stop"), _stop(railway, "arrival_stop")
    return Says(f"从{start}乘火车 {number} 到{end}", f"From {start} take train {number} to {end}")


def _stop(ridden: Answer, which: str) -> str:
    return text(record(ridden.get(which)).get("name"))
