"""GroupTravelBench's toolset: ten tools, the same in a world, a cache and live."""

from sandbox.calls import Call
from sandbox.toolsets.base import KeyForm, Toolset
from sandbox.toolsets.grouptravel.mentions import check_named
from sandbox.toolsets.grouptravel.nearest import ANSWERS
from sandbox.toolsets.grouptravel.nearest.places import detail_of
from sandbox.toolsets.grouptravel.tools import TOOLS


def _embedding_text(call: Call) -> str:
    """ "name: value | name: value", by name, as the published program writes a call for its model (appendix B.3)."""
    return " | ".join(f"{name}: {call.arguments[name]}" for name in sorted(call.arguments))


TOOLSET = Toolset(
    name="grouptravel",
    tools=TOOLS,
    coordinates="lon,lat",
    key=KeyForm(embedding_text=_embedding_text),
    places=frozenset({"address", "destination", "location", "origin"}),
    nearest=ANSWERS,
    check_answer=check_named,
    detail=detail_of,
    listing=("search_along_route", "search_poi"),
)

__all__ = ["TOOLSET"]
