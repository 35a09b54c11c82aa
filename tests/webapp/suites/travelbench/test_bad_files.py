"""Files that are no TravelBench files, or not good ones: line, field and remedy are named, and nothing is stored."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from benchmark.suites.grouptravel.tasks import STARTER as OF_GROUPS
from tests.markup import tight
from tests.webapp.suites.travelbench.test_record_files import CRASH, foreign
from webapp.catalogue.models import Task, TaskCollection, TaskImport, World
from webapp.catalogue.starter import load_starter_tasks
from webapp.sessions.models import RecordImport, Run, Session
from worker.steppers.imports import record_import

pytestmark = [pytest.mark.django_db, pytest.mark.either_engine]

ROW: dict[str, Any] = {
    "trace_id": "1",
    "time": "2025-10-24 10:00",
    "query": "附近的充电站",
    "primary_intent": "discovery.poi_search",
    "context": "**用户当前位置描述**\n安徽省亳州市",
    "intent": "找充电站",
    "missing_tool": False,
    "missing_info": False,
    "no_actionable": False,
    "user_profile": "### 基本信息\n- 年龄：25-29岁",
    "avg_tool_calls": 2.5,
}


@pytest.fixture(autouse=True)
def ready(starter_world: World) -> None:
    """All that ships is there: commands bring in what is not."""
    load_starter_tasks()


ABSENT = object()
FAULTS = [
    ("trace_id", ABSENT, "Field required"),
    ("trace_id", 7, "valid string, found 7"),
    ("trace_id", "", "at least 1 character"),
    ("trace_id", "a/..", "give the task another id"),
    ("time", ABSENT, "Field required"),
    ("time", "2025-02-30 10:00", "YYYY-MM-DD HH:MM"),
    ("time", "2025-10-24T10:00", "YYYY-MM-DD HH:MM"),
    ("query", ABSENT, "Field required"),
    ("query", "", "at least 1 character"),
    ("primary_intent", ABSENT, "Field required"),
    ("primary_intent", ["discovery"], "valid string"),
    ("context", None, "valid string, found None"),
    ("intent", ABSENT, "Field required"),
    ("intent", 3, "valid string"),
    ("missing_tool", "yes", "valid boolean, found 'yes'"),
    ("missing_info", 1, "valid boolean"),
    ("no_actionable", None, "valid boolean"),
    ("user_profile", {"age": 25}, "valid string"),
    ("avg_tool_calls", "2.5", "valid number"),
    ("avg_tool_calls", -1, "greater than or equal to 0"),
]
"""A value for a field, and what is said of it."""


def write_rows(path: Path, *rows: Mapping[str, Any] | str) -> Path:
    lines = (row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows)
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


def with_fault(field: str, value: Any, trace_id: str) -> dict[str, Any]:
    row = {**ROW, "trace_id": trace_id, field: value}
    return {name: held for name, held in row.items() if held is not ABSENT}


def import_refusal(file: Path, *options: str) -> str:
    """What the import of tasks says; it stores nothing."""
    before = row_counts()
    with pytest.raises(CommandError) as refusal:
        call_command("import_tasks", file, *options)
    assert refusal.value.returncode == 2 and row_counts() == before
    return str(refusal.value)


def row_counts() -> list[int]:
    kinds = (Task.staged_too, TaskImport.objects, TaskCollection.objects, Session.staged_too, Run.objects)
    return [kind.count() for kind in kinds]


def test_a_fault_in_each_field_is_named_with_its_line(tmp_path: Path) -> None:
    rows = [with_fault(field, value, f"t{n}") for n, (field, value, _) in enumerate(FAULTS)]
    told = import_refusal(write_rows(tmp_path / "bad.jsonl", ROW, *rows), "--suite", "travelbench")
    head, *lines = told.splitlines()
    assert f"nothing was imported, {len(FAULTS)} problems" in head and len(lines) == len(FAULTS)
    for number, (line, (field, _, says)) in enumerate(zip(lines, FAULTS, strict=True), 2):
        named = "task_id" if "another id" in says else field
        assert line.startswith(f"line {number}, {named}: ") and says in line


def test_what_is_no_file_of_tasks_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "bad.jsonl"
    for content, told in {
        b'{"trace_id": "1", "time"': "line 1: not valid JSON at character 25",
        b'{"avg_tool_calls": NaN}': "line 1: NaN is not a number in JSON; write a finite figure, or null",
        b"[1]": "line 1: expected an object, found [1]",
        b"": "line 1: the file holds no task; expected one JSON object a line",
        b"\x89PNG\r\n\x1a\n\x00": "line 1: not UTF-8 at byte 1; save the file as UTF-8",
    }.items():
        file.write_bytes(content)
        assert told in import_refusal(file, "--suite", "travelbench")


def test_rows_of_all_subtasks_may_stand_in_one_file_but_no_id_twice(tmp_path: Path) -> None:
    single = {name: value for name, value in ROW.items() if name != "user_profile"}
    unsolved = {**single, "missing_info": True}
    call_command(
        "import_tasks", write_rows(tmp_path / "mixed.jsonl", ROW, single, unsolved), "--suite", "travelbench"
    )
    assert Task.objects.filter(collection__name="mixed").count() == 3
    twice = write_rows(tmp_path / "twice.jsonl", {**ROW, "trace_id": "2"}, {**ROW, "trace_id": "2"})
    assert "line 2, task_id: 'travelbench-multi-2' stands on line 1 already" in import_refusal(
        twice, "--suite", "travelbench"
    )
    other = write_rows(tmp_path / "other.jsonl", {**ROW, "query": "附近的加油站"})
    assert "is in collection 'mixed' already, with other content" in import_refusal(
        other, "--suite", "travelbench"
    )


def test_a_file_of_another_benchmark_is_told_apart(tmp_path: Path) -> None:
    told = import_refusal(write_rows(tmp_path / "requests.jsonl", ROW))
    assert "line 1 is a task of TravelBench; import such tasks" in told and told.endswith(
        "--suite travelbench"
    )
    told = import_refusal(OF_GROUPS[0], "--suite", "travelbench")
    assert "line 1 is a task of GroupTravelBench; import such tasks" in told and told.endswith(
        "--suite grouptravel"
    )
    mixed = write_rows(tmp_path / "mixed.jsonl", ROW, OF_GROUPS[0].read_text("utf-8").splitlines()[0])
    told = import_refusal(mixed, "--suite", "travelbench")
    assert "line 2, trace_id: Field required" in told and "line 1," not in told
    assert "line 2 is a task of GroupTravelBench" in told
    assert "is a task of" not in import_refusal(
        write_rows(tmp_path / "none.jsonl", {"a": 1}), "--suite", "travelbench"
    )


# Run records, by page and by command.

BROKEN_ROWS: list[tuple[dict[str, Any], str, str]] = [
    ({"trace_id": ""}, "trace_id", "must be a text or a number"),
    ({"mode": "both"}, "mode", "must be single_turn or multi_turn"),
    ({"query": None}, "query", "must be a text"),
    ({"messages": [1]}, "messages", "must be a list of objects"),
    ({"turns": "1"}, "turns", "must be a number from 0"),
    ({"tool_calls_count": True}, "tool_calls_count", "must be a number from 0"),
    ({"tool_errors": -1}, "tool_errors", "must be a number from 0"),
]


def test_the_page_and_the_command_name_the_same_faults_of_records(data: Path, as_researcher: Client) -> None:
    rows = [{**foreign(f"r{n}"), **change} for n, (change, _, _) in enumerate(BROKEN_ROWS)]
    lacking = {name: value for name, value in CRASH.items() if name != "query"}
    file = write_rows(data / "theirs.jsonl", foreign("1"), *rows, lacking, ROW)
    before = row_counts()
    with pytest.raises(CommandError) as refusal:
        call_command("import_records", file, "--suite", "travelbench")
    by_command = str(refusal.value)
    answer = as_researcher.post(
        reverse("import_records"),
        {"file": SimpleUploadedFile("theirs.jsonl", file.read_bytes()), "suite": "travelbench"},
    )
    assert answer.status_code == 302
    incoming = RecordImport.objects.get()
    assert record_import(str(incoming.pk))
    by_page = tight(as_researcher.get(incoming.get_absolute_url()).content.decode())
    told = [
        *((field, says) for _, field, says in BROKEN_ROWS),
        ("query", "is missing; add it"),
        ("mode", "is missing"),
    ]
    for number, (field, says) in enumerate(told, 2):
        assert f"line {number}, {field}: {says}" in by_command
        row = f'<td class="n">{number}</td><td><code>{field}</code></td><td class="wide">{says}'
        assert row in by_page
    incoming.refresh_from_db()
    assert incoming.problem_count == len(told)
    assert row_counts()[0] == before[0] and row_counts()[3:] == before[3:]


def test_a_page_that_gets_another_kind_of_file_says_so(data: Path, as_researcher: Client) -> None:
    file = SimpleUploadedFile("picture.jsonl", b"\x89PNG\r\n\x1a\n\x00\x00")
    as_researcher.post(reverse("import_records"), {"file": file, "suite": "travelbench"})
    incoming = RecordImport.objects.get()
    record_import(str(incoming.pk))
    page = tight(as_researcher.get(incoming.get_absolute_url()).content.decode())
    assert "not UTF-8" in page and not Run.objects.exists() and not Session.staged_too.exists()
