"""What every backend offers."""

from __future__ import annotations

from collections.abc import Set
from typing import Any, Protocol

from sandbox.tools.language import Language
from sandbox.tools.tool import Arguments, Result, Tool


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
