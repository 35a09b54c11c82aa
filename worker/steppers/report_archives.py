"""Making zips of reports for papers."""

from __future__ import annotations

from django.utils.translation import gettext as _

from webapp.jobs import services
from webapp.jobs.services import Claim
from webapp.reports.archives import fail_archive, run_archive
from webapp.reports.jobs import ARCHIVE
from worker.lease_keeper import lease_keeper
from worker.steppers.whole_job import JobCancelled, WholeJob


def _make_archive(claimed: Claim) -> None:
    def progress(done: int, of: int) -> None:
        if lease_keeper().is_unwanted(claimed):
            raise JobCancelled(_("The job was cancelled."))
        services.progress(claimed=claimed, done=done, of=of)

    run_archive(subject=claimed.subject, progress=progress)


report_archive = WholeJob(ARCHIVE, _make_archive, fail_archive, refusals=(ValueError,))
