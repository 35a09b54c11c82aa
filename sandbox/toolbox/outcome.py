"""What a call gave."""

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


class SandboxSetup(BaseModel):
    """Who answers a session's tool calls. Whatever a mode does not use is empty.

    cache: its name. pack, digest, learned_upto: its state at the start; `isolated` sees no later one. normalisation:
    what makes two calls the same. embedder, index, examples: how similar calls are found, and how many of them the
    simulator gets (8 in the papers). simulator: its id; a model that it asks has a seat in the log. backend: who
    answers what the cache does not know. toolset: whose tools are called, and strictness: how their arguments are
    checked. given: what the task gives to every call, such as the time that is now in it. These three are
    written only where they have another value than logs without them mean.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    mode: Mode = "world"
    cache: str = ""
    pack: str = ""
    digest: str = ""
    learned_upto: int = 0
    normalisation: Literal["published", "strict-semantic"] = "published"
    embedder: str = ""
    index: Literal["exact", "approximate"] = "exact"
    examples: int = Field(default=8, ge=1, le=64)
    simulator: str = ""
    backend: str = ""
    toolset: str = Field(default=DEFAULT_TOOLSET, exclude_if=lambda name: name == DEFAULT_TOOLSET)
    strictness: Strictness = Field(default="strict", exclude_if=lambda strictness: strictness == "strict")
    given: dict[str, str] = Field(default_factory=dict, exclude_if=lambda given: not given)
