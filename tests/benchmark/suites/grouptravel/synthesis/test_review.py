"""Post-validation of tasks that somebody else wrote."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmark.suites.grouptravel.synthesis.candidates import Candidates
from benchmark.suites.grouptravel.synthesis.review import review
from sandbox.worlds import World, open_world
from tests.benchmark.suites.grouptravel.statistics.sets import table, task


@pytest.fixture(scope="module")
def world(starter_pack: Path) -> World:
    return open_world(starter_pack)


def faults(world: World, *tables: object, **given: object) -> list[tuple[str, str]]:
    found = review(task(*tables, **given), world, lambda city: Candidates(world, city))  # type: ignore[arg-type]
    return [(one.user, one.kind) for one in found]


LISTS = {
    "transport": {"must": [], "prefer": [], "avoid": [], "reject": []},
    "hotel": {"prefer": [], "avoid": []},
    "attractions": {"must_visit": [], "reject_visit": []},
    "categories": {"positive": [], "negative": []},
    "food": {"must_eat": [], "prefer_eat": [], "avoid_eat": ["火锅"], "reject_eat": []},
}


def whole(**given: object) -> object:
    return table(**(LISTS | given))  # type: ignore[arg-type]


def test_nothing_is_wrong_with_a_table_of_the_world(world: World) -> None:
    assert faults(world, whole(), whole()) == []


def test_planted_faults_are_found(world: World) -> None:
    both = {**LISTS["food"], "must_eat": ["火锅"]}
    planted = [
        whole(budget=100),
        whole(attractions={"must_visit": ["没有的景点"], "reject_visit": []}),
        whole(food=both),
        whole(transport={**LISTS["transport"], "must": ["飞机"]}),
    ]
    for one, kind in zip(planted, ("budget", "unknown", "two_tiers", "unknown"), strict=True):
        assert faults(world, whole(), one) == [("User2", kind)], kind


def test_a_task_without_a_duration_is_not_looked_at(world: World) -> None:
    assert faults(world, whole(budget=100), date="soon") == []
