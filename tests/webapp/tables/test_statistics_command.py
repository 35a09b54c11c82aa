"""`manage.py task_statistics`."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from benchmark.suites.grouptravel.statistics import Dataset, statistics_json
from benchmark.suites.grouptravel.tasks import STARTER, TASK_FILES


def command_output(capsys: pytest.CaptureFixture[str], *given: Any) -> str:
    call_command("task_statistics", *map(str, given))
    return capsys.readouterr().out


def test_json_is_what_the_statistics_tell(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(command_output(capsys, STARTER[0], "--json"))
    tasks = [read.task for read in TASK_FILES.whole(STARTER[0])]
    assert found == json.loads(json.dumps(statistics_json(Dataset.of(tasks))))
    assert len(found["tasks"]) == len(tasks)


def test_words_hold_every_table(capsys: pytest.CaptureFixture[str]) -> None:
    words = command_output(capsys, STARTER[0])
    for head in (
        "Overview (Tables 8 and 9)",
        "Archetypes (Table 5)",
        "Items by field (Table 9)",
        "Conflicts per task",
    ):
        assert head in words
    assert "6-3 Three-generation" in " ".join(words.split())


def test_words_say_how_many_figures_are_within_their_tolerance(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(command_output(capsys, STARTER[0], "--json"))
    verdicts = [one["within"] for one in found["compared"] if one["within"] is not None]
    assert f"{sum(verdicts)} of {len(verdicts)} figures are within their tolerance" in command_output(
        capsys, STARTER[0]
    )


def test_a_packed_file_is_read_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "tasks.jsonl.gz"
    path.write_bytes(gzip.compress(STARTER[0].read_bytes()))
    assert json.loads(command_output(capsys, path, "--json")) == json.loads(
        command_output(capsys, STARTER[0], "--json")
    )


def test_bad_lines_are_listed_and_the_others_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, other = STARTER[0].read_bytes().splitlines()[:2]
    without_date = json.loads(other)
    del without_date["time"]
    no_table = json.loads(other) | {"task_id": "no_table"}
    no_table["user_preferences"]["User1"].pop("preference")
    path = tmp_path / "tasks.jsonl"
    lines = [good, b"{", json.dumps(without_date).encode(), json.dumps(no_table).encode(), b"\xff\xfe", good]
    path.write_bytes(b"\n".join(lines))
    with pytest.raises(CommandError) as refused:
        call_command("task_statistics", str(path), "--json")
    assert refused.value.returncode == 2
    told_lines = str(refused.value).splitlines()
    assert told_lines[0] == f"{path}: 5 problems; these lines are left out:"
    assert told_lines[1].startswith("line 2: not valid JSON")
    assert told_lines[2].startswith("line 3, time: Field required")
    assert told_lines[3].startswith("line 4, user_preferences.User1.preference: Field required")
    assert told_lines[4].startswith("line 5: not UTF-8")
    assert "stands on line 1 already" in told_lines[5]
    found = json.loads(capsys.readouterr().out)
    assert [task["task_id"] for task in found["tasks"]] == [json.loads(good)["task_id"]]


def test_a_file_without_a_good_line_has_problems_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "tasks.json"
    path.write_text("[" + ",".join(STARTER[0].read_text("utf-8").splitlines()) + "]", encoding="utf-8")
    with pytest.raises(CommandError, match=r"line 1: expected an object.*write one task a line") as refused:
        call_command("task_statistics", str(path))
    assert refused.value.returncode == 2
    assert capsys.readouterr().out.strip() == ""
    assert len(str(refused.value)) < 500


def test_one_task_and_tasks_in_english_have_statistics(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "one.jsonl"
    path.write_bytes(STARTER[1].read_bytes().splitlines()[0])
    found = json.loads(command_output(capsys, path, "--json"))
    (task,) = found["tasks"]
    assert found["all"]["items"] == task["items"] == sum(task["items_by_user"].values()) > 40
    assert found["all"]["conflicts_mean"] == found["all"]["conflicts_max"] == task["conflicts"]
    assert "Budgets" in command_output(capsys, path)


def test_a_file_that_is_not_there_or_empty(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="No such file"):
        call_command("task_statistics", str(tmp_path / "none.jsonl"))
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    with pytest.raises(CommandError, match="the file holds no task"):
        call_command("task_statistics", str(empty))


def of_intents(path: Path, intents: list[str], prefix: str = "") -> Path:
    """A file of TravelBench's tasks, one an intent; the first can't be solved."""
    basic = {"time": "2025-10-24 10:00", "query": "…", "context": "", "intent": "…"}
    rows = [
        {
            "trace_id": f"{prefix}{number}",
            **basic,
            "primary_intent": f"{intent}.x",
            "missing_tool": number == 1,
        }
        for number, intent in enumerate(intents, 1)
    ]
    path.write_text("".join(json.dumps(one) + "\n" for one in rows), "utf-8")
    return path


def test_several_files_stand_side_by_side(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    collected = of_intents(tmp_path / "collected.jsonl", ["discovery"] * 3 + ["rules_and_policies"])
    filtered = of_intents(tmp_path / "filtered.jsonl", ["discovery"] * 2)
    sampled = of_intents(tmp_path / "sampled.jsonl", ["rules_and_policies", "discovery"])
    given = (collected, "--suite", "travelbench", "--beside", filtered, "--beside", sampled)
    told = json.loads(command_output(capsys, *given, "--json"))
    assert {name: one["subtasks"] for name, one in told["beside"].items()} == {
        "collected.jsonl": {"unsolved": 1, "single": 3},
        "filtered.jsonl": {"unsolved": 1, "single": 1},
        "sampled.jsonl": {"unsolved": 1, "single": 1},
    }
    lines = [" ".join(line.split()) for line in command_output(capsys, *given).splitlines()]
    start = lines.index("Intents side by side (Figure 4)")
    words = " ".join(lines[start : start + 20])
    for row in (
        "discovery collected.jsonl 3 75.00",
        "discovery filtered.jsonl 2 100.00",
        "sampled.jsonl 1 50.00",
    ):
        assert row in words, words


def test_what_can_not_stand_side_by_side_is_refused(tmp_path: Path) -> None:
    good = of_intents(tmp_path / "good.jsonl", ["discovery"])
    bad = tmp_path / "bad.jsonl"
    bad.write_text("{}\n", "utf-8")
    for given, words in (
        ((good, "--suite", "travelbench", "--beside", bad), "line 1"),
        ((good, "--suite", "travelbench", "--beside", tmp_path / "none.jsonl"), "none.jsonl"),
        ((good, "--suite", "travelbench", "--beside", bad, "--beside", bad), "two files of the same name"),
        ((STARTER[0], "--beside", good), "can't be shown side by side"),
    ):
        with pytest.raises(CommandError, match=words) as refused:
            call_command("task_statistics", *map(str, given))
        assert refused.value.returncode == 2
