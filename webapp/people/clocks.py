"""The clock of a turn, as what somebody does at their page sets it."""

from __future__ import annotations

from datetime import timedelta
from typing import Literal

from django.utils import timezone

from benchmark.core.deadlines import asked_at
from benchmark.core.events import ClockSet
from webapp.people.page import Table
from webapp.sessions.inbox import tell

CALM = timedelta(seconds=10)
"""So often at most the log says that somebody at work got something done."""


def stand(table: Table) -> int | None:
    """Let the clock stand while a warning waits for its answer; the seconds that are left, None without a limit."""
    if table.clock is None or table.clock.time_left is not None:
        return table.left_s
    _set(table, "stands")
    return max(0, round((table.clock.ends - timezone.now()).total_seconds()))


def go_on(table: Table) -> None:
    """The warning is answered; the log may not know yet that the clock stands."""
    if table.clock is not None:
        _set(table, "goes")


def start_anew(table: Table) -> None:
    """Whoever has the turn got something done."""
    begun = asked_at(table.state, table.log)
    if table.clock is not None and begun is not None and timezone.now() - begun > CALM:
        _set(table, "anew")


def _set(table: Table, how: Literal["stands", "goes", "anew"]) -> None:
    tell(session_id=table.session.pk, actor=table.seat, body=ClockSet(seat=table.seat, how=how))
