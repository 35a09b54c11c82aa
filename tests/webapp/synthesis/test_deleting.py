"""Deleting a set of tasks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import orjson
import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from benchmark.suites import suite_named
from tests.markup import text
from webapp.accounts.models import User
from webapp.catalogue.imports import import_tasks
from webapp.catalogue.models import Task, TaskCollection, TaskImport, World
from webapp.catalogue.versions import change_task, make_task
from webapp.jobs import services as jobs
from webapp.sessions.services import Setup, create_session
from webapp.synthesis import deleting
from webapp.synthesis.jobs import SET
from webapp.synthesis.models import TaskSynthesis

pytestmark = [pytest.mark.django_db, pytest.mark.storage]
Status = TaskSynthesis.Status
MakeSet = Callable[..., TaskSynthesis]


@pytest.fixture
def make_set(starter_tasks: list[Task], tmp_path: Path, settings: Settings) -> MakeSet:
    """A set as it is once a worker has delivered it: some of the shipped tasks under ids of their own."""
    settings.CARAVAN_DATA = tmp_path

    def make_collection(count: int = 3, status: str = Status.DONE, collection: str = "made") -> TaskSynthesis:
        order = {"count": count, "seed": 1, "language": "zh", "first_id": 1, "prove": False, "model": ""}
        order |= {"first": None, "last": None, "own_travellers": False}
        row = TaskSynthesis.objects.create(collection=collection, pack="p", order=order, status=status)
        row.folder.mkdir(parents=True)
        row.output_file.write_text("{}\n")
        if status == Status.DONE:
            lines = [
                orjson.dumps({**task.definition, "task_id": f"task_{n:06d}"})
                for n, task in enumerate(starter_tasks[:count], 1)
            ]
            begun: list[TaskImport] = []
            read = suite_named("grouptravel").tasks.files.lines(lines)
            import_tasks(read=read, collection=collection, begun=begun.append)
            row.brought_by = begun[0]
            row.save()
        return row

    return make_collection


def at(row: TaskSynthesis) -> str:
    return reverse("synthesis_delete", args=[row.pk])


def test_the_page_asks_and_changes_nothing(as_researcher: Client, make_set: MakeSet) -> None:
    row = make_set()
    assert f'href="{at(row)}"' in as_researcher.get(row.get_absolute_url()).content.decode()
    page = text(as_researcher.get(at(row)))
    assert "Delete the set “made”?" in page and "3 tasks of the catalogue" in page and "stay" not in page
    assert TaskSynthesis.objects.exists() and Task.objects.filter(collection__name="made").count() == 3


@pytest.mark.both_engines
def test_a_set_goes_with_its_files_tasks_and_collection(as_researcher: Client, make_set: MakeSet) -> None:
    row, other = make_set(), make_set(0, Status.DRAFT, "other")
    page = text(as_researcher.post(at(row), follow=True))
    assert "The set “made” was deleted." in page
    assert [*TaskSynthesis.objects.all()] == [other]
    assert not row.folder.exists() and other.folder.exists()
    assert not Task.staged_too.filter(task_id__startswith="task_").exists()
    assert not TaskCollection.objects.filter(name="made").exists()
    assert Task.objects.filter(task_id="starter_01").exists()
    assert as_researcher.post(at(row)).status_code == 404


def test_tasks_that_somebody_uses_stay(
    as_researcher: Client, make_set: MakeSet, starter_world: World
) -> None:
    row = make_set(4)
    played, changed, *_unused = Task.objects.filter(collection__name="made")
    create_session(task=played, world=starter_world, setup=Setup(), start=False)
    change_task(task=changed, definition={**changed.definition, "query": "另一个请求"})
    own = {**changed.definition, "task_id": "own_1"}
    make_task(suite="grouptravel", definition=own, collection="made")
    page = text(as_researcher.get(at(row)))
    assert "2 tasks of the catalogue" in page and "3 tasks of the collection “made” stay" in page
    as_researcher.post(at(row))
    assert not TaskSynthesis.objects.exists() and not row.folder.exists()
    left = Task.staged_too.filter(collection__name="made").values_list("task_id", flat=True)
    assert {*left} == {played.task_id, changed.task_id, f"{changed.task_id}.v2", "own_1"}
    assert as_researcher.get(played.get_absolute_url()).status_code == 200


@pytest.mark.parametrize("status", [Status.LOOKING, Status.QUEUED, Status.RUNNING, Status.STOPPED])
def test_it_is_refused_in_words_while_a_worker_is_at_it(
    as_researcher: Client, make_set: MakeSet, status: str
) -> None:
    row = make_set(1, status)
    jobs.enqueue(kind=SET, subject=row.pk)
    for answer in (as_researcher.get(at(row)), as_researcher.post(at(row))):
        assert "Cancel that first" in text(answer) and "Delete it for good" not in text(answer)
    assert TaskSynthesis.objects.exists() and row.folder.exists()


@pytest.mark.both_engines
def test_one_that_is_begun_meanwhile_stays(
    as_researcher: Client, make_set: MakeSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    row, discarded = make_set(1, Status.FAILED), deleting._unused_tasks

    def begin_meanwhile(row: TaskSynthesis) -> object:
        TaskSynthesis.objects.update(status=Status.QUEUED)
        return discarded(row)

    monkeypatch.setattr(deleting, "_unused_tasks", begin_meanwhile)
    assert "Cancel that first" in text(as_researcher.post(at(row)))
    assert TaskSynthesis.objects.exists() and row.folder.exists()


@pytest.mark.both_engines
def test_a_task_that_is_used_meanwhile_stays(
    as_researcher: Client, make_set: MakeSet, starter_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = make_set(2)
    task = Task.objects.filter(collection__name="made")[0]
    monkeypatch.setattr(
        deleting, "_unused_tasks", lambda row: Task.staged_too.filter(brought_by=row.brought_by)
    )
    create_session(task=task, world=starter_world, setup=Setup(), start=False)
    page = text(as_researcher.post(at(row)))
    assert "used in the meantime" in page and "Delete it for good" in page
    assert TaskSynthesis.objects.exists() and Task.objects.filter(pk=task.pk).exists()


def test_what_an_import_left_behind_goes_too(as_researcher: Client, make_set: MakeSet) -> None:
    row = make_set(2)
    TaskImport.objects.filter(pk=row.brought_by_id).update(complete=False)
    TaskCollection.objects.filter(name="made").update(complete=False)
    TaskSynthesis.objects.update(status=Status.FAILED)
    page = text(as_researcher.get(at(row)))
    assert "2 tasks of the catalogue" in page and "stay" not in page
    as_researcher.post(at(row))
    assert not TaskSynthesis.objects.exists() and not TaskCollection.objects.filter(name="made").exists()
    assert not Task.staged_too.filter(task_id__startswith="task_").exists()


def test_only_researchers_may_and_only_by_a_form_of_ours(
    client: Client, as_annotator: Client, researcher: User, make_set: MakeSet
) -> None:
    row = make_set(1)
    for ask in (client.get, client.post):
        assert ask(at(row)).status_code == 302
    for ask in (as_annotator.get, as_annotator.post):
        assert ask(at(row)).status_code == 403
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(researcher)
    assert strict.post(at(row)).status_code == 403
    assert TaskSynthesis.objects.exists() and Task.objects.filter(collection__name="made").exists()


@pytest.mark.parametrize("name", ["none", "a" * 300, "%00", "..%2F.."])
def test_a_set_that_is_none_is_not_found(as_researcher: Client, make_set: MakeSet, name: str) -> None:
    make_set(1)
    assert as_researcher.post(f"/tasks/synthesis/{name}/delete/").status_code == 404
    assert TaskSynthesis.objects.exists()
