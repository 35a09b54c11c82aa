"""Wins and Bradley-Terry scores."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark.labelling import preference
from benchmark.labelling.preference import Answer, Comparison, bradley_terry, win_matrix
from tests.properties import examples

SIDES: tuple[Answer, Answer] = ("A", "B")
HOCKEY = {("a", "b"): (6, 3), ("b", "c"): (7, 2), ("a", "c"): (8, 4), ("c", "d"): (5, 5), ("a", "d"): (9, 1)}
"""Wins of either of two agents over the other."""


def comparisons_of(wins: dict[tuple[str, str], tuple[int, int]]) -> list[Comparison]:
    answers = [
        (first, second, answer)
        for (first, second), counts in wins.items()
        for answer, count in zip(SIDES, counts, strict=True)
        for _ in range(count)
    ]
    return [Comparison(f"i{n}", first, second, answer) for n, (first, second, answer) in enumerate(answers)]


def draw_comparisons(strengths: dict[str, float], items: int, seed: int = 0) -> list[Comparison]:
    """Answers of three people to each item, by the model itself."""
    chance, names = np.random.default_rng(seed), list(strengths)
    found = []
    for n in range(items):
        first, second = (names[at] for at in chance.choice(len(names), 2, replace=False))
        share = 1 / (1 + np.exp(strengths[second] - strengths[first]))
        found += [
            Comparison(f"i{n}", first, second, "A" if chance.random() < share else "B") for _ in range(3)
        ]
    return found


def by_minorising(wins: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Hunter's (2004) MM algorithm, which shares nothing with what is tested."""
    strengths = np.ones(len(wins))
    for _ in range(20_000):
        among = (wins + wins.T) / (strengths[:, None] + strengths[None, :])
        np.fill_diagonal(among, 0)
        new = wins.sum(axis=1) / among.sum(axis=1)
        new /= np.exp(np.log(new).mean())
        if np.abs(new - strengths).max() < 1e-13:
            break
        strengths = new
    return np.log(strengths)


def test_the_matrix_counts_wins_ties_and_neither_apart() -> None:
    found = win_matrix(
        [
            Comparison("1", "a", "b", "A"),
            Comparison("2", "b", "a", "A"),
            Comparison("3", "a", "b", "B"),
            Comparison("4", "a", "b", "tie"),
            Comparison("5", "b", "a", "neither"),
        ]
    )
    assert found.agents == ("a", "b")
    assert found.wins.tolist() == [[0, 1], [2, 0]]
    assert found.ties.tolist() == found.neither.tolist() == [[0, 1], [1, 0]]
    assert found.shares[0, 1] == pytest.approx(1.5 / 4) and found.shares[1, 0] == pytest.approx(2.5 / 4)
    assert np.isnan(found.shares[0, 0])


@pytest.mark.parametrize(
    ("comparison", "told"),
    [
        (Comparison("7", "a", "a", "A"), "7: compares a with itself"),
        (Comparison("7", "a", "b", "left"), "7: the answer 'left' is none"),  # type: ignore[arg-type]
    ],
)
def test_answers_that_compare_nothing_are_refused(comparison: Comparison, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        bradley_terry([comparison])


def test_scores_are_those_of_an_mm_algorithm_and_the_best_comes_first() -> None:
    found = bradley_terry(comparisons_of(HOCKEY), resamples=0)
    expected = by_minorising(found.matrix.wins.astype(float))
    scores = {name: statistic.value for name, statistic in found.scores.items()}
    assert list(scores) == sorted(scores, key=lambda name: -(scores[name] or 0))
    assert [scores[name] for name in found.matrix.agents] == pytest.approx(expected.tolist(), abs=1e-7)
    assert found.scores["a"].size.items == 50 and found.scores["a"].low is None


def test_of_two_agents_the_score_is_the_log_of_the_odds() -> None:
    found = bradley_terry(comparisons_of({("a", "b"): (30, 10)}), resamples=0)
    assert found.scores["a"].value == pytest.approx(np.log(3) / 2)
    assert found.chance("a", "b") == pytest.approx(0.75)


answers = st.lists(
    st.tuples(
        st.integers(0, 9), st.permutations(["a", "b", "c"]), st.sampled_from(["A", "B", "tie", "neither"])
    ),
    min_size=1,
    max_size=60,
)


@given(answers)
@settings(max_examples=examples(60))
def test_scores_are_defined_exactly_where_all_have_won_against_all(given_: list[Any]) -> None:
    """Ford's (1957) condition, checked by closing the wins one step at a time."""
    shown = [Comparison(f"i{item}", pair[0], pair[1], answer) for item, pair, answer in given_]
    found = bradley_terry(shown, resamples=0)
    wins = found.matrix.wins + found.matrix.ties / 2
    reached = {(one, other) for one, other in zip(*np.nonzero(wins), strict=True)}
    while more := {(a, d) for a, b in reached for c, d in reached if b == c} - reached:
        reached |= more
    agents = range(len(wins))
    whole = all((one, other) in reached for one in agents for other in agents if one != other)
    values = [statistic.value for statistic in found.scores.values()]
    assert all((value is not None) == whole for value in values)
    if whole:
        known = [found.scores[name].value for name in found.matrix.agents]
        assert known == pytest.approx(by_minorising(wins).tolist(), abs=1e-6)


def test_scores_without_a_value_say_why_and_a_prior_gives_them_one() -> None:
    shown = comparisons_of({("a", "b"): (5, 0), ("b", "c"): (2, 2)})
    found = bradley_terry(shown)
    assert {str(one.reason).split(",")[0] for one in found.scores.values()} == {"some agents always win"}
    assert found.chance("a", "b") is None
    kept = bradley_terry(shown, prior=0.5, resamples=50)
    wins = kept.matrix.wins + 0.5 * (1 - np.eye(3))
    scores = [kept.scores[name].value for name in kept.matrix.agents]
    assert scores == pytest.approx(by_minorising(wins).tolist(), abs=1e-6)
    assert "regularised: 0.5 wins of each agent over each other one were added" in map(str, kept.remarks)


def test_only_neither_is_no_win_of_anyone() -> None:
    found = bradley_terry([Comparison("1", "a", "b", "neither")])
    assert str(found.scores["a"].reason) == "no answer prefers an agent"
    assert list(map(str, found.remarks)) == ["answers that found neither satisfactory left out: 1"]
    assert bradley_terry([]).scores == {}


def test_ties_are_half_wins_or_left_out() -> None:
    shown = [
        *comparisons_of({("a", "b"): (3, 1)}),
        Comparison("x", "a", "b", "tie"),
        Comparison("y", "b", "a", "tie"),
    ]
    half, without = bradley_terry(shown, resamples=0), bradley_terry(shown, ties="drop", resamples=0)
    assert half.chance("a", "b") == pytest.approx(4 / 6)
    assert without.chance("a", "b") == pytest.approx(3 / 4)
    assert list(map(str, half.remarks)) == ["ties count as half a win of each: 2"]
    assert list(map(str, without.remarks)) == ["ties left out: 2"]
    assert half.scores["a"].size.ratings == 6 and without.scores["a"].size.ratings == 4


def test_intervals_are_those_of_resampled_items_fitted_one_by_one() -> None:
    shown = draw_comparisons({"a": 0.5, "b": 0.0, "c": -0.5}, 60)
    found = bradley_terry(shown, resamples=200, seed=3)
    by_item: dict[str, list[Comparison]] = {}
    for one in shown:
        by_item.setdefault(one.item, []).append(one)
    items, chance = list(by_item.values()), np.random.default_rng(3)
    fits = []
    for _ in range(200):
        chosen = chance.integers(0, len(items), len(items))
        wins = win_matrix([one for at in chosen for one in items[at]]).wins
        fits.append(by_minorising(wins.astype(float)))
    lows, highs = np.quantile(fits, (0.025, 0.975), axis=0)
    for at, name in enumerate(found.matrix.agents):
        assert (found.scores[name].low, found.scores[name].high) == pytest.approx(
            (lows[at], highs[at]), abs=1e-6
        )


def test_a_seed_gives_the_same_interval_again() -> None:
    shown = draw_comparisons({"a": 0.5, "b": -0.5}, 40)
    one, again, other = (bradley_terry(shown, resamples=100, seed=seed).scores["a"] for seed in (1, 1, 2))
    assert (one.low, one.high) == (again.low, again.high) != (other.low, other.high)


def test_intervals_cover_the_true_scores_as_often_as_they_say() -> None:
    true = {"a": 0.6, "b": 0.0, "c": -0.6}
    hits = [
        (one.low or 0) <= true[name] <= (one.high or 0)
        for seed in range(60)
        for name, one in bradley_terry(draw_comparisons(true, 150, seed), resamples=200).scores.items()
    ]
    assert 0.9 <= np.mean(hits) <= 0.99


def test_an_interval_is_not_told_where_many_resamples_have_no_scores() -> None:
    found = bradley_terry(comparisons_of({("a", "b"): (9, 1)}), resamples=200)
    assert found.scores["a"].value == pytest.approx(np.log(9) / 2)
    assert found.scores["a"].low is None
    assert any(str(one).startswith("no interval: no finite scores fit") for one in found.remarks)


def test_resamples_that_newtons_steps_do_not_settle_are_fitted_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = draw_comparisons({"a": 0.5, "b": 0.0, "c": -0.5}, 60)
    quick = bradley_terry(shown, resamples=50)
    monkeypatch.setattr(preference, "_NEWTON", 1)
    slow = bradley_terry(shown, resamples=50)
    for name, one in quick.scores.items():
        assert (one.low, one.high) == pytest.approx((slow.scores[name].low, slow.scores[name].high), abs=1e-6)


def test_names_mean_nothing() -> None:
    shown = comparisons_of(HOCKEY)
    renamed = {"a": "z", "b": "x", "c": "y", "d": "w"}
    turned = [
        Comparison(one.item, renamed[one.second], renamed[one.first], "B" if one.answer == "A" else "A")
        for one in reversed(shown)
    ]
    found, other = bradley_terry(shown, resamples=0), bradley_terry(turned, resamples=0)
    for name, new in renamed.items():
        assert found.scores[name].value == pytest.approx(other.scores[new].value)


def test_every_answer_is_known() -> None:
    assert set(get_args(Answer)) == {"A", "B", "tie", "neither"}
