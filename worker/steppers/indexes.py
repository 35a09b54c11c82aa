"""Folding what a cache has learned, and building its built-in index."""

from __future__ import annotations

import time

from django.utils.translation import gettext as _

from webapp.caches.jobs import INDEX
from webapp.caches.services import fail_index, index_cache
from webapp.jobs import services
from webapp.jobs.services import Claim
from worker.lease_keeper import lease_keeper
from worker.steppers.whole_job import JobCancelled, WholeJob

TELL_S = 1.0


class _Progress:
    """Tells how far it is, now and then, and breaks it off when it is no longer wanted."""

    def __init__(self, claimed: Claim) -> None:
        self._claim = claimed
        self._tell_at = 0.0

    def __call__(self, label: str, done: int, total: int) -> None:
        now = time.monotonic()
        if now < self._tell_at:
            return
        self._tell_at = now + TELL_S
        if lease_keeper().is_unwanted(self._claim):
            raise JobCancelled(_("Indexing was cancelled."))
        services.progress(claimed=self._claim, done=done, of=total)


def _index(claimed: Claim) -> None:
    index_cache(name=claimed.subject, progress=_Progress(claimed))


cache_index = WholeJob(INDEX, _index, fail_index)
