"""The table of tasks: any order, pages, files of the same view."""

from __future__ import annotations

import csv
import json
from io import StringIO
from typing import Any

import pytest
from django.test import Client

from tests.markup import tight
from webapp.catalogue.models import Task
from webapp.tables import selectors

pytestmark = [pytest.mark.storage, pytest.mark.django_db]
LEVELS = ("easy", "medium", "hard")


def listed_ids(client: Client, **query: Any) -> list[str]:
    return [task.task_id for task, _, _ in client.get("/tasks/", query).context["rows"]]


def by(tasks: list[Task], key: Any, *, down: bool = False) -> list[str]:
    alike = sorted(tasks, key=lambda task: task.pk)
    return [task.task_id for task in sorted(alike, key=key, reverse=down)]


@pytest.mark.both_engines
def test_tasks_stand_in_any_order(as_researcher: Client, starter_tasks: list[Task]) -> None:
    ids = [task.task_id for task in starter_tasks]
    assert listed_ids(as_researcher) == ids == listed_ids(as_researcher, order="no such")
    assert listed_ids(as_researcher, order="-place") == ids[::-1]
    for order, key in (
        ("difficulty", lambda task: LEVELS.index(task.difficulty)),
        ("leaves", lambda task: -task.departure_date.toordinal()),
        ("-leaves", lambda task: task.departure_date.toordinal()),
        ("conflicts", lambda task: -task.conflicts),
        ("size", lambda task: -task.size),
        ("-cities", lambda task: len(task.cities)),
        ("task", lambda task: task.task_id),
    ):
        assert listed_ids(as_researcher, order=order) == by(starter_tasks, key), order


@pytest.mark.both_engines
@pytest.mark.parametrize("order", ["", "difficulty", "-leaves", "days", "-collection"])
def test_walking_page_by_page_gives_each_task_once_in_order(
    as_researcher: Client, starter_tasks: list[Task], monkeypatch: pytest.MonkeyPatch, order: str
) -> None:
    Task.objects.filter(pk__in=[task.pk for task in starter_tasks[::3]]).update(
        days=None, departure_date=None
    )
    whole, walked, after = listed_ids(as_researcher, order=order), [], ""
    monkeypatch.setattr(selectors, "PAGE", 4)
    while True:
        one = as_researcher.get("/tasks/", {"order": order, "after": after})
        walked += [task.task_id for task, _, _ in one.context["rows"]]
        after = one.context["slice"].after
        if not after:
            break
    assert walked == whole and len(walked) == len(starter_tasks)


def test_filters_order_and_columns_stay_in_the_address_and_in_files(
    as_researcher: Client, starter_tasks: list[Task]
) -> None:
    given = {"difficulty": "hard", "children": "on", "order": "-size", "columns": "size,cities,leaves"}
    answer = as_researcher.get("/tasks/", given)
    expected = "difficulty=hard&children=on&order=-size&columns=size%2Ccities%2Cleaves"
    assert answer.context["query"] == expected
    page = tight(answer.content.decode())
    assert 'aria-sort="ascending"' in page and page.count("<th ") == 5
    wanted = [task for task in starter_tasks if task.difficulty == "hard" and task.children]
    text = b"".join(as_researcher.get("/tasks/table.csv", given).streaming_content).decode()  # type: ignore[attr-defined]
    rows = list(csv.DictReader(StringIO(text)))
    assert [row["task"] for row in rows] == by(wanted, lambda task: task.size)
    assert {row["cities"] for row in rows} == {", ".join(task.cities) for task in wanted}
    lines = b"".join(as_researcher.get("/tasks/table.jsonl", given).streaming_content).splitlines()  # type: ignore[attr-defined]
    assert [json.loads(line)["leaves"] for line in lines] == [row["leaves"] for row in rows]
    usual = b"".join(as_researcher.get("/tasks/table.csv?columns=task,size").streaming_content).decode()  # type: ignore[attr-defined]
    assert usual.splitlines()[0] == "task,size", "the id is no column twice"
    assert as_researcher.get("/tasks/table.exe").status_code == 404
