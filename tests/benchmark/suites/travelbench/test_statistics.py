"""The statistics of TravelBench's tasks: the published files give the paper's figures."""

from __future__ import annotations

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
    assert STATISTICS.told(own)["subtasks"] == {"single": 20, "multi": 12, "unsolved": 13}


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
