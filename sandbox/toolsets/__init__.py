"""The toolsets there are. A new one is a folder and a line here."""

from __future__ import annotations

from collections.abc import Iterator

from sandbox.tools.tool import AnyTool
from sandbox.toolsets import grouptravel, travelbench, tripbench
from sandbox.toolsets.base import DEFAULT_TOOLSET, Toolset

NO_TOOLS = Toolset("none", {}, "lon,lat")
"""Of benchmarks whose agents look nothing up."""
TOOLSETS: dict[str, Toolset] = {
    toolset.name: toolset
    for toolset in (grouptravel.TOOLSET, travelbench.TOOLSET, tripbench.TOOLSET, NO_TOOLS)
}


class UnknownToolset(ValueError):
    """No toolset has that name; the message tells which there are."""


def toolset_named(name: str) -> Toolset:
    """The toolset of a name.

    Raises:
        UnknownToolset: there is none.
    """
    try:
        return TOOLSETS[name]
    except KeyError:
        raise UnknownToolset(
            f"there is no toolset {name!r}; there is {', '.join(sorted(TOOLSETS))}"
        ) from None


def toolset_of(stored: str) -> Toolset | None:
    """The toolset of a tool's name in caches; None where this version has none of that name."""
    name, dot, _ = stored.rpartition(".")
    return TOOLSETS.get(name if dot else DEFAULT_TOOLSET)


def tool_of(stored: str) -> AnyTool | None:
    """The tool of a name in caches; None where this version has no such tool."""
    toolset = toolset_of(stored)
    return toolset.tools.get(stored.rpartition(".")[2]) if toolset else None


def sibling_name(stored: str, name: str) -> str:
    """A name of the same toolset as a tool's name in caches, as caches hold it."""
    return "".join((*stored.rpartition(".")[:2], name))


def listing_tools() -> Iterator[str]:
    """The tools whose answers list places by id, under their names in caches."""
    for toolset in TOOLSETS.values():
        yield from map(toolset.stored_name, toolset.listing)
