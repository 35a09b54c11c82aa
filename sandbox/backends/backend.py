"""What every backend offers."""

from __future__ import annotations

from collections.abc import Set
from typing import Any, Protocol

from sandbox.tools.errors import ToolFailure
from sandbox.tools.language import Language, Says
from sandbox.tools.tool import Arguments, Result, Tool
from sandbox.toolsets import toolset_named
from sandbox.toolsets.base import DEFAULT_TOOLSET, Toolset
from sandbox.worlds import World


class Backend(Protocol):
    """Answers validated calls. name: as researchers see it. tools: which of its toolset's it answers, by name."""

    @property
    def name(self) -> str: ...

    @property
    def toolset(self) -> str:
        """The name of the toolset whose calls it answers."""
        ...

    @property
    def tools(self) -> Set[str]: ...

    def answer(self, tool: Tool[Any, Any], arguments: Arguments, language: Language) -> Result:
        """The tool's result.

        Raises:
            sandbox.tools.errors.BadArgument: a value that is well formed but not to be had here.
            sandbox.tools.errors.ToolFailure: the backend could not answer (`backend`) or not in time (`timeout`).
        """
        ...


_NOT_OFFERED = Says("当前没有服务提供这个工具", "No service offers this tool at present")


class CombinedBackend:
    """The first backend that offers a tool answers it, and no other does when that one fails: whoever reads a
    result must be able to tell who gave it.
    """

    def __init__(self, *backends: Backend) -> None:
        if not backends:
            raise ValueError("a combined backend needs at least one backend")
        self.toolset = backends[0].toolset
        if any(backend.toolset != self.toolset for backend in backends):
            raise ValueError("backends that are combined answer the tools of one toolset")
        self.name = "+".join(backend.name for backend in backends)
        self.tools = frozenset[str]().union(*(backend.tools for backend in backends))
        self._backends = backends

    def answer(self, tool: Tool[Any, Any], arguments: Arguments, language: Language) -> Result:
        """The result of the backend that the tool belongs to, or that backend's failure."""
        for backend in self._backends:
            if tool.name in backend.tools:
                return backend.answer(tool, arguments, language)
        raise ToolFailure("backend", _NOT_OFFERED)


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
