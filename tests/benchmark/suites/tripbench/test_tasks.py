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


def test_what_a_fallback_may_have_ended_can_be_ended_and_restored() -> None:
    impossible = {"id": "a", **STARS, "fallback": {"id": "a-back", "drops": ["a"]}}
    assert task_with([impossible], [{"id": "gone", "drops": ["a"]}])
    assert task_with([impossible], [{"id": "again", "restores": ["a"]}])


@pytest.mark.parametrize(
    ("nodes", "words"),
    [
        ([[{"id": "a", **STARS}], [{"id": "a", **STARS}]], "stands twice"),
        ([[{"id": "a"}]], "a asks for nothing"),
        ([[], [{"id": "a", **STARS}], []], "node 2 has no instruction"),
        ([[{"id": f"i{n}", **STARS} for n in range(201)]], "201 instructions; a user can say 200"),
        ([[], *([{"id": f"i{n}", **STARS}] for n in range(5_000))], "5,001 nodes"),
        ([[{"id": "a", **STARS}, {"id": "b", "drops": ["a", "a"]}]], "b names a twice"),
        ([[{"id": "a", **STARS}, {"id": "b", "drops": ["a"], "restores": ["a"]}]], "b names a twice"),
        (
            [[{"id": "a", **STARS}], [{"id": "b", "drops": ["a"]}], [{"id": "c", "drops": ["a"]}]],
            "c drops a, which",
        ),
        ([[{"id": "a", **STARS}], [{"id": "b", "restores": ["a"]}]], "b restores a, which still hold"),
        ([[{"id": "a", "drops": ["b"]}], [{"id": "b"}]], "names b"),
        ([[{"id": "a", "restores": ["a"]}]], "names a"),
        ([[{"id": "a", "drops": ["b"]}, {"id": "b", "drops": ["a"]}]], "a names b; name those before"),
        ([[{"id": "a", **STARS}, {"id": "b", "drops": ["a"]}, {"id": "c", "restores": ["b"]}]], "restores b"),
        ([[{"id": "a", "fallback": {"id": "b", "fallback": {"id": "c"}}}]], "fallback of a has one"),
        ([[{"id": "issue-beds", **STARS}]], "give it another id"),
        ([[{"id": "ContentMod", **STARS}]], "give it another id"),
        ([[{"id": "a", "args": {"min": 3}}]], "no rubric"),
        ([], "give the task a node"),
        ([[{"id": "a", "rubric": "hotel.moons"}]], "no rubric hotel.moons"),
        ([[{"id": "a", "rubric": "hotel.star", "args": {"min": "four"}}]], "min"),
        ([[{"id": "a", "rubric": "hotel.star"}]], "min"),
        ([[{"id": "a", "fallback": {"id": "b", "rubric": "hotel.star", "args": {"least": 3}}}]], "least"),
    ],
)
def test_instructions_that_no_user_can_say_are_refused(nodes: Any, words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        task_with(*nodes)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"end_date": "2026-04-30"}, "make 0 days"),
        ({"start_date": "0001-01-01", "end_date": "9999-12-31"}, "make them 1 to 60"),
        ({"stays": [["B", 1_000_000_000]]}, "the dates 2; make them agree"),
        ({"stays": [["B", 1]]}, "the stays have 1 nights, the dates 2"),
        ({"stays": []}, "name a city"),
        ({"stays": [["A", 2]]}, "a leg ends in the city where it begins"),
        ({"stays": [["B", 1], ["B", 1]]}, "join the two stays"),
        ({"origin": " "}, "blank"),
        ({"origin": "A\ufffd"}, "half a character"),
        ({"people": True}, "people is yes or no"),
        ({"colour": "red"}, "colour tells nothing of a trip; leave it out"),
    ],
)
def test_trips_that_nobody_can_go_on_are_refused_with_what_helps(wrong: dict[str, Any], words: str) -> None:
    trip = {**META, **wrong}
    with pytest.raises(ValidationError, match=words) as refused:
        Task.model_validate({"id": "t", "tier": "easy", "subset": "easy", "meta": trip, "nodes": [{}]})
    assert [error["loc"] for error in refused.value.errors()] == [("meta",)]
    with pytest.raises(ValidationError, match=words):
        task_with([{"id": "to-c", "behaviour": "redirect", "frame": trip}])
