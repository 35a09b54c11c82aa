"""Bringing in run records that a person has sent."""

from __future__ import annotations

from collections.abc import Callable

from django.utils.translation import gettext as _

from webapp.exchange.jobs import IMPORT, LABEL_FILES
from webapp.exchange.label_files import fail_pair, run_pair
from webapp.exchange.uploads import fail_import, run_import
from webapp.jobs import services
from webapp.jobs.services import Claim
from worker.lease_keeper import lease_keeper
from worker.steppers.whole_job import JobCancelled, WholeJob


def _progress(claimed: Claim) -> Callable[[int], None]:
    def progress(done: int) -> None:
        if lease_keeper().is_unwanted(claimed):
            raise JobCancelled(_("The import was cancelled."))
        services.progress(claimed=claimed, done=done, of=0)

    return progress


def _import(claimed: Claim) -> None:
    run_import(subject=claimed.subject, progress=_progress(claimed))


def _pair(claimed: Claim) -> None:
    run_pair(subject=claimed.subject, progress=_progress(claimed))


record_import = WholeJob(IMPORT, _import, fail_import)
label_files = WholeJob(LABEL_FILES, _pair, fail_pair)
