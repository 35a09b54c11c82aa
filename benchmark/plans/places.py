"""Where the places of a plan lie."""

from __future__ import annotations

from sandbox.worlds import World
from sandbox.worlds.geo import Point


def locate(pack: World, name: str, city: str | None = None) -> Point | None:
    """Where the place of this name lies; None where the world does not know it, or only as a city."""
    spot = pack.locate(name, city)
    return (spot.longitude, spot.latitude) if spot is not None and spot.kind != "city" else None
