"""Bringing tasks in: staged, then shown at once; a refused file leaves nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from benchmark.core.taskfiles import ReadTask, TaskFileError
from benchmark.inputs import LineProblem
from benchmark.suites import DEFAULT_SUITE
from benchmark.suites.grouptravel.tasks import TASK_FILES
from tests.benchmark.suites.grouptravel.tasks.test_reading import GOOD, line
from tests.benchmark.suites.travelbench.test_sessions import TASK as REQUEST
from tests.threads import start_in_thread
from webapp.catalogue import imports
from webapp.catalogue.imports import import_tasks
from webapp.catalogue.models import Task, TaskCollection, TaskImport, World

pytestmark = [pytest.mark.django_db, pytest.mark.storage]


def numbered_tasks(count: int, begin: int = 0, **changes: Any) -> list[ReadTask]:
    return TASK_FILES.lines(
        [line(deepcopy(GOOD) | changes | {"task_id": f"t{begin + n}"}) for n in range(count)]
    )


def rows() -> tuple[int, ...]:
    return tuple(
        manager.count()
        for manager in (Task.staged_too, Task.objects, TaskImport.objects, TaskCollection.objects)
    )


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imports, "TASKS_AT_ONCE", 3)


def test_nobody_sees_tasks_before_all_of_them_are_in() -> None:
    seen: list[tuple[int, int]] = []

    def watched_tasks() -> Iterator[ReadTask]:
        for item in numbered_tasks(10):
            seen.append((Task.staged_too.count(), Task.objects.count()))
            yield item

    done = import_tasks(read=watched_tasks(), collection="new")
    assert seen[-1] == (6, 0)
    assert (done.created_count, Task.objects.count()) == (10, 10)
    assert [task.position for task in done.collection.tasks.all()] == list(range(10))
    assert done.collection.complete


def test_tasks_that_join_a_collection_come_after_its_own() -> None:
    import_tasks(read=numbered_tasks(4), collection="new")
    done = import_tasks(read=numbered_tasks(8), collection="new")
    assert (done.created_count, done.unchanged_count) == (4, 4)
    assert [task.task_id for task in done.collection.tasks.all()] == [f"t{n}" for n in range(8)]
    assert import_tasks(read=numbered_tasks(8), collection="new").created_count == 0
    assert TaskImport.objects.count() == 2


@pytest.mark.parametrize("bad_at", [0, 4, 9])
def test_a_bad_line_anywhere_leaves_nothing(bad_at: int) -> None:
    import_tasks(read=numbered_tasks(2, begin=100), collection="old")
    before = rows()
    read: list[ReadTask | LineProblem] = [*numbered_tasks(10)]
    read.insert(bad_at, LineProblem(77, "time", "no day"))
    for collection in ("old", "new"):
        with pytest.raises(TaskFileError, match=r"^line 77, time: no day$"):
            import_tasks(read=read, collection=collection)
        assert rows() == before


def test_every_taken_id_is_told_wherever_it_stands() -> None:
    import_tasks(read=numbered_tasks(10), collection="old")
    before = rows()
    with pytest.raises(TaskFileError) as caught:
        import_tasks(read=numbered_tasks(12, context="another"), collection="new")
    assert [problem.line for problem in caught.value.problems.problems] == list(range(1, 11))
    assert "is in collection 'old' already, with other content" in str(caught.value)
    assert rows() == before


@pytest.mark.parametrize("error", [OSError, ValueError, KeyboardInterrupt])
def test_a_file_that_ends_in_an_error_leaves_nothing(error: type[BaseException]) -> None:
    def broken_tasks() -> Iterator[ReadTask]:
        yield from numbered_tasks(10)
        raise error

    with pytest.raises(error):
        import_tasks(read=broken_tasks(), collection="new")
    assert rows() == (0, 0, 0, 0)


def test_what_a_killed_import_left_is_cleared_away_by_the_next() -> None:
    half = imports._Staging.begin(DEFAULT_SUITE, "half")
    half.add(numbered_tasks(3))
    with pytest.raises(TaskFileError, match="line 1, task_id: another import brings ids"):
        import_tasks(read=numbered_tasks(3), collection="new")
    TaskImport.objects.update(touched_at=timezone.now() - timedelta(minutes=3))
    assert import_tasks(read=numbered_tasks(3), collection="new").created_count == 3
    assert rows() == (3, 3, 1, 1)
    with pytest.raises(TaskFileError, match="another one cleared it away"):
        half.show(None)


def test_an_id_that_another_import_takes_meanwhile_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imports._Staging, "_split_by_id", lambda self, chunk: (chunk, []))
    import_tasks(read=numbered_tasks(2), collection="old")
    with pytest.raises(TaskFileError, match="line 1, task_id: another import brings ids of line 1 to 3"):
        import_tasks(read=numbered_tasks(3), collection="new")
    assert rows() == (2, 2, 1, 1)


@pytest.mark.django_db(transaction=True)
def test_others_write_while_an_import_is_on_its_way() -> None:
    """Between two lines of the file another connection writes, and is not kept waiting."""
    failed: list[BaseException] = []

    def write() -> None:
        try:
            TaskCollection.objects.create(name="of another")
        except BaseException as error:
            failed.append(error)

    def interrupted_tasks() -> Iterator[ReadTask]:
        for n, item in enumerate(numbered_tasks(10)):
            if n == 8:
                other = start_in_thread(write)
                other.join(10)
                assert not other.is_alive()
            yield item

    assert import_tasks(read=interrupted_tasks(), collection="new").created_count == 10
    assert not failed and TaskCollection.objects.filter(name="of another").exists()


def test_the_command_names_the_world(tmp_path: Path, starter_world: World) -> None:
    (tmp_path / "some.jsonl").write_bytes(line(GOOD))
    out = StringIO()
    call_command("import_tasks", tmp_path / "some.jsonl", stdout=out)
    assert "they name no world" in out.getvalue()
    assert TaskCollection.objects.get(name="some").world is None
    call_command("import_tasks", tmp_path / "some.jsonl", "--world", "starter", stdout=out)
    assert out.getvalue().endswith("1 already there; they run in world “starter”\n")
    assert TaskCollection.objects.get(name="some").world == starter_world
    again = StringIO()
    call_command("import_tasks", tmp_path / "some.jsonl", "--json", stdout=again)
    told = {"collection": "some", "created": 0, "unchanged": 1, "world": "starter"}
    assert json.loads(again.getvalue()) == told
    with pytest.raises(CommandError, match="there is no world “far”; there are: starter"):
        call_command("import_tasks", tmp_path / "some.jsonl", "--world", "far")


def test_the_command_tells_every_bad_line_and_the_fields(tmp_path: Path) -> None:
    bad = [line(GOOD | {"task_id": f"t{n}", "time": "soon", "language": "fr"}) for n in range(150)]
    (tmp_path / "bad.jsonl").write_bytes(line(GOOD) + b"".join(bad))
    with pytest.raises(CommandError) as caught:
        call_command("import_tasks", tmp_path / "bad.jsonl")
    told = str(caught.value).splitlines()
    assert told[0].endswith("nothing was imported, 300 problems:")
    assert told[1].startswith("line 2, time: ") and told[2].startswith("line 2, language: ")
    assert told[-1] == "… and 100 more"
    assert not Task.staged_too.filter(collection__name="bad").exists()


@pytest.mark.parametrize("day", ["0000-01-01", "0001-01-01", "0999-12-31", "9000-01-01", "9999-12-31"])
@pytest.mark.parametrize("suite", ["grouptravel", "travelbench"])
def test_a_task_at_the_calendars_ends_is_refused_with_its_line_and_field(
    tmp_path: Path, suite: str, day: str
) -> None:
    good, time = (GOOD, day) if suite == "grouptravel" else (REQUEST, f"{day} 10:00")
    (tmp_path / "bad.jsonl").write_bytes(line(good) + line(good | {"time": time}))
    with pytest.raises(CommandError) as caught:
        call_command("import_tasks", tmp_path / "bad.jsonl", "--suite", suite)
    told = str(caught.value).splitlines()[1:]
    assert told[0].startswith("line 2, time: not ")
    assert "1000 to 8999" in told[0] or "day of the calendar" in told[0]
    assert not Task.staged_too.filter(collection__name="bad").exists()


@pytest.mark.parametrize("day", ["1000-01-01", "8999-12-31"])
def test_a_task_within_the_years_is_shown_and_listed(
    tmp_path: Path, starter_world: World, as_researcher: Client, day: str
) -> None:
    (tmp_path / "some.jsonl").write_bytes(line(GOOD | {"time": day}))
    call_command("import_tasks", tmp_path / "some.jsonl", "--world", "starter", stdout=StringIO())
    [task] = Task.objects.filter(collection__name="some")
    for address in (task.get_absolute_url(), "/tasks/?sort=leaves&collection=some"):
        page = as_researcher.get(address)
        assert page.status_code == 200 and day in page.content.decode()


def test_the_shipped_tasks_name_the_shipped_world(starter_world: World, starter_tasks: list[Task]) -> None:
    assert {task.collection.world for task in starter_tasks} == {starter_world}
