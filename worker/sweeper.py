"""The sweeper: it finds what the broker forgot. What the broker holds is disposable, the lease table is not."""

from __future__ import annotations

import logging
import threading

from django.db import Error, close_old_connections

from webapp.queue import enqueue_pulse, enqueue_session
from webapp.sessions.services import due_sessions

INTERVAL_S = 2.0
log = logging.getLogger(__name__)


class Sweeper:
    """A thread of the worker that enqueues, at start and every two seconds, the sessions nobody works on.

    Several sweepers at once do no harm: the lease decides who gets a session.
    """

    def __init__(self) -> None:
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin sweeping; a second call does nothing."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="sweeper", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """End after the sweep in flight."""
        self._stop.set()

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                sweep()
            except Error:
                log.exception("the sweep could not read the database; trying again")
            finally:
                close_old_connections()
            self._stop.wait(INTERVAL_S)


def sweep() -> list[str]:
    """Enqueue every session that is due and that nobody holds; gives back their ids."""
    enqueue_pulse()
    due = due_sessions()
    for session_id in due:
        enqueue_session(session_id)
    return due
