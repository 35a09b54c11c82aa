"""A set of tasks beside the paper."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmark.suites.grouptravel.statistics import Comparison, Dataset, comparisons
from benchmark.suites.grouptravel.statistics.targets import ARCHETYPES, TARGETS
from benchmark.suites.grouptravel.statistics.task import figures_of
from benchmark.suites.grouptravel.synthesis.difficulty import QUOTA
from tests.benchmark.suites.grouptravel.statistics.sets import table, task


def by_figure(data: Dataset) -> dict[str, Comparison]:
    return {one.figure: one for one in comparisons(data)}


@pytest.fixture(scope="module")
def quota() -> Dataset:
    """650 tasks with the sizes, cities, days and difficulties of the paper, all with the same two tables."""
    one = figures_of(task(table(), table()))
    kinds = iter([kind for kind, count in sorted(ARCHETYPES.items()) for _ in range(count)])
    cells = sorted((cell for cell in QUOTA), key=lambda cell: cell.users)
    return Dataset(
        [
            replace(
                one,
                people=cell.users,
                cities=["a", "b", "c"][: cell.cities],
                days=cell.days,
                difficulty=cell.difficulty,
                archetype=next(kinds),
            )
            for cell in cells
            for _ in range(cell.tasks)
        ]
    )


def test_the_papers_own_sums_hold() -> None:
    paper = TARGETS["conflicts"]["value"]
    weighted = sum(
        TARGETS["tasks"]["value"][name] * level["mean"] for name, level in paper["by_difficulty"].items()
    )
    assert weighted / 650 == pytest.approx(7.52, abs=0.01)
    lists = sum(count for group in TARGETS["fields"]["value"].values() for count in group.values())
    assert lists + 3 * 2748 == TARGETS["items"]["value"]["total"]


def test_650_tasks_by_quota_meet_tables_5_and_8(quota: Dataset) -> None:
    found = by_figure(quota)
    exact = [one for name, one in found.items() if name.startswith(("tasks", "archetype", "cross"))]
    assert len(exact) == 4 + 22 + 33
    assert all(one.is_within and one.ours == one.theirs == one.expectation for one in exact)


def test_one_task_in_another_place_is_told(quota: Dataset) -> None:
    found = by_figure(Dataset([replace(quota.tasks[0], difficulty="hard"), *quota.tasks[1:]]))
    assert found["tasks.hard"].is_within is False
    assert found["tasks.easy"].is_within is False
    assert found["cross_tabulation.hard.users.2"].is_within is False
    assert found["tasks.medium"].is_within is True


def test_counts_of_fewer_tasks_are_compared_with_their_share(quota: Dataset) -> None:
    found = by_figure(Dataset(quota.tasks[:65]))
    assert (found["tasks.all"].theirs, found["tasks.all"].expectation, found["tasks.all"].ratio) == (
        650,
        65,
        1,
    )
    assert (found["tasks.easy"].ours, found["tasks.easy"].expectation) == (65, 20)
    assert found["tasks.easy"].is_within is False


def test_items_are_compared_by_user(quota: Dataset) -> None:
    wants = table(transport={"must": ["高铁"]})
    found = by_figure(Dataset.of([task(wants, wants)]))["fields.transport.must"]
    assert found.expectation == pytest.approx(2184 * 2 / 2748)
    assert found.ratio == pytest.approx(2 / found.expectation)


@pytest.mark.parametrize(
    ("ours", "expected", "tolerance", "within"),
    [
        (110, 100, 0.1, True),
        (90, 100, 0.1, True),
        (110.5, 100, 0.1, False),
        (4, 4.6, 0, True),
        (5, 4.6, 0, True),
        (6, 4.6, 0, False),
        (0, 0, 0, True),
        (1, 0, 0, False),
        (7, 5, None, None),
        (None, 5, 0.1, None),
    ],
)
def test_tolerances(
    ours: float | None, expected: float, tolerance: float | None, within: bool | None
) -> None:
    assert Comparison("x", ours, expected, expected, tolerance, "").is_within is within


def test_nothing_expected_has_no_ratio() -> None:
    assert Comparison("x", 3, 0, 0, 0, "").ratio is None
