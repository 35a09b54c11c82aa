"""maps_geo by AMap's geocoder and, for names that it does not know, its search for places."""

from __future__ import annotations

from sandbox.backends.amap.gazetteer import Gazetteer
from sandbox.tools.language import Language
from sandbox.toolsets.grouptravel.maps_geo import MapsGeoArguments, MapsGeoResult
from sandbox.worlds.geo import format_point


def run(arguments: MapsGeoArguments, gazetteer: Gazetteer, language: Language) -> MapsGeoResult:
    """The point that the address names."""
    city = gazetteer.city("city", arguments.city) if arguments.city else None
    spot = gazetteer.placed("address", gazetteer.known("address", arguments.address, city)).spot
    return MapsGeoResult(name=spot.name, city=spot.city, kind=spot.kind, location=format_point(spot.point))
