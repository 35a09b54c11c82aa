"""Raters against the majority of people."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.labelling import resampling
from benchmark.labelling.rater_accuracy import Opinion, RaterComparison, accuracy, compare_rater
from benchmark.labelling.votes import majority

SIDES = {"A": 1, "B": -1, "tie": 0, "neither": 0}


def of(*pairs: tuple[float | str | None, str | None], **others: Any) -> RaterComparison:
    """Differences or choices, each beside the label."""
    return compare_rater(
        Opinion(f"i{n}", label, choice=said, **others)
        if isinstance(said, str)
        else Opinion(f"i{n}", label, said, **others)
        for n, (said, label) in enumerate(pairs)
    )


@pytest.mark.reference
def test_the_worked_cases_of_the_suite(reference: Path) -> None:
    lines = (reference / "golden-tripscore" / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [case for case in map(json.loads, lines) if case["input"].get("kind") == "agreement"]
    assert cases
    for case in cases:
        opinions = [
            Opinion(
                str(n),
                majority(["neither" if vote == "N" else vote for vote in pair["votes"]]),
                pair["r1"] - pair["r2"],
            )
            for n, pair in enumerate(case["input"]["pairs"])
        ]
        found, expected = compare_rater(opinions), case["expected"]
        assert found.accuracy.n == expected["n"]
        assert found.no_majority == len(opinions) - expected["n"]
        assert found.accuracy.ties_in.value == pytest.approx(expected["accuracy_ties_in"], abs=1e-6)
        assert found.accuracy.ties_out.value == pytest.approx(expected["accuracy_ties_out"], abs=1e-6)
        assert found.accuracy.tau_b.value == pytest.approx(expected["tau_b"], abs=1e-6)


@pytest.mark.parametrize(
    ("difference", "label", "right"),
    [
        *((0.1, "A", True), (0.1, "B", False), (-0.1, "B", True), (0.1, "neither", False)),
        *((0.0, "neither", True), (0.0, "tie", True), (0.0, "A", False), (4e-10, "neither", True)),
        *((-4e-10, "tie", True), (6e-10, "A", True), (6e-10, "neither", False), (float("inf"), "A", True)),
    ],
)
def test_the_sign_of_a_difference_is_right_or_wrong(difference: float, label: str, right: bool) -> None:
    assert of((difference, label)).accuracy.ties_in.value == float(right)


@given(st.sampled_from(list(SIDES)), st.sampled_from(list(SIDES)))
def test_a_choice_counts_like_a_difference_of_its_sign(choice: str, label: str) -> None:
    one, other = of((choice, label)).accuracy, of((float(SIDES[choice]), label)).accuracy
    assert (one.ties_in, one.ties_out) == (other.ties_in, other.ties_out)


def test_ties_of_the_rater_are_in_or_out() -> None:
    found = of((1, "A"), (1, "B"), (0, "neither"), (0, "B")).accuracy
    assert (found.n, found.ties_in.value, found.ties_out.value) == (4, 0.5, 0.5)
    found = of((1, "A"), (0, "A"), (0, "B")).accuracy
    assert (found.ties_in.value, found.ties_out.value) == (pytest.approx(1 / 3), 1.0)
    assert (found.ties_out.size.items, found.ties_out.low) == (1, pytest.approx(0.025))


def test_items_without_a_majority_or_an_opinion_are_counted_apart() -> None:
    found = of((1, "A"), (1, None), (None, "B"), (float("nan"), "B"), (None, None))
    assert (found.accuracy.n, found.no_majority, found.no_opinion) == (1, 2, 2)


def tau_by_pairs(first: list[float], second: list[float]) -> float:
    """Kendall's tau-b by its definition."""

    def sign(of: float) -> int:
        return (of > 0) - (of < 0)

    pairs = [
        (sign(first[n] - first[m]), sign(second[n] - second[m])) for n in range(len(first)) for m in range(n)
    ]
    one, other = sum(a != 0 for a, _ in pairs), sum(b != 0 for _, b in pairs)
    return float(sum(a * b for a, b in pairs) / (one * other) ** 0.5)


@given(
    st.lists(
        st.tuples(st.sampled_from([-0.3, -0.1, 0.0, 1e-11, 0.1, 0.3]), st.sampled_from(list(SIDES))),
        min_size=2,
        max_size=30,
    )
)
def test_tau_b_is_that_of_its_definition(pairs: list[tuple[float, str]]) -> None:
    found = accuracy(Opinion(str(n), label, said) for n, (said, label) in enumerate(pairs)).tau_b
    said, labels = [round(one, 9) for one, _ in pairs], [float(SIDES[label]) for _, label in pairs]
    if len(set(said)) < 2 or len(set(labels)) < 2:
        assert (found.value, str(found.reason)) == (None, "the rater or the labels never vary")
    else:
        assert found.value == pytest.approx(tau_by_pairs(said, labels))


@given(st.lists(st.tuples(st.floats(-3, 3), st.sampled_from(["A", "B", "neither"])), min_size=1, max_size=20))
def test_swapping_the_sides_changes_nothing(pairs: list[tuple[float, str]]) -> None:
    other = {"A": "B", "B": "A", "neither": "neither"}
    one, turned = of(*pairs).accuracy, of(*((-said, other[label]) for said, label in pairs)).accuracy
    assert (one.ties_in, one.ties_out) == (turned.ties_in, turned.ties_out)
    assert one.tau_b.value == pytest.approx(turned.tau_b.value)


def test_nothing_to_compare_says_so() -> None:
    found = of((1, None))
    assert str(found.accuracy.ties_in.reason) == "no item has both a majority and an opinion of the rater"
    assert str(found.accuracy.tau_b.reason) == str(found.accuracy.ties_out.reason)
    assert str(of((0, "A")).accuracy.ties_out.reason) == "the rater has a tie on every item"
    assert str(found.calibration_error.reason) == "the rater states no confidence"
    assert (found.by_difference, found.by_confidence, found.disagreements) == ((), (), ())


def test_slices_have_their_own_figures() -> None:
    found = compare_rater(
        Opinion(f"i{n}", label, 1.0, slices={"city": city, "size": "2"})
        for n, (label, city) in enumerate([("A", "x"), ("B", "x"), ("A", "y"), (None, "z")])
    )
    assert {value: one.ties_in.value for value, one in found.slices["city"].items()} == {"x": 0.5, "y": 1.0}
    assert found.slices["size"]["2"].n == 3


def test_disagreements_are_listed_with_the_surest_first() -> None:
    found = of((0.1, "B"), (5.0, "neither"), (1.0, "A"), (-2.0, "A"))
    assert [one.item for one in found.disagreements] == ["i1", "i3", "i0"]


def test_larger_differences_stand_in_later_bins_and_ties_in_their_own() -> None:
    pairs = [(0.0, "A"), (0.0, "tie"), *(((n + 1) / 10, "A" if n > 3 else "B") for n in range(8))]
    ties, low, high = compare_rater(
        (Opinion(f"i{n}", label, said) for n, (said, label) in enumerate(pairs)), bins=2
    ).by_difference
    assert (ties.items, ties.to, ties.accuracy) == (2, 0.0, 0.5)
    assert (low.from_, low.to, low.items, low.accuracy) == (0.1, 0.4, 4, 0.0)
    assert (high.from_, high.to, high.items, high.accuracy) == (0.5, 0.8, 4, 1.0)
    assert high.mean == pytest.approx(0.65) and high.low == pytest.approx(0.3976, abs=1e-4)


def test_equal_differences_stay_in_one_bin() -> None:
    pairs = [(1.0, "A")] * 5 + [(2.0, "A")]
    found = compare_rater((Opinion(str(n), label, said) for n, (said, label) in enumerate(pairs)), bins=3)
    assert [one.items for one in found.by_difference] == [5, 1]


def test_stated_confidence_is_held_against_accuracy() -> None:
    """Bins (0.7, 0.8] with 1 of 2 right and (0.9, 1] with 2 of 2: (2·|0.5 − 0.8| + 2·|1 − 0.975|) / 4."""
    told = [("A", 0.8), ("B", 0.8), ("A", 0.95), ("A", 1.0), (None, 0.1)]
    found = compare_rater(
        Opinion(str(n), label, choice="A", confidence=confidence)
        for n, (label, confidence) in enumerate(told)
    )
    assert [(one.from_, one.to, one.items) for one in found.by_confidence] == [(0.7, 0.8, 2), (0.9, 1.0, 2)]
    assert found.calibration_error.value == pytest.approx(0.1625)
    assert found.calibration_error.size.items == 4


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=40))
def test_every_item_stands_in_a_bin_that_holds_its_confidence(told: list[tuple[float, bool]]) -> None:
    found = compare_rater(
        Opinion(str(n), "A", choice="A" if right else "B", confidence=confidence)
        for n, (confidence, right) in enumerate(told)
    ).by_confidence
    assert sum(one.items for one in found) == len(told)
    assert all(one.from_ - 1e-9 <= one.mean <= one.to + 1e-9 for one in found)


@pytest.mark.parametrize(
    ("given_", "told"),
    [({"label": "left"}, "i: 'left' is none of A, B, tie, neither"), ({"choice": "C"}, "i: 'C' is none of")],
)
def test_words_that_are_no_label_are_refused(given_: dict[str, str], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        Opinion(**{"item": "i", "label": "A", **given_})  # type: ignore[arg-type]


def test_a_confidence_beyond_one_is_refused() -> None:
    with pytest.raises(ValueError, match="confidence 80 is no share from 0 to 1"):
        compare_rater([Opinion("i", "A", choice="A", confidence=80)])


# --- intervals


def _plain_tau(pairs: Sequence[tuple[float, int]]) -> float:
    """By the definition, over all pairs of items."""
    alike = apart = first_tied = second_tied = 0
    for (one, said), (other, told) in combinations(pairs, 2):
        way = ((one > other) - (one < other)) * ((said > told) - (said < told))
        alike, apart = alike + (way > 0), apart + (way < 0)
        first_tied, second_tied = first_tied + (one == other), second_tied + (said == told)
    both = len(pairs) * (len(pairs) - 1) / 2
    return (alike - apart) / math.sqrt((both - first_tied) * (both - second_tied))


@given(
    st.lists(
        st.tuples(st.integers(-3, 3), st.sampled_from((-1, 0, 1)), st.integers(0, 3)), min_size=2, max_size=12
    )
)
def test_a_draw_has_the_tau_of_the_items_that_it_drew(items: list[tuple[int, int, int]]) -> None:
    drawn = [(float(one), said) for one, said, times in items for _ in range(times)]
    figure = resampling.tau([float(one) for one, _, _ in items], [said for _, said, _ in items])
    value = float(figure(np.array([[times for _, _, times in items]], dtype=float))[0])
    if len({one for one, _ in drawn}) < 2 or len({said for _, said in drawn}) < 2:
        assert math.isnan(value)
    else:
        assert value == pytest.approx(_plain_tau(drawn))


def test_tau_and_the_calibration_error_have_intervals_around_them() -> None:
    chance = np.random.default_rng(5)
    opinions = [
        Opinion(str(n), label, choice="A" if chance.random() < 0.7 else "B", confidence=float(sure))
        for n, (label, sure) in enumerate(zip("AB" * 100, chance.uniform(0.5, 1, 200), strict=True))
    ]
    found = compare_rater(opinions)
    for one in (found.accuracy.tau_b, found.calibration_error):
        assert one.value is not None and one.low is not None and one.high is not None
        assert one.low <= one.value <= one.high and 0 < one.high - one.low < 0.4


def test_every_draw_of_the_calibration_error_is_that_of_its_items() -> None:
    stated = [(0.95, True), (0.92, False), (0.55, True), (0.52, True)]
    figure = resampling.calibration_error([9, 9, 5, 5], [right - sure for sure, right in stated])
    [whole, half] = figure(np.array([[1.0, 1, 1, 1], [2, 0, 0, 2]]))
    assert whole == pytest.approx((abs(1 - 1.87) + abs(2 - 1.07)) / 4)
    assert half == pytest.approx((2 * 0.05 + 2 * 0.48) / 4)
