"""Who sits where in a session."""

from __future__ import annotations

from collections.abc import Mapping

from benchmark.participants.base import Participant
from benchmark.participants.registry import AGENTS, USERS, Kind, OverModel
from benchmark.participants.view import AGENT
from webapp.sessions.models import Session

Seats = Mapping[str, Participant]


def seats_of(session: Session, users: list[str]) -> Seats:
    """A participant for every user and for the agent, as the session was set up.

    Raises:
        KeyError: a kind of participant that this version does not have.
    """
    return {
        AGENT: _seated(AGENTS[session.agent]),
        **{user: _seated(USERS[session.users]) for user in users},
    }


def _seated(kind: Kind) -> Participant:
    if isinstance(kind, OverModel):
        raise RuntimeError("no model sits here")
    return kind.make()
