"""Stations as places that one can search for and route to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from sandbox.worlds.records import Place, Station

CATEGORIES: Final = {"train": "火车站", "airport": "机场"}


def station_landmarks(prefix: str, stations: Iterable[Station], taken: set[str]) -> Iterator[Place]:
    """A landmark for each railway station and airport whose name is not in `taken`; metro stops are none."""
    reachable = (station for station in stations if station.kind in CATEGORIES and station.name not in taken)
    for position, station in enumerate(reachable, start=1):
        category = CATEGORIES[station.kind]
        yield Place(
            id=f"{prefix}-s-{position:03d}",
            city=station.city,
            kind="landmark",
            name=station.name,
            category=category,
            categories=(category,),
            longitude=station.longitude,
            latitude=station.latitude,
        )
