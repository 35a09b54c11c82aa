"""The three published files: rows that come in and go out unchanged, and what they tell together."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmark.core.taskfiles import TaskFileError
from benchmark.suites.travelbench.tasks.context import age_group, place, point
from benchmark.suites.travelbench.tasks.facts import Facts, facts_of
from benchmark.suites.travelbench.tasks.files import TASK_FILES
from benchmark.suites.travelbench.tasks.listing import FIELDS
from benchmark.suites.travelbench.tasks.task import Task

FILES = {"single": "single_turn.jsonl", "multi": "multi_turn.jsonl", "unsolved": "unsolve.jsonl"}
PLAIN = {
    "trace_id": "1",
    "time": "2025-10-24 10:00",
    "query": "附近的充电站",
    "primary_intent": "discovery.poi_search",
    "context": "**用户当前位置坐标**\nlatitude: 33.2\nlongitude: 116.6\n\n**用户当前位置描述**\n安徽省亳州市",
    "intent": "找充电站",
}


@pytest.fixture(scope="module")
def tasks(reference: Path) -> dict[str, list[Task]]:
    folder = reference / "travelbench"
    return {name: [one.task for one in TASK_FILES.whole(folder / file)] for name, file in FILES.items()}


@pytest.fixture(scope="module")
def solvable(tasks: dict[str, list[Task]]) -> Facts:
    return facts_of([*tasks["single"], *tasks["multi"]])


@pytest.mark.reference
@pytest.mark.parametrize(("name", "rows"), [("single", 500), ("multi", 500), ("unsolved", 100)])
def test_a_row_goes_out_as_it_came_in_byte_for_byte(reference: Path, name: str, rows: int) -> None:
    path = reference / "travelbench" / FILES[name]
    read = TASK_FILES.whole(path)
    written = [json.dumps(one.raw, ensure_ascii=False) for one in read]
    assert len(read) == rows and written == path.read_text("utf-8").splitlines()
    assert {one.task.subtask for one in read} == {name}


@pytest.mark.reference
def test_ids_are_one_s_own_although_each_file_numbers_anew(tasks: dict[str, list[Task]]) -> None:
    ids = [task.task_id for each in tasks.values() for task in each]
    assert len({*ids}) == 1_100
    assert [each[6].task_id for each in tasks.values()] == [f"travelbench-{name}-7" for name in FILES]


@pytest.mark.reference
def test_causes_of_unsolvable_tasks(tasks: dict[str, list[Task]]) -> None:
    causes = [task.causes for task in tasks["unsolved"]]
    assert [causes.count((cause,)) for cause in ("missing_tool", "missing_info", "no_actionable")] == [
        32,
        51,
        17,
    ]
    assert sum(not task.context for task in tasks["unsolved"]) == 3


@pytest.mark.reference
def test_facts_of_the_files_are_those_of_the_paper(solvable: Facts) -> None:
    assert round(solvable.days.percent("weekday"), 2) == 72.20
    hours = {"10-12": 13.5, "14-16": 14.4, "16-18": 13.3, "00-02": 2.8, "04-06": 1.1}
    assert {window: round(solvable.hours.percent(window), 1) for window in hours} == hours
    assert (len(solvable.provinces.counts), len(solvable.cities.counts)) == (32, 243)
    assert (solvable.provinces.total, round(solvable.provinces.percent("广东省"), 2)) == (999, 11.31)
    most = {"广东省": 113, "北京市": 72, "山东省": 71, "江苏省": 68, "四川省": 54}
    assert {name: solvable.provinces.counts[name] for name in most} == most
    assert solvable.ages.total == 479
    ages = {"18-24": 16.91, "35-39": 16.49, "60+": 12.94}
    assert {group: round(solvable.ages.percent(group), 2) for group in ages} == ages


@pytest.mark.reference
def test_every_task_can_be_filtered_by_every_choice_that_it_has(tasks: dict[str, list[Task]]) -> None:
    choices = [own for own in FIELDS if own.kind == "choice"]
    for each in tasks.values():
        for task in each:
            found = {own.key: own.value(task) for own in choices if own.value is not None}
            assert all(found[own.key] in own.choices for own in choices if found[own.key])
            assert bool(found["calls"]) == (task.subtask != "unsolved")


@pytest.mark.reference
def test_two_rows_tell_no_coordinates_besides_those_without_a_context(tasks: dict[str, list[Task]]) -> None:
    lacking = {name: sum(point(task.context) is None for task in each) for name, each in tasks.items()}
    assert lacking == {"single": 1, "multi": 0, "unsolved": 4}


def test_a_position_is_read_from_its_section() -> None:
    assert point(PLAIN["context"]) == (33.2, 116.6)
    assert place(PLAIN["context"]) == ("安徽省亳州市", "安徽省")
    assert place("**用户当前位置描述**\n北京市北京市") == ("北京市北京市", "北京市")
    assert place("**用户当前位置描述**\n内蒙古自治区包头市") == ("内蒙古自治区包头市", "内蒙古自治区")
    assert point("latitude: 1\nlongitude: 2") is None and place("") is None


@pytest.mark.parametrize(
    ("profile", "group"),
    [("男，25-29岁", "25-29"), ("25–29岁", "25-29"), ("60岁以上", "60+"), ("1-17岁", "1-17"), ("女", None)],
)
def test_ages_are_grouped_whichever_dash_is_written(profile: str, group: str | None) -> None:
    assert age_group(profile) == group


def test_the_fields_of_a_task_tell_its_subtask() -> None:
    assert Task.model_validate(PLAIN).subtask == "single"
    assert Task.model_validate(PLAIN | {"user_profile": "### 基本信息"}).subtask == "multi"
    assert Task.model_validate(PLAIN | {"missing_info": True}).subtask == "unsolved"


@pytest.mark.parametrize(
    ("change", "field", "says"),
    [
        ({"time": "2025-13-01 10:00"}, "time", "YYYY-MM-DD HH:MM"),
        ({"time": "2025-1-2 9:00"}, "time", "YYYY-MM-DD HH:MM"),
        ({"time": "２０２５-10-24 10:00"}, "time", "YYYY-MM-DD HH:MM"),
        ({"time": "2025-10-24 10:00 "}, "time", "YYYY-MM-DD HH:MM"),
        ({"time": "2025-10-24T10:00"}, "time", "YYYY-MM-DD HH:MM"),
        ({"time": None}, "time", "string"),
        ({"trace_id": 7}, "trace_id", "string"),
        ({"trace_id": ""}, "trace_id", "at least 1 character"),
        ({"avg_tool_calls": True}, "avg_tool_calls", "number"),
        ({"avg_tool_calls": -1}, "avg_tool_calls", "greater than or equal to 0"),
        ({"context": None}, "context", "string"),
        ({"query": ""}, "query", "at least 1 character"),
        (
            {"missing_tool": True, "missing_info": True},
            "missing_info",
            "missing_tool is true as well; leave one",
        ),
        (
            {"no_actionable": True, "user_profile": "x"},
            "user_profile",
            "remove it, or set no_actionable to false",
        ),
        ({"missing_tool": "yes"}, "missing_tool", "boolean"),
        ({"intent": None}, "intent", "string"),
    ],
)
def test_a_bad_row_is_named_with_its_line_and_field(change: dict[str, Any], field: str, says: str) -> None:
    lines = [json.dumps(PLAIN).encode(), json.dumps(PLAIN | {"trace_id": "2"} | change).encode()]
    with pytest.raises(TaskFileError) as caught:
        TASK_FILES.lines(lines)
    (problem,) = caught.value.problems.problems
    assert (problem.line, problem.field) == (2, field) and says in problem.message
