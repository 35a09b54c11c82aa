"""Tasks go out as they came in, by the page and by the command."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from webapp.catalogue.models import Task

pytestmark = [pytest.mark.storage, pytest.mark.django_db]


def export_tasks(client: Client, **query: Any) -> bytes:
    answer = client.get("/tasks/definitions.jsonl", query)
    assert answer.status_code == 200
    return b"".join(answer.streaming_content)  # type: ignore[attr-defined]


@pytest.mark.reference
@pytest.mark.parametrize(
    ("suite", "file"),
    [
        ("travelbench", "travelbench/single_turn.jsonl"),
        ("travelbench", "travelbench/multi_turn.jsonl"),
        ("travelbench", "travelbench/unsolve.jsonl"),
    ],
)
def test_published_files_come_out_byte_by_byte(
    as_researcher: Client, reference: Path, tmp_path: Path, suite: str, file: str
) -> None:
    path, out = reference / file, tmp_path / "out.jsonl"
    call_command("import_tasks", str(path), "--suite", suite, "--collection", "real", stdout=StringIO())
    call_command("export_tasks", "real", "--out", str(out), stdout=(told := StringIO()))
    whole = path.read_bytes()
    assert out.read_bytes().rstrip(b"\n") == whole.rstrip(b"\n")
    assert f"{len(whole.splitlines())} tasks written" in told.getvalue()
    assert export_tasks(as_researcher, collection="real") == out.read_bytes()


def test_the_page_gives_the_tasks_that_its_filters_leave(
    as_researcher: Client, starter_tasks: list[Task]
) -> None:
    hard = [task for task in starter_tasks if task.difficulty == "hard"]
    lines = export_tasks(as_researcher, difficulty="hard").splitlines()
    assert len(lines) == len(hard) > 0
    assert all(task.task_id.encode() in line for task, line in zip(hard, lines, strict=True))
    assert "/tasks/definitions.jsonl?difficulty=hard" in as_researcher.get(
        "/tasks/", {"difficulty": "hard"}
    ).content.decode().replace("&amp;", "&")


def test_what_is_exported_is_imported_again_unchanged(starter_tasks: list[Task], tmp_path: Path) -> None:
    out = tmp_path / "all.jsonl"
    name = starter_tasks[0].collection.name
    call_command("export_tasks", name, "--out", str(out), stdout=StringIO())
    call_command("export_tasks", name, stdout=(printed := StringIO()))
    assert out.read_text("utf-8") == printed.getvalue()
    call_command("import_tasks", str(out), "--collection", name, "--json", stdout=(told := StringIO()))
    found = json.loads(told.getvalue())
    assert (found["created"], found["unchanged"]) == (0, len(starter_tasks))


def test_half_of_a_character_is_an_escape(as_researcher: Client, starter_tasks: list[Task]) -> None:
    task = starter_tasks[0]
    Task.objects.filter(pk=task.pk).update(definition={**task.definition, "note": "\ud800"})
    assert b'"note": "\\ud800"}' in export_tasks(as_researcher)


def test_an_unknown_collection_is_named(db: None) -> None:
    with pytest.raises(CommandError, match="no tasks in a collection 'nowhere'"):
        call_command("export_tasks", "nowhere")


def test_only_researchers_get_the_file(client: Client, starter_tasks: list[Task]) -> None:
    assert client.get("/tasks/definitions.jsonl").status_code in (302, 403)
