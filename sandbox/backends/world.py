"""A world as backend: answers computed from its pack."""

from __future__ import annotations

from typing import Any

from sandbox.tools.language import Language
from sandbox.tools.tool import Arguments, Result, Tool
from sandbox.toolsets.grouptravel.registry import TOOLS
from sandbox.worlds import World


class WorldBackend:
    """All ten tools over one world. Like the world's handle it belongs to one thread."""

    name = "world"
    tools = frozenset(TOOLS)

    def __init__(self, world: World) -> None:
        self._world = world

    def answer(self, tool: Tool[Any, Any], arguments: Arguments, language: Language) -> Result:
        """The tool's function of arguments and world."""
        result: Result = tool.run(arguments, self._world, language)
        return result
