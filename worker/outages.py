"""The database, for whatever this process does, and what it has said about it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import close_old_connections

from webapp.outages import Outage
from webapp.storage import AWAY

CALM_S = 25.0
"""Longer than a thread waits for a locked database: some give up when others have long gone on."""

storage_outage = Outage(logging.getLogger(__name__), "sessions wait for the database", calm_s=CALM_S)


@contextmanager
def connected() -> Iterator[None]:
    """Usable connections, which are given back after. What the database does not take, the sweeper finds again."""
    close_old_connections()
    try:
        yield
    except AWAY as error:
        storage_outage.met(error)
    finally:
        close_old_connections()
