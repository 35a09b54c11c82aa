"""Cases that are scored under a profile, over tasks and with an option; what is not needed or missing is refused."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from benchmark.suites.base.options import Option
from tests.toysuite.suite import SUITE

CASE = {"id": "one", "task_id": "toy-1", "questions": ["a", "b", "c"]}
TASK = {"task_id": "toy-1", "number": 3, "rounds": 2}


@pytest.fixture(autouse=True)
def declare_option(monkeypatch: pytest.MonkeyPatch) -> None:
    late = Option(key="late", label="What a late question counts", default=1)
    monkeypatch.setattr(
        "tests.toysuite.suite.SUITE", replace(SUITE, scoring=replace(SUITE.scoring, options=(late,)))
    )


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    """A folder with two files of tasks."""
    folder = tmp_path / "tasks"
    folder.mkdir()
    (folder / "a.jsonl").write_text(json.dumps(TASK))
    (folder / "b.jsonl.gz").write_bytes(gzip.compress(json.dumps(TASK | {"task_id": "toy-2"}).encode()))
    (folder / "notes.txt").write_text("no tasks")
    return folder


def score(tmp_path: Path, *words: Any, cases: Any = (CASE,)) -> list[dict[str, Any]]:
    path, out = tmp_path / "cases.jsonl", tmp_path / "out.jsonl"
    path.write_text("\n".join(map(json.dumps, cases)))
    call_command("score-suite", "toy", path, "--out", out, *words)
    return [json.loads(line) for line in out.read_text().splitlines()]


def test_cases_are_scored_under_a_profile_over_their_tasks_with_an_option(
    tmp_path: Path, tasks: Path
) -> None:
    two = CASE | {"id": "two", "task_id": "toy-2", "questions": ["a"]}
    given = ("--profile", "plain", "--tasks", tasks)
    assert score(tmp_path, *given, cases=(CASE, two)) == [
        {"id": "one", "profile": "plain", "questions": 3},
        {"id": "two", "profile": "plain", "questions": 1},
    ]
    assert score(tmp_path, *given, "--option", "late=5")[0]["questions"] == 7
    assert score(tmp_path, "--profile", "plain", "--tasks", tasks / "a.jsonl")[0]["questions"] == 3


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ((), "--profile is missing: these cases are scored by it; add it"),
        (("--profile", "plain"), "--tasks is missing"),
        (("--profile", "paper", "--tasks", "HERE"), "--profile: there is no paper; choose one of plain"),
        (("--profile", "plain", "--tasks", "none"), "none: No such file"),
        (("--profile", "plain", "--tasks", "HERE", "--option", "late"), "“late” is not KEY=VALUE"),
        (("--profile", "plain", "--tasks", "HERE", "--option", "late=x"), "write a whole number"),
        (("--profile", "plain", "--tasks", "HERE", "--option", "soon=1"), "there is no option soon"),
    ],
)
def test_what_is_missing_or_can_not_be_is_refused(
    tmp_path: Path, tasks: Path, words: tuple[str, ...], problem: str
) -> None:
    with pytest.raises(CommandError, match=problem) as caught:
        score(tmp_path, *(str(tasks) if word == "HERE" else word for word in words))
    assert caught.value.returncode == 2 and not (tmp_path / "out.jsonl").exists()


@pytest.mark.django_db
def test_what_is_not_needed_is_refused(tmp_path: Path, tasks: Path) -> None:
    given = ("--profile", "plain", "--tasks", tasks, "--world", "nowhere")
    with pytest.raises(CommandError, match="--world: these cases are scored without it; leave it out"):
        score(tmp_path, *given)
    for words in (("--profile", "published"), ("--tasks", tasks)):
        with pytest.raises(CommandError, match=f"{words[0]}: these cases are scored without it"):
            call_command(
                "score-suite", "travelbench", tmp_path / "cases.jsonl", "--out", tmp_path / "out", *words
            )


def test_a_case_of_an_unknown_task_is_named_with_its_line(tmp_path: Path, tasks: Path) -> None:
    unknown = CASE | {"task_id": "toy-9"}
    with pytest.raises(CommandError, match=r"line 2, task_id: there is no task toy-9 in .*name one of"):
        score(tmp_path, "--profile", "plain", "--tasks", tasks, cases=(CASE, unknown))
    (tasks / "c.jsonl").write_text(json.dumps(TASK))
    with pytest.raises(CommandError, match=r"task toy-1 is in .*a.jsonl and in .*c.jsonl; keep one"):
        score(tmp_path, "--profile", "plain", "--tasks", tasks)
    for file in tasks.iterdir():
        file.unlink()
    with pytest.raises(CommandError, match="holds no task file"):
        score(tmp_path, "--profile", "plain", "--tasks", tasks)
    (tasks / "bad.jsonl").write_text("{")
    with pytest.raises(CommandError, match=r"bad.jsonl: line 1"):
        score(tmp_path, "--profile", "plain", "--tasks", tasks)


@pytest.mark.django_db
def test_cases_over_a_world_get_its_pack(
    tmp_path: Path, starter_world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cities(case: Any, context: Any) -> dict[str, Any]:
        return {"id": case["id"], "cities": len(context.pack.cities())}

    cases = replace(SUITE.cases, score=cities, needs=frozenset({"world"}))  # type: ignore[type-var]
    monkeypatch.setattr("tests.toysuite.suite.SUITE", replace(SUITE, cases=cases))
    assert score(tmp_path, "--world", starter_world.name)[0]["cities"] > 0
    with pytest.raises(CommandError, match="nowhere"):
        score(tmp_path, "--world", "nowhere")
