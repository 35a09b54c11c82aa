"""The time by the database's clock, on which all processes agree whatever their own clocks say."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime

from django.db import Error, connection

MEASURED_EVERY_S = 10.0
JUMP_S = 0.5
"""Of our own clock against the steady one. A machine that slept, or whose clock was set, asks at once."""
_QUESTIONS = {
    "postgresql": "SELECT extract(epoch FROM clock_timestamp())::float8",
    "sqlite": "SELECT (julianday('now') - 2440587.5) * 86400.0",
}


@dataclass(frozen=True, slots=True)
class _Reading:
    """ahead_s: of the steady clock; own_ahead_s: how far our own was; at: by the steady clock."""

    ahead_s: float
    own_ahead_s: float
    at: float


_last: _Reading | None = None


def now() -> datetime:
    """When it is. Leases, due times, whoever was last seen: what one process writes and another compares is of this.

    The database is asked once in a while; in between the steady clock of the process goes on from there. In a thread.
    """
    return datetime.fromtimestamp(time.monotonic() + _reading().ahead_s, UTC)


def _reading() -> _Reading:
    global _last  # one reading for all threads, which is never changed but replaced
    last, steady = _last, time.monotonic()
    if last is not None and _holds(last, steady):
        return last
    try:
        _last = _measure_offset()
    except Error:  # the database is away; it stays as far ahead as it was
        if last is None:
            raise
        return last
    return _last


def _holds(last: _Reading, steady: float) -> bool:
    own_ahead_s = time.time() - steady
    return steady - last.at < MEASURED_EVERY_S and abs(own_ahead_s - last.own_ahead_s) < JUMP_S


def _measure_offset() -> _Reading:
    """By the driver's own cursor: this is no statement of whoever asks for the time."""
    with connection.wrap_database_errors:
        connection.ensure_connection()
        before = time.monotonic()
        with closing(connection.create_cursor()) as cursor:
            cursor.execute(_QUESTIONS[connection.vendor])
            told = float(cursor.fetchone()[0])
        after = time.monotonic()
    return _Reading(told - (before + after) / 2, time.time() - after, after)
