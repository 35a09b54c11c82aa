"""A tool call and what was learned of earlier ones: what cache, retrieval and simulation hand to each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Protocol

NOTHING_GIVEN: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Call:
    """A call as the agent made it.

    tool: its name in caches, see `Toolset.stored`. arguments: the JSON object, neither filled in nor converted.
    defaults: what the session's task gives to every call, such as the time that is now in it.
    """

    tool: str
    arguments: Mapping[str, Any]
    defaults: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Example:
    """A cached call with its answer. similarity: cosine with the call that it was retrieved for, −1 to 1."""

    call: Call
    result: str
    similarity: float


class CachedCalls(Protocol):
    """The inputs that a cache pack holds, for whoever indexes them.

    digest: SHA-256 (hex) of the pack, which is never changed. counts: entries by tool.
    """

    @property
    def digest(self) -> str: ...

    @property
    def counts(self) -> Mapping[str, int]: ...

    def calls(self, tool: str, start: int = 0) -> Iterator[Call]:
        """The tool's calls in the pack's order, from number `start` (numbers run from 0 to `counts[tool]` − 1)."""
        ...
