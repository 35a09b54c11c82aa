"""Searching for the weights that agree best with labels."""

from __future__ import annotations

import time

from django.utils.translation import gettext as _

from webapp.jobs.services import Claim
from webapp.labelling.jobs import WEIGHTS
from webapp.labelling.weights import end_search, run_search, tell_progress
from worker.lease_keeper import lease_keeper
from worker.steppers.whole_job import JobCancelled, WholeJob

TELL_S = 1.0


class _Progress:
    """Tells how far it is once a second, and breaks it off when it is no longer wanted."""

    def __init__(self, claimed: Claim) -> None:
        self._claim = claimed
        self._tell_at = 0.0

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now < self._tell_at:
            return
        self._tell_at = now + TELL_S
        if lease_keeper().is_unwanted(self._claim):
            raise JobCancelled(_("The search was stopped."))
        tell_progress(claimed=self._claim, done=done, total=total)


weight_search = WholeJob(
    WEIGHTS, lambda claimed: run_search(claimed=claimed, report=_Progress(claimed)), end_search
)
