"""The background work of the search: reading sessions into the index that ended before there was one."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from webapp.jobs import services
from webapp.jobs.kinds import Kind, register, retries
from webapp.jobs.models import Job
from webapp.jobs.pools import Queue
from webapp.tables.search import incomplete_rows, missing_sessions

SUBJECT = "sessions"


def _find() -> int:
    """Add the job where sessions are not searched, or not all of them."""
    if not (incomplete_rows().exists() or missing_sessions().order_by().exists()):
        return 0
    services.add_missing(kind=SEARCH_INDEX, subjects=[SUBJECT])
    return 1


def _cancel(subject: str) -> None:
    services.cancel(kind=SEARCH_INDEX, subject=subject)


SEARCH_INDEX = register(
    Kind(
        "search_index",
        _("Index of the search"),
        link=lambda job: reverse("search"),
        queue=Queue.MAINTENANCE,
        existing_subjects={SUBJECT}.intersection,
        find=_find,
        cancel=_cancel,
    )
)


@retries(SEARCH_INDEX)
def _index_again(job: Job) -> None:
    services.enqueue(kind=SEARCH_INDEX, subject=job.subject)
