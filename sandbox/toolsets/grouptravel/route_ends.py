"""Where a route starts and ends, and whether a mode can serve it."""

from __future__ import annotations

from sandbox.tools.errors import BadArgument
from sandbox.tools.language import Says
from sandbox.toolsets.grouptravel.arguments import known_city, known_spot
from sandbox.toolsets.grouptravel.routing import FARTHEST_M, RouteMode
from sandbox.worlds import Spot, World
from sandbox.worlds.geo import distance_m


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
