"""Ranks and the Pareto front."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from hypothesis import given
from hypothesis import strategies as st

from benchmark.metrics import Averaging, Metric, Trial
from benchmark.reports import Estimate, RunFigures
from benchmark.reports.leaderboard import Standing, front, standings
from benchmark.reports.statistics import Resampler
from tests.benchmark.reports.test_parts import MEASURES, NO_PLAN, run, session

points = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=8)


def of(label: str, *utilities: float) -> RunFigures:
    return run(*(session(f"t{n}", gu=gu) for n, gu in enumerate(utilities)), label=label)


def ranks_of(*runs: RunFigures) -> list[tuple[str, int]]:
    found: list[Standing] = standings(runs, "gu", "high", Resampler(times=200))
    return [(one.run.label, one.rank) for one in found]


@given(points, st.sampled_from(["high", "low"]))
def test_the_front_is_what_no_other_beats(
    found: list[tuple[int, int]], better: Literal["high", "low"]
) -> None:
    sign = 1 if better == "high" else -1

    def beats(one: tuple[int, int], other: tuple[int, int]) -> bool:
        return one[0] <= other[0] and sign * one[1] >= sign * other[1] and one != other

    kept = front(found, better)
    assert sorted(kept) == [n for n, point in enumerate(found) if not any(beats(one, point) for one in found)]
    assert [found[n][0] for n in kept] == sorted(found[n][0] for n in kept)


def test_runs_that_cannot_be_told_apart_share_a_rank() -> None:
    base = [float(n % 7) for n in range(20)]
    near = [gu + (0.1 if n % 2 else -0.09) for n, gu in enumerate(base)]
    worse = [gu - 2 for gu in base]
    assert ranks_of(of("worse", *worse), of("base", *base), of("near", *near)) == [
        ("near", 1),
        ("base", 1),
        ("worse", 3),
    ]


def test_a_single_task_tells_no_two_runs_apart_and_no_plan_counts_0() -> None:
    assert ranks_of(of("one", 4.0), run(session("t0", **NO_PLAN), label="none")) == [("one", 1), ("none", 1)]
    assert ranks_of() == []


def _least(trials: Sequence[Trial], by_profile: Averaging) -> float | None:
    return min(trial.values["gu"] or 0.0 for trial in trials)


def test_by_a_figure_of_whole_runs_the_better_one_comes_first_and_equals_share_a_rank() -> None:
    least = Metric(key="least", label="least", name="least", scope="run", of_run=_least, made_of=("gu",))
    measures = replace(MEASURES, metrics=(*MEASURES.metrics, least))
    runs = [
        replace(of(label, *utilities), measures=measures)
        for label, utilities in (("poor", (1, 9, 9)), ("good", (3, 3, 3)), ("same", (3, 4, 5)))
    ]

    def ranked_scores(better: Literal["high", "low"]) -> list[tuple[str, int, Estimate]]:
        found = standings(runs, "least", better, Resampler(times=200))
        return [(one.run.label, one.rank, one.scores["least"]) for one in found]

    three, one = Estimate(3.0), Estimate(1.0)
    assert ranked_scores("high") == [("good", 1, three), ("same", 1, three), ("poor", 3, one)]
    assert ranked_scores("low") == [("poor", 1, one), ("good", 2, three), ("same", 2, three)]
