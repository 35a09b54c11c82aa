"""Writing the catalogue: tasks and worlds come in whole, or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.db import transaction

from benchmark.preferences import conflicts
from benchmark.tasks import LineProblem, ReadTask, TaskFileError
from benchmark.tasks import Task as TaskDefinition
from sandbox.worlds import open_world
from webapp.catalogue.models import Task, TaskCollection, World, worlds_folder


@dataclass(frozen=True, slots=True)
class Imported:
    """created, unchanged: how many tasks were new, and how many stood there with the same content."""

    collection: TaskCollection
    created: int
    unchanged: int


def import_tasks(*, read: Iterable[ReadTask], collection: str) -> Imported:
    """Store tasks under a collection.

    Raises:
        TaskFileError: a task id is taken by a task with other content; nothing is stored.
    """
    tasks = list(read)
    with transaction.atomic():
        stored = Task.objects.filter(task_id__in=[item.task.task_id for item in tasks]).select_related(
            "collection"
        )
        known = {task.task_id: task for task in stored}
        if problems := [problem for item in tasks if (problem := _taken(item, known))]:
            raise TaskFileError(problems)
        target, _ = TaskCollection.objects.get_or_create(name=collection)
        fresh = [item for item in tasks if item.task.task_id not in known]
        first = target.tasks.count()
        Task.objects.bulk_create(_row(item, target, first + i) for i, item in enumerate(fresh))
    return Imported(target, len(fresh), len(tasks) - len(fresh))


def _taken(item: ReadTask, known: dict[str, Task]) -> LineProblem | None:
    other = known.get(item.task.task_id)
    if other is None or other.definition == item.raw:
        return None
    message = (
        f"{item.task.task_id!r} is in collection {other.collection.name!r} already, with other content; "
        "give this one another id"
    )
    return LineProblem(item.line, "task_id", message)


def _row(item: ReadTask, collection: TaskCollection, position: int) -> Task:
    task = item.task
    return Task(
        task_id=task.task_id,
        collection=collection,
        position=position,
        definition=item.raw,
        query=task.query,
        departure_date=date.fromisoformat(task.time),
        difficulty=task.difficulty_type,
        size=len(task.users),
        children=len(task.metadata.child_members),
        city_count=len(task.metadata.cities),
        cities=task.metadata.cities,
        days=task.days,
        conflicts=conflict_count(task),
        archetype=task.metadata.group_name,
        language=task.language,
    )


def conflict_count(task: TaskDefinition) -> int:
    """Item-level conflicts over all directed pairs of travellers (appendix A.9.3)."""
    return len(conflicts({user: card.preference for user, card in task.user_preferences.items()}))


def build_world(*, name: str, build: Callable[[Path], Any]) -> World:
    """Let `build` write a pack to a path, then make `name` point to it.

    The pack's file is named after its content, so sessions over an earlier pack of that name keep theirs.
    Whatever `build` raises leaves the catalogue as it was.
    """
    folder = worlds_folder()
    with TemporaryDirectory(dir=folder, prefix=".building-") as temporary:
        draft = Path(temporary) / "pack.sqlite3"
        build(draft)
        figures = _figures(draft)
        file_name = f"{name}-{figures['pack_hash'][:16]}.sqlite3"
        draft.replace(folder / file_name)
    world, _ = World.objects.update_or_create(name=name, defaults={**figures, "pack": file_name})
    return world


def _figures(pack: Path) -> dict[str, Any]:
    world = open_world(pack)
    try:
        destinations = [city.name for city in world.cities() if city.destination]
        return {
            "pack_hash": world.pack_hash,
            "source": world.source,
            "note": world.note,
            "report": world.report,
            "cities": [city.name for city in world.cities()],
            "places": sum(1 for city in destinations for _ in world.places(city)),
        }
    finally:
        world.close()
