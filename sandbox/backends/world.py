"""A world as backend: answers computed from its pack."""

from __future__ import annotations

from typing import Any

from sandbox.tools.language import Language
from sandbox.tools.tool import Arguments, Result, Tool
from sandbox.toolsets import toolset_named
from sandbox.toolsets.base import DEFAULT_TOOLSET, Toolset
from sandbox.worlds import World


class WorldBackend:
    """All tools of a toolset over one world. Like the world's handle it belongs to one thread."""

    name = "world"

    def __init__(self, world: World, toolset: Toolset | None = None) -> None:
        answered = toolset or toolset_named(DEFAULT_TOOLSET)
        self.toolset, self.tools = answered.name, frozenset(answered.tools)
        self._world = world

    def answer(self, tool: Tool[Any, Any], arguments: Arguments, language: Language) -> Result:
        """The tool's function of arguments and world."""
        result: Result = tool.run(arguments, self._world, language)
        return result
