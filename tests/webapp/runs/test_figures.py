"""From outcomes to figures."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.core.tool_use import ToolUse
from benchmark.suites import DEFAULT_SUITE
from tests.webapp.runs.conftest import use
from webapp.runs.figures import (
    Outcome,
    by_difficulty,
    compared_metrics,
    difference,
    figures_of,
    tool_rows,
    uses_of,
)
from webapp.runs.wording import shown_mean
from webapp.wording.metrics import change_words, mean_digits


def outcome(
    task: str = "a", difficulty: str = "easy", uses: dict[str, ToolUse] | None = None, **given: Any
) -> Outcome:
    scores = {"pc": 0.5, "gu": 4.0, "gf": 60.0, "pv": True, **given}
    facets = {"difficulty": difficulty}
    return Outcome("s", task, facets, "plan_generated", scores["gu"] is not None, scores, uses=uses or {})


METRICS = {metric.key: metric for metric in compared_metrics(DEFAULT_SUITE)}
NO_PLAN: dict[str, Any] = {"gu": None, "gf": None, "pv": None}


def test_trials_are_averaged_before_tasks_and_a_task_without_a_plan_counts_0() -> None:
    found = figures_of(
        [outcome(gu=2.0), outcome(gu=4.0), outcome("b", gu=9.0), outcome("c", **NO_PLAN)], DEFAULT_SUITE
    )
    assert found.values["gu"] == 4.0
    assert found.values["plans"] == 0.75
    assert found.values["pv"] == pytest.approx(2 / 3, abs=1e-6)


def test_a_mean_says_of_how_many_tasks_it_is_where_some_have_no_value() -> None:
    metrics = {metric.key: metric for metric in compared_metrics("travelbench")}
    all_values = [
        {"unsolved": 1.0, "error_rate": 0.0},
        {"unsolved": 0.0, "error_rate": 0.2},
        {"error_rate": 0.4},
    ]
    outcomes = [
        Outcome("s", task, {}, "", False, values) for task, values in zip("abc", all_values, strict=True)
    ]
    means = figures_of(outcomes, "travelbench").means
    unsolved, errors = (shown_mean(metrics[key], means[key]) for key in ("unsolved", "error_rate"))
    assert (unsolved.value, unsolved.coverage) == ("50.0", "2 of 3")
    assert errors.coverage == "" and shown_mean(metrics["calls"], means["calls"]).coverage == ""


def test_crashes_are_counted_apart() -> None:
    crashed = replace(outcome("b", **NO_PLAN), completion_reason="context_overflow")
    found = figures_of(
        [outcome(), crashed, replace(crashed, completion_reason="max_turn_reached")], DEFAULT_SUITE
    )
    assert (found.sessions, found.crashed) == (3, 1)


def test_small_differences_of_completeness_are_not_rounded_away() -> None:
    found = difference([outcome(pc=0.4133)], [outcome(pc=0.4078)], DEFAULT_SUITE)
    assert (
        change_words(METRICS["pc"], found.changes["pc"]) == "−0.6"
    )  # points, as far as the paper's tables go


def test_tool_figures_are_a_session_and_a_call() -> None:
    one = outcome(uses={"search_poi": use(3, hits=2, simulated=1), "plan_route": use(1, errors=1)})
    found = figures_of([one, outcome("b")], DEFAULT_SUITE)
    keys = ("calls", "hit_rate", "simulated", "errors")
    assert [found.values[key] for key in keys] == [2.0, 0.5, 0.25, 0.5]


def test_without_sessions_there_are_no_figures() -> None:
    found = figures_of([], DEFAULT_SUITE)
    assert found.sessions == 0
    assert set(found.values.values()) == {None}


def test_difficulties_come_in_order_and_only_those_that_there_are() -> None:
    found = by_difficulty([outcome(difficulty=d) for d in ("hard", "odd", "easy", "hard")], DEFAULT_SUITE)
    assert [(difficulty, figures.sessions) for difficulty, figures in found] == [
        ("", 4),
        ("easy", 1),
        ("hard", 2),
        ("odd", 1),
    ]


def test_tools_are_added_up_and_the_sessions_keep_theirs() -> None:
    outcomes = [outcome(uses={"maps_geo": use(1), "search_poi": use(2, hits=1)}) for _ in range(3)]
    first = uses_of(outcomes)
    assert [(name, u.calls, u.hits) for name, u in first.items()] == [
        ("search_poi", 6, 3),
        ("maps_geo", 3, 0),
    ]
    assert uses_of(outcomes) == first


def test_a_row_of_tools_tells_means_and_errors_by_kind() -> None:
    uses = {"search_poi": use(6, hits=3, simulated=2, errors=2, kind="schema")}
    row = tool_rows(uses, 4, ["arguments", "schema"])[0]
    assert row.a_session == (1.5, 0.75, 0.75, 0.5, 0.0, 0.5)
    assert row.errors == (0, 2)


def test_a_difference_is_taken_over_common_tasks_alone() -> None:
    first = [outcome("a", gu=2.0), outcome("b", gu=8.0)]
    second = [outcome("b", gu=9.0), outcome("c", gu=0.0)]
    found = difference(first, second, DEFAULT_SUITE)
    assert (found.tasks, found.changes["gu"]) == (1, 1.0)


def test_what_one_side_lacks_has_no_difference() -> None:
    found = difference([outcome("a")], [outcome("b")], DEFAULT_SUITE)
    assert found.tasks == 0
    assert set(found.changes.values()) == {None}
    assert (
        difference([outcome()], [outcome(uses={"maps_geo": use(2, hits=1)})], DEFAULT_SUITE).changes[
            "hit_rate"
        ]
        is None
    )


outcomes = st.builds(
    outcome,
    task=st.sampled_from("abc"),
    difficulty=st.sampled_from(["easy", "hard"]),
    gu=st.none() | st.floats(-50, 50),
    pc=st.none() | st.floats(0, 1),
)


@given(st.lists(outcomes, min_size=1, max_size=8))
def test_a_run_differs_from_itself_in_nothing_whatever_the_order(ended: list[Outcome]) -> None:
    changes = difference(ended, ended[::-1], DEFAULT_SUITE).changes
    assert all(change is None or change == pytest.approx(0, abs=1e-6) for change in changes.values())


@pytest.mark.parametrize(
    ("name", "value", "words", "change"),
    [
        ("pv", 0.1234, "12.3", "+12.3"),
        ("gu", -0.004, "0.00", "±0.00"),
        ("gf", -3.0, "−3.0", "−3.0"),
        ("pc", 0.998, "99.8", "+99.8"),
        ("calls", None, "–", ""),
    ],
)
def test_figures_in_words(name: str, value: float | None, words: str, change: str) -> None:
    assert mean_digits(METRICS[name], value) == words
    assert change_words(METRICS[name], value) == change
