"""The database, for whatever a message asks of a thread."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import close_old_connections

from webapp.storage import AWAY
from worker.outages import storage_outage


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
