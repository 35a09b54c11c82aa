"""Tasks that are made here, and their versions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from benchmark.core.taskfiles import TaskFileError
from benchmark.suites import DEFAULT_SUITE
from tests.webapp.conftest import Writer
from webapp.catalogue import selectors
from webapp.catalogue.models import Task, TaskCollection, World
from webapp.catalogue.starter import load_starter_tasks
from webapp.catalogue.versions import NotSaved, change_task, make_task
from webapp.sessions.models import Session

pytestmark = [pytest.mark.storage, pytest.mark.django_db]


def changed_definition(task: Task, **given: Any) -> dict[str, Any]:
    return {**task.definition, **given}


def test_a_change_is_a_task_of_its_own_in_the_same_place(task: Task, starter_tasks: list[Task]) -> None:
    before, listed = dict(task.definition), [one.task_id for one in selectors.tasks()]
    new = change_task(task=task, definition=changed_definition(task, query="another trip"))
    assert (new.task_id, new.version, new.first) == ("starter_02.v2", 2, task)
    assert new.definition == before | {"query": "another trip", "task_id": "starter_02.v2"}
    old = Task.staged_too.get(pk=task.pk)
    assert (old.definition, old.superseded) == (before, True)
    after = [one.task_id for one in selectors.tasks()]
    assert after == ["starter_02.v2" if one == "starter_02" else one for one in listed]


@pytest.mark.both_engines
def test_versions_are_kept_in_order(task: Task) -> None:
    second = change_task(task=task, definition=changed_definition(task, query="2"))
    third = change_task(task=second, definition=changed_definition(second, query="3"))
    assert third.task_id == "starter_02.v3"
    for one in (task, second, third):
        assert [version.task_id for version in selectors.versions(one)] == [
            *("starter_02", "starter_02.v2", "starter_02.v3"),
        ]


def test_an_older_version_can_not_be_changed(task: Task) -> None:
    change_task(task=task, definition=changed_definition(task, query="2"))
    with pytest.raises(NotSaved, match="has a newer version"):
        change_task(task=task, definition=changed_definition(task, query="again"))
    assert Task.staged_too.filter(first=task).count() == 1


def test_nothing_changed_makes_no_version(task: Task) -> None:
    assert change_task(task=task, definition=dict(task.definition)) == task
    assert not Task.staged_too.get(pk=task.pk).superseded


@pytest.mark.both_engines
def test_an_id_that_is_taken_is_left_out(task: Task) -> None:
    make_task(
        suite=DEFAULT_SUITE, definition=changed_definition(task, task_id="starter_02.v2"), collection="own"
    )
    assert change_task(task=task, definition=changed_definition(task, query="2")).task_id == "starter_02.v3"


def test_what_is_no_task_changes_nothing(task: Task) -> None:
    with pytest.raises(TaskFileError, match="time"):
        change_task(task=task, definition=changed_definition(task, time="soon"))
    assert not Task.staged_too.get(pk=task.pk).superseded


def test_sessions_keep_the_version_that_they_played(
    begin: Callable[[], Writer], task: Task, as_researcher: Client
) -> None:
    session = begin().session
    new = change_task(task=task, definition=changed_definition(task, query="another trip"))
    assert Session.objects.get(pk=session.pk).task.definition == task.definition
    assert as_researcher.get(task.get_absolute_url()).status_code == 200
    assert as_researcher.get(session.get_absolute_url()).status_code == 200
    assert list(selectors.playable_tasks().filter(pk__in=[task.pk, new.pk]).order_by("version")) == [
        task,
        new,
    ]


def test_a_new_task_comes_last_in_its_collection(task: Task, small_world: World) -> None:
    one = make_task(
        suite=DEFAULT_SUITE,
        definition=changed_definition(task, task_id="a"),
        collection="own",
        world=small_world,
    )
    two = make_task(suite=DEFAULT_SUITE, definition=changed_definition(task, task_id="b"), collection="own")
    assert (one.position, two.position) == (0, 1)
    assert TaskCollection.objects.get(name="own").world == small_world
    with pytest.raises(NotSaved, match="“a” is the id of another task"):
        make_task(suite=DEFAULT_SUITE, definition=changed_definition(task, task_id="a"), collection="own")


def test_a_collection_is_of_one_benchmark(task: Task) -> None:
    make_task(suite=DEFAULT_SUITE, definition=changed_definition(task, task_id="a"), collection="own")
    Task.objects.filter(task_id="a").update(suite="another")
    with pytest.raises(NotSaved, match="has tasks of another benchmark"):
        make_task(suite=DEFAULT_SUITE, definition=changed_definition(task, task_id="b"), collection="own")
    assert not Task.staged_too.filter(task_id="b").exists()


def test_the_next_start_brings_no_shipped_task_back(task: Task) -> None:
    new = change_task(task=task, definition=changed_definition(task, query="another trip"))
    assert load_starter_tasks([DEFAULT_SUITE]) == 0
    assert Task.objects.filter(task_id__startswith="starter_02").get() == new
