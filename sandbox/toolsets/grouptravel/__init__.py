"""GroupTravelBench's toolset: ten tools, the same in a world, a cache and live."""

from sandbox.toolsets.base import Toolset
from sandbox.toolsets.grouptravel.mentions import check_named
from sandbox.toolsets.grouptravel.nearest import ANSWERS
from sandbox.toolsets.grouptravel.nearest.places import detail_of
from sandbox.toolsets.grouptravel.tools import TOOLS

TOOLSET = Toolset(
    name="grouptravel",
    tools=TOOLS,
    coordinates="lon,lat",
    places=frozenset({"address", "destination", "location", "origin"}),
    nearest=ANSWERS,
    check_answer=check_named,
    detail=detail_of,
    listing=("search_along_route", "search_poi"),
)

__all__ = ["TOOLSET"]
