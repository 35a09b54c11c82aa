"""The database, for whatever this process does, and what it has said about it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta

from django.db import close_old_connections

from webapp import clock
from webapp.jobs import services as jobs
from webapp.jobs.services import Claim
from webapp.outages import Outage
from webapp.storage import AWAY

AWAY_PAUSE = timedelta(seconds=5)
"""A job whose result the database did not take is tried again after this."""
CALM_S = 25.0
"""Longer than a thread waits for a locked database: some give up when others have long gone on."""

storage_outage = Outage(logging.getLogger(__name__), "sessions wait for the database", calm_s=CALM_S)


@contextmanager
def usable_connections() -> Iterator[None]:
    """Usable connections, which are given back after. What the database does not take, the sweeper finds again."""
    close_old_connections()
    try:
        yield
    except AWAY as error:
        storage_outage.failed(error)
    finally:
        close_old_connections()


@contextmanager
def give_back_when_away(claimed: Claim, pause: timedelta = AWAY_PAUSE) -> Iterator[None]:
    """Give a job back that the database takes nothing of, as far as it takes that: it is not counted as a death.

    Raises:
        one of webapp.storage.AWAY: what the block has raised.
    """
    try:
        yield
    except AWAY:
        with suppress(*AWAY):
            jobs.release(claimed=claimed, due_at=clock.now() + pause)
        raise
