"""The clock of a turn that a person or a program has: when it began, how long it was stopped, when it ends.

Everything is read from the log, so that another worker, and a replay, get the same times.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from benchmark.core.events import (
    ClockSet,
    Event,
    EventBody,
    PresenceChanged,
    ToolReturned,
    TurnGranted,
    TurnMissed,
)
from benchmark.core.participant import PERSON
from benchmark.core.state import SessionState
from benchmark.core.view import AGENT


def asked_at(state: SessionState, events: Sequence[Event]) -> datetime | None:
    """When the wait for the present turn began; None if it is nobody's turn.

    It begins when the turn is granted. It begins anew when a deadline was missed and the turn goes on, when its
    speaker takes the seat, and when the speaker gets something done: the agent gets results of tools, or takes a
    step of its plan.
    """
    return _start_of_wait(state, events)[0]


def _start_of_wait(state: SessionState, events: Sequence[Event]) -> tuple[datetime | None, int]:
    """The same as `asked_at`, with the index of that event in the log (0 if there is none)."""
    if state.turn is not None:
        for place in range(len(events) - 1, -1, -1):
            if _begins(events[place].body, state.turn.speaker):
                return events[place].at, place
    return None, 0


def _begins(body: EventBody, speaker: str) -> bool:
    match body:
        case TurnGranted() | TurnMissed():
            return True
        case PresenceChanged():
            return body.seat == speaker and body.presence == "joined"
        case ToolReturned():
            return speaker == AGENT
        case ClockSet():
            return body.seat == speaker and body.how == "anew"
    return False


@dataclass(frozen=True, slots=True)
class Clock:
    """The time of the present turn.

    The clock is stopped while a warning waits for its answer and while a person's page is disconnected, together for
    at most the length of a turn: else somebody could hold the session up without an end.
    """

    # When the turn ends; while the clock is stopped, when it would end if it stayed stopped as long as it may.
    ends: datetime
    # The time that the speaker has left, while the clock is stopped; None while it runs.
    time_left: timedelta | None = None


def clock(state: SessionState, events: Sequence[Event]) -> Clock | None:
    """The clock of the present turn; None if the turn has no limit, or if neither a person nor a program has it."""
    turn, (begun, place) = state.turn, _start_of_wait(state, events)
    if turn is None or begun is None or state.ask_again:
        return None
    attendance = state.attendance.get(turn.speaker)
    if attendance is None or attendance.turn_s is None:
        return None
    most = timedelta(seconds=attendance.turn_s)
    ends = begun + most + timedelta(seconds=state.extended_s)
    seat = state.seats.get(turn.speaker)
    stood, since = _time_stood(turn.speaker, seat is not None and seat.kind == PERSON, events[place:])
    if since is None or stood >= most:
        return Clock(ends + min(stood, most))
    return Clock(ends + most, time_left=ends + stood - since)


def turn_ends(state: SessionState, events: Sequence[Event]) -> datetime | None:
    """When the present turn ends; None in the same cases as for `clock`."""
    clock_end = clock(state, events)
    return clock_end.ends if clock_end else None


def _time_stood(speaker: str, person: bool, events: Sequence[Event]) -> tuple[timedelta, datetime | None]:
    """How long the clock was stopped before, and since when it is stopped now; None if it runs."""
    stood, since = timedelta(), None
    for event in events:
        goes = _goes(event.body, speaker, person)
        if goes is False:
            since = since or event.at
        elif goes and since is not None:
            stood, since = stood + (event.at - since), None
    return stood, since


def _goes(body: EventBody, speaker: str, person: bool) -> bool | None:
    """Whether the clock runs after this event; None for an event that does not change it."""
    match body:
        case ClockSet() if body.seat == speaker:
            return body.how != "stands"
        case PresenceChanged() if (
            body.seat == speaker and person and body.presence in ("disconnected", "back")
        ):
            return body.presence == "back"
    return None
