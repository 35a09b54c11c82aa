"""Routes estimated from coordinates: detour factors and speeds by mode, metro where both ends are near it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Annotated, Literal, Protocol

from pydantic import ConfigDict, Field

from sandbox.tools.errors import BadArgument
from sandbox.tools.language import Language, Says
from sandbox.tools.results import Figure, Partial, Text
from sandbox.tools.tool import Result
from sandbox.toolsets.grouptravel.arguments import known_city, known_spot
from sandbox.toolsets.grouptravel.metro import Ride, rides
from sandbox.worlds import Spot, World
from sandbox.worlds.geo import Point, distance_m, format_point
from sandbox.worlds.records import Station

RouteMode = Literal["transit", "driving", "walking", "bicycling"]
CostPer = Literal["person", "car"]

FARTHEST_M: dict[RouteMode, float] = {
    "walking": 30_000, "bicycling": 60_000, "transit": 120_000, "driving": 4_000_000,
}  # fmt: skip
"""Straight metres beyond which a mode is no answer."""

_DETOUR = 1.3
_WALK_M_PER_MINUTE, _CYCLE_M_PER_MINUTE, _BUS_M_PER_MINUTE = 75.0, 220.0, 260.0
_WALK_INSTEAD_M = 800.0
_BUS_WAIT_MINUTES = 8.0
_BUS_FARE, _BUS_FARE_M = 2.0, 15_000
_ROAD_DETOUR, _HIGHWAY_DETOUR, _HIGHWAY_FROM_M = 1.4, 1.25, 40_000
_SPEEDS = ((10_000.0, 25_000 / 60), (30_000.0, 45_000 / 60), (float("inf"), 85_000 / 60))
"""(metres, metres a minute) of the pieces of a drive: streets, ring roads, highways."""
_FUEL_PER_KM, _TOLL_PER_KM, _TOLL_FREE_M = 0.6, 0.45, 30_000


class End(Result):
    """One end of a route."""

    name: str
    location: Annotated[str, Field(description="lon,lat")]


class Route(Result):
    """`cost` in CNY for one person, or for the car where `cost_per` says so; None where the source gives none.

    estimated: a rule made these figures, or a part of them.
    """

    mode: RouteMode
    origin: End
    destination: End
    distance_m: int
    duration_minutes: int
    cost: float | None
    cost_per: CostPer
    estimated: bool = True


class PartialEnd(Partial):
    """An end of a route."""

    model_config = ConfigDict(extra="allow")
    name: Text = None
    location: Text = None


class PartialRoute(Partial):
    """A way between two ends; what has no field is kept, since its length may stand deeper or under another name."""

    model_config = ConfigDict(extra="allow")
    mode: Text = None
    distance_m: Figure = None
    cost_per: Text = None
    origin: PartialEnd | None = None
    destination: PartialEnd | None = None
    duration_minutes: Figure = None
    cost: Figure = None


@dataclass(frozen=True, slots=True)
class Estimate:
    """A way from one point to another. `line` is where it runs, `steps` say it in words."""

    metres: float
    minutes: float
    cost: float
    line: tuple[Point, ...]
    steps: tuple[Says, ...]

    @property
    def whole_minutes(self) -> int:
        """Rounded up, so that nothing but staying takes no time."""
        return ceil(self.minutes)


def cost_per(mode: RouteMode) -> CostPer:
    """Whom the cost of a mode is for."""
    return "car" if mode == "driving" else "person"


class Stations(Protocol):
    """Where the metro can be boarded: a world, or nobody who knows."""

    def stations(self, city: str, kind: str) -> tuple[Station, ...]:
        """The stations of a city."""
        ...


def estimate(world: Stations, mode: RouteMode, origin: Spot, destination: Spot, city: str) -> Estimate:
    """The way between two spots; `city` is whose metro is used."""
    match mode:
        case "walking":
            return _walk(origin, destination)
        case "bicycling":
            return _cycle(origin, destination)
        case "driving":
            return _drive(origin, destination)
        case "transit":
            return _transit(world, origin, destination, city)


def route_fields(mode: RouteMode, origin: Spot, destination: Spot, way: Estimate) -> dict[str, object]:
    """The fields of `Route`."""
    return {
        "mode": mode,
        "origin": End(name=origin.name, location=format_point(origin.point)),
        "destination": End(name=destination.name, location=format_point(destination.point)),
        "distance_m": round(way.metres),
        "duration_minutes": way.whole_minutes,
        "cost": round(way.cost, 1),
        "cost_per": cost_per(mode),
    }


def step_texts(steps: Sequence[Says], language: Language) -> tuple[str, ...]:
    """The steps in a language."""
    return tuple(step.to(language) for step in steps)


def walk_metres(a: Point, b: Point) -> float:
    """How far one walks or cycles between two points."""
    return distance_m(a, b) * _DETOUR


def street_metres(a: Point, b: Point) -> float:
    """How far one drives between two points."""
    straight = distance_m(a, b)
    return straight * (_ROAD_DETOUR if straight < _HIGHWAY_FROM_M else _HIGHWAY_DETOUR)


def _straight(origin: Spot, destination: Spot) -> float:
    return distance_m(origin.point, destination.point)


def _walk(origin: Spot, destination: Spot) -> Estimate:
    metres = walk_metres(origin.point, destination.point)
    step = Says(
        f"步行约 {_km(metres)} 公里到{destination.name}", f"Walk about {_km(metres)} km to {destination.name}"
    )
    return Estimate(metres, metres / _WALK_M_PER_MINUTE, 0, (origin.point, destination.point), (step,))


def _cycle(origin: Spot, destination: Spot) -> Estimate:
    metres = walk_metres(origin.point, destination.point)
    step = Says(
        f"骑行约 {_km(metres)} 公里到{destination.name}",
        f"Cycle about {_km(metres)} km to {destination.name}",
    )
    return Estimate(metres, metres / _CYCLE_M_PER_MINUTE, 0, (origin.point, destination.point), (step,))


def _drive(origin: Spot, destination: Spot) -> Estimate:
    metres = street_metres(origin.point, destination.point)
    fuel, toll = metres / 1000 * _FUEL_PER_KM, max(0.0, metres - _TOLL_FREE_M) / 1000 * _TOLL_PER_KM
    steps = (
        Says(
            f"驾车约 {_km(metres)} 公里到{destination.name}",
            f"Drive about {_km(metres)} km to {destination.name}",
        ),
        Says(
            f"费用按每车计：油费约 {fuel:.0f} 元，过路费约 {toll:.0f} 元，不含停车费",
            f"Cost per car: fuel about {fuel:.0f} CNY, tolls about {toll:.0f} CNY, parking not included",
        ),
    )
    return Estimate(metres, _driving_minutes(metres), fuel + toll, (origin.point, destination.point), steps)


def _driving_minutes(metres: float) -> float:
    minutes, left = 0.0, metres
    for piece, speed in _SPEEDS:
        minutes += min(left, piece) / speed
        left = max(0.0, left - piece)
    return minutes


def _transit(world: Stations, origin: Spot, destination: Spot, city: str) -> Estimate:
    if _straight(origin, destination) <= _WALK_INSTEAD_M:
        return _walk(origin, destination)
    rides_found = rides(world.stations(city, "metro"), origin.point, destination.point)
    ways = [_by_metro(origin, destination, ride) for ride in rides_found]
    return min((*ways, _by_bus(origin, destination)), key=lambda way: way.minutes)


def _by_bus(origin: Spot, destination: Spot) -> Estimate:
    metres = _straight(origin, destination) * _ROAD_DETOUR
    step = Says(
        f"乘公交约 {_km(metres)} 公里到{destination.name}（含步行和候车）",
        f"Take buses for about {_km(metres)} km to {destination.name}, with walks and waits",
    )
    fare = _BUS_FARE * ceil(metres / _BUS_FARE_M)
    minutes = metres / _BUS_M_PER_MINUTE + _BUS_WAIT_MINUTES
    return Estimate(metres, minutes, fare, (origin.point, destination.point), (step,))


def _by_metro(origin: Spot, destination: Spot, ride: Ride) -> Estimate:
    first, last = ride.stops[0], ride.stops[-1]
    before = walk_metres(origin.point, first.point)
    after = walk_metres(last.point, destination.point)
    return Estimate(
        before + ride.metres + after,
        (before + after) / _WALK_M_PER_MINUTE + ride.minutes,
        ride.fare,
        (origin.point, *(stop.point for stop in ride.stops), destination.point),
        (_walk_step(before, first.name), *_ride_steps(ride), _walk_step(after, destination.name)),
    )


def _ride_steps(ride: Ride) -> list[Says]:
    steps = [
        Says(f"乘{line}到{stop.name}", f"Take {line} to {stop.name}")
        for line, stop in zip(ride.lines, ride.stops[1:], strict=True)
    ]
    return steps[:1] + [Says(f"换{step.zh}", f"Change: {step.en}") for step in steps[1:]]


def _walk_step(metres: float, to: str) -> Says:
    return Says(f"步行约 {metres:.0f} 米到{to}", f"Walk about {metres:.0f} m to {to}")


def _km(metres: float) -> str:
    return f"{metres / 1000:.1f}"


def route_ends(world: World, origin: str, destination: str, city: str | None) -> tuple[Spot, Spot, str]:
    """Both ends and the city, which is the given one, else the one that both lie in, else empty.

    A name is looked for in the given city first, then anywhere, so that a drive may leave it.

    Raises:
        BadArgument: an end or the city is unknown.
    """
    within = known_city(world, "city", city).name if city else None
    start, end = (
        world.locate(text, within) or known_spot(world, argument, text, None)
        for argument, text in (("origin", origin), ("destination", destination))
    )
    return start, end, within or (start.city if start.city == end.city else "")


def too_far(mode: RouteMode, origin: Spot, destination: Spot) -> bool:
    """Whether a mode is no answer between two spots."""
    return distance_m(origin.point, destination.point) > FARTHEST_M[mode]


def check_distance(mode: RouteMode, origin: Spot, destination: Spot) -> None:
    """
    Raises:
        BadArgument: the spots are too far apart for the mode.
    """
    if not too_far(mode, origin, destination):
        return
    away, most = distance_m(origin.point, destination.point) / 1000, FARTHEST_M[mode] / 1000
    raise BadArgument(
        "mode",
        Says(
            f"{mode} 最远 {most:.0f} 公里，两地直线相距 {away:.0f} 公里；跨城请用 driving，"
            "或 travel_search_trains、travel_search_flights",
            f"{mode} reaches {most:.0f} km, but the two are {away:.0f} km apart; between cities use driving, "
            "travel_search_trains or travel_search_flights",
        ),
    )


def check_transit_city(mode: RouteMode, city: str | None) -> None:
    """
    Raises:
        BadArgument: transit without a city.
    """
    if mode == "transit" and not city:
        raise BadArgument("city", Says("mode 为 transit 时必填", "is required when mode is transit"))
