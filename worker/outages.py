"""Outages of the database: one warning when it goes away and one when it is back, and what becomes of jobs."""

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
from webapp.storage import STORAGE_ERRORS

AWAY_PAUSE = timedelta(seconds=5)
"""A job whose result could not be stored is tried again after this time."""
CALM_S = 25.0
"""The outage is over when nothing has failed for so long.

It is longer than a thread waits for a locked database, since some threads fail when others already work again.
"""

storage_outage = Outage(logging.getLogger(__name__), "sessions wait for the database", calm_s=CALM_S)


@contextmanager
def usable_connections() -> Iterator[None]:
    """Make connections usable, and close old ones after. If the database is away, the sweeper finds the job again."""
    close_old_connections()
    try:
        yield
    except STORAGE_ERRORS as error:
        storage_outage.report_failure(error)
    finally:
        close_old_connections()


@contextmanager
def give_back_when_away(claimed: Claim, pause: timedelta = AWAY_PAUSE) -> Iterator[None]:
    """Give a job back if the database is away, so that this does not count as a worker that the job has ended.

    If not even that can be stored, the lease runs out.

    Raises:
        one of webapp.storage.AWAY: what the block has raised.
    """
    try:
        yield
    except STORAGE_ERRORS:
        with suppress(*STORAGE_ERRORS):
            jobs.release(claimed=claimed, due_at=clock.now() + pause)
        raise
