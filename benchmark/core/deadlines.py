"""When a turn of somebody outside began, and when it is over: read from the log alone."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from benchmark.core.events import Event, PresenceChanged, TurnGranted, TurnMissed
from benchmark.core.state import SessionState


def asked_at(state: SessionState, events: Sequence[Event]) -> datetime | None:
    """Since when the turn in progress is waited for: its grant, a missed deadline after which it goes on, or the
    moment when its speaker took the seat; None where it is nobody's turn.
    """
    turn = state.turn
    if turn is None:
        return None
    for event in reversed(events):
        body = event.body
        if isinstance(body, TurnGranted | TurnMissed):
            return event.at
        if isinstance(body, PresenceChanged) and body.seat == turn.speaker and body.presence == "joined":
            return event.at
    return None


def turn_ends(state: SessionState, events: Sequence[Event]) -> datetime | None:
    """When the turn in progress is over; None where it has no limit, or where nobody outside has it."""
    turn, begun = state.turn, asked_at(state, events)
    if turn is None or begun is None or state.ask_again:
        return None
    attendance = state.attendance.get(turn.speaker)
    if attendance is None or attendance.turn_s is None:
        return None
    return begun + timedelta(seconds=attendance.turn_s + state.extended_s)
