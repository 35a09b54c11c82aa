"""The page of statistics of tasks, and its files."""

from __future__ import annotations

import csv
import json
import re
from html import unescape
from io import StringIO
from pathlib import Path

import pytest
from django.test import Client
from django.utils import translation

from benchmark.suites import DEFAULT_SUITE, suite_named
from benchmark.suites.grouptravel.statistics import Dataset, statistics_json
from benchmark.suites.grouptravel.tasks import TASK_FILES
from tests.webapp.conftest import HOSTILE
from tests.webapp.tables.test_statistics_command import of_intents
from webapp.caches.models import ToolCache
from webapp.catalogue.imports import import_tasks
from webapp.catalogue.models import Task
from webapp.tables import statistics

PAGE, JSON, CSV = "/tasks/statistics", "/tasks/statistics.json", "/tasks/statistics.csv"


def test_only_researchers_see_it(client: Client, as_annotator: Client, starter_tasks: list[Task]) -> None:
    for address in (PAGE, JSON, CSV):
        assert client.get(address).status_code == 302
        assert as_annotator.get(address).status_code == 403


def test_every_part_has_a_table_and_its_chart(as_researcher: Client, starter_tasks: list[Task]) -> None:
    page = as_researcher.get(PAGE).content.decode()
    for name in ("overview", "archetypes", "crossed", "fields", "conflicts_a_task", "destinations", "dates"):
        assert f'id="{name}"' in page
    assert page.count("data-chart=") == 9 + 6 + 1
    assert all(name in page for name in ("Table 5", "Figure 4", "Figure 5", "Figure 6"))


def test_cached_calls_stand_beside_those_of_the_paper(
    as_researcher: Client, starter_tasks: list[Task]
) -> None:
    assert "You have no tool cache with calls yet" in as_researcher.get(PAGE).content.decode()
    for name, counts in (
        ("one", {"search_poi": 60, "web_search": 10}),
        ("two", {"search_poi": 30, "else": 99}),
    ):
        ToolCache.objects.create(name=name, counts=counts)
    rows = list(csv.DictReader(StringIO(as_researcher.get(CSV).content.decode())))
    cells = {(row["row"], row["column"]): row["value"] for row in rows if row["part"] == "cached_calls"}
    assert cells["1", "tool"] == "search_poi"
    assert (cells["1", "entries"], float(cells["1", "share"])) == ("90", 90)
    assert (cells["1", "paper_entries"], round(float(cells["1", "paper_share"]), 1)) == ("86000", 33.9)
    assert (cells["2", "entries"], cells["2", "paper_entries"]) == ("10", "47000")
    assert {row for row, _column in cells} == {str(number) for number in range(1, 11)}
    page = as_researcher.get(PAGE).content.decode()
    assert "100 calls are in your caches, 253533 in the paper's." in unescape(page)
    assert '"your caches"' in page


def test_the_file_is_what_the_statistics_tell(as_researcher: Client, starter_tasks: list[Task]) -> None:
    found = json.loads(as_researcher.get(JSON).content)
    own = [task.parsed_definition for task in starter_tasks if task.suite == DEFAULT_SUITE]
    assert found == json.loads(json.dumps(statistics_json(Dataset.of(own))))


def test_tasks_of_other_benchmarks_are_left_out(as_researcher: Client, starter_tasks: list[Task]) -> None:
    own = [task for task in starter_tasks if task.suite == DEFAULT_SUITE]
    Task.objects.filter(pk__in=[task.pk for task in own[:2]]).update(suite="another")
    others = len(starter_tasks) - len(own) + 2
    assert f"{others} tasks of other benchmarks are left out." in as_researcher.get(PAGE).content.decode()
    assert len(json.loads(as_researcher.get(JSON).content)["tasks"]) == len(own) - 2


def test_filters_narrow_it_as_the_table_of_tasks(as_researcher: Client, starter_tasks: list[Task]) -> None:
    found = json.loads(as_researcher.get(JSON, {"difficulty": "hard"}).content)
    hard = [
        task.task_id for task in starter_tasks if task.suite == DEFAULT_SUITE and task.difficulty == "hard"
    ]
    assert 0 < len(hard) < len(starter_tasks)
    assert [task["task_id"] for task in found["tasks"]] == hard
    assert (
        "/tasks/statistics?difficulty=hard"
        in as_researcher.get("/tasks/", {"difficulty": "hard"}).content.decode()
    )


def test_tables_as_lines_of_cells(as_researcher: Client, starter_tasks: list[Task]) -> None:
    rows = list(csv.DictReader(StringIO(as_researcher.get(CSV).content.decode())))
    cells = {(row["part"], row["row"], row["column"]): row["value"] for row in rows}
    assert cells["overview", "1", "ours"] == str(sum(task.suite == DEFAULT_SUITE for task in starter_tasks))
    assert cells["archetypes", "1", "paper"] == "17"


def test_no_tasks_and_other_endings(as_researcher: Client, db: None) -> None:
    page = as_researcher.get(PAGE)
    assert page.status_code == 200
    assert "There are no tasks." in page.content.decode()
    assert as_researcher.get("/tasks/statistics.xlsx").status_code == 404


def test_more_tasks_than_a_page_counts(
    as_researcher: Client, starter_tasks: list[Task], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statistics, "MOST_TASKS", 3)
    page = as_researcher.get(PAGE)
    assert "task_statistics TASKS.jsonl" in page.content.decode()
    assert "data-chart=" not in page.content.decode()
    assert as_researcher.get(JSON).status_code == 404


def test_what_a_task_says_is_text(as_researcher: Client, starter_tasks: list[Task], tmp_path: Path) -> None:
    raw = dict(starter_tasks[0].definition)
    raw["task_id"] = "hostile"
    raw["metadata"] = raw["metadata"] | {
        "group_id": HOSTILE,
        "group_name": HOSTILE[:100],
        "cities": [HOSTILE],
    }
    path = tmp_path / "hostile.jsonl"
    path.write_text(json.dumps(raw), encoding="utf-8")
    import_tasks(read=TASK_FILES.stream(path), collection="hostile")
    page = as_researcher.get(PAGE, {"collection": "hostile"}).content.decode()
    assert "<script>alert(1)" not in page and "<img src=x" not in page
    assert HOSTILE in unescape(page)


def test_in_chinese(as_researcher: Client, starter_tasks: list[Task]) -> None:
    with translation.override("zh-hans"):
        page = as_researcher.get(PAGE, headers={"accept-language": "zh-hans"}).content.decode()
    assert "2-2 夫妻" in page
    assert "2-2 Married couple" in as_researcher.get(PAGE).content.decode()


def test_collections_stand_side_by_side(as_researcher: Client, db: None, tmp_path: Path) -> None:
    sets = {"collected": ["discovery", "discovery", "rules_and_policies"], "sampled": ["discovery"]}
    for name, intents in sets.items():
        read = suite_named("travelbench").tasks.files.stream(
            of_intents(tmp_path / f"{name}.jsonl", intents, name)
        )
        import_tasks(read=read, suite="travelbench", collection=name)
    rows = list(csv.DictReader(StringIO(as_researcher.get(CSV).content.decode())))
    cells = {(one["row"], one["column"]): one["value"] for one in rows if one["part"] == "intents_beside"}
    told = [tuple(cells[str(n), column] for column in ("set", "tasks", "share")) for n in (1, 2, 3, 4)]
    assert told[:2] == [("collected", "2", "66.67"), ("sampled", "1", "100.0")]
    assert told[2:] == [("collected", "1", "33.33"), ("sampled", "0", "0.0")]
    page = as_researcher.get(PAGE).content.decode()
    assert 'id="intents_beside"' in page
    [drawn] = re.findall(r'<template id="intents_beside[^"]*-json">(.*?)</template>', page, re.DOTALL)
    colours = [trace["marker"]["color"] for trace in json.loads(drawn)["data"]]
    assert len(set(colours)) == len(colours) > 1  # each set has a colour of its own
    assert 'id="intents_beside"' not in as_researcher.get(PAGE, {"collection": "sampled"}).content.decode()
