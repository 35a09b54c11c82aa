"""Means, intervals, paired comparisons and correlations against numbers worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.reports.agreement import RatedSession, agreement
from benchmark.reports.statistics import (
    Estimate,
    Resampler,
    correlation,
    estimates,
    means_of,
    paired_differences,
)

NAN = float("nan")
numbers = st.lists(st.floats(-100, 100), min_size=2, max_size=12)
SMALL = Resampler(times=200)


def column(*values: float) -> np.ndarray:
    return np.array(values, dtype=float)[:, None]


def test_a_mean_leaves_out_what_is_unknown() -> None:
    found = means_of(np.array([[1.0, NAN, NAN], [3.0, 4.0, NAN]]))
    assert found[:2].tolist() == [2.0, 4.0]
    assert np.isnan(found[2])


def test_one_task_has_no_interval_and_none_no_value() -> None:
    [[one]] = estimates([column(5.0)], SMALL)
    [[unknown]] = estimates([column(NAN)], SMALL)
    assert one == Estimate(5.0)
    assert unknown == Estimate(None)


def test_resamples_draw_every_task_as_often_on_average_and_so_many_each_time() -> None:
    weights = Resampler().weights(8)
    assert set(weights.sum(axis=1)) == {8.0}
    assert weights.mean(axis=0) == pytest.approx(np.ones(8), abs=0.1)


def test_the_interval_of_two_tasks_is_that_of_their_three_mixtures() -> None:
    [[found]] = estimates([column(0.0, 1.0)], Resampler())  # 0, 0.5 and 1, by 1/4, 1/2 and 1/4
    assert found == Estimate(0.5, 0.0, 1.0)


def test_the_interval_is_about_two_standard_errors_wide() -> None:
    values = np.random.default_rng(1).normal(10, 3, 400)
    [[found]] = estimates([values[:, None]], Resampler())
    assert found.low is not None and found.high is not None
    assert found.high - found.low == pytest.approx(2 * 1.96 * values.std() / 20, rel=0.1)


@given(numbers)
def test_an_interval_lies_within_the_values_and_is_the_same_each_time(values: list[float]) -> None:
    block = column(*values)
    [[found]] = estimates([block], SMALL)
    assert found.value is not None and found.low is not None and found.high is not None
    assert min(values) - 1e-9 <= found.low <= found.high <= max(values) + 1e-9
    assert estimates([block], Resampler(times=200)) == [[found]]


@given(st.lists(numbers, min_size=1, max_size=5))
def test_blocks_together_give_what_each_gives_alone(lists: list[list[float]]) -> None:
    blocks = [column(*values) for values in lists]
    for together, block in zip(estimates(blocks, SMALL), blocks, strict=True):
        [alone] = estimates([block], SMALL)[0]
        assert [together[0].value, together[0].low, together[0].high] == pytest.approx(
            [alone.value, alone.low, alone.high], abs=1e-9
        )


def test_a_task_that_nobody_rated_is_left_out_of_resamples_too() -> None:
    rated = estimates([np.array([[1.0], [NAN], [1.0], [1.0]])], SMALL)[0][0]
    assert (rated.value, rated.low, rated.high) == (1.0, 1.0, 1.0)


def test_a_difference_has_its_mean_effect_and_share_of_wins() -> None:
    [[found]] = paired_differences([column(1.0, 2.0, 3.0, 0.0)], SMALL)
    assert found.tasks == 4
    assert found.difference.value == 1.5
    assert found.effect == pytest.approx(1.5 / np.std([1, 2, 3, 0], ddof=1))
    assert found.wins == 0.875  # three wins and a tie


def test_p_of_few_differences_is_the_share_of_signs_that_give_as_much() -> None:
    figures = np.array([[1.0, 1.0], [2.0, -2.0], [3.0, 3.0], [4.0, NAN]])
    [[alike, mixed]] = paired_differences([figures], Resampler())
    assert alike.p == 2 / 16  # all signs as they are, or all turned
    assert mixed.p == 6 / 8  # of ±1 ±2 ±3 only 0, twice, is less than 2 away


def test_chance_is_seldom_called_a_find_however_few_tasks() -> None:
    noise = np.random.default_rng(5).normal(0, 1, (2_000, 31))
    for tasks in (2, 3, 6, 10, 15, 30):
        [found] = paired_differences([noise[:1_000, :tasks].T, noise[1_000:, :tasks].T], Resampler())[:1]
        share = np.mean([one.p is not None and one.p < 0.05 for one in found])
        assert share < 0.075, tasks  # 5 % but for the luck of the draw


def test_drawn_signs_give_nearly_the_p_of_all() -> None:
    values = np.random.default_rng(7).normal(0.5, 1, 11)
    [[exact]], [[drawn]] = (
        paired_differences([column(*values)], Resampler(times=times)) for times in (2**11, 2**11 - 1)
    )
    assert exact.p is not None and drawn.p == pytest.approx(exact.p, abs=0.03)


def test_no_difference_has_p_1_and_no_effect() -> None:
    [[found]] = paired_differences([column(0.0, 0.0, 0.0)], SMALL)
    assert (found.p, found.effect, found.wins) == (1.0, None, 0.5)


def test_a_clear_difference_is_improbable_by_chance() -> None:
    values = np.random.default_rng(2).normal(1, 0.5, 50)
    [[clear, noise]] = paired_differences([np.stack([values, values - values.mean()], axis=1)], Resampler())
    assert clear.p == 1 / 2001
    assert noise.p is not None and noise.p > 0.9


def test_one_common_task_is_no_test() -> None:
    [[one, none]] = paired_differences([np.array([[2.0, NAN]])], SMALL)
    assert (one.tasks, one.difference, one.p, one.wins) == (1, Estimate(2.0), None, 1.0)
    assert (none.tasks, none.difference.value, none.wins) == (0, None, None)


@given(numbers)
def test_turning_the_runs_round_turns_the_sign_and_keeps_p(values: list[float]) -> None:
    rounded = column(*(round(value, 2) for value in values))
    [[there]], [[back]] = paired_differences([rounded], SMALL), paired_differences([-rounded], SMALL)
    assert there.p == pytest.approx(back.p)
    assert (there.wins or 0) + (back.wins or 0) == pytest.approx(1)
    assert there.difference.value == pytest.approx(-(back.difference.value or 0))


def test_correlation_by_hand_and_where_there_is_none() -> None:
    calls = np.array([1.0, 2.0, 3.0])
    assert correlation(calls, np.array([1.0, 2.0, 2.0])) == pytest.approx(0.8660254)
    assert correlation(calls, -2 * calls) == pytest.approx(-1)
    assert correlation(calls, np.ones(3)) is None
    assert correlation(calls[:2], calls[:2]) is None


def test_errors_of_the_judge_and_of_people() -> None:
    labels = [
        RatedSession(
            {"hallucination": 4}, [{"hallucination": 3}, {"hallucination": 5}, {"hallucination": 5}]
        ),
        RatedSession({"hallucination": 2}, [{"hallucination": 2}]),
        RatedSession({}, [{"hallucination": 1}]),
    ]
    found = agreement(labels, "hallucination")
    assert found is not None
    assert found.sessions == 2
    assert found.judge == 0.5  # (1 + 1 + 1) / 3 and 0
    assert found.humans == pytest.approx(2 / 3)  # 2, 0 and 0 from the median of 5
    assert agreement(labels, "plan_humanization") is None
