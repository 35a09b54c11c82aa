"""Votes, exact intervals of shares, and mean absolute errors."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.labelling.binomial import clopper_pearson, even_chance
from benchmark.labelling.errors import human_error, judge_error
from benchmark.labelling.tables import LabelTable, Row, table_of
from benchmark.labelling.votes import confirmed_share, majorities, majority, votes_of


def table(*votes: str) -> LabelTable:
    """A word an item, a letter a vote."""
    return table_of(
        [Row(f"i{n}", f"r{m}", vote) for n, word in enumerate(votes) for m, vote in enumerate(word)],
        "nominal",
    )


@pytest.mark.parametrize(
    ("hits", "low", "high"),
    [(97, 0.9148, 0.9938), (95, 0.8872, 0.9836), (0, 0.0, 0.0362), (100, 0.9638, 1.0)],
)
def test_the_exact_interval_is_travelbenchs(hits: int, low: float, high: float) -> None:
    assert clopper_pearson(hits, 100) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_exact_figures_are_those_of_statsmodels_and_scipy(given_: tuple[int, int]) -> None:
    from scipy.stats import binomtest
    from statsmodels.stats.proportion import proportion_confint

    hits, trials = given_
    assert clopper_pearson(hits, trials) == pytest.approx(proportion_confint(hits, trials, 0.05, "beta"))
    assert clopper_pearson(hits, trials, 0.9) == pytest.approx(proportion_confint(hits, trials, 0.1, "beta"))
    assert even_chance(hits, trials) == pytest.approx(binomtest(hits, trials).pvalue)


def test_of_no_trials_nothing_is_known() -> None:
    assert clopper_pearson(0, 0) is None and even_chance(0, 0) is None


@pytest.mark.parametrize(
    ("votes", "label"),
    [("AAB", "A"), ("ABN", None), ("AABB", None), ("AABN", None), ("AAABN", "A"), ("N", "N"), ("", None)],
)
def test_a_majority_is_more_than_half_of_all_votes(votes: str, label: str | None) -> None:
    assert majority(list(votes)) == label
    assert majorities(table(votes, "B")) == {"i0": label, "i1": "B"} if votes else {"i1": "B"}


def test_a_majority_counts_votes_that_are_out_still() -> None:
    assert majority(["A"], of=3) is None
    assert majority(["A", "A"], of=3) == "A"


def test_votes_are_counted_by_pattern_and_by_label() -> None:
    found = votes_of(table("AAA", "AAB", "BAB", "ABN", "NNN", "AB", "A"))
    assert list(found.patterns.items()) == [
        ("3-0", 2),
        ("2-1", 2),
        ("1-1-1", 1),
        ("1-1", 1),
        ("1-0", 1),
    ]
    assert found.of_label["N"] == {(3, 3): 1, (1, 3): 1, (0, 3): 3, (0, 2): 1, (0, 1): 1}
    assert found.items == 7 and sum(found.of_label["A"].values()) == 7


def test_votes_of_nobody_are_none() -> None:
    found = votes_of(table_of([Row("a", "r", None)], "nominal"))
    assert (found.items, found.patterns, found.of_label) == (0, {}, {})


def test_released_labels_are_confirmed_as_in_travelbenchs_table_11() -> None:
    """87 items 3/3, 10 items 2/3, 3 items 1/3: 97 of 100."""
    shown = table(*["YYY"] * 87, *["YYN"] * 10, *["YNN"] * 3)
    found = confirmed_share(list(majorities(shown).values()).count("Y"), len(shown.items))
    assert (found.value, found.low, found.high) == pytest.approx((0.97, 0.9148, 0.9938), abs=5e-5)
    assert votes_of(shown).of_label["Y"] == {(3, 3): 87, (2, 3): 10, (1, 3): 3}
    nobody = confirmed_share(0, 0)
    assert (nobody.value, str(nobody.reason)) == (None, "no item with a label has a majority of people")


def test_errors_of_a_judge_and_of_people() -> None:
    """The judge: (|4−3| + |4−5| + |4−5|)/3 and |2−2|. People: of 3, 5, 5 from their median 5."""
    assert judge_error([(4, [3, 5, 5]), (2, [2]), (1, [])]).value == pytest.approx(1 / 2)
    assert judge_error([(4, [3, 5, 5]), (2, [2]), (1, [])]).size.items == 2
    assert human_error([[3, 5, 5], [2], []]).value == pytest.approx(2 / 3)
    assert human_error([[1, 2], [4, 4, 4]]).value == pytest.approx(0.25)


def test_complete_ratings_have_the_mean_over_annotators_of_each_ones_error() -> None:
    judge, people = [4, 2, 5], [[3, 5, 4], [2, 2, 1], [5, 3, 4]]
    by_annotator = [
        sum(abs(one - row[m]) for one, row in zip(judge, people, strict=True)) / 3 for m in range(3)
    ]
    found = judge_error(list(zip(judge, people, strict=True)))
    assert found.value == pytest.approx(sum(by_annotator) / 3)
    assert found.size.ratings == 9


def test_errors_of_nobody_say_why() -> None:
    assert str(judge_error([(4, [])]).reason) == "no item is rated by the judge and an annotator"
    assert str(human_error([[4]]).reason) == "no item is rated by two annotators"
