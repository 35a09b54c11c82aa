"""Forks: after which events a session can be continued as another one, and which events of a fork are its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import zip_longest

from benchmark.core.events import (
    Event,
    ModelCalled,
    PersonalDataRemoved,
    SessionFinished,
    SessionForked,
    ToolReturned,
    TurnGranted,
)
from benchmark.core.rules import Rules
from benchmark.core.state import S


@dataclass(frozen=True, slots=True)
class Point:
    """An event after which a step is complete and no tool call waits. goes_on: the session does not end there."""

    seq: int
    goes_on: bool


def points(rules: Rules[S], log: Sequence[Event]) -> Iterator[Point]:
    """The points of a log, in order; the first is the end of its opening, none is after the session's end.

    A log that these rules did not make, such as one of a file, may raise any exception in them.
    """
    state = rules.state()
    for event, after in zip_longest(log, log[1:]):
        if isinstance(event.body, SessionFinished):
            return
        state.apply(event)
        if not state.loop.waiting and _complete(event, after):
            yield Point(event.seq, _goes_on(rules, state))


def own_part(log: Sequence[Event]) -> Sequence[Event]:
    """The events that a session does not share with its origin: all of them, or, in a fork, those from there on."""
    forks = [at for at, event in enumerate(log) if isinstance(event.body, SessionForked)]
    return log[forks[-1] :] if forks else log


def elapsed_s(log: Sequence[Event]) -> list[float]:
    """The seconds from a log's first event to each event.

    Two pauses are left out, since nobody played in them: before a fork, and before the removal of personal data.
    """
    idle, elapsed = timedelta(), list[float]()
    for before, event in zip([*log[:1], *log], log, strict=False):
        if isinstance(event.body, SessionForked | PersonalDataRemoved):
            idle += event.at - before.at
        elapsed.append((event.at - log[0].at - idle).total_seconds())
    return elapsed


def seconds_played(log: Sequence[Event]) -> float:
    """The seconds from the first turn to the last event: without the wait for a worker, and before a fork."""
    begun: datetime | None = None
    for before, event in zip([*log[:1], *log], log, strict=False):
        if begun is None and isinstance(event.body, TurnGranted):
            begun = event.at
        elif begun is not None and isinstance(event.body, SessionForked):
            begun += event.at - before.at
    return (log[-1].at - (begun or log[0].at)).total_seconds()


def _goes_on(rules: Rules[S], state: S) -> bool:
    """Whether another turn follows; never after the agent has given what it was asked for."""
    if state.planned:
        return False
    asked = state.turn is not None and not state.ask_again
    return asked or isinstance(rules.next_turn(state), TurnGranted)


def _complete(event: Event, after: Event | None) -> bool:
    """Whether a step ends with this event: events of one step have one actor."""
    if (
        after is None
        or isinstance(after.body, TurnGranted)
        or isinstance(event.body, TurnGranted | ToolReturned)
    ):
        return True
    if isinstance(event.body, ModelCalled) and event.body.retry_in_s is not None:
        return True
    # A request to a model begins a step, although its speaker may be the actor of the event before.
    asks = isinstance(after.body, ModelCalled) and not isinstance(event.body, ModelCalled)
    return asks or event.actor != after.actor
