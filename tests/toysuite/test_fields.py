"""The fields of a benchmark's tasks, one of each kind, are columns and filters that no shared code names."""

from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client

from benchmark.suites.base import TaskColumn, TaskField, Tasks
from tests.markup import tight
from tests.toysuite.suite import FIELDS, SUITE
from webapp.accounts.models import Role, User
from webapp.catalogue.columns import task_words
from webapp.catalogue.models import Task, World
from webapp.labelling.strata import stratum_of
from webapp.sessions.services import Setup, create_session
from webapp.tables import selectors

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]

FULL = {"hint": "Not <b>even", "rounds": 9, "tricks": 2, "prize": 10.5, "public": True, "day": "2026-05-04"}
HALF = {"rounds": 3, "prize": 100, "public": False, "day": "2026-04-30", "tags": ["雨"]}


@pytest.fixture
def client(tmp_path: Path, starter_world: World) -> Client:
    """Before three tasks: all of whose fields are known, most of them, and none that can be left out."""
    tasks = [FULL | {"tags": ["sun", "雨", "sea"]}, HALF, {}]
    file = tmp_path / "toys.jsonl"
    lines = [json.dumps({"task_id": f"t{at}", "number": at, **task}) for at, task in enumerate(tasks)]
    file.write_text("\n".join(lines))
    call_command("import_tasks", file, "--suite", "toy")
    client = Client()
    client.force_login(User.objects.create_user("researcher", role=Role.RESEARCHER))
    return client


def ids(client: Client, query: str) -> list[str]:
    return [task.task_id for task, *_ in client.get(f"/tasks/?{query}").context["rows"]]


def test_each_kind_is_found_in_its_way(client: Client) -> None:
    for query, expected in {
        "hint=EVEN": "t0",
        "length=long": "t0",
        "rounds=3": "t1",
        "tricks=on": "t0",
        "prize-from=10.5": "t0 t1",
        "prize-from=0&prize-to=10.5": "t0",
        "public=yes": "t0",
        "public=no": "t1",
        "day-to=2026-04-30": "t1",
        "day-from=2026-05-01&day-to=2026-05-04": "t0",
        "tags=雨": "t0 t1",
        "tags=su": "",
        "tags=sea&rounds=3": "",
        "tags=sea&length=long": "t0",
    }.items():
        own = "&".join(f"toy-{part}" for part in query.split("&"))
        assert ids(client, own) == expected.split(), query
        assert client.get(f"/tasks/?{own}").context["look"].form.is_valid()


def test_each_kind_is_sorted_in_its_way_page_by_page(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selectors, "PAGE", 1)
    for order, expected in {
        "hint": "t0 t1 t2",
        "length": "t1 t2 t0",
        "rounds": "t0 t2 t1",
        "tricks": "t0 t1 t2",
        "prize": "t1 t0 t2",
        "-prize": "t0 t1 t2",
        "public": "t0 t1 t2",
        "day": "t0 t1 t2",
        "-day": "t1 t0 t2",
        "tags": "t0 t1 t2",
        "-tags": "t1 t0 t2",
    }.items():
        named = f"-toy-{order[1:]}" if order.startswith("-") else f"toy-{order}"
        walked, after = [], ""
        while not walked or after:
            page = client.get("/tasks/", {"suite": "toy", "order": named, "after": after}).context
            walked += [task.task_id for task, *_ in page["rows"]]
            after = page["slice"].after
        assert " ".join(walked) == expected, order


def test_columns_filters_and_files_have_them(client: Client) -> None:
    page = tight(client.get("/tasks/?suite=toy").content.decode())
    assert ">rounds</a></th>" in page and ">Not &lt;b&gt;even</a></td>" in page, (
        "usual ones are shown at once"
    )
    assert ">prize</a></th>" not in page and 'name="toy-prize-from"' in page
    assert "<label>Prize from <input" in page and "<label>With tricks <input" in page
    assert 'name="toy-length"' not in client.get("/tasks/?suite=grouptravel").content.decode()
    columns = "columns=" + ",".join(f"toy-{own.key}" for own in FIELDS)
    shown = tight(client.get(f"/tasks/?suite=toy&{columns}").content.decode())
    assert "<td>open to all</td>" in shown and "<td>no</td>" in shown and '<td class="n">10.50</td>' in shown
    text = b"".join(
        client.get(f"/tasks/table.csv?{columns}&toy-day-from=2026-05-01").streaming_content
    ).decode()  # type: ignore[attr-defined]
    assert [*csv.reader(StringIO(text))] == [
        ["task", *(f"toy-{own.key}" for own in FIELDS)],
        ["t0", "long", "Not <b>even", "9", "2", "10.5", "True", "2026-05-04", "sun, 雨, sea"],
    ]


def test_sessions_are_found_sorted_and_told_by_the_fields_of_their_tasks(
    client: Client, starter_world: World
) -> None:
    for task in Task.objects.filter(suite="toy"):
        create_session(
            task=task, world=starter_world, setup=Setup(agent="asker", users="knower"), start=False
        )

    def listed_keys(query: str) -> str:
        rows = client.get(f"/sessions/?{query}").context["rows"]
        return " ".join(session.task.task_id for session, *_ in rows)

    for query, expected in {
        "toy-tags=雨&order=toy-prize": "t1 t0",
        "toy-length=short&order=-toy-rounds": "t1 t2",
        "toy-day-from=2026-05-01": "t0",
        "toy-prize-to=10.5": "t0",
        "toy-public=no": "t1",
        "toy-tricks=on": "t0",
        "of=toy-rounds&low=4&order=toy-rounds": "t0 t2",
        "order=toy-tags": "t0 t1 t2",
    }.items():
        assert listed_keys(query) == expected, query
    page = tight(client.get("/sessions/").content.decode())
    assert (
        ">hint</a></th>" in page and ">Not &lt;b&gt;even</a></td>" in page and ">prize</a></th>" not in page
    )
    columns = "columns=task,toy-length,toy-day,toy-tags&order=toy-day"
    text = b"".join(client.get(f"/sessions/table.csv?{columns}").streaming_content).decode()  # type: ignore[attr-defined]
    assert [row[1:] for row in csv.reader(StringIO(text))] == [
        ["task", "toy-length", "toy-day", "toy-tags"],
        ["t0", "long", "2026-05-04", "sun, 雨, sea"],
        ["t1", "short", "2026-04-30", "雨"],
        ["t2", "short", "", ""],
    ]


def test_what_a_filter_does_not_understand_is_said(client: Client) -> None:
    page = client.get("/tasks/?toy-prize-from=many&toy-day-to=later&toy-rounds=3")
    assert "The filter “Prize from” is left out." in tight(page.content.decode())
    assert [task.task_id for task, *_ in page.context["rows"]] == ["t1"]


def test_short_lists_and_searches_have_what_the_benchmark_names(client: Client, starter_world: World) -> None:
    full, half, bare = Task.objects.filter(suite="toy").order_by("task_id")
    setup = Setup(agent="asker", users="knower")
    create_session(task=half, world=starter_world, setup=setup, start=False)
    page = tight(client.get(f"/tasks/{half.task_id}/").content.decode())
    assert '<th scope="col" class="less">day, hint</th><th scope="col" class="less">Length</th>' in page
    assert '<td class="less">up to five questions</td>' in page
    assert task_words(full) == "t0 · 2026-05-04 · Not <b>even · more questions"
    assert task_words(bare) == "t2 · up to five questions"
    assert [*Task.objects.filter(found_by__contains="雨")] == [full, half]
    assert stratum_of(full, "tags") == "3"
    assert stratum_of(half, "length") == "short"
    assert "hint, tags" in client.get("/tasks/").content.decode()


def test_columns_of_fields_that_are_not_there_are_refused() -> None:
    with pytest.raises(ValueError, match="no field with a value has these keys: lost, gone"):
        Tasks(SUITE.tasks.files, fields=FIELDS, columns=(TaskColumn(("day", "gone")),), search_keys=("lost",))


def test_fields_that_clash_are_refused() -> None:
    lost: TaskField[object] = TaskField("lost", "lost", "text", None)
    with pytest.raises(ValueError, match="neither a value nor a column: lost"):
        Tasks(SUITE.tasks.files, fields=(lost,))
    with pytest.raises(ValueError, match="have these keys: hint"):
        Tasks(SUITE.tasks.files, fields=(FIELDS[1], FIELDS[1]))
