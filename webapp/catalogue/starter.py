"""The world and the tasks that ship with the product, brought into the database when they are new or changed."""

from __future__ import annotations

import hashlib
from pathlib import Path

import benchmark.suites.grouptravel.tasks
import sandbox.worlds
from benchmark.suites.grouptravel.tasks import read_tasks
from sandbox.worlds.starter import build_starter
from webapp.catalogue.imports import Imported, import_tasks
from webapp.catalogue.models import Task, World
from webapp.catalogue.services import build_world

NAME = "starter"
_SHIPPED = Path(benchmark.suites.grouptravel.tasks.__file__).parent / "data"
TASKS = (_SHIPPED / "starter.jsonl", _SHIPPED / "starter_en.jsonl")
"""The Chinese tasks and the English ones, in the order of the catalogue."""
_WORLD_CODE = Path(sandbox.worlds.__file__).parent


def _fingerprint() -> str:
    """Changes with the data files and with the code that turns them into a pack."""
    digest = hashlib.sha256()
    for path in sorted(_WORLD_CODE.rglob("*")):
        if path.suffix in (".json", ".py") and "china10" not in path.parts:
            digest.update(path.read_bytes())
    return digest.hexdigest()


def load_starter_world() -> World | None:
    """The starter world built anew, None when it stands there already."""
    wanted = _fingerprint()
    known = World.objects.filter(name=NAME).first()
    if known is not None and known.report.get("fingerprint") == wanted and known.path.exists():
        return None
    world = build_world(name=NAME, build=build_starter)
    world.report = {**world.report, "fingerprint": wanted}
    world.save(update_fields=["report"])
    return world


def load_starter_tasks() -> Imported | None:
    """The shipped tasks, None when they stand there already.

    A shipped task that changed takes the place of the old one unless sessions were run over that.
    """
    read = [item for file in TASKS for item in read_tasks(file)]
    stored = {task.task_id: task for task in Task.objects.filter(collection__name=NAME)}
    changed = [
        item for item in read if getattr(stored.get(item.task.task_id), "definition", None) != item.raw
    ]
    if not changed:
        return None
    ids = [item.task.task_id for item in changed]
    Task.objects.filter(task_id__in=ids, sessions=None).delete()
    kept = set(Task.objects.filter(task_id__in=ids).values_list("task_id", flat=True))
    new = [item for item in changed if item.task.task_id not in kept]
    return import_tasks(read=new, collection=NAME, world=World.objects.filter(name=NAME).first())
