"""What a process tells the database of itself."""

from __future__ import annotations

import logging
import os
import socket
import threading
from collections.abc import Mapping
from datetime import timedelta
from functools import lru_cache

from django.db import close_old_connections, connections

from webapp import clock
from webapp.outages import Outage
from webapp.processes.models import Kind, Process
from webapp.version import code_version

BEAT_S = 5.0
"""Seconds between two heartbeats."""
SILENT = timedelta(seconds=30)
"""A process that was not heard of for so long is taken for gone: some heartbeats, and a restart of the database."""
KEEP_TIME = timedelta(minutes=5)
"""Its row is deleted after this."""
STOP_S = 2.0
log = logging.getLogger(__name__)


def process_name() -> str:
    """The host and number of this process."""
    return _process_name(os.getpid())


@lru_cache(maxsize=1)
def _process_name(pid: int) -> str:
    return f"{socket.gethostname()[:60]}/{pid}"


class Heartbeat:
    """A thread that says that this process lives, as long as it does.

    marks: what all processes have to have alike, as fingerprints by variable.
    """

    def __init__(self, kind: Kind, marks: Mapping[str, str]) -> None:
        self._kind, self._marks = kind, dict(marks)
        self._row: int | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End, and delete the row, unless the database makes this wait."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(STOP_S)

    def beat(self) -> None:
        """Say it once. A row that others have deleted, because this process was frozen, is made anew."""
        now = clock.now()
        if self._row is None or not Process.objects.filter(pk=self._row).update(seen_at=now):
            told = {"kind": self._kind, "version": code_version(), "marks": self._marks}
            row = Process.objects.create(name=process_name(), started_at=now, seen_at=now, **told)
            self._row = row.pk
        forget_gone()

    def leave(self) -> None:
        """Delete the row, because this process ends."""
        Process.objects.filter(pk=self._row).delete()

    def _run(self) -> None:
        outage = Outage(log, "nobody hears that this process lives")
        while True:
            ending = self._stop.is_set()
            try:
                self.leave() if ending else self.beat()
                outage.report_recovery()
            except Exception as error:  # the next one may be heard; a dead heart never is
                outage.report_failure(error)
            finally:
                close_old_connections()
            if ending:
                connections.close_all()
                return
            self._stop.wait(BEAT_S)


def forget_gone() -> None:
    """Delete the rows of processes that are long gone."""
    Process.objects.filter(seen_at__lt=clock.now() - KEEP_TIME).delete()
