"""Tasks: what holds after the instructions that a user has issued."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from benchmark.suites.tripbench.tasks.task import Task

META = {
    "origin": "A",
    "stays": [["B", 2]],
    "start_date": "2026-05-01",
    "end_date": "2026-05-03",
    "people": 2,
}
OTHER_TRIP = {**META, "stays": [["C", 2]]}
STARS = {"rubric": "hotel.star", "args": {"min": 4}}


def task_with(*nodes: list[dict[str, Any]]) -> Task:
    """A task with these instructions."""
    return Task.model_validate(
        {
            "id": "t",
            "tier": "hard",
            "subset": "pmr",
            "meta": META,
            "nodes": [{"instructions": node} for node in nodes],
        }
    )


def test_constraints_are_added_replaced_rolled_back_and_deleted() -> None:
    task = task_with(
        [{"id": "a", **STARS}, {"id": "b", "rubric": "hotel.pet_friendly"}],
        [{"id": "a2", "behaviour": "modify", **STARS, "drops": ["a"]}],
        [{"id": "back", "behaviour": "rollback", "drops": ["a2"], "restores": ["a"]}],
        [{"id": "gone", "behaviour": "delete", "drops": ["b"]}],
    )
    ids = [*task.instructions]

    active = [[*task.demand_after(ids[:count]).constraints] for count in range(len(ids) + 1)]

    assert active == [[], ["a"], ["a", "b"], ["b", "a2"], ["b", "a"], ["a"]]
    assert task.instructions["a"].is_new and not task.instructions["a2"].is_new


def test_a_redirection_changes_the_trip() -> None:
    task = task_with(
        [{"id": "a", **STARS}],
        [{"id": "to_c", "behaviour": "redirect", "drops": ["a"], "frame": OTHER_TRIP}],
    )

    assert task.demand_after(["a"]).frame.destinations == ["B"]
    assert task.demand_after(["a", "to_c"]).frame.destinations == ["C"]
    assert not task.demand_after(["a", "to_c"]).constraints


def test_what_cannot_be_met_has_something_to_fall_back_to() -> None:
    fallback = {"id": "a-back", "behaviour": "delete", "drops": ["a"]}
    task = task_with([{"id": "a", **STARS, "fallback": fallback}])

    assert [*task.instructions] == ["a", "a-back"]
    assert not task.demand_after(["a", "a-back"]).constraints


@pytest.mark.parametrize(
    ("nodes", "words"),
    [
        ([[{"id": "a"}], [{"id": "a"}]], "stands twice"),
        ([[{"id": "a", "drops": ["b"]}], [{"id": "b"}]], "names b"),
        ([[{"id": "a", "restores": ["a"]}]], "names a"),
        ([[{"id": "a", "rubric": "hotel.moons"}]], "no rubric hotel.moons"),
        ([[{"id": "a", "rubric": "hotel.star", "args": {"min": "four"}}]], "min"),
        ([[{"id": "a", "rubric": "hotel.star"}]], "min"),
        ([[{"id": "a", "fallback": {"id": "b", "rubric": "hotel.star", "args": {"least": 3}}}]], "least"),
    ],
)
def test_instructions_that_no_user_can_say_are_refused(nodes: Any, words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        task_with(*nodes)
