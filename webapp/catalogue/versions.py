"""Tasks that are made and changed here. A task never changes: a change is a task of its own, the next version."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson
from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from benchmark.suites import suite_named
from webapp.catalogue.fields import columns_of
from webapp.catalogue.models import Task, TaskCollection, TaskImport, World
from webapp.catalogue.selectors import versions


class NotSaved(ValueError):
    """A task that can't be stored; the message says why and what helps. field: what to change, or ""."""

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.field = field


def make_task(
    *, suite: str, definition: Mapping[str, Any], collection: str, world: World | None = None
) -> Task:
    """Store a new task as the last of a collection, which is made for `world` if it is new.

    Raises:
        NotSaved: its id is taken, or the collection can't have it.
        benchmark.core.taskfiles.TaskFileError: it is no task of this benchmark.
    """
    with transaction.atomic():
        there, _new = TaskCollection.objects.get_or_create(name=collection, defaults={"world": world})
        _lock_collection(there.pk)
        if not there.complete:
            words = _("An import brings tasks into “%(name)s”; try again when it is done.")
            raise NotSaved(words % {"name": collection}, "collection")
        if Task.staged_too.filter(collection=there).exclude(suite=suite).exists():
            words = _("Collection “%(name)s” has tasks of another benchmark; choose another collection.")
            raise NotSaved(words % {"name": collection}, "collection")
        last = Task.staged_too.filter(collection=there).aggregate(last=Max("position"))["last"]
        return _store_task(suite, definition, collection=there, position=0 if last is None else last + 1)


def change_task(*, task: Task, definition: Mapping[str, Any]) -> Task:
    """Store the next version of a task in its place; `task` itself is left as it is, when nothing changed as well.

    Its id is that of the first version with `.v2` and so on. Lists show it in the place of `task` from now on.

    Raises:
        NotSaved: there is a newer version already.
        benchmark.core.taskfiles.TaskFileError: it is no task of its benchmark.
    """
    id_key = suite_named(task.suite).tasks.id_key
    if {**definition, id_key: task.task_id} == task.definition:
        return task
    with transaction.atomic():
        _lock_collection(task.collection_id)
        _supersede(task)
        known = versions(task)
        first = known[0]
        number, task_id = _next(first.task_id, known[-1].version + 1)
        own = {**definition, id_key: task_id}
        return _store_task(
            task.suite,
            own,
            collection=task.collection,
            position=task.position,
            first=first,
            version=number,
        )


def _lock_collection(collection: int) -> None:
    """Let nobody else make or change a task of this collection until the transaction ends.

    Whoever waits here sees afterwards what was stored meanwhile, which the snapshot of a statement would not show.
    """
    TaskCollection.objects.select_for_update(no_key=True).get(pk=collection)


def _supersede(task: Task) -> None:
    """Take a task out of all lists, unless somebody else has done so. Below `_lock_collection`."""
    own = TaskImport.objects.filter(collection=task.collection_id, superseded=True)
    kept = own.first() or TaskImport.objects.create(
        collection_id=task.collection_id, superseded=True, complete=True
    )
    if not Task.objects.filter(pk=task.pk).update(brought_by=kept):
        words = _("%(name)s has a newer version. Open that version and make the change there.")
        raise NotSaved(words % {"name": task.task_id})


def _next(first: str, number: int) -> tuple[int, str]:
    """The first number from `number` on whose id is free, and that id."""
    while Task.staged_too.filter(task_id=f"{first}.v{number}").exists():
        number += 1
    return number, f"{first}.v{number}"


def _store_task(suite: str, definition: Mapping[str, Any], **place: Any) -> Task:
    """The row of a task, checked as a file's line is."""
    (read,) = suite_named(suite).tasks.files.lines([orjson.dumps(definition)])
    try:
        with transaction.atomic():
            return Task.objects.create(
                suite=suite,
                task_id=read.task.task_id,
                definition=read.raw,
                **place,
                **columns_of(suite, read.task),
            )
    except IntegrityError as error:
        words = _("“%(name)s” is the id of another task; choose another id.")
        raise NotSaved(words % {"name": read.task.task_id}, "task_id") from error
