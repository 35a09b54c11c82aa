"""A task runs in the world it was made for; nobody else's world is taken in silence."""

from __future__ import annotations

import json
import shutil
from copy import deepcopy
from importlib import import_module
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command

from benchmark.suites import DEFAULT_SUITE
from tests.benchmark.suites.grouptravel.tasks.test_reading import GOOD, line
from webapp.catalogue.fitting import fit_of
from webapp.catalogue.models import Task, TaskCollection, World
from webapp.catalogue.services import build_world
from webapp.sessions.models import Run, Session

pytestmark = pytest.mark.django_db


@pytest.fixture
def worlds(starter_world: World, starter_tasks: list[Task], starter_pack: Path) -> World:
    """The starter world with its tasks, and another one that comes first and holds the same cities."""
    build_world(name="another", build=lambda target: shutil.copyfile(starter_pack, target))
    return starter_world


@pytest.fixture
def published_file(tmp_path: Path) -> Path:
    """Two tasks of somebody else's."""
    path = tmp_path / "published.jsonl"
    path.write_bytes(line(GOOD) + line(deepcopy(GOOD) | {"task_id": "two"}))
    return path


def test_every_starter_task_starts_in_the_starter_world(worlds: World) -> None:
    call_command("run", "all", "--collection", "starter", "--enqueue")
    assert set(Session.objects.values_list("world__name", flat=True)) == {"starter"}
    assert Session.objects.count() == Task.objects.filter(suite=DEFAULT_SUITE).count() == 15


def test_a_session_starts_in_the_world_of_its_task(worlds: World) -> None:
    call_command("run_session", "starter_01")
    call_command("run_session", "starter_01", "--world", "another")
    assert set(Session.objects.values_list("world__name", flat=True)) == {"starter", "another"}


@pytest.mark.parametrize("command", [("run_session", "one"), ("run", "r", "--collection", "published")])
def test_tasks_without_a_world_ask_for_one(
    worlds: World, published_file: Path, command: tuple[str, ...]
) -> None:
    call_command("import_tasks", published_file)
    words = (
        r"no world is named .*“published”; say --world \(all that the tasks need is in: another, starter\)"
    )
    with pytest.raises(CommandError, match=words) as caught:
        call_command(*command)
    assert caught.value.returncode == 2
    assert not Session.objects.exists() and not Run.objects.exists()


def test_a_line_of_a_file_comes_in_only_with_a_world(worlds: World, published_file: Path) -> None:
    with pytest.raises(CommandError, match="no world is named for the tasks of “published”"):
        call_command("run_session", f"{published_file}#2")
    assert not TaskCollection.objects.filter(name="published").exists()
    call_command("run_session", f"{published_file}#2", "--world", "another")
    assert Session.objects.get().task.task_id == "two"
    call_command("import_tasks", published_file, "--world", "starter")
    call_command("run_session", f"{published_file}#1")
    assert Session.objects.filter(task__task_id="one", world=worlds).count() == 1


def test_tasks_of_different_worlds_do_not_make_a_run(worlds: World, published_file: Path) -> None:
    call_command("import_tasks", published_file, "--world", "another")
    with pytest.raises(CommandError, match=r"made for different worlds \(another, starter\); name one"):
        call_command("run", "r", "--tasks", "one", "starter_01")
    call_command("run", "r", "--tasks", "one", "starter_01", "--world", "starter", "--enqueue")
    assert Run.objects.get().setup["world"] == "starter"


def test_rows_of_before_get_their_world_and_their_search_text(worlds: World, published_file: Path) -> None:
    call_command("import_tasks", published_file)
    TaskCollection.objects.update(world=None)
    Task.objects.update(found_by="")
    migration = import_module("webapp.catalogue.migrations.0003_name_the_starter_world")
    migration.name_the_starter_world(apps, None)
    migration.write_search_texts(apps, None)
    ours = TaskCollection.objects.filter(name__in=("starter", "published"))
    named = dict(ours.values_list("name", "world__name"))
    assert named == {"starter": "starter", "published": None}
    assert [task.found_by.split() for task in Task.objects.all()] == [
        task.search_words().split() for task in Task.objects.all()
    ]
    assert Task.objects.get(task_id="one").found_by == "one 苏州市 2025-11-02  easy"


def test_what_another_world_lacks_is_known(worlds: World) -> None:
    task = Task.objects.get(task_id="starter_01")
    text = json.dumps(task.definition, ensure_ascii=False)
    changed = json.loads(text.replace("拙政园", "无名园").replace("上海市", "无名市"))
    whole = fit_of(worlds, [task.needs])
    assert whole.suits and not whole.unknown_sights and not whole.unserved_ways
    lacking = fit_of(worlds, [Task(definition=changed).needs])
    assert not lacking.suits and lacking.missing == ["无名市"]
    assert lacking.unknown_sights == ["无名园"]
