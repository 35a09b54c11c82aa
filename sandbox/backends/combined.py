"""Several backends as one."""

from __future__ import annotations

from typing import Any

from sandbox.backends.backend import Backend
from sandbox.tools.errors import ToolFailure
from sandbox.tools.language import Language, Says
from sandbox.tools.tool import Arguments, Result, Tool

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
