"""The result of a tool call, and the settings of a session's sandbox."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from sandbox.tools.errors import FailureKind
from sandbox.toolsets.base import DEFAULT_TOOLSET, Strictness

Mode = Literal["world", "isolated", "online"]
Source = Literal["world", "cache", "simulated", "live", "none"]


@dataclass(frozen=True, slots=True)
class Answer:
    """The text of a result, and who gave it.

    examples: the cache keys of the calls that a simulated result was made from; before the key of a call of another
    tool stands the name of that tool.
    """

    result: str
    source: Source
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """The outcome of a call: an answer, or the JSON `{"error": …}` with the reason.

    source: who answered, `none` if nobody did. error_kind: "" if there is no error. latency_ms: milliseconds.
    asked_model: whether a model may have been asked, so that the engine stores the outcome before the next call.
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


class SandboxSetup(BaseModel):
    """Who answers a session's tool calls. Fields that a mode does not use are empty."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    mode: Mode = "world"
    # The name of the cache, and its state when the session began; `isolated` sees no later state.
    cache: str = ""
    pack: str = ""
    digest: str = ""
    learned_upto: int = 0
    # When two calls count as the same one.
    normalisation: Literal["published", "strict-semantic"] = "published"
    # How similar calls are found, and how many of them the simulator gets (8 in the papers).
    embedder: str = ""
    index: Literal["exact", "approximate"] = "exact"
    examples: int = Field(default=8, ge=1, le=64)
    # The id of the simulator. A model that it asks has a seat in the log.
    simulator: str = ""
    # The service that answers what the cache does not know.
    backend: str = ""
    # The next three are written only if they differ from their defaults, since older logs do not have them:
    # the set of tools, how arguments are checked, and what the task gives to every call, such as the present time.
    toolset: str = Field(default=DEFAULT_TOOLSET, exclude_if=lambda name: name == DEFAULT_TOOLSET)
    strictness: Strictness = Field(default="strict", exclude_if=lambda strictness: strictness == "strict")
    given: dict[str, str] = Field(default_factory=dict, exclude_if=lambda given: not given)
