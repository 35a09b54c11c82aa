"""Where a place is."""

from __future__ import annotations

from benchmark.suites.travelbench.agent.cities import cities_in
from benchmark.suites.travelbench.agent.looking import Lookups
from benchmark.suites.travelbench.agent.request import Request

NEAR, FAR = 3_000, 20_000
"""Metres around a place: a walk or a short ride, and the most that the tool takes."""


def spot(name: str, request: Request, lookups: Lookups) -> str:
    """The coordinates of a place by its name, in the city that was named, else near the user; "" for none."""
    if not name:
        return request.coordinates
    named = cities_in(name)
    region = named[0] if named else request.region
    if region:
        answer = lookups.call("map_search_places", query=name, region=region, limit=3)
        if answer.coordinates or not request.coordinates:
            return answer.coordinates
    if not request.coordinates:
        return ""
    return lookups.call(
        "map_search_places", query=name, center=request.coordinates, radius=FAR, limit=3
    ).coordinates
