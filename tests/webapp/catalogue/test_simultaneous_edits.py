"""Several people change tasks at the same moment: no change is lost, and versions have no gap."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connections

from webapp.catalogue import selectors
from webapp.catalogue.models import Task, TaskImport
from webapp.catalogue.versions import NotSaved, change_task, make_task

pytestmark = [pytest.mark.storage, pytest.mark.both_engines, pytest.mark.django_db(transaction=True)]
PEOPLE = 6


def at_once(act: Callable[[int], Any]) -> list[Any]:
    """What each of several people gets who act at the same moment; an exception is a result too."""
    start, found = threading.Barrier(PEOPLE), list[Any]()

    def run(number: int) -> None:
        try:
            start.wait()
            found.append(act(number))
        except Exception as error:
            found.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(PEOPLE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def edit(task: Task, number: int) -> Task:
    return change_task(task=task, definition={**task.definition, "query": f"by {number}"})


def test_of_several_changes_of_one_version_one_is_stored_and_the_others_are_told(task: Task) -> None:
    found = at_once(lambda number: edit(Task.staged_too.get(pk=task.pk), number))
    (made,) = [one for one in found if isinstance(one, Task)]
    refused = [one for one in found if one is not made]
    assert all(isinstance(one, NotSaved) and "has a newer version" in str(one) for one in refused), found
    assert [one.task_id for one in selectors.versions(task)] == ["starter_02", "starter_02.v2"]
    assert Task.objects.filter(pk__in=[task.pk, made.pk]).get() == made


def test_changes_that_are_made_again_on_the_newest_version_are_all_kept(task: Task) -> None:
    def insisting(number: int) -> Task:
        while True:
            try:
                return edit(selectors.versions(Task.staged_too.get(pk=task.pk))[-1], number)
            except NotSaved:
                continue

    made = at_once(insisting)
    assert all(isinstance(one, Task) for one in made), made
    known = selectors.versions(task)
    assert [one.version for one in known] == list(range(1, PEOPLE + 2))
    assert [one.task_id for one in known[1:]] == [f"starter_02.v{n}" for n in range(2, PEOPLE + 2)]
    kept = {Task.staged_too.get(pk=one.pk).definition["query"] for one in known[1:]}
    assert kept == {f"by {number}" for number in range(PEOPLE)}
    assert [one for one in known if not one.superseded] == [known[-1]]


def test_different_tasks_of_a_collection_are_changed_side_by_side(starter_tasks: list[Task]) -> None:
    found = at_once(lambda number: edit(Task.staged_too.get(pk=starter_tasks[number].pk), number))
    assert all(isinstance(one, Task) for one in found), found
    assert TaskImport.objects.filter(collection=starter_tasks[0].collection, superseded=True).count() == 1
    assert edit(starter_tasks[PEOPLE], 0).version == 2


def test_new_tasks_of_a_collection_have_places_of_their_own(starter_tasks: list[Task]) -> None:
    def add(number: int) -> Task:
        definition = {**starter_tasks[0].definition, "task_id": f"own_{number}"}
        return make_task(suite="grouptravel", definition=definition, collection="own")

    found = at_once(add)
    assert all(isinstance(one, Task) for one in found), found
    assert sorted(one.position for one in found) == list(range(PEOPLE))
