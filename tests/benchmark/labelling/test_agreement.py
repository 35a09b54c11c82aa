"""Agreement of raters: against published examples, other implementations, and what the figures mean by themselves."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations, permutations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark.labelling import agreement, cohen, resampling
from benchmark.labelling.agreement import (
    agreement_of,
    all_agree,
    fleiss_kappa,
    gwet_ac1,
    icc_2k,
    krippendorff_alpha,
    percent_agreement,
    percent_and_alpha,
)
from benchmark.labelling.cohen import cohen_kappas, mean_kappa
from benchmark.labelling.statistic import Statistic
from benchmark.labelling.tables import SCALES, Label, LabelTable, Row, Scale, table_of
from tests.properties import examples

KRIPPENDORFF_2011 = (
    "1 2 3 3 2 1 4 1 2 . . .",
    "1 2 3 3 2 2 4 1 2 5 . 3",
    ". 3 3 3 2 3 4 2 2 5 1 .",
    "1 2 3 3 2 4 4 1 2 5 1 .",
)
"""“Computing Krippendorff's Alpha-Reliability”, part C: four observers, twelve units, the last with one rating."""
FLEISS_1971 = (
    *((0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1)),
    *((7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7)),
)
"""The worked example of Wikipedia's “Fleiss' kappa”: ten subjects, fourteen raters, five categories."""

ratings = st.lists(
    st.lists(st.sampled_from([None, 1.0, 2.0, 3.0, 5.0]), min_size=4, max_size=4), min_size=1, max_size=12
)
"""Items × four raters."""


def _of_statsmodels(counts: list[list[int]]) -> float:
    """Fleiss' kappa by another's code, whose import takes a second."""
    from statsmodels.stats.inter_rater import fleiss_kappa

    return float(fleiss_kappa(np.array(counts)))


def table(grid: Sequence[Sequence[Label | None]], scale: Scale = "interval") -> LabelTable:
    """Of labels by item and rater."""
    return table_of(
        [Row(f"i{n:03}", f"r{m}", label) for n, row in enumerate(grid) for m, label in enumerate(row)], scale
    )


def published_table(scale: Scale) -> LabelTable:
    columns = zip(*(line.split() for line in KRIPPENDORFF_2011), strict=True)
    grid = [[None if cell == "." else float(cell) for cell in column] for column in columns]
    return table(grid, "interval") if scale != "nominal" else table(_texts(grid), "nominal")


def _texts(grid: list[list[float | None]]) -> list[list[str | None]]:
    return [[None if cell is None else f"{cell:g}" for cell in row] for row in grid]


@pytest.mark.parametrize(("scale", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_krippendorffs_own_example(scale: Scale, alpha: float) -> None:
    found = krippendorff_alpha(published_table(scale), scale)
    assert found.value == pytest.approx(alpha, abs=0.0005)
    assert (found.size.items, found.size.ratings, found.size.raters) == (11, 40, 4)


def test_fleiss_own_example() -> None:
    rows = [
        Row(f"i{number}", f"r{rater:02}", f"c{category}")
        for number, counts in enumerate(FLEISS_1971)
        for rater, category in enumerate(np.repeat(np.arange(5), counts))
    ]
    found = fleiss_kappa(table_of(rows, "nominal"))
    assert found.value == pytest.approx(0.210, abs=0.0005)
    assert found.value == pytest.approx(_of_statsmodels(FLEISS_1971))
    assert (found.size.items, found.size.ratings, found.remarks) == (10, 140, ())


def test_cohens_kappa_of_a_worked_example() -> None:
    """Wikipedia's: 50 applications, 20 both yes, 15 both no, 5 and 10 otherwise."""
    grid = [
        *([["yes", "yes"]] * 20),
        *([["yes", "no"]] * 5),
        *([["no", "yes"]] * 10),
        *([["no", "no"]] * 15),
    ]
    [(pair, found)] = cohen_kappas(table(grid, "nominal")).items()
    assert pair == ("r0", "r1")
    assert found.value == pytest.approx(0.4)
    assert found.size.items == 50


def test_percent_and_all_raters_of_three_complete_raters() -> None:
    """Two items 3-0, two 2-1, one 1-1-1: (2·3 + 2·1) of 15 pairs."""
    shown = table([["a"] * 3, ["b"] * 3, ["a", "a", "b"], ["c", "b", "b"], ["a", "b", "c"]], "nominal")
    assert percent_agreement(shown).value == pytest.approx(8 / 15)
    assert all_agree(shown).value == pytest.approx(2 / 5)
    assert percent_agreement(shown).size.pairs == 15


def test_pairs_are_pooled_where_items_have_different_numbers_of_ratings() -> None:
    shown = table([["a", "a", "a", "a"], ["a", "b", None, None], ["b", None, None, None]], "nominal")
    assert percent_agreement(shown).value == pytest.approx(6 / 7)
    assert percent_agreement(shown).size.items == 2


def test_figures_that_want_equal_numbers_of_ratings_take_the_commonest_and_say_so() -> None:
    whole = [["a", "a", "b"], ["b", "b", "b"], ["a", "b", "b"]]
    shown = table([*whole, ["a", "a", None], ["b", None, None], [None, None, None]], "nominal")
    for statistic in (fleiss_kappa, all_agree):
        found = statistic(shown)
        assert found.value == pytest.approx(statistic(table(whole, "nominal")).value)
        assert found.size.items == 3
        assert list(map(str, found.remarks)) == ["items left out, with another number of ratings than 3: 2"]


def test_of_two_numbers_of_ratings_that_are_as_common_the_larger_is_taken() -> None:
    shown = table([["a", "b", "a"], ["a", "b", None]], "nominal")
    assert fleiss_kappa(shown).size.ratings == 3


@pytest.mark.parametrize(
    ("grid", "reason"),
    [
        ([["a", None], [None, "b"]], "no item has two ratings"),
        ([["a", "a"], ["a", "a"], ["b", None]], "all ratings are the same label"),
    ],
)
def test_chance_corrected_figures_without_a_value_say_why(grid: list[list[str | None]], reason: str) -> None:
    for found in (fleiss_kappa(table(grid, "nominal")), krippendorff_alpha(table(grid, "nominal"))):
        assert found.value is None
        assert str(found.reason).startswith(reason)


def test_agreement_in_per_cent_needs_two_ratings_alone() -> None:
    assert percent_agreement(table([["a", "a"]], "nominal")).value == 1.0
    for found in (percent_agreement, all_agree):
        assert str(found(table([["a", None]], "nominal")).reason) == "no item has two ratings"


def test_every_pair_of_raters_is_listed_and_says_why_it_has_no_kappa() -> None:
    shown = table([["a", "a", None], ["a", "a", "b"], ["a", None, "a"]], "nominal")
    found = cohen_kappas(shown)
    assert list(found) == [("r0", "r1"), ("r0", "r2"), ("r1", "r2")]
    assert str(found["r0", "r1"].reason).startswith("both give every item the same label")
    assert (found["r0", "r2"].value, found["r1", "r2"].value) == (0.0, 0.0)
    shown = table([["a", "b", None], [None, None, "a"]], "nominal")
    assert str(cohen_kappas(shown)["r0", "r2"].reason) == "no item is rated by both"


def test_the_mean_of_kappas_leaves_out_pairs_without_one() -> None:
    shown = table([["a", "a", None], ["b", "b", None], ["b", "a", None], [None, None, "a"]], "nominal")
    kappas = cohen_kappas(shown)
    found = mean_kappa(kappas)
    assert found.value == kappas["r0", "r1"].value
    assert (found.size.pairs, found.size.raters) == (1, 2)
    assert list(map(str, found.remarks)) == ["pairs of raters left out because it is undefined for them: 2"]
    alone = mean_kappa(cohen_kappas(table([["a"]], "nominal")))
    assert str(alone.reason) == "Cohen's kappa is defined for no pair of raters"


def test_of_very_many_raters_those_who_share_an_item_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = table([["a", "b", None], ["b", "b", None], [None, None, "a"]], "nominal")
    monkeypatch.setattr(cohen, "MOST_RATERS", 2)
    assert list(cohen_kappas(shown)) == [("r0", "r1")]
    monkeypatch.setattr(cohen, "MOST_PAIRS", 1)
    [found] = cohen_kappas(shown).values()
    assert str(found.reason) == "more than 1 pairs of ratings; give fewer raters per item"


@given(ratings)
@settings(max_examples=examples(40))
def test_cohens_kappas_are_scikit_learns(grid: list[list[float | None]]) -> None:
    from sklearn.metrics import cohen_kappa_score

    shown = table(grid)
    for weights in (None, "linear", "quadratic"):
        for (one, other), found in cohen_kappas(shown, weights).items():
            at, to = int(one[1:]), int(other[1:])
            both = [(row[at], row[to]) for row in grid if row[at] is not None and row[to] is not None]
            if found.value is None:
                assert len({label for pair in both for label in pair}) < 2
            else:
                first, second = ([int(pair[side] or 0) for pair in both] for side in (0, 1))
                expected = cohen_kappa_score(first, second, labels=range(1, 6), weights=weights)
                assert found.value == pytest.approx(expected)


def coincidences(grid: list[list[float | None]], labels: list[float]) -> np.ndarray[Any, Any]:
    """The matrix of the published definition: pairs of ratings of one item, each item's over its ratings less one."""
    found = np.zeros((len(labels), len(labels)))
    for row in grid:
        given = [labels.index(cell) for cell in row if cell is not None]
        for one, other in permutations(range(len(given)), 2):
            found[given[one], given[other]] += 1 / (len(given) - 1)
    return found


def textbook_alpha(grid: list[list[float | None]], scale: Scale) -> float:
    """Krippendorff 2011, equations of part D, from the matrix of coincidences."""
    labels = sorted({cell for row in grid for cell in row if cell is not None})
    matrix = coincidences(grid, labels)
    of_label = matrix.sum(axis=0)

    def distance(one: int, other: int) -> float:
        if scale == "nominal":
            return float(one != other)
        if scale == "interval":
            return (labels[one] - labels[other]) ** 2
        low, high = sorted((one, other))
        return float((of_label[low : high + 1].sum() - (of_label[low] + of_label[high]) / 2) ** 2)

    pairs = list(product(range(len(labels)), repeat=2))
    observed = sum(matrix[one, other] * distance(one, other) for one, other in pairs)
    expected = sum(of_label[one] * of_label[other] * distance(one, other) for one, other in pairs)
    return float(1 - (of_label.sum() - 1) * observed / expected)


@given(ratings)
def test_alphas_are_those_of_the_published_definition(grid: list[list[float | None]]) -> None:
    shown = table(grid)
    for scale in SCALES:
        found = krippendorff_alpha(shown, scale)
        if found.value is None:
            several = [{cell for cell in row if cell} for row in grid if sum(map(bool, row)) > 1]
            assert len(set().union(*several)) < 2
        else:
            assert found.value == pytest.approx(textbook_alpha(grid, scale))


def test_two_observers_of_krippendorffs_own_examples() -> None:
    """Krippendorff 2011, part A: binary data, ten units; part B: nominal data, twelve units."""
    one, other = "0 1 0 0 0 0 0 0 1 0", "1 1 1 0 0 1 0 0 0 0"
    binary = table([list(pair) for pair in zip(one.split(), other.split(), strict=True)], "nominal")
    assert krippendorff_alpha(binary).value == pytest.approx(0.095, abs=0.0005)
    one, other = "a a b b d c c c e d d a", "b a b b b c c c e d d d"
    nominal = table([list(pair) for pair in zip(one.split(), other.split(), strict=True)], "nominal")
    assert krippendorff_alpha(nominal).value == pytest.approx(0.692, abs=0.0005)


def test_a_table_of_very_many_different_labels_is_worked_out_too() -> None:
    chance = np.random.default_rng(0)
    truth = chance.normal(size=5000)
    grid = [[float(one + chance.normal() / 2) for _ in range(3)] for one in truth]
    shown = table(grid)
    assert len(shown.labels) == 15_000
    found = krippendorff_alpha(shown)
    assert found.value == pytest.approx(0.8, abs=0.02), "the share of the variance that raters have in common"


@given(ratings)
def test_fleiss_kappa_is_that_of_statsmodels(grid: list[list[float | None]]) -> None:
    found = fleiss_kappa(table(grid))
    if found.value is None:
        return
    each = found.size.ratings // found.size.items
    rows = [[cell for cell in row if cell] for row in grid]
    counts = [[row.count(label) for label in (1, 2, 3, 5)] for row in rows if len(row) == each]
    assert found.value == pytest.approx(_of_statsmodels(counts))


@given(ratings)
def test_percentages_are_what_counting_gives(grid: list[list[float | None]]) -> None:
    rows = [[cell for cell in row if cell] for row in grid]
    pairs = [pair for row in rows for pair in combinations(row, 2)]
    found = percent_agreement(table(grid))
    assert found.size.pairs == len(pairs)
    if pairs:
        assert found.value == pytest.approx(sum(one == other for one, other in pairs) / len(pairs))
        whole = all_agree(table(grid))
        each = whole.size.ratings // whole.size.items
        alike = [len(set(row)) == 1 for row in rows if len(row) == each]
        assert whole.value == pytest.approx(sum(alike) / len(alike))


def values_of(shown: LabelTable) -> list[float | None]:
    found = agreement_of(shown)
    one: list[Statistic] = [found.percent, found.all_agree, found.cohen_mean, found.fleiss]
    return [statistic.value for statistic in (*one, *found.alphas.values())]


@given(ratings, st.randoms(use_true_random=False))
def test_names_and_order_of_items_and_raters_mean_nothing(
    grid: list[list[float | None]], chance: random.Random
) -> None:
    items, raters = list(range(len(grid))), list(range(4))
    chance.shuffle(items)
    chance.shuffle(raters)
    renamed = table_of(
        [
            Row(f"x{items[n]}", f"y{raters[m]}", label)
            for n, row in enumerate(grid)
            for m, label in enumerate(row)
        ],
        "interval",
    )
    assert values_of(renamed) == pytest.approx(values_of(table(grid)))


@given(ratings)
def test_no_figure_lies_above_one_and_shares_lie_above_zero(grid: list[list[float | None]]) -> None:
    found = agreement_of(table(grid))
    statistics = [found.fleiss, found.cohen_mean, *found.alphas.values(), *found.cohen.values()]
    statistics += [one for kappas in found.weighted_kappas.values() for one in kappas.values()]
    for one in (found.percent, found.all_agree, *statistics):
        assert (one.value is None) == (one.reason is not None)
        assert one.value is None or one.value <= 1 + 1e-9
    for one in (found.percent, found.all_agree):
        assert one.value is None or one.value >= 0


@given(
    st.lists(st.sampled_from(["a", "b", "c"]), min_size=2, max_size=8).filter(lambda one: len(set(one)) > 1)
)
def test_raters_who_always_agree_have_one_in_all_figures(labels: list[str]) -> None:
    assert values_of(table([[label] * 3 for label in labels], "nominal")) == pytest.approx([1.0] * 5)


def test_raters_who_answer_by_chance_have_nought() -> None:
    chance = np.random.default_rng(7)
    grid = [[str(chance.integers(3)) for _ in range(3)] for _ in range(4000)]
    found = agreement_of(table(grid, "nominal"))
    for one in (found.fleiss, found.alpha, found.cohen_mean):
        assert one.value == pytest.approx(0, abs=0.03)
    assert found.percent.value == pytest.approx(1 / 3, abs=0.02)
    assert found.weighted_kappas == {} and list(found.alphas) == ["nominal"]


# --- Gwet's AC1 and ICC(2,k)


SHROUT_FLEISS_1979 = ((9, 2, 5, 8), (6, 1, 3, 2), (8, 4, 6, 8), (7, 1, 2, 6), (10, 5, 6, 9), (6, 2, 4, 7))
"""“Intraclass correlations: uses in assessing rater reliability”, table 2: six targets, four judges."""


def test_gwets_ac1_of_published_examples() -> None:
    """Gwet's four raters of twelve subjects (irrCAC's cac.raw4raters, 0.77544), and his 125 subjects of two raters,
    whose kappa is −0.0234 at 94.4 % of agreement.
    """
    assert gwet_ac1(published_table("nominal")).value == pytest.approx(0.77544, abs=5e-6)
    grid = [*([["+", "+"]] * 118), *([["+", "-"]] * 5), *([["-", "+"]] * 2)]
    found = agreement_of(table(grid, "nominal"))
    assert found.ac1.value == pytest.approx(0.9408, abs=5e-5)
    assert found.cohen["r0", "r1"].value == pytest.approx(-0.0234, abs=5e-5)


def test_icc_2k_of_shrout_and_fleiss() -> None:
    whole = [[float(cell) for cell in row] for row in SHROUT_FLEISS_1979]
    found = icc_2k(table(whole))
    assert found.value == pytest.approx(0.62, abs=0.005)
    assert (found.size.items, found.size.ratings, found.size.raters, found.remarks) == (6, 24, 4, ())
    partly = icc_2k(table([*whole, [1.0, None, 2.0, 3.0]]))
    assert partly.value == found.value
    assert list(map(str, partly.remarks)) == ["items left out, which not every rater has rated: 1"]


def test_the_new_figures_say_why_they_have_no_value() -> None:
    assert str(gwet_ac1(table([["a", None]], "nominal")).reason) == "no item has two ratings"
    assert str(gwet_ac1(table([["a", "a"], ["a", "a"]], "nominal")).reason).startswith(
        "all ratings are the same"
    )
    assert str(icc_2k(table([[1.0, None], [None, 2.0]])).reason).startswith(
        "fewer than two items are rated by all"
    )
    assert str(icc_2k(table([[1.0, 1.0], [1.0, 1.0]])).reason).startswith("all ratings are the same label")
    assert agreement_of(table([["a", "b"]], "nominal")).icc is None


# --- intervals


def every_figure(shown: LabelTable) -> list[tuple[Statistic, resampling.Figure]]:
    """Each statistic of a table with what gives it for draws."""
    chosen = agreement._of_commonest(shown)[0]
    codes, values = resampling.codes_by_rater(shown), shown.values
    at = {name: n for n, name in enumerate(shown.raters)}
    found = [
        (percent_agreement(shown), resampling.percent(shown)),
        (all_agree(shown), resampling.all_agree(shown, chosen)),
        (fleiss_kappa(shown), resampling.fleiss(shown, chosen)),
        *((krippendorff_alpha(shown, scale), resampling.alpha(shown, scale)) for scale in SCALES),
    ]
    for weights in (None, "linear", "quadratic"):
        for (one, other), kappa in cohen_kappas(shown, weights).items():
            figure = resampling.kappa(shown, codes[at[one]], codes[at[other]], values, weights)
            found.append((kappa, figure))
    return found


@given(ratings)
@settings(max_examples=examples(40))
def test_a_draw_of_each_item_once_gives_the_figure_itself(grid: list[list[float | None]]) -> None:
    shown = table(grid)
    for one, figure in every_figure(shown) if shown.labels else ():
        [value] = figure(np.ones((1, len(shown.items))))
        if one.value is not None:
            assert one.value == pytest.approx(value)


@given(ratings, st.data())
@settings(max_examples=examples(25))
def test_an_item_that_is_drawn_twice_counts_as_two(grid: list[list[float | None]], data: Any) -> None:
    shown = table(grid)
    times = data.draw(st.lists(st.integers(0, 3), min_size=len(grid), max_size=len(grid)))
    drawn = np.array([times], dtype=float)
    again = [row for row, n in zip(grid, times, strict=True) for _ in range(n)]
    if not shown.labels or not again or not any(cell for row in again for cell in row):
        return
    for scale in SCALES:
        expected = krippendorff_alpha(table(again), scale).value
        if expected is not None:
            assert resampling.alpha(shown, scale)(drawn)[0] == pytest.approx(expected)
    expected = percent_agreement(table(again)).value
    if expected is not None:
        assert resampling.percent(shown)(drawn)[0] == pytest.approx(expected)


def test_every_figure_of_agreement_has_an_interval_around_it() -> None:
    chance = np.random.default_rng(3)
    grid = [
        [float(np.clip(one + chance.integers(-1, 2), 1, 5)) for _ in range(3)] for one in [1, 2, 3, 4, 5] * 16
    ]
    found = agreement_of(table(grid, "ordinal"))
    kappas = [one for pairs in (found.cohen, *found.weighted_kappas.values()) for one in pairs.values()]
    several = [
        found.percent,
        found.all_agree,
        found.fleiss,
        found.ac1,
        found.cohen_mean,
        *found.alphas.values(),
    ]
    assert found.icc is not None
    for one in (*several, found.icc, *kappas):
        assert one.value is not None and one.low is not None and one.high is not None
        assert one.low < one.value < one.high <= 1
        assert one.high - one.low < 0.4


def test_an_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    chance, hits = np.random.default_rng(5), 0
    for _ in range(60):
        grid = [
            ["ab"[int(chance.random() < 0.2) ^ int(flip)] for _ in range(3)]
            for flip in chance.random(60) < 0.5
        ]
        found, _alpha = percent_and_alpha(table(grid, "nominal"))
        assert found.low is not None and found.high is not None
        hits += found.low <= 0.8**2 + 0.2**2 <= found.high
    assert hits >= 52


def test_too_little_gives_no_interval() -> None:
    found = agreement_of(table([["a", "b", "a"]], "nominal"))
    assert found.percent.value is not None and found.percent.low is None
    few = agreement_of(table([["a", "a"], *([["b", "b"]] * 9)], "nominal"))
    assert few.alpha.low is not None, "undefined in a third of the draws, in which only b comes"
