"""The event that a model was asked."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from benchmark.core.events.base import RESEARCH, EventBody


class Tokens(BaseModel):
    """As the server counts them; cached and reasoning are parts of prompt and completion."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    prompt: int
    completion: int
    cached: int = 0
    reasoning: int = 0


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
    tokens: Tokens | None = None
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
