"""Deleting a set of tasks: what goes with it, and what stays since somebody has used it."""

from __future__ import annotations

import shutil
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.db.models import ProtectedError, QuerySet, RestrictedError
from django.utils.translation import gettext as _

from webapp.catalogue.imports import TASKS_AT_ONCE, discard
from webapp.catalogue.models import Task, TaskCollection
from webapp.forms import ChoiceRefused
from webapp.jobs.services import open_jobs
from webapp.synthesis.jobs import PREVIEW, SET
from webapp.synthesis.models import TaskSynthesis


@dataclass(frozen=True, slots=True)
class Deletion:
    """What a set takes with it, and what stays of its collection: numbers of tasks."""

    goes: int
    stays: int


def deletion(row: TaskSynthesis) -> Deletion:
    """What would become of the tasks of a set."""
    if row.brought_by is None:
        return Deletion(0, 0)
    if not row.brought_by.complete:  # what is only on its way in goes as a whole, and nobody counts the rest
        return Deletion(Task.staged_too.filter(brought_by=row.brought_by).count(), 0)
    goes = _unused_tasks(row).count()
    return Deletion(goes, Task.objects.filter(collection=row.brought_by.collection_id).count() - goes)


def is_busy(row: TaskSynthesis) -> bool:
    """Whether a worker is at the set, or about to be."""
    jobs = open_jobs(PREVIEW) | open_jobs(SET)
    return row.going or jobs.filter(subject=row.pk).exists()


def refuse_busy(row: TaskSynthesis) -> None:
    """Refuse where a worker is at the set, or about to be.

    Raises:
        ChoiceRefused: it says what helps.
    """
    if is_busy(row):
        raise ChoiceRefused(_("Its tasks are being made at this moment. Cancel that first."))


def delete(row: TaskSynthesis) -> None:
    """Delete a set with its files, and those of its tasks that nothing rests on; its collection if that is all.

    Broken off midway, it leaves a set with fewer tasks, which can be deleted again.

    Raises:
        ChoiceRefused: somebody is at it, began it meanwhile, or uses one of its tasks at this moment.
    """
    refuse_busy(row)
    if row.brought_by is not None and not row.brought_by.complete:
        discard(row.brought_by)
        row.refresh_from_db(fields=["brought_by"])
    while some := list(_unused_tasks(row).values_list("pk", flat=True)[:TASKS_AT_ONCE]):
        try:
            with transaction.atomic():
                Task.staged_too.filter(pk__in=some).delete()
        except (ProtectedError, RestrictedError, IntegrityError) as error:
            raise ChoiceRefused(_("Some of its tasks were used in the meantime. Delete it again.")) from error
    with transaction.atomic():
        now = TaskSynthesis.objects.select_for_update().filter(pk=row.pk).first()
        if now is not None:
            refuse_busy(now)
            now.delete()
        _drop_empty(row)
    shutil.rmtree(row.folder, ignore_errors=True)


def _unused_tasks(row: TaskSynthesis) -> QuerySet[Task]:
    """The tasks that came with the set and that no session, no item of a labelling study, no newer version is of."""
    if row.brought_by is None:
        return Task.staged_too.none()
    own = Task.staged_too.filter(brought_by=row.brought_by).order_by()
    return own.filter(sessions=None, label_items=None, later=None)


def _drop_empty(row: TaskSynthesis) -> None:
    """Delete the import that brought the tasks, and the collection, where nothing is in them any more."""
    incoming = row.brought_by
    if incoming is None or Task.staged_too.filter(brought_by=incoming).exists():
        return
    collection = TaskCollection.objects.select_for_update().filter(pk=incoming.collection_id)
    incoming.delete()
    if collection.exists() and not Task.staged_too.filter(collection=incoming.collection_id).exists():
        collection.filter(imports=None).delete()
