"""Bringing in run records that a person has sent."""

from __future__ import annotations

from django.utils.translation import gettext as _

from webapp.exchange.jobs import IMPORT
from webapp.exchange.uploads import fail_import, run_import
from webapp.jobs import services
from webapp.jobs.services import Claim
from worker.lease_keeper import lease_keeper
from worker.steppers.whole import Cancelled, Whole


def _import(claimed: Claim) -> None:
    def progress(done: int) -> None:
        if lease_keeper().unwanted(claimed):
            raise Cancelled(_("The import was cancelled."))
        services.progress(claimed=claimed, done=done, of=0)

    run_import(subject=claimed.subject, progress=progress)


record_import = Whole(IMPORT, _import, fail_import)
