"""Every run against every other: counts by hand, opposites, and Holm's correction."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, permutations
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark.reports import Estimate, Report, Resampler, RunFigures, Table
from benchmark.reports.parts.win_matrix import PART
from benchmark.reports.statistics import WinCounts, holm, win_counts
from tests.benchmark.reports.test_parts import keys_of_notes, rows, run, session
from tests.properties import examples

probabilities = st.lists(st.floats(0, 1), max_size=20)
scores = st.lists(st.floats(0, 10), min_size=3, max_size=3)


def run_of(label: str, values: list[float], **given: Any) -> RunFigures:
    """A run that has a group utility of each of its tasks."""
    return run(*(session(f"t{n}", gu=value) for n, value in enumerate(values)), label=label, **given)


def matrix(*runs: RunFigures) -> Table:
    return PART.table(Report(runs, runs[0].measures, resampler=Resampler(times=200)))


def utility(table: Table) -> dict[tuple[str, str], dict[str, Any]]:
    """The rows of group utility by the names of the two runs."""
    return {(row["run"], row["against"]): row for row in rows(table.where("figure", "gu"))}


def test_holm_multiplies_the_smallest_the_most_and_never_goes_down() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.5]) == [1.0, 1.0]
    assert holm([]) == []


@given(probabilities)
@settings(max_examples=examples(100))
def test_holm_keeps_the_order_of_probabilities_and_lowers_none(given_p: list[float]) -> None:
    from statsmodels.stats.multitest import multipletests

    corrected = holm(given_p)
    assert all(p <= own <= 1 or own == 1 for p, own in zip(given_p, corrected, strict=True))
    ordered = [own for _p, own in sorted(zip(given_p, corrected, strict=True))]
    assert all(one <= next_one for one, next_one in pairwise(ordered))
    if given_p:
        with patch("gc.collect"):  # it has all that the tests before have left searched for garbage each time
            expected = multipletests(given_p, method="holm")[1].tolist()
        assert corrected == pytest.approx(expected)


def test_counts_take_what_differs_by_rounding_for_a_tie_and_leave_out_what_is_unknown() -> None:
    found = win_counts(np.array([2.0, -1.0, 1e-9, float("nan"), 0.0, 3.0]))
    assert found == WinCounts(2, 2, 1)
    assert found.balance == pytest.approx(0.2) and found.opposite() == WinCounts(1, 2, 2)
    assert WinCounts(0, 0, 0).balance is None


def test_each_pair_stands_once_with_counts_and_tests_worked_out_by_hand() -> None:
    table = matrix(
        run_of("a", [5, 5, 5, 5]),
        run_of("b", [4, 4, 5, 6]),
        run_of("c", [1, 1, 1, 1]),
    )
    found = utility(table)
    assert list(found) == [("a", "b"), ("a", "c"), ("b", "c")]
    ab, ac, bc = found.values()
    assert [ab[key] for key in ("tasks", "wins", "ties", "losses", "balance")] == [4, 2, 1, 1, 0.25]
    assert [ac[key] for key in ("wins", "ties", "losses", "balance")] == [4, 0, 0, 1.0]
    assert ac["difference"] == Estimate(4.0, 4.0, 4.0)
    # a less b is 1, 1, 0, −1: however the signs of three ones are turned, their sum is at least 1 away from 0
    assert ab["p"] == 1.0
    assert ac["p"] == bc["p"] == 2 / 16
    assert [row["p_holm"] for row in (ab, ac, bc)] == pytest.approx([1.0, 6 / 16, 6 / 16])
    assert keys_of_notes(table) == ["matrix_tests", "no_judge"]


@given(st.lists(scores, min_size=3, max_size=3))
@settings(max_examples=examples(40), deadline=None)
def test_turned_round_a_pair_has_the_opposite(values: list[list[float]]) -> None:
    named = [run_of(label, own) for label, own in zip("abc", values, strict=True)]
    there = utility(matrix(*named))
    for order in permutations(named):
        for (one, other), row in utility(matrix(*order)).items():
            same = there.get((one, other))
            if same is not None:
                assert row["p"] == same["p"] and row["balance"] == same["balance"]
                continue
            back = there[other, one]
            assert (row["wins"], row["ties"], row["losses"]) == (back["losses"], back["ties"], back["wins"])
            assert row["balance"] == -back["balance"] and row["p"] == back["p"]
            assert row["p_holm"] == pytest.approx(back["p_holm"])
            ends = [row["difference"].value, row["difference"].low, row["difference"].high]
            turned = [-back["difference"].value, -back["difference"].high, -back["difference"].low]
            assert ends == pytest.approx(turned, abs=1e-9)


def test_it_is_over_the_tasks_that_all_runs_have() -> None:
    table = matrix(run_of("a", [5, 5, 5]), run_of("b", [4, 4, 4]), run_of("c", [1, 9]))
    assert {row["tasks"] for row in utility(table).values()} == {2}
    assert table.shared_tasks == 2


def test_runs_under_unlike_conditions_are_counted_and_not_tested() -> None:
    strange = replace(run_of("c", [1, 1, 1, 1]), conditions={"world": "another"})
    table = matrix(run_of("a", [5, 5, 5, 5]), run_of("b", [4, 4, 4, 4]), strange)
    ab, ac, bc = utility(table).values()
    assert ab["p_holm"] == ab["p"] == 2 / 16  # the only one that was tested
    assert [(row["wins"], row["p"], row["p_holm"]) for row in (ac, bc)] == [(4, None, None)] * 2
    assert ac["difference"] == Estimate(4.0)
    [note] = [note for note in table.notes if note.key == "untested_pairs"]
    assert note.values == {"n": 2} and list(note.conditions) == ["world"]


def test_of_a_figure_of_which_less_is_better_a_lower_value_wins() -> None:
    measures = run().measures
    turned = [replace(m, better="low") if m.key == "gu" else m for m in measures.metrics]
    runs = [
        replace(one, measures=replace(measures, metrics=turned))
        for one in (run_of("a", [5, 5]), run_of("b", [4, 4]))
    ]
    [row] = utility(PART.table(Report(runs, runs[0].measures))).values()
    assert (row["wins"], row["losses"], row["difference"].value) == (0, 2, 1.0)


def test_one_run_has_no_other() -> None:
    table = matrix(run_of("a", [5]))
    assert not table.rows and keys_of_notes(table) == ["one_run"]
