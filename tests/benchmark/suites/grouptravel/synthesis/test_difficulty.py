"""The difficulty score, its levels, and the quota that is Table 8."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from benchmark.suites.grouptravel.synthesis.difficulty import DAYS_BY_CITIES, LEVELS, QUOTA, level, score
from benchmark.suites.grouptravel.tasks import TASK_FILES


@pytest.mark.reference
def test_every_real_task_has_its_score_and_type(reference: Path) -> None:
    tasks = [read.task for read in TASK_FILES.whole(reference / "grouptravelbench" / "tasks_sample.jsonl")]
    assert len(tasks) == 15
    for task in tasks:
        people = len(task.users) + len(task.metadata.child_members)
        assert task.days is not None
        found = score(people, task.days, len(task.metadata.cities))
        assert (found, level(found)) == (task.difficulty_score, task.difficulty_type), task.task_id


def test_the_smallest_and_the_largest_group() -> None:
    assert score(users=2, days=2, cities=1) == 1.0
    assert score(users=6, days=7, cities=3) == score(users=6, days=6, cities=3) == 5.0


def test_a_score_on_a_threshold_is_easy_or_hard() -> None:
    assert [level(figure) for figure in (1.0, 2.8, 2.9, 4.1, 4.2, 5.0)] == [
        *("easy", "easy", "medium", "medium", "hard", "hard"),
    ]
    on_the_thresholds = score(3, 5, 2), score(5, 5, 3)
    assert on_the_thresholds == (2.8, 4.2)
    assert [level(figure) for figure in on_the_thresholds] == ["easy", "hard"]


@pytest.mark.parametrize(
    ("users", "days", "cities", "message"),
    [
        (1, 3, 1, "1 users have no difficulty score; the scale goes from 2 to 6"),
        (7, 3, 1, "7 users have no difficulty score; the scale goes from 2 to 6"),
        (2, 8, 1, "8 days have no difficulty score; the scale goes from 2 to 7"),
        (2, 3, 4, "4 cities have no difficulty score; the scale goes from 1 to 3"),
    ],
)
def test_a_number_beyond_its_scale_is_named(users: int, days: int, cities: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        score(users, days, cities)


def test_each_cell_of_the_quota_has_the_difficulty_that_its_numbers_give() -> None:
    for cell in QUOTA:
        assert level(score(cell.users, cell.days, cell.cities)) == cell.difficulty, cell
        assert cell.days in DAYS_BY_CITIES[cell.cities], cell


@pytest.mark.reference
def test_the_quota_has_the_marginals_of_table_8(reference: Path) -> None:
    targets = json.loads((reference / "synthesis" / "targets.json").read_text("utf-8"))
    table = targets["cross_tabulation"]["value"]
    found: Counter[tuple[str, str, str]] = Counter()
    for cell in QUOTA:
        first = 2 * (cell.days // 2)
        found[cell.difficulty, "users", str(cell.users)] += cell.tasks
        found[cell.difficulty, "cities", str(cell.cities)] += cell.tasks
        found[cell.difficulty, "days", f"{first}-{first + 1}"] += cell.tasks
    for difficulty in LEVELS:
        for kind, counts in table[difficulty].items():
            assert {key: found[difficulty, kind, key] for key in counts} == counts, (difficulty, kind)
    assert sum(cell.tasks for cell in QUOTA) == 650
