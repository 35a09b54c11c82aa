"""Moving old sessions into archives, one after the other."""

from __future__ import annotations

from django.conf import settings

from webapp.jobs import services
from webapp.jobs.services import Claim
from webapp.sessions.archiving import ARCHIVE, archivable_sessions, archive_session
from worker.lease_keeper import lease_keeper
from worker.steppers.whole_job import JobCancelled, WholeJob

AT_ONCE = 1000
"""Sessions of one job; if there are more, the next job follows."""


def _archive(claimed: Claim) -> None:
    """What was moved stays, so another worker goes on where this one stopped."""
    sessions = list(
        archivable_sessions(settings.CARAVAN_ARCHIVE_AFTER).values_list("pk", flat=True)[:AT_ONCE]
    )
    for done, session_id in enumerate(sessions, 1):
        if lease_keeper().is_unwanted(claimed):
            raise JobCancelled("")
        archive_session(session_id)
        services.progress(claimed=claimed, done=done, of=len(sessions))


archive = WholeJob(ARCHIVE, _archive, lambda subject, problem: None)
