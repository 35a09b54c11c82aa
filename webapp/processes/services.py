"""What a process tells the database of itself."""

from __future__ import annotations

import logging
import os
import socket
import threading
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from functools import lru_cache

from django.db import close_old_connections, connections, transaction
from django.db.models import QuerySet

from webapp import clock
from webapp.counters import Counts, current_counts, difference, sum_of, without_gauges
from webapp.locks import skip_locked
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

    marks: what all processes have to have alike, as fingerprints by variable. queues: those that a worker takes jobs
    from, None for all.
    """

    def __init__(self, kind: Kind, marks: Mapping[str, str], queues: Sequence[str] | None = None) -> None:
        self._kind, self._marks, self._queues = kind, dict(marks), queues and list(queues)
        self._row: int | None = None
        self._before: Counts = {}
        self._counts: Counts = {}
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
        now, counts = clock.now(), current_counts()
        told = {"seen_at": now, "counts": difference(counts, self._before)}
        if self._row is None or not Process.objects.filter(pk=self._row).update(**told):
            self._before = self._counts  # what the deleted row held is kept among the counts of the ended
            told |= {"kind": self._kind, "version": code_version(), "marks": self._marks}
            told["queues"] = self._queues
            told["counts"] = difference(counts, self._before)
            self._row = Process.objects.create(name=process_name(), started_at=now, **told).pk
        self._counts = counts
        forget_gone()

    def leave(self) -> None:
        """Delete the row, because this process ends."""
        if self._row is None:
            return
        Process.objects.filter(pk=self._row).update(counts=difference(current_counts(), self._before))
        _end(Process.objects.filter(pk=self._row))

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
    gone = Process.objects.exclude(kind=Kind.ENDED).filter(seen_at__lt=clock.now() - KEEP_TIME)
    if gone.exists():
        _end(gone)


def keep_counts() -> None:
    """Keep what this process has counted, which ends and had no heart to beat: a command."""
    with transaction.atomic():
        _add(_ended_row(), [current_counts()])


def _end(processes: QuerySet[Process]) -> None:
    """Delete rows; their counts stay."""
    with transaction.atomic():
        ended = _ended_row()
        rows = list(skip_locked(processes))
        _add(ended, [row.counts for row in rows])
        Process.objects.filter(pk__in=[row.pk for row in rows]).delete()


def _ended_row() -> Process:
    """The one row of all processes that are gone, which nobody else changes until this transaction ends."""
    now = clock.now()
    ended, _new = Process.objects.get_or_create(
        kind=Kind.ENDED, defaults={"name": "", "version": "", "started_at": now, "seen_at": now}
    )
    return Process.objects.select_for_update().get(pk=ended.pk)


def _add(ended: Process, several: Iterable[Counts]) -> None:
    ended.counts = sum_of([ended.counts, *map(without_gauges, several)])
    ended.save(update_fields=["counts"])
