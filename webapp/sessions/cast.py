"""Who is at the table of a session, and in which colour."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from benchmark.core.view import AGENT
from webapp.seats.models import Role
from webapp.sessions.models import Session

COLOURS = 6


@lru_cache(maxsize=512)
def users_of(session: Session) -> tuple[str, ...]:
    """The travellers with a table, in polling order. Kept by session: a task's travellers never change."""
    if session.imported:  # what a record tells of its task need not be a task
        return tuple(session.seats.filter(role=Role.TRAVELLER).values_list("name", flat=True))
    return tuple(session.task.parsed_definition.users)


def colour_of(name: str, users: Iterable[str]) -> str:
    """The CSS class of a speaker: `agent`, t1 … t6 by the place among the names in order, "" for a stranger.

    Names sort by length first, so that User3 has the same colour in every task, wherever it is polled.
    """
    if name == AGENT:
        return "agent"
    ordered = sorted(users, key=lambda user: (len(user), user))
    return f"t{ordered.index(name) % COLOURS + 1}" if name in ordered else ""
