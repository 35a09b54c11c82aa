"""Moving what is large in the logs of ended sessions into files, and back (`webapp.sessions.archive_files`)."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.signals import post_delete
from django.dispatch import receiver
from django.utils.translation import gettext_lazy as _

from benchmark.core.events import ToolReturned
from webapp import clock
from webapp.jobs import services as jobs
from webapp.jobs.kinds import Kind, register, retries
from webapp.jobs.models import Job
from webapp.jobs.pools import Queue
from webapp.locks import skip_locked
from webapp.sessions.archive_files import (
    forget_read_archives,
    placeholder,
    read_archive,
    remove_archive,
    write_archive,
)
from webapp.sessions.log import FORGETTING
from webapp.sessions.models import ENDED_STATUSES, Event, Session, SessionArchive

MOVED_TYPE: str = ToolReturned.model_fields["type"].default
"""Of events whose payloads are moved: two thirds to three quarters of a log, in which no query looks for anything."""
SUBJECT = "sessions"
BATCH = 200


def archivable_sessions(days: float) -> QuerySet[Session]:
    """The sessions that ended so many days ago or earlier and are not archived, the oldest first."""
    ended = Session.objects.filter(status__in=ENDED_STATUSES, archive=None)
    return ended.filter(finished_at__lte=clock.now() - timedelta(days=days)).order_by("finished_at", "pk")


def archive_session(session_id: str) -> int:
    """Move the payloads of an ended session; gives how many: 0 where another process does it, or there are none.

    Raises:
        sandbox.filestore.StoreAway: the file can't be written, or other hosts could not fetch it.
    """
    with transaction.atomic():
        rows = Session.objects.filter(pk=session_id, status__in=ENDED_STATUSES, archive=None)
        if skip_locked(rows.order_by()).first() is None:
            return 0
        events = Event.objects.filter(session=session_id, type=MOVED_TYPE).order_by("seq")
        moved = list(events.only("pk", "seq", "payload"))
        digest = write_archive(session_id, {row.seq: row.payload for row in moved}) if moved else ""
        for row in moved:
            row.payload = placeholder(session_id, row.seq, digest)
        Event.objects.bulk_update(moved, ["payload"], batch_size=BATCH)
        SessionArchive.objects.create(session_id=session_id, digest=digest, events=len(moved))
    return len(moved)


def bring_back(session_id: str) -> int:
    """Put the payloads of an archived session into its rows again, and remove the file; gives how many they are.

    Until the transaction around it ends, no other process archives the session.

    Raises:
        webapp.sessions.archive_files.BrokenArchive: the file is not there, or another one than was written.
        sandbox.filestore.StoreAway: this host can't fetch it just now.
    """
    with transaction.atomic():
        Session.staged_too.select_for_update(no_key=True).order_by().only("pk").filter(pk=session_id).first()
        archive = SessionArchive.objects.filter(session=session_id).first()
        if archive is None:
            remove_archive(session_id)  # of a process that was killed before it wrote the row
            return 0
        payloads = read_archive(session_id, archive.digest) if archive.digest else {}
        rows = list(Event.objects.filter(session=session_id, seq__in=payloads).only("pk", "seq"))
        for row in rows:
            row.payload = payloads[row.seq]
        Event.objects.bulk_update(rows, ["payload"], batch_size=BATCH)
        archive.delete()
    return len(rows)


FORGETTING.append(forget_read_archives)


@receiver(post_delete, sender=SessionArchive)
def _remove_file(instance: SessionArchive, **_given: object) -> None:
    """With the row, for a session that is deleted too."""
    if instance.digest:
        transaction.on_commit(partial(remove_archive, instance.session_id))


def _find() -> int:
    """Add the job where sessions have ended so long ago as CARAVAN_ARCHIVE_AFTER says."""
    days = settings.CARAVAN_ARCHIVE_AFTER
    if not days or not archivable_sessions(days).exists():
        return 0
    jobs.add_missing(kind=ARCHIVE, subjects=[SUBJECT])
    return 1


def _cancel(subject: str) -> None:
    jobs.cancel(kind=ARCHIVE, subject=subject)


ARCHIVE = register(
    Kind(
        "archive",
        _("Archive of ended sessions"),
        link=lambda job: None,
        queue=Queue.MAINTENANCE,
        existing_subjects={SUBJECT}.intersection,
        find=_find,
        cancel=_cancel,
    )
)


@retries(ARCHIVE)
def _archive_again(job: Job) -> None:
    jobs.enqueue(kind=ARCHIVE, subject=job.subject)
