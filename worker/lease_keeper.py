"""Renews the leases and the places at endpoints of this process, and finds out which of its jobs to stop."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import lru_cache
from typing import TypeVar

from django.db import close_old_connections

from webapp.endpoints.slots import keep_places
from webapp.jobs import services as jobs
from webapp.outages import Outage
from worker.outages import storage_outage

LOOK_S = 1.0
RENEW_EVERY = 3
"""Leases are renewed at every third look."""
log = logging.getLogger(__name__)


T = TypeVar("T")


class LeaseKeeper:
    """One thread a process that renews every lease and every place at an endpoint that the process has.

    It also looks for jobs that are to be cancelled, so that a request to a model that thinks for minutes is stopped
    at once.
    """

    def __init__(self) -> None:
        self._places: set[str] = set()
        self._jobs: set[jobs.Claim] = set()
        self._unwanted_jobs: set[jobs.Claim] = set()
        self._ending = False
        self._lock = threading.Lock()
        threading.Thread(target=self._run, name="lease-keeper", daemon=True).start()

    def keep_place(self, holder: str) -> AbstractContextManager[None]:
        """Renew this place at an endpoint until the block ends."""
        return self._renew_within(self._places, holder)

    def keep_lease(self, claimed: jobs.Claim) -> AbstractContextManager[None]:
        """Renew the lease of this job until the block ends."""
        return self._renew_within(self._jobs, claimed)

    @contextmanager
    def _renew_within(self, renewed: set[T], holder: T) -> Iterator[None]:
        with self._lock:
            renewed.add(holder)
        try:
            yield
        finally:
            with self._lock:
                renewed.discard(holder)

    def is_unwanted(self, claimed: jobs.Claim) -> bool:
        """Whether the present step is to stop: its job is cancelled, its lease is lost, or this process ends."""
        return self._ending or claimed in self._unwanted_jobs

    @property
    def is_ending(self) -> bool:
        """Whether this process ends, and takes no further step."""
        return self._ending

    def end(self) -> None:
        """Stop the present steps, because this process ends."""
        self._ending = True

    def revive(self) -> None:
        """Allow steps again: only a command has ended, and its process goes on."""
        self._ending = False

    def _run(self) -> None:
        pause, looks = threading.Event(), 0
        outage = Outage(log, "leases are not renewed")
        while not pause.wait(LOOK_S):
            looks += 1
            try:
                self._look(renewing=looks % RENEW_EVERY == 0)
                outage.report_recovery()
                storage_outage.report_recovery()
            except Exception as error:  # the next look may succeed; a dead keeper never does
                outage.report_failure(error)

    def _look(self, *, renewing: bool) -> None:
        with self._lock:
            places, doing = list(self._places), list(self._jobs)
        if not places and not doing:
            return
        try:
            cancelled = jobs.to_be_cancelled([claimed.job_id for claimed in doing])
            unwanted = {claimed for claimed in doing if claimed.job_id in cancelled}
            if renewing:
                unwanted |= {claimed for claimed in doing if not jobs.renew(claimed=claimed)}
                keep_places(holders=places)
        finally:
            close_old_connections()
        with self._lock:
            # a job that was given back during the look could not be renewed, and is not lost
            self._unwanted_jobs = (self._unwanted_jobs | unwanted) & self._jobs


@lru_cache(maxsize=1)
def lease_keeper() -> LeaseKeeper:
    """The process's keeper of leases, made when first needed (after a fork)."""
    return LeaseKeeper()
