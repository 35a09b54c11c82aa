"""The world and the tasks that ship with the product, brought into the database when they are new or changed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

import sandbox.worlds
from benchmark.core.taskfiles import ReadTask
from benchmark.suites import DEFAULT_SUITE, SUITES, suite_named
from benchmark.suites.base import AnySuite
from sandbox.worlds import WorldError
from sandbox.worlds.starter import build_starter
from webapp.catalogue.imports import import_tasks
from webapp.catalogue.models import Task, World
from webapp.catalogue.packs import pack_path
from webapp.catalogue.services import build_world

NAME = "starter"
_WORLD_CODE = Path(sandbox.worlds.__file__).parent


@cache
def _fingerprint() -> str:
    """Changes with the data files and with the code that turns them into a pack, so with the product alone."""
    digest = hashlib.sha256()
    for path in sorted(_WORLD_CODE.rglob("*")):
        if path.suffix in (".json", ".py") and "china10" not in path.parts:
            digest.update(path.read_bytes())
    return digest.hexdigest()


def load_starter_world(build: Callable[[Path], object] = build_starter) -> World | None:
    """The starter world built anew, None when it stands there already."""
    wanted = _fingerprint()
    known = World.objects.filter(name=NAME).first()
    if known is not None and known.report.get("fingerprint") == wanted and _is_here(known):
        return None
    world = build_world(name=NAME, build=build)
    world.report = {**world.report, "fingerprint": wanted}
    world.save(update_fields=["report"])
    return world


def _is_here(world: World) -> bool:
    """Whether its pack is on this host, or came from the store."""
    try:
        return pack_path(world.pack).exists()
    except WorldError:
        return False


def load_starter_tasks(suites: Iterable[str] = SUITES) -> int:
    """Bring in the shipped tasks that do not stand there already; how many they were.

    A shipped task that changed takes the place of the old one unless sessions were run over that, or somebody has
    made a version of it.
    """
    return sum(_load_tasks(suite_named(name)) for name in suites)


def collection_of(suite: str) -> str:
    """The name of the collection that a benchmark's shipped tasks are in: a run is over tasks of one benchmark."""
    return NAME if suite == DEFAULT_SUITE else f"{NAME}-{suite}"


@cache
def _shipped_tasks(suite: str) -> list[ReadTask[Any]]:
    """They change with the product alone, so that a process reads their files once."""
    tasks = suite_named(suite).tasks
    return [item for file in tasks.starter for item in tasks.files.whole(file)]


def _load_tasks(suite: AnySuite) -> int:
    collection = collection_of(suite.name)
    read = _shipped_tasks(suite.name)
    stored = dict(Task.staged_too.filter(collection__name=collection).values_list("task_id", "definition"))
    changed = [item for item in read if stored.get(item.task.task_id) != item.raw]
    if not changed:
        return 0
    ids = [item.task.task_id for item in changed]
    Task.objects.filter(task_id__in=ids, sessions=None, later=None).delete()
    kept = set(Task.staged_too.filter(task_id__in=ids).values_list("task_id", flat=True))
    new = [item for item in changed if item.task.task_id not in kept]
    world = World.objects.filter(name=NAME).first()
    return import_tasks(read=new, collection=collection, world=world, suite=suite.name).created_count
