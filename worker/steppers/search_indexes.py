"""Reading sessions into the search index, a few at a time."""

from __future__ import annotations

from webapp.jobs import services
from webapp.jobs.services import Claim
from webapp.tables.finding import unread_count
from webapp.tables.jobs import SEARCH_INDEX
from webapp.tables.search import complete_some, missing_sessions, refresh_said
from worker.lease_keeper import lease_keeper
from worker.steppers.whole_job import JobCancelled, WholeJob

AT_ONCE = 20
"""Sessions between two looks whether it is still wanted; the log of one takes some hundredths of a second."""


def _fill(claimed: Claim) -> None:
    """What was read stays, so another worker goes on where this one stopped."""
    done, of = 0, unread_count()
    while True:
        if lease_keeper().is_unwanted(claimed):
            raise JobCancelled("")
        missing = list(missing_sessions().values_list("pk", flat=True)[:AT_ONCE])
        refresh_said(missing)
        read = len(missing) or complete_some(AT_ONCE)
        if not read:
            return
        done += read
        services.progress(claimed=claimed, done=done, of=max(of, done))


search_index = WholeJob(SEARCH_INDEX, _fill, lambda subject, problem: None)
