"""The kinds of events that a benchmark's log may hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from benchmark.core.events.base import EventBody
from benchmark.core.events.calls import ModelCalled, ToolCalled, ToolReturned
from benchmark.core.events.session import ErrorRaised, ParticipantJoined, SessionFinished, SessionOpened
from benchmark.core.events.words import (
    AgentNoted,
    DraftWithdrawn,
    MessagePosted,
    MessageWithheld,
    Passed,
    ThoughtKept,
    TurnGranted,
)

SHARED: tuple[type[EventBody], ...] = (
    SessionOpened,
    ParticipantJoined,
    TurnGranted,
    MessagePosted,
    MessageWithheld,
    AgentNoted,
    ThoughtKept,
    DraftWithdrawn,
    Passed,
    ToolCalled,
    ToolReturned,
    ModelCalled,
    ErrorRaised,
    SessionFinished,
)
"""The kinds that every benchmark's logs may hold."""


class Kinds(Mapping[str, type[EventBody]]):
    """The classes of bodies by the name of their type: the shared ones, and a benchmark's own.

    An own kind may take the name of a shared one; it is a subclass then, which says more.
    """

    def __init__(self, *own: type[EventBody]) -> None:
        self._by_type = {_type_of(kind): kind for kind in (*SHARED, *own)}

    def __getitem__(self, type_: str) -> type[EventBody]:
        return self._by_type[type_]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_type)

    def __len__(self) -> int:
        return len(self._by_type)

    def load(self, type_: str, v: int, payload: dict[str, Any]) -> EventBody:
        """The body of a stored event of any released version.

        Raises:
            KeyError: a type of event that this benchmark does not have.
            pydantic.ValidationError: the payload is not of its type.
        """
        return self._by_type[type_].load(payload, v)


def _type_of(kind: type[EventBody]) -> str:
    name: str = kind.model_fields["type"].default
    return name
