"""The background work of people: removing what somebody said, once it can be removed or is kept no longer."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from webapp import clock
from webapp.jobs import services as jobs
from webapp.jobs.kinds import Kind, register, rows_of
from webapp.jobs.models import Job
from webapp.jobs.pools import Queue
from webapp.people.models import Guest
from webapp.people.retention import RETENTION, due_guests

FOUND_AT_ONCE = 20
"""People whose time is over of whom jobs are added at a time: somebody who waits for theirs stands behind no more."""
AGAIN_AFTER = timedelta(days=1)
"""What failed is tried again so much later."""


def _find() -> int:
    """Add jobs for people whose data is kept no longer, and who have none; gives how many.

    Those that wait for a session don't count: the sweeper looks again at once for as long as something is found.
    """
    recent = Q(ended_at=None) | Q(ended_at__gt=clock.now() - AGAIN_AFTER)
    known = Job.objects.filter(recent, kind=REMOVAL.name).values("subject")
    rows = due_guests().exclude(pk__in=known)
    due = list(rows.values_list("pk", flat=True)[:FOUND_AT_ONCE])
    jobs.add_missing(kind=REMOVAL, subjects=due, group=RETENTION)
    return len(due)


REMOVAL = register(
    Kind(
        "removal",
        _("Removal of a person's data"),
        link=lambda job: None,
        queue=Queue.SHORT,
        existing_subjects=rows_of(Guest.objects.all),
        find=_find,
    )
)
"""The subject is the id of a guest; the group is who asked for it, see `personal.remove_data`."""
