"""The event that a tool answers."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from benchmark.core.events.base import AGENT_ONLY, EventBody


class ToolReturned(EventBody):
    """result: the tool's text. source: who gave it: world, cache, simulated, live, or none where nobody did.

    mode: the sandbox's mode: world, isolated, online. error_kind: why the result is an error, empty where it is
    none. examples: cache keys of the calls that a simulated answer was made from, after the name of the tool where
    another tool's answer told of the place (`search_poi [["city",…`). latency_ms: until the answer.
    """

    type: Literal["tool_returned"] = "tool_returned"
    version: ClassVar[int] = 2
    call_id: str
    result: str
    source: str = "world"
    mode: str = "world"
    error_kind: str = ""
    examples: tuple[str, ...] = ()
    latency_ms: float = 0.0

    @property
    def error(self) -> bool:
        """Whether the agent got an error."""
        return bool(self.error_kind)

    @classmethod
    def upcast(cls, payload: dict[str, Any], v: int) -> dict[str, Any]:
        """Version 1 knew only worlds, and each of its errors was an error of the call."""
        kept = {name: value for name, value in payload.items() if name != "error"}
        wrong = {"source": "none", "error_kind": "arguments"} if payload.get("error") else {}
        return kept | wrong

    def audience(self) -> str:
        return AGENT_ONLY
