"""A benchmark's shipped tasks, stored as they came in first: the way of an import takes ten times as long."""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.utils import timezone

from tests.stored_rows import StoredRows
from webapp.catalogue.models import Task, TaskCollection, World
from webapp.catalogue.starter import NAME, collection_of

_READ_COLLECTION = """
SELECT task.task_id, CAST(task.definition AS text)
FROM catalogue_taskcollection collection LEFT JOIN catalogue_task task ON task.collection_id = collection.id
WHERE collection.name = %s
"""


def _read(suite: str) -> dict[Any, Any]:
    """Definitions as text by the tasks of the collection; empty where and only where there is no such collection."""
    with connection.cursor() as cursor:
        cursor.execute(_READ_COLLECTION, [collection_of(suite)])
        return dict(cursor.fetchall())


def may_be_new(suite: str, task_ids: list[str]) -> bool:
    """Whether the database has neither their collection nor any of them elsewhere."""
    return not _read(suite) and not Task.staged_too.filter(task_id__in=task_ids).exists()


class ShippedRows:
    """The rows of a benchmark's collection, which the database holds when this is made."""

    def __init__(self, suite: str) -> None:
        self._suite, self._read = suite, _read(suite)
        collection = TaskCollection.objects.get(name=collection_of(suite))
        self._collection = StoredRows([collection])
        self._import = StoredRows(collection.imports.all())
        self._tasks = StoredRows(Task.staged_too.filter(collection=collection))

    def stand(self) -> bool:
        """Whether the database has all of them, as they are here, and nothing else in their collection."""
        return _read(self._suite) == self._read

    def store(self) -> int:
        """Put them into a database without them; gives their number."""
        world, now = World.objects.filter(name=NAME).values_list("pk", flat=True).first(), timezone.now()
        (collection,) = self._collection.store(world_id=world, created_at=now)
        (brought_by,) = self._import.store(collection_id=collection, touched_at=now)
        return len(self._tasks.store(collection_id=collection, brought_by_id=brought_by))
