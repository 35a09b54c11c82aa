"""Events of calls: of tools by the agent, and of models by whoever speaks through one."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from benchmark.core.events.base import AGENT_ONLY, RESEARCH, EventBody
from benchmark.models import Usage


class ToolCalled(EventBody):
    """step: the model step of this turn that made the call, counted from 1; all calls of a step run together.

    arguments: the object, or the raw text where the model wrote none.
    """

    type: Literal["tool_called"] = "tool_called"
    call_id: str
    name: str
    arguments: dict[str, Any] | str
    step: int

    def audience(self) -> str:
        return AGENT_ONLY


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


class ModelCalled(EventBody):
    """One request to a model, answered or not.

    seat: who asked it. endpoint: its name in Caravan; model: as the server names itself. attempt: 1 for the first
    request for this answer. outcome: `answered`, or the kind of failure with its detail and HTTP status. tokens:
    None where nobody knows: the server gave no usage, or the answer broke off (`answering`). cost: in `currency`,
    None where tokens or prices are not known. latency_ms: to the answer's end; first_ms: to its first piece.
    retry_in_s: the pause before the next attempt, None where there is none. request: digest of what was asked.
    """

    type: Literal["model_called"] = "model_called"
    seat: str
    endpoint: str
    model: str = ""
    attempt: int = 1
    outcome: str = "answered"
    status: int | None = None
    detail: str = ""
    answering: bool = False
    finish_reason: str = ""
    tokens: Usage | None = None
    cost: float | None = None
    currency: str = ""
    latency_ms: float = 0.0
    first_ms: float | None = None
    retry_in_s: float | None = None
    request: str = ""

    @property
    def answered(self) -> bool:
        """Whether there was an answer."""
        return self.outcome == "answered"

    @property
    def unknown(self) -> bool:
        """Whether the server may have counted tokens whose number is not known."""
        return self.tokens is None and (self.answered or self.answering)

    def audience(self) -> str:
        return RESEARCH
