"""When a turn of somebody outside began, how long its clock has stood, and when it ends: read from the log alone."""

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
    """Since when the turn in progress is waited for: its grant, a missed deadline after which it goes on, the moment
    when its speaker took the seat or got something done (results of the agent's tools, a step of its plan); None
    where it is nobody's turn.
    """
    return _start_of_wait(state, events)[0]


def _start_of_wait(state: SessionState, events: Sequence[Event]) -> tuple[datetime | None, int]:
    """The same, with the number of events before it."""
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
    """The time of the turn in progress. It stands while a warning waits for its answer and while a person's page is
    disconnected, for as long as a turn lasts at most.

    ends: when the turn is over; while it stands, when it would be if nothing happened. left: of whoever has the turn,
    while it stands; None while it goes.
    """

    ends: datetime
    left: timedelta | None = None


def clock(state: SessionState, events: Sequence[Event]) -> Clock | None:
    """None where the turn in progress has no limit, or where nobody outside has it."""
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
    return Clock(ends + most, left=ends + stood - since)


def turn_ends(state: SessionState, events: Sequence[Event]) -> datetime | None:
    """When the turn in progress is over; None where it has no limit, or where nobody outside has it."""
    found = clock(state, events)
    return found.ends if found else None


def _time_stood(speaker: str, person: bool, events: Sequence[Event]) -> tuple[timedelta, datetime | None]:
    """For how long the clock has stood until it went on, and since when it stands now."""
    stood, since = timedelta(), None
    for event in events:
        goes = _goes(event.body, speaker, person)
        if goes is False:
            since = since or event.at
        elif goes and since is not None:
            stood, since = stood + (event.at - since), None
    return stood, since


def _goes(body: EventBody, speaker: str, person: bool) -> bool | None:
    """Whether the clock goes from here on; None for an event that says nothing about it."""
    match body:
        case ClockSet() if body.seat == speaker:
            return body.how != "stands"
        case PresenceChanged() if (
            body.seat == speaker and person and body.presence in ("disconnected", "back")
        ):
            return body.presence == "back"
    return None
