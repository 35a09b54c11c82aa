"""TravelBench's toolset: ten tools, read strictly (`paper`) or as the published program reads them (`published`)."""

from sandbox.toolsets.base import Toolset
from sandbox.toolsets.travelbench.places import NOTHING_FOUND
from sandbox.toolsets.travelbench.reading import (
    KEY,
    arguments_of,
    check,
    key_pairs,
    read_leniently,
    read_strictly,
)
from sandbox.toolsets.travelbench.tools import TOOLS

TOOLSET = Toolset(
    name="travelbench",
    tools=TOOLS,
    coordinates="lat,lon",
    places=frozenset({"center", "destination", "location", "origin", "region"}),
    readings={"strict": read_strictly, "lenient": read_leniently},
    check=check,
    key=KEY,
)

__all__ = ["NOTHING_FOUND", "TOOLSET", "arguments_of", "key_pairs"]
