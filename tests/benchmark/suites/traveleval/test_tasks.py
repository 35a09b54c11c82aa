from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmark.core.taskfiles import TaskFileError
from benchmark.suites.traveleval.statistics import STATISTICS
from benchmark.suites.traveleval.tasks import TASK_FILES, Query
from benchmark.suites.traveleval.tasks.rules import broken_rules

QUERY: dict[str, Any] = {
    "uid": "G01-2",
    "tag": "medium",
    "start_city": "北京",
    "target_city": "杭州",
    "days": 3,
    "people_number": 2,
    "people_composition": {"adults": 2, "children": 0, "seniors": 0},
    "budget": 5400,
    "dates": "2024-11-01 to 2024-11-03",
    "transportation": {"preferences": ["高铁"], "constraints": []},
    "rhythm": {},
    "nature_language": "我们两个人从北京去杭州玩3天。",
    "nature_language_en": "Two of us go to Hangzhou for 3 days.",
}


def write(path: Path, document: Any) -> Path:
    path.write_text(json.dumps(document, ensure_ascii=False, indent=2))
    return path


def test_a_document_of_groups_holds_their_queries_unchanged(tmp_path: Path) -> None:
    easy = QUERY | {"uid": "G01-1", "tag": "easy", "transportation": {}}
    path = write(tmp_path / "progressive.json", {"version": "1.0", "query_groups": [[easy, QUERY]]})
    first, second = TASK_FILES.whole(path)
    assert (first.raw, second.raw) == (easy, QUERY)
    assert [*first.raw] == [*easy], "the keys keep their order"
    assert second.line == path.read_text()[: path.read_text().index("G01-2")].count("\n")
    task = second.task
    assert (task.group, task.tag, task.language, task.words) == (
        "G01",
        "medium",
        "zh",
        QUERY["nature_language"],
    )
    assert (task.budget_class, first.task.tags, [*task.tags]) == ("medium", {}, ["transportation"])


def test_lines_of_queries_are_read_too(tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    path.write_text("\n".join(json.dumps(QUERY | {"uid": f"own-{n}"}) for n in range(2)))
    assert [read.line for read in TASK_FILES.whole(path)] == [1, 2]
    path.write_text(json.dumps({"queries": [QUERY]}))
    assert TASK_FILES.whole(path)[0].task.uid == "G01-2", "a document on one line"


def test_bad_queries_are_all_named_with_line_and_field(tmp_path: Path) -> None:
    bad = [QUERY | {"days": "3"}, QUERY | {"uid": "x", "dates": "2024-11-31 to 2024-12-01"}, "words", QUERY]
    with pytest.raises(TaskFileError) as caught:
        TASK_FILES.whole(write(tmp_path / "bad.json", {"queries": bad}))
    problems = caught.value.problems.problems
    assert [problem.field for problem in problems] == ["days", "dates", ""]
    assert [problem.line for problem in problems] == sorted(problem.line for problem in problems)


@pytest.mark.parametrize("text", ['{\n "queries": [\n', '{\n "plans": []\n}', "[\n1]"])
def test_a_broken_or_other_document_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "queries.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"not valid JSON: .*line|without tasks"):
        TASK_FILES.whole(path)


def test_a_folder_gives_its_query_files_alone(tmp_path: Path) -> None:
    write(tmp_path / "easy.json", {"queries": [QUERY]})
    write(tmp_path / "example_plans.json", [{"query_uid": "T0001", "itinerary": {}}])
    (tmp_path / "notes.json").write_text("{")
    assert [path.name for path in TASK_FILES.in_folder(tmp_path)] == ["easy.json"]


def test_the_class_of_a_budget_is_the_highest_that_it_reaches() -> None:
    budgets = {5399: "economy", 5400: "medium", 9999: "medium", 10000: "high"}
    assert {b: Query.model_validate(QUERY | {"budget": b}).budget_class for b in budgets} == budgets


@pytest.mark.reference
def test_the_published_files_come_in_as_they_are(reference: Path) -> None:
    read = {path.stem: TASK_FILES.whole(path) for path in TASK_FILES.in_folder(reference / "traveleval")}
    assert {name: len(tasks) for name, tasks in read.items()} == {
        "easy": 200, "medium": 400, "hard": 400, "progressive": 150,
    }  # fmt: skip
    document = json.loads((reference / "traveleval" / "progressive.json").read_text())
    assert [task.raw for task in read["progressive"]] == [
        q for group in document["query_groups"] for q in group
    ]
    assert {task.task.group for task in read["progressive"]} == {f"G{n:02}" for n in range(1, 51)}


def test_broken_rules_are_named_by_query_and_counted() -> None:
    sound = QUERY | {"budget": 5500}
    changes = {
        "rounding": {"budget": 5400},
        "composition": {"people_number": 3},
        "party": {"people_composition": {"children": 2}},
        "days": {"days": 4},
        "cities": {"target_city": "北京"},
        "categories": {"transportation": {}},
        "tags": {"transportation": {"preferences": ["高铁"], "constraints": ["飞机"]}},
        "known_tags": {"transportation": {"preferences": ["现代景观"]}},
    }
    assert [*broken_rules(Query.model_validate(sound))] == []
    queries = [Query.model_validate(sound | change) for change in changes.values()]
    assert [[*broken_rules(query)] for query in queries] == [[rule] for rule in changes]
    counted = STATISTICS.of(queries)
    (table,) = (part.build(counted) for part in STATISTICS.parts if part.name == "broken")
    assert table.cells("tasks") == [1] * len(changes)


@pytest.mark.reference
def test_most_published_budgets_break_the_rounding(reference: Path) -> None:
    files = TASK_FILES.in_folder(reference / "traveleval")
    counted = STATISTICS.of(read.task for path in files for read in TASK_FILES.whole(path))
    assert (counted.total, len(counted.rule_breaks["rounding"])) == (1150, 755)
    assert sum(counted.days.values()) == 1150


def test_the_queue_model_is_as_sensitive_as_in_the_paper() -> None:
    (table,) = (part.build(STATISTICS.of([])) for part in STATISTICS.parts if part.name == "queues")
    told = [[round(cell, 3) for cell in row[1:]] for row in table.rows]  # type: ignore[arg-type]
    assert told == [[3.3, 11, 7.7, 233.333], [3.3, 33.198, 29.898, 906.0], [2.1, 3.3, 1.2, 36.364]]
