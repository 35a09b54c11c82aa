"""What `isolated` asks when the cache knows nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from sandbox.calls import Call, Example
from sandbox.toolbox.validation import ValidCall
from sandbox.tools.language import Language

Similar = Callable[[Call], Sequence[Example]]
"""The cached calls that are most similar to a call of any tool, best first; none where the tool has none."""


Record = Mapping[str, Any]
"""A place as a cached search lists it: the fields of that answer, and no others."""


class Places(Protocol):
    """The places that cached searches list (docs/decisions/0031)."""

    def by_id(self, id: str) -> Record | None:
        """The place of exactly that id."""
        ...

    def called(self, term: str, city: str) -> Sequence[Record]:
        """The places in a city whose name, category or kind is a text, by id."""
        ...


class _NoPlaces:
    """A cache whose searches list nothing."""

    def by_id(self, id: str) -> Record | None:
        return None

    def called(self, term: str, city: str) -> Sequence[Record]:
        return ()


_NO_PLACES = _NoPlaces()


@dataclass(frozen=True, slots=True)
class Question:
    """A call that is not cached.

    examples: the most similar cached calls of its tool, best first; none where only `places` knows of the thing.
    """

    valid: ValidCall
    examples: Sequence[Example]
    language: Language
    similar: Similar
    places: Places = _NO_PLACES


class Simulator(Protocol):
    """Answers a call from real answers to similar ones. Threads may share it."""

    @property
    def id(self) -> str:
        """What has to be the same for two runs to be comparable: "nearest-3", or "model:MODEL:PROMPT VERSION"."""
        ...

    @property
    def asks_model(self) -> bool:
        """Whether it asks a model."""
        ...

    def simulate(self, question: Question) -> str:
        """The result text.

        Raises:
            BadArgument: a value that is well formed but that no cache could serve.
            ToolFailure: `unanswered`: nothing is known of what was asked for; else `simulator`, `schema`, `timeout`.
        """
        ...
