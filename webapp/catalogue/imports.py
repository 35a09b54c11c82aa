"""Bringing tasks in: staged in small transactions, so that others go on writing, then shown all at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max

from benchmark.core.taskfiles import ReadTask, TaskFileError
from benchmark.inputs import LineProblem, Problems
from benchmark.suites import DEFAULT_SUITE, suite_named
from benchmark.suites.base import Good
from webapp import clock
from webapp.catalogue.fields import columns_of
from webapp.catalogue.models import Task, TaskCollection, TaskImport, World
from webapp.catalogue.packs import pack_of

TASKS_AT_ONCE = 100
BYTES_AT_ONCE = 256 * 1024
"""What one transaction stores at most: tasks, and bytes of their lines."""
BROKEN_OFF = timedelta(minutes=2)
"""An import that has stored nothing for so long is gone, and with the next one what it left behind."""


@dataclass(frozen=True, slots=True)
class ImportResult:
    """created_count, unchanged_count: how many tasks were new, and how many stood there with the same content."""

    collection: TaskCollection
    created_count: int
    unchanged_count: int


def import_tasks(
    *,
    read: Iterable[ReadTask[Any] | LineProblem],
    collection: str,
    world: World | None = None,
    progress: Callable[[int], None] = lambda done: None,
    suite: str = DEFAULT_SUITE,
    begun: Callable[[TaskImport], None] = lambda incoming: None,
) -> ImportResult:
    """Bring a benchmark's tasks into a collection; `world` names the world that the collection is made for.

    `progress` is called with the number of tasks read so far, `begun` with the import before any is. Whatever is
    raised, also by `read`, nothing is stored.

    Raises:
        TaskFileError: a line is bad, a task id is taken by a task with other content, or a task needs what the world
            does not sell.
    """
    discard_broken_off()
    staging = _Staging.begin(suite, collection)
    try:
        begun(staging.incoming)
        for chunk in _chunks(_check_goods(read, suite, world), staging.problems):
            staging.add(chunk)
            progress(staging.created + staging.unchanged)
        if staging.problems:
            raise TaskFileError(staging.problems)
        return staging.show(world)
    except BaseException:
        discard(staging.incoming)
        raise


def discard_broken_off() -> None:
    """Remove what imports left behind that were killed."""
    for old in TaskImport.objects.filter(
        complete=False, records=False, touched_at__lt=clock.now() - BROKEN_OFF
    ):
        discard(old)


def discard(incoming: TaskImport) -> None:
    """Remove an import that is not complete, and its collection if nothing else is in it; in small transactions."""
    staged = Task.staged_too.filter(brought_by=incoming)
    while some := list(staged.values_list("pk", flat=True)[:TASKS_AT_ONCE]):
        Task.staged_too.filter(pk__in=some).delete()
    incoming.delete()
    TaskCollection.objects.filter(pk=incoming.collection_id, complete=False, imports=None).delete()


def _check_goods(
    read: Iterable[ReadTask[Any] | LineProblem], suite: str, world: World | None
) -> Iterator[ReadTask[Any] | LineProblem]:
    """What was read, with a problem in the place of each task that can't be played in its world at all."""
    if world is None:
        yield from read
        return
    needs_of, known = suite_named(suite).tasks.needs, dict[Good, bool]()

    def is_sold(good: Good) -> bool:
        if good not in known:
            known[good] = good.is_sold(pack_of(world), good.where)
        return known[good]

    for item in read:
        if isinstance(item, LineProblem):
            yield item
        elif unsold := [good.words % good.names for good in needs_of(item.task).goods if not is_sold(good)]:
            message = (
                f"{item.task.task_id!r} can't be played in world “{world.name}”, which has no {', '.join(unsold)}; "
                "name another world, or import one that has them"
            )
            yield LineProblem(item.line, "", message)
        else:
            yield item


def _chunks(read: Iterable[ReadTask[Any] | LineProblem], problems: Problems) -> Iterator[list[ReadTask[Any]]]:
    """The good tasks by what one transaction takes; the problems go where they are gathered."""
    chunk: list[ReadTask[Any]] = []
    size = 0
    for item in read:
        if isinstance(item, LineProblem):
            problems.add(item)
            continue
        if chunk and (len(chunk) == TASKS_AT_ONCE or size + item.size > BYTES_AT_ONCE):
            yield chunk
            chunk, size = [], 0
        chunk.append(item)
        size += item.size
    if chunk:
        yield chunk


@dataclass(slots=True)
class _Staging:
    """An import on its way. suite: whose tasks come. first: position of its first task in the collection."""

    suite: str
    incoming: TaskImport
    first: int
    problems: Problems = field(default_factory=Problems)
    created: int = 0
    unchanged: int = 0

    @classmethod
    def begin(cls, suite: str, name: str) -> _Staging:
        with transaction.atomic():
            collection, _ = TaskCollection.objects.get_or_create(name=name, defaults={"complete": False})
            last = collection.tasks.aggregate(last=Max("position"))["last"]
            return cls(
                suite, TaskImport.objects.create(collection=collection), 0 if last is None else last + 1
            )

    def add(self, chunk: list[ReadTask[Any]]) -> None:
        """Store what is new of a chunk; once there is a problem, only look for more of them."""
        fresh, taken = self._split_by_id(chunk)
        for problem in taken:
            self.problems.add(problem)
        begin = self.first + self.created
        rows = [] if self.problems else [self._row(item, begin + i) for i, item in enumerate(fresh)]
        try:
            with transaction.atomic():
                self._touch()
                Task.staged_too.bulk_create(rows)
        except IntegrityError:
            self.problems.add(_in_use(chunk))
        self.created += len(fresh)
        self.unchanged += len(chunk) - len(fresh) - len(taken)

    def _split_by_id(self, chunk: list[ReadTask[Any]]) -> tuple[list[ReadTask[Any]], list[LineProblem]]:
        """The tasks whose ids are free, and what is wrong with those whose ids are not."""
        ids = [item.task.task_id for item in chunk]
        stored = Task.staged_too.filter(task_id__in=ids).select_related("collection", "brought_by")
        known = {task.task_id: task for task in stored}
        fresh = [item for item in chunk if item.task.task_id not in known]
        others = [(item, known[item.task.task_id]) for item in chunk if item.task.task_id in known]
        return fresh, [problem for item, other in others if (problem := _id_conflict(item, other))]

    def _row(self, item: ReadTask[Any], position: int) -> Task:
        task = item.task
        return Task(
            suite=self.suite,
            task_id=task.task_id,
            collection_id=self.incoming.collection_id,
            brought_by=self.incoming,
            position=position,
            definition=item.raw,
            **columns_of(self.suite, task),
        )

    def _touch(self) -> None:
        known = TaskImport.objects.filter(pk=self.incoming.pk)
        if not known.update(touched_at=clock.now()):
            raise TaskFileError(
                _single_problem("the import stood still for so long that another one cleared it away")
            )

    def show(self, world: World | None) -> ImportResult:
        """Everything at once: a few small rows change."""
        collection = self.incoming.collection
        own = TaskImport.objects.filter(pk=self.incoming.pk)
        named = {"world": world} if world else {}
        with transaction.atomic():
            self._touch()
            own.update(complete=True) if self.created else own.delete()
            TaskCollection.objects.filter(pk=collection.pk).update(complete=True, **named)
        collection.refresh_from_db()
        return ImportResult(collection, self.created, self.unchanged)


def _id_conflict(item: ReadTask[Any], other: Task) -> LineProblem | None:
    if other.brought_by is not None and not other.brought_by.complete:
        return _in_use([item])
    if other.definition == item.raw:
        return None
    message = (
        f"{item.task.task_id!r} is in collection {other.collection.name!r} already, with other content; "
        "give this one another id"
    )
    return LineProblem(item.line, "task_id", message)


def _in_use(chunk: list[ReadTask[Any]]) -> LineProblem:
    lines = f"{chunk[0].line} to {chunk[-1].line}" if len(chunk) > 1 else str(chunk[0].line)
    minutes = BROKEN_OFF.total_seconds() / 60
    message = (
        f"another import brings ids of line {lines} in; try again when it is done, or "
        f"{minutes:.0f} minutes after it was broken off"
    )
    return LineProblem(chunk[0].line, "task_id", message)


def _single_problem(message: str) -> Problems:
    problems = Problems()
    problems.add(LineProblem(1, "", message))
    return problems
