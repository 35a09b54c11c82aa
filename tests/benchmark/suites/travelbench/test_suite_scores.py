"""The figures of sessions and runs by both profiles."""

from __future__ import annotations

from typing import Any

import pytest

from benchmark.core.events import Event
from benchmark.core.setting import Setting
from benchmark.metrics import Trial, run_values
from benchmark.suites.travelbench.metrics import METRICS
from benchmark.suites.travelbench.scoring.sessions import (
    PAPER,
    PROFILES,
    PUBLISHED,
    score_session,
    score_told,
)
from benchmark.suites.travelbench.scoring.subtasks import subtask_of
from tests.benchmark.suites.travelbench.conftest import PlayTask

TAG = "[Unsolved]"


def record(*messages: dict[str, Any], **fields: Any) -> dict[str, Any]:
    calls = [call for message in messages for call in message.get("tool_calls", ())]
    told = {"trace_id": "1", "mode": "single_turn", "query": "q", "tool_calls_count": len(calls)}
    errors = sum(bool(message.get("error")) for message in messages)
    return {**told, "tool_errors": errors, "turns": 1, "messages": list(messages), **fields}


def call_message(name: str, **arguments: Any) -> dict[str, Any]:
    call = {"id": "1", "name": name, "arguments": arguments}
    return {"role": "assistant", "content": "", "tool_calls": [call]}


def tool_message(content: str = "{}", *, error: bool = False) -> dict[str, Any]:
    return {"role": "tool", "name": "x", "content": content, "error": error}


def assistant_message(content: str | None) -> dict[str, Any]:
    return {"role": "assistant", "content": content, "tool_calls": []}


def scores(told: dict[str, Any], **definition: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    found = score_told(told, Setting(read_task=fail_reading, definition=definition))
    assert list(found) == [PUBLISHED, PAPER] == list(PROFILES)
    return dict(found[PUBLISHED].as_json()), dict(found[PAPER].as_json())


def fail_reading() -> Any:
    raise AssertionError("scores by rules need no task")


def test_a_tag_after_a_call_counts_for_the_paper_alone() -> None:
    told = record(call_message("web_search", query="x"), tool_message(), assistant_message(f"抱歉 {TAG}"))
    published, paper = scores(told, missing_tool=True)
    assert (published["unsolved"], paper["unsolved"]) == (0, 1)
    assert published["evidence"]["unsolved"] == {"reply": "", "said": False}


def test_a_crash_of_an_unsolvable_task_has_recognised_nothing() -> None:
    told = {"trace_id": "1", "mode": "single_turn", "query": "q", "success": False, "error": "x"}
    assert [one["unsolved"] for one in scores(told, no_actionable=True)] == [0, 0]


def test_solvable_tasks_have_no_verdict_and_only_multi_turn_ones_have_turns() -> None:
    published, _ = scores(record(assistant_message("好")))
    assert published["unsolved"] is None and published["turns"] is None
    published, _ = scores(record(assistant_message("好"), mode="multi_turn", turns=3))
    assert published["turns"] == 3


def test_steps_are_of_single_turns_and_a_crash_has_neither_steps_nor_turns() -> None:
    published, paper = scores(record(assistant_message("好"), total_steps=2))
    assert published["steps"] == paper["steps"] == 2
    assert scores(record(assistant_message("好")))[0]["steps"] is None, "the record does not say"
    assert scores(record(assistant_message("好"), total_steps=2), missing_tool=True)[0]["steps"] is None
    for mode in ("single_turn", "multi_turn"):
        crash = {"trace_id": "1", "mode": mode, "query": "q", "success": False, "error": "x", "turns": 1}
        figures = scores(crash | {"total_steps": 1})[0]
        assert (figures["steps"], figures["turns"], figures["error_rate"]) == (None, None, 0)


def test_a_call_that_only_the_schema_forbids_is_an_error_for_the_paper_alone() -> None:
    told = record(
        call_message("map_search_places", query="火锅", sort_by="best", region="北京市"),
        tool_message(),
        call_message("weather_forecast_days", location="北京市", date="明天"),
        tool_message('{"error": "x"}', error=True),
        assistant_message("好"),
    )
    published, paper = scores(told)
    assert (published["error_rate"], paper["error_rate"]) == (0.5, 1.0)
    assert [one["call"] for one in published["evidence"]["errors"]] == [2]
    assert [(one["call"], one["counted"]) for one in paper["evidence"]["errors"]] == [(1, False), (2, True)]


def test_a_date_too_far_ahead_needs_the_task_s_time() -> None:
    told = record(
        call_message("weather_forecast_days", location="北京市", date="2025-12-30"),
        tool_message(),
        assistant_message("好"),
    )
    assert scores(told)[1]["error_rate"] == 0
    assert scores(told, time="2025-10-01 10:00")[1]["error_rate"] == 1


def test_calls_made_together_are_told_apart() -> None:
    both = call_message("web_search", query="a")
    both["tool_calls"].append({"id": "2", "name": "nothing_such", "arguments": {}})
    told = record(
        both, tool_message(), tool_message("Error executing tool", error=True), assistant_message("好")
    )
    assert [one["call"] for one in scores(told)[0]["evidence"]["errors"]] == [2]


def test_a_session_is_scored_by_its_log(play_task: PlayTask) -> None:
    events: list[Event] = play_task(query="等下喊我一声", missing_tool=True)
    found = score_session(events, Setting(read_task=fail_reading))
    assert {profile: sheet.figures["unsolved"] for profile, sheet in found.items()} == {
        PUBLISHED: 1,
        PAPER: 1,
    }


@pytest.mark.parametrize(
    ("fields", "subtask"),
    [
        ({"mode": "multi_turn"}, "multi"),
        ({"mode": "single_turn"}, "single"),
        ({"messages": [{"role": "system", "content": f"… {TAG} …"}]}, "unsolved"),
        ({"messages": [{"role": "system", "content": "…"}]}, "single"),
        ({"conversation_id": "travelbench-unsolved-7-0"}, "unsolved"),
        ({"subtask": "unsolved"}, "unsolved"),
    ],
)
def test_a_record_tells_its_subtask(fields: dict[str, Any], subtask: str) -> None:
    assert subtask_of({"mode": "single_turn"} | fields) == subtask


# Runs.


def trial(task: str, **values: float) -> Trial:
    subsets = {"m": "multi", "s": "single", "u": "unsolved"}
    return Trial(task, values, {"subtask": subsets[task[0]]})


TRIALS = [
    *(trial("m1", turns=2, judge=score) for score in (80.126, 60.0, 70.0)),
    trial("m2", turns=3, judge=10.0),
    trial("m3", turns=3),  # not judged
    trial("s1", judge=33.333),
    *(trial(f"u{n}", unsolved=value) for n, value in enumerate((1, 1, 0))),
]


def values(trials: list[Trial], profile: str) -> dict[str, float | None]:
    return run_values(METRICS, trials, PROFILES[profile], 6)


def test_published_pools_trials_and_rounds_subsets_before_their_mean() -> None:
    found = values(TRIALS, PUBLISHED)
    assert found["multi"] == pytest.approx((80.126 + 60 + 70 + 10) / 4)
    assert found["single"] == pytest.approx(33.333)
    assert found["overall"] == round((55.03 + 33.33 + 66.67) / 3, 2)


def test_the_paper_averages_trials_by_instance_and_rounds_nothing() -> None:
    found = values(TRIALS, PAPER)
    multi = ((80.126 + 60 + 70) / 3 + 10) / 2
    assert found["multi"] == pytest.approx(multi)
    assert found["overall"] == pytest.approx((multi + 33.333 + 200 / 3) / 3)


def test_a_run_without_one_of_the_subsets_has_no_overall_score() -> None:
    assert (
        values([one for one in TRIALS if one.facets["subtask"] != "unsolved"], PUBLISHED)["overall"] is None
    )
    assert values([], PUBLISHED)["multi"] is None
