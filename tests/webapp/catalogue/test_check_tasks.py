"""`manage.py check_tasks`: planted faults are told with line, field and what is wrong."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from benchmark.suites.grouptravel.tasks import STARTER
from webapp.catalogue.models import World

GOOD = json.loads(STARTER[0].read_bytes().splitlines()[0])


def write_tasks(path: Path, *tasks: Any) -> Path:
    lines = (json.dumps(task, ensure_ascii=False) if isinstance(task, dict) else task for task in tasks)
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def task_with_fault(task_id: str, user: str, *changes: tuple[str, Any]) -> dict[str, Any]:
    """The good task with fields of a user's table changed. changes: dotted path below `preference`, and the value."""
    task = deepcopy(GOOD) | {"task_id": task_id}
    for path, value in changes:
        *way, last = path.split(".")
        node = task["user_preferences"][user]["preference"]
        for key in way:
            node = node[key]
        node[last] = value
    return task


CITY = GOOD["metadata"]["cities"][0]
FOOD, SIGHTS = f"city_specific_preferences.{CITY}.food", f"city_specific_preferences.{CITY}.attractions"
FIRM = next(user for user, card in GOOD["user_preferences"].items() if not card["compromisable"])


def findings_of(capsys: pytest.CaptureFixture[str], path: Path) -> list[tuple[int, str, str]]:
    with pytest.raises(CommandError) as refused:
        call_command("check_tasks", str(path), "--world", "starter", "--json")
    assert refused.value.returncode == 1
    told = json.loads(capsys.readouterr().out)
    prefix = f"user_preferences.{FIRM}.preference."
    return [(one["line"], one["field"].removeprefix(prefix), one["problem"]) for one in told["findings"]]


def test_a_sound_task_has_no_finding(
    starter_world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("check_tasks", str(write_tasks(tmp_path / "tasks.jsonl", GOOD)), "--world", "starter")
    assert "1 task checked, nothing is wrong" in capsys.readouterr().out


def test_planted_faults_are_told_with_line_and_field(
    starter_world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    twice = (f"{FOOD}.must_eat", ["火锅"]), (f"{FOOD}.avoid_eat", ["火锅"])
    path = write_tasks(
        tmp_path / "tasks.jsonl",
        GOOD,
        task_with_fault("a", FIRM, (f"{SIGHTS}.must_visit", ["云上仙宫"])),
        task_with_fault("b", FIRM, *twice),
        task_with_fault("c", FIRM, ("global_constraints.transport.avoid", ["轮船"])),
        task_with_fault("d", FIRM, ("global_constraints.avg_budget", 90), *twice),
    )
    assert [(line, field) for line, field, _ in findings_of(capsys, path)] == [
        (2, f"{SIGHTS}.must_visit"),
        (3, f"{FOOD}.must_eat"),
        (4, "global_constraints.transport.avoid"),
        (5, f"{FOOD}.must_eat"),
        (5, "global_constraints.avg_budget"),
    ]


def test_a_mode_that_does_not_run_is_a_fault_of_who_does_not_give_way(
    starter_world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    task = task_with_fault("a", FIRM, ("global_constraints.transport.must", ["飞机"]))
    task["metadata"] |= {"departure_city": "深圳市", "cities": ["佛山市"]}
    for card in task["user_preferences"].values():
        held = card["preference"]["city_specific_preferences"]
        card["preference"]["city_specific_preferences"] = {"佛山市": held.pop(CITY)}
    told = [
        one
        for one in findings_of(capsys, write_tasks(tmp_path / "tasks.jsonl", task))
        if "does not run" in one[2]
    ]
    assert [(line, field) for line, field, _ in told] == [(1, "global_constraints.transport.must")]
    task["user_preferences"][FIRM]["compromisable"] = True
    again = findings_of(capsys, write_tasks(tmp_path / "tasks.jsonl", task))
    assert not any("does not run" in problem for _, _, problem in again)


def test_cities_that_the_world_lacks_and_lines_that_are_no_task(
    starter_world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    elsewhere = deepcopy(GOOD) | {"task_id": "a"}
    elsewhere["metadata"]["departure_city"] = "拉萨市"
    path = write_tasks(tmp_path / "tasks.jsonl", elsewhere, "{")
    with pytest.raises(CommandError) as refused:
        call_command("check_tasks", str(path), "--world", "starter")
    assert refused.value.returncode == 2
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "line 1, task a, metadata.cities: the world has no 拉萨市"
    assert lines[1].startswith("line 2: not valid JSON")


@pytest.mark.parametrize("file", STARTER, ids=lambda file: file.name)
def test_the_shipped_tasks_have_no_fault(
    starter_world: World, capsys: pytest.CaptureFixture[str], file: Path
) -> None:
    call_command("check_tasks", str(file), "--world", "starter", "--json")
    assert json.loads(capsys.readouterr().out)["findings"] == []


def test_a_wish_that_utility_would_count_is_no_fault(
    starter_world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A part of a name, and a way of travel that runs on one of the legs, are wishes that a plan can meet."""
    part = next(iter(GOOD["user_preferences"][FIRM]["preference"]["city_specific_preferences"]))
    sight = GOOD["user_preferences"][FIRM]["preference"]["city_specific_preferences"][part]["attractions"]
    named = sight["must_visit"][0]
    task = task_with_fault(
        "part", FIRM, (f"{SIGHTS}.must_visit", [named[:-1]]), (f"{FOOD}.must_eat", ["星巴克"])
    )
    call_command("check_tasks", str(write_tasks(tmp_path / "tasks.jsonl", task)), "--world", "starter")
    assert "nothing is wrong" in capsys.readouterr().out
    nowhere = task_with_fault("nowhere", FIRM, (f"{FOOD}.must_eat", ["没有这家店"]))
    (fault,) = findings_of(capsys, write_tasks(tmp_path / "tasks.jsonl", nowhere))
    assert "is neither a category of food nor a restaurant" in fault[2]
