"""The statistics of TravelBench's tasks: the published files give the paper's figures."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from benchmark.suites.travelbench.statistics import (
    PAPER_AGES,
    PAPER_CITIES,
    PAPER_DAYS,
    PAPER_HOURS,
    PAPER_PLACES,
    PAPER_PROVINCES,
    PAPER_TASKS,
    STATISTICS,
    Dataset,
    cached_calls,
    expected_calls,
)
from benchmark.suites.travelbench.tasks import STARTER, TASK_FILES


def test_every_part_is_built_of_our_own_tasks_and_of_none() -> None:
    own = Dataset.of(one.task for file in STARTER for one in TASK_FILES.whole(file))
    for data, rows in ((own, True), (Dataset.of([]), False)):
        for part in STATISTICS.parts:
            table = part.build(data)
            assert bool(table.rows) is rows
            assert all(len(row) == len(table.columns) for row in table.rows)
            assert rows or "no_tasks" in [note.key for note in table.notes]
    assert STATISTICS.as_json(own)["subtasks"] == {"single": 20, "multi": 12, "unsolved": 13}


def test_the_data_has_counterparts_of_what_the_paper_tells_of_its_own() -> None:
    told = {part.counterpart for part in (*STATISTICS.parts, STATISTICS.cache_part) if part is not None}
    assert {"Table 6", *(f"Figure {number}" for number in (3, 4, 5, 6, 7, 10))} <= told


def test_tasks_are_counted_by_their_expected_calls() -> None:
    data = Dataset.of([])
    rows = expected_calls(replace(data, calls={"single": (0.33, 1.0, 1.5, 3.0), "multi": (2.99,)})).rows
    assert rows[:4] == [
        ["single", "0 to < 1", 1, 25],
        ["single", "1 to < 2", 2, 50],
        ["single", "2 to < 3", 0, 0],
        ["single", "3 to < 4", 1, 25],
    ]
    assert rows[6] == ["multi", "2 to < 3", 1, 100] and len(rows) == 8


def test_cached_calls_are_those_of_its_own_tools() -> None:
    found = cached_calls({"travelbench.web_search": 1, "travelbench.map_search_places": 3, "web_search": 9})
    assert found.rows[:2] == [["map_search_places", 3, 75], ["web_search", 1, 25]] and len(found.rows) == 10
    assert [note.key for note in found.notes] == ["cached_calls"]
    assert [note.key for note in cached_calls({}).notes] == ["cached_calls", "no_cache"]


@pytest.mark.reference
def test_the_published_files_give_the_paper_s_figures(reference: Path) -> None:
    folder = reference / "travelbench"
    names = ("single_turn", "multi_turn", "unsolve")
    data = Dataset.of(one.task for name in names for one in TASK_FILES.whole(folder / f"{name}.jsonl"))
    facts = data.facts
    assert data.subtasks.counts == PAPER_TASKS
    assert data.causes.counts == {"missing_tool": 32, "missing_info": 51, "no_actionable": 17}
    assert {name: round(facts.days.percent(name), 2) for name in PAPER_DAYS} == PAPER_DAYS
    assert {name: round(facts.hours.percent(name), 1) for name in PAPER_HOURS} == PAPER_HOURS
    assert {name: facts.provinces.counts[name] for name in PAPER_PROVINCES} == PAPER_PROVINCES
    assert {name: facts.cities.counts[name] for name in PAPER_CITIES} == PAPER_CITIES
    assert (len(facts.provinces.counts), len(facts.cities.counts)) == tuple(PAPER_PLACES.values())
    assert {name: round(facts.ages.percent(name), 2) for name in PAPER_AGES} == PAPER_AGES
    assert round(sum(data.calls["single"]) / 500, 2) == 2.91
    assert max(data.calls["multi"]) == 17.58
