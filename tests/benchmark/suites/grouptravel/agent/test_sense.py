"""Whole sessions with the scripted travellers, read as a traveller would: nothing to laugh at."""

from __future__ import annotations

from pathlib import Path

import pytest

import benchmark.suites.grouptravel.tasks
from benchmark.suites.grouptravel.tasks import TASK_FILES, Task
from sandbox.worlds.reader import World
from tests.bench.sense.counting import Counts, Session, count
from tests.bench.sense.playing import play

DATA = Path(benchmark.suites.grouptravel.tasks.__file__).parent / "data"
TASKS = {
    read.task.task_id: read.task
    for name in ("starter", "starter_en")
    for read in TASK_FILES.whole(DATA / f"{name}.jsonl")
}
LAUGHABLE = (
    "concessions not used",
    "concessions that nobody wants",
    "topics asked twice",
    "questions that ignore what was said",
    "visits to a theme park, odd length",
    "visits to a safari park, odd length",
    "visits to a gate, hall, bridge or statue, odd length",
    "nested sights planned apart",
    "answered about another place",
    "cake or coffee for dinner",
    "chains eaten at more than once",
)


@pytest.mark.parametrize("name", ["starter_02", "starter_05", "starter_10", "starter_en_02"])
def test_a_session_holds_nothing_to_laugh_at(name: str, world: World) -> None:
    task: Task = TASKS[name]
    counts = Counts()
    count(Session(task, play(task, world, 0), world), counts)
    assert {what: counts.cases for what in LAUGHABLE if counts.sums[what]} == {}
    assert counts.sums["topics asked"]
    assert counts.sums["sights planned"]
