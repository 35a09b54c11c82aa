"""Writing the sessions of large runs to files."""

from __future__ import annotations

from django.utils.translation import gettext as _

from webapp.exchange.jobs import RUN_FILE
from webapp.exchange.run_files import fail_run_file, write_run_file
from webapp.jobs import services
from webapp.jobs.services import Claim
from worker.lease_keeper import lease_keeper
from worker.steppers.whole_job import JobCancelled, WholeJob


def _write_file(claimed: Claim) -> None:
    def progress(done: int, of: int) -> None:
        if lease_keeper().is_unwanted(claimed):
            raise JobCancelled(_("The job was cancelled."))
        services.progress(claimed=claimed, done=done, of=of)

    write_run_file(subject=claimed.subject, progress=progress)


run_file = WholeJob(RUN_FILE, _write_file, fail_run_file, refusals=(ValueError,))
