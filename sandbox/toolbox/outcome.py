"""What a call gave."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sandbox.tools.errors import FailureKind

Mode = Literal["world", "isolated", "online"]
Source = Literal["world", "cache", "simulated", "live", "none"]


@dataclass(frozen=True, slots=True)
class Answer:
    """A result text and who gave it.

    examples: cache keys of the calls that a simulated one was made from, with the tool before the key of another one.
    """

    result: str
    source: Source
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """An answer, or `{"error": …}` with why.

    error_kind: empty where there is no error. source: who answered, `none` where nobody did. asked_model: whether a
    model may have been asked for it, so that it should be stored before another call is made.
    """

    result: str
    source: Source
    mode: Mode
    error_kind: FailureKind | Literal[""] = ""
    examples: tuple[str, ...] = ()
    latency_ms: float = 0.0
    asked_model: bool = False

    @property
    def error(self) -> bool:
        """Whether the agent gets an error."""
        return bool(self.error_kind)
