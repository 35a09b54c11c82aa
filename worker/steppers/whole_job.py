"""Jobs that one worker does from beginning to end."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

from django.utils.translation import gettext as _

from webapp.jobs import services
from webapp.jobs.kinds import Kind
from webapp.jobs.services import Claim
from webapp.storage import STORAGE_ERRORS
from worker.lease_keeper import lease_keeper
from worker.outages import give_back_when_away

log = logging.getLogger(__name__)


class JobCancelled(Exception):
    """The job was broken off since it is no longer wanted; the message says so to a person."""


@dataclass(frozen=True)
class WholeJob:
    """Does the job of a subject.

    run: does it, and may be called again after a worker has died of it. failed: says on the page of a subject why
    there is no result. refusals: what `run` raises where the one who asked has to change something, which is told
    there and is no fault to look for in a log.
    """

    kind: Kind
    run: Callable[[Claim], object]
    report_failure: Callable[[str, str], None]
    refusals: tuple[type[Exception], ...] = ()

    def __call__(self, subject: str) -> bool:
        """Whether this call did the job: not when somebody else has it, or nobody asks for it (any more)."""
        claimed = services.claim(kind=self.kind, subject=subject)
        if claimed is None:
            return False
        with lease_keeper().keep_lease(claimed), give_back_when_away(claimed):
            self._do(claimed)
        return True

    def _do(self, claimed: Claim) -> None:
        """Whatever fails but the database would fail again, so it is the end of the job."""
        try:
            if claimed.cancelled:
                raise JobCancelled(_("The job was cancelled."))
            if claimed.attempts > self.kind.attempts:
                return self._fail(claimed, f"{claimed.attempts - 1} workers ended while they did this")
            self.run(claimed)
        except JobCancelled as over:
            return self._end(claimed, over)
        except STORAGE_ERRORS:
            raise
        except Exception as error:
            if not isinstance(error, self.refusals):
                log.warning("%s of %s failed", self.kind.name, claimed.subject, exc_info=error)
            return self._fail(claimed, str(error))
        services.finish(claimed=claimed)
        return None

    def _end(self, claimed: Claim, over: JobCancelled) -> None:
        if lease_keeper().is_ending:  # this worker ends, and the next one begins again
            services.release(claimed=claimed)
        elif services.cancelled(claimed=claimed):
            self.report_failure(claimed.subject, str(over))

    def _fail(self, claimed: Claim, problem: str) -> None:
        if services.fail(claimed=claimed, error=problem):
            self.report_failure(claimed.subject, problem)
