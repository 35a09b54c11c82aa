"""The sweeper finds jobs whose message was lost: the broker may lose everything, the database holds the jobs."""

from __future__ import annotations

import logging
import threading
import time

from django.db import close_old_connections

from webapp.audits.services import forget_old as forget_accesses
from webapp.jobs import services as jobs
from webapp.jobs.kinds import kinds
from webapp.outages import Outage

INTERVAL_S = 2.0
"""Seconds between two sweeps."""
LONGEST_S = 30.0
"""The longest pause before a job that stays due is enqueued again."""
log = logging.getLogger(__name__)


class Sweeper:
    """A thread of the worker that enqueues the jobs that are due and that nobody works on.

    Several sweepers at once do no harm: the lease decides who gets a job.
    """

    def __init__(self) -> None:
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._patience: dict[str, tuple[float, float]] = {}
        self._find_at: dict[str, float] = {}
        self._tidy_at = 0.0

    def start(self) -> None:
        """Begin sweeping; a second call does nothing."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="sweeper", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """End after the sweep in flight."""
        self._stop.set()

    def _run(self) -> None:
        outage = Outage(log, "the sweeper finds nothing")
        while not self._stop.is_set():
            try:
                self.sweep(time.monotonic())
                jobs.forget_old()
                forget_accesses()
                outage.report_recovery()
            except Exception as error:  # the next sweep may succeed; a dead sweeper never does
                outage.report_failure(error)
            finally:
                close_old_connections()
            self._stop.wait(INTERVAL_S)

    def sweep(self, now: float) -> list[str]:
        """Enqueue the jobs of all kinds that are due and that nobody works on.

        A job that stays due, because all workers are busy, is enqueued again after 2, 4, 8 … 30 s, so that a long
        queue does not fill with repetitions. now: seconds of a monotonic clock. Returns what was enqueued, each as
        `KIND SUBJECT`.
        """
        self._tidy(now)
        self._find(now)
        due = {
            f"{kind.name} {subject}": (kind, subject) for kind in kinds() for subject in jobs.due(kind=kind)
        }
        self._patience = {pk: self._patience[pk] for pk in due if pk in self._patience}
        sent = [pk for pk in due if now >= self._patience.get(pk, (now, 0.0))[0]]
        groups = {
            kind.name: jobs.groups_of(kind=kind, subjects=[due[pk][1] for pk in sent if due[pk][0] == kind])
            for kind in kinds()
        }
        for pk in sent:
            wait = min(2 * self._patience.get(pk, (now, INTERVAL_S / 2))[1], LONGEST_S)
            self._patience[pk] = (now + wait, wait)
            kind, subject = due[pk]
            jobs.hand_over(kind=kind, subject=subject, group=groups[kind.name].get(subject, ""))
        return sent

    def _tidy(self, now: float) -> None:
        """End the jobs whose subject was deleted, every half minute."""
        if now >= self._tidy_at:
            self._tidy_at = now + LONGEST_S
            for kind in kinds():
                jobs.end_gone(kind=kind)

    def _find(self, now: float) -> None:
        """Look for work that nobody has asked for, such as scores by a new version of the code.

        While there is none, it looks only every half minute.
        """
        for kind in kinds():
            if kind.find is not None and now >= self._find_at.get(kind.name, now):
                self._find_at[kind.name] = now + (0.0 if kind.find() else LONGEST_S)
