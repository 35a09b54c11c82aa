"""maps_geo: from an address or a name to coordinates."""

from __future__ import annotations

from typing import Annotated

from pydantic import ConfigDict, Field

from sandbox.tools.language import Language, Says
from sandbox.tools.tool import Arguments, Result, Tool
from sandbox.toolsets.grouptravel.arguments import Words, known_city, known_spot
from sandbox.toolsets.grouptravel.poi import PartialSpot
from sandbox.worlds import World
from sandbox.worlds.geo import format_point


class MapsGeoArguments(Arguments):
    address: Annotated[Words, Says("地址、地点名、车站名或城市名", "Address, place, station or city")]
    city: Annotated[Words | None, Says("所在城市", "The city it is in")] = None


class MapsGeoResult(Result):
    """Where it is. `kind`: attraction, restaurant, hotel, landmark, city, train, airport, metro or coordinate."""

    name: str
    city: str
    kind: str
    location: str = Field(description="lon,lat")


class PartialAddress(PartialSpot):
    """Where an address is; what has no field is kept, since the place may stand deeper."""

    model_config = ConfigDict(extra="allow")


def run(arguments: MapsGeoArguments, world: World, language: Language) -> MapsGeoResult:
    """The point that the address names."""
    city = known_city(world, "city", arguments.city).name if arguments.city else None
    spot = known_spot(world, "address", arguments.address, city)
    return MapsGeoResult(name=spot.name, city=spot.city, kind=spot.kind, location=format_point(spot.point))


TOOL = Tool(
    "maps_geo",
    Says(
        "把地址、地点名、车站名或城市名转换为坐标（经度,纬度）",
        "Coordinates (lon,lat) of an address, place, station or city",
    ),
    MapsGeoArguments,
    MapsGeoResult,
    run,
    PartialAddress,
)
