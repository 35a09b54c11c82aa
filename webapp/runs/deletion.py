"""Deleting runs and sessions for good, with all that hangs on them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from webapp.caches.models import PinnedAnswer
from webapp.forms import ChoiceRefused
from webapp.jobs.models import Job
from webapp.judging.models import JudgeBatch, Judgement
from webapp.labelling.models import LabelStudy
from webapp.notes.models import Note
from webapp.runs.budget import lock_run
from webapp.sessions.models import ENDED_STATUSES, Event, Run, Session

DELETED_TOGETHER = 50
"""Sessions that one transaction deletes: SQLite has one writer at a time."""


@dataclass(frozen=True, slots=True)
class Deletion:
    """What goes with a run or a session.

    retried: sessions of the run that were played again. rerun_count: re-runs of recordings of all these sessions.
    """

    sessions: int
    going: int
    retried: int
    rerun_count: int
    events: int
    judgements: int
    notes: int


def deletion_of_run(run: Run) -> Deletion:
    """What would be deleted with a run."""
    return _deletion(_of_run(run), run.sessions.all(), run.retried.count())


def deletion_of_session(session: Session) -> Deletion:
    """What would be deleted with a session."""
    own = _of_session(session)
    return _deletion(own, own, 0)


def _deletion(own: QuerySet[Session], counted: QuerySet[Session], retried: int) -> Deletion:
    everything = {"session__in": _with_reruns(own)}
    return Deletion(
        sessions=counted.count(),
        going=counted.exclude(status__in=ENDED_STATUSES).count(),
        retried=retried,
        rerun_count=_reruns(own).count(),
        events=Event.objects.filter(**everything).count(),
        judgements=Judgement.objects.filter(**everything).count(),
        notes=Note.objects.filter(**everything).count(),
    )


def _of_run(run: Run) -> QuerySet[Session]:
    return Session.staged_too.filter(Q(run=run) | Q(retried_in=run)).order_by()


def _of_session(session: Session) -> QuerySet[Session]:
    return Session.staged_too.filter(pk=session.pk).order_by()


def _reruns(own: QuerySet[Session]) -> QuerySet[Session]:
    return Session.staged_too.filter(replay_of__in=own.values("pk")).order_by()


def _with_reruns(own: QuerySet[Session]) -> QuerySet[Session, Any]:
    ids = own.values("pk")
    return Session.staged_too.filter(Q(pk__in=ids) | Q(replay_of__in=ids)).order_by().values("pk")


def delete_run(run: Run) -> None:
    """Delete a run with all that belongs to it. A worker that has one of its sessions stores nothing more.

    Broken off midway, it leaves a run with fewer sessions, none of which goes on, and can be asked for again.

    Raises:
        ChoiceRefused: it was deleted already, was given more sessions meanwhile, or people label its sessions.
    """
    own = _of_run(run)
    with transaction.atomic():
        lock_run(run.pk)
        if study := _study_of(own):
            raise ChoiceRefused(
                _(
                    "Items of the labelling study “%(name)s” come from sessions of this run, so the run "
                    "can't be deleted."
                )
                % {"name": study.name}
            )
        batches = list(JudgeBatch.objects.filter(run=run).values_list("pk", flat=True))
        Job.objects.filter(Q(subject__in=_with_reruns(own)) | Q(group__in=batches)).delete()
    for sessions in (_reruns(own), own):
        for ids in _parts(sessions):
            with transaction.atomic():
                _delete_together(ids)
    with transaction.atomic():
        lock_run(run.pk)
        if own.exists():
            raise ChoiceRefused(_("Sessions were added to the run in the meantime. Delete it again."))
        JudgeBatch.objects.filter(run=run).delete()
        PinnedAnswer.objects.filter(scope__startswith=f"run:{run.pk}:").delete()
        Run.objects.filter(pk=run.pk).delete()


def delete_session(session: Session) -> None:
    """Delete a session with all that belongs to it. A worker that has it stores nothing more.

    Raises:
        ChoiceRefused: a run counts it, or people label it.
    """
    own = _of_session(session)
    with transaction.atomic():
        now = own.select_for_update().first()
        if now is None:
            return
        if now.run_id is not None:
            raise ChoiceRefused(
                _(
                    "The run %(run)s counts this session, so its figures would change. Delete the whole run "
                    "instead."
                )
                % {"run": now.run_id}
            )
        if study := _study_of(own):
            raise ChoiceRefused(
                _("Items of the labelling study “%(name)s” come from this session, so it can't be deleted.")
                % {"name": study.name}
            )
        for sessions in (_reruns(own), own):
            for ids in _parts(sessions):
                _delete_together(ids)


def _delete_together(ids: list[str]) -> None:
    Job.objects.filter(subject__in=ids).delete()
    Session.staged_too.filter(pk__in=ids).delete()


def _study_of(own: QuerySet[Session]) -> LabelStudy | None:
    """A study with items of these sessions: what was said of them would be about nothing."""
    everything = _with_reruns(own)
    return LabelStudy.objects.filter(Q(items__left__in=everything) | Q(items__right__in=everything)).first()


def _parts(sessions: QuerySet[Session]) -> Iterator[list[str]]:
    """The ids of sessions, some at a time, until none is left."""
    while ids := list(sessions.values_list("pk", flat=True)[:DELETED_TOGETHER]):
        yield ids
