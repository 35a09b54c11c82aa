"""TravelEval's own report parts over a few plans that can be counted by hand, and over the paper's own rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from benchmark.reports import Report, RunFigures, SessionFigures, Table
from benchmark.reports.paper_results import published_results
from benchmark.suites import measures_of
from benchmark.suites.traveleval.report import REPORTING
from benchmark.suites.traveleval.report.gaps import PAPER_FILE, paper_row, percent_off
from benchmark.suites.traveleval.report.means import FIGURES, relative_change
from benchmark.suites.traveleval.report.radars import normalise

PAPER = {table.id: table for table in published_results(PAPER_FILE).tables}
MEASURES = measures_of("traveleval", "published")
COMMON = {"edi": 0.5, "ads": 1.0, "aqe": 0.6, "profit": 5.0, "ttcs": 0.0, "otu": 0.05}


def plan(
    task: str,
    level: str = "easy",
    group: str = "",
    failures: Mapping[str, int] | None = None,
    **values: float,
) -> SessionFigures:
    facets = {"difficulty": level, "group": group}
    return SessionFigures(
        task, 0, facets, "planned", True, 1, 0, 0, 0, 0, {**COMMON, **values}, failures or {}
    )  # fmt: skip


def run_of(
    *sessions: SessionFigures, label: str = "one", agent: str = "direct", model: str = "", **more: Any
) -> RunFigures:
    return RunFigures(
        id=label, name=label, label=label, mode="", players=agent, measures=MEASURES, sessions=sessions,
        ended=len(sessions), planned=len(sessions), cast={"agent": agent, "agent_model": model}, **more,
    )  # fmt: skip


def table(name: str, *runs: RunFigures) -> Table:
    part = REPORTING.part(name)
    assert part is not None
    return part.table(Report(runs, MEASURES))


def row(built: Table, **names: str) -> dict[str, Any]:
    """The one row with these names, each figure as its plain value."""
    for key, value in names.items():
        built = built.where(key, value)
    [cells] = built.rows
    return {
        column.key: getattr(cell, "value", cell) for column, cell in zip(built.columns, cells, strict=True)
    }


ONE = run_of(
    plan(
        "a", bcs=1.0, far=0.2, cost_meals=100.0, cost_other=300.0, str=0.8, str_no_queue=1.0,
        distance=10.0, distance_geodesic=7.0,
    ),
    plan(
        "b", bcs=0.0, far=0.4, cost_meals=200.0, cost_other=0.0, str=0.6, str_no_queue=0.9,
        distance=20.0, distance_geodesic=14.0,
    ),
    plan("c", "hard", bcs=0.0, cost_meals=300.0, cost_other=100.0),
)  # fmt: skip


def test_means_are_over_the_plans_that_have_the_figure_and_say_of_how_many() -> None:
    built = table("runs_side_by_side", ONE)
    assert [str(cells[0]) for cells in built.rows][: len(FIGURES)] == [*FIGURES] and len(FIGURES) == 24
    [far] = [cells[1] for cells in built.rows if cells[0] == "far"]
    assert (far.value, far.n, far.of) == (pytest.approx(30.0), 2, 3)  # type: ignore[union-attr]
    assert row(table("approaches", ONE), run="one")["bcs"] == pytest.approx(100 / 3)
    assert [column.key for column in table("approaches", ONE).columns][1:] == [
        column.key for column in PAPER["Table 2"].columns
    ]


def test_levels_are_means_over_their_queries() -> None:
    built = table("by_level", ONE)
    bcs = row(built, figure="bcs")
    assert (bcs["all"], bcs["easy"], bcs["medium"], bcs["hard"]) == (pytest.approx(100 / 3), 50.0, None, 0.0)
    assert len(built.rows) == 30 == len(PAPER["Table B4"].columns)


def test_the_bcs_of_table_b4_fits_63_100_and_100_plans() -> None:
    values = {row.slice: row.values["bcs"] for row in PAPER["Table B4"].rows}
    plans = {"easy": 63, "medium": 100, "hard": 100}
    whole = sum(round(n * (values[level] or 0)) for level, n in plans.items()) / sum(plans.values())
    assert round(whole, 4) == values[None]


def test_progressive_groups_have_relative_changes_from_level_to_level() -> None:
    run = run_of(
        plan("G01-1", "easy", "G01", far=0.04, aqe=0.5), plan("G01-2", "medium", "G01", far=0.05, aqe=0.4),
        plan("G01-3", "hard", "G01", far=0.0, aqe=0.6), plan("T0001", "easy", far=0.9),
    )  # fmt: skip
    built = table("progressive", run)
    far, aqe = row(built, figure="far"), row(built, figure="aqe")
    assert (far["g1"], far["g2"], far["g3"]) == (pytest.approx(4.0), pytest.approx(5.0), 0.0)
    assert (far["change_g2"], far["change_g3"]) == (pytest.approx(25.0), -100.0)
    assert (aqe["change_g2"], aqe["change_g3"]) == (pytest.approx(-20.0), pytest.approx(50.0))
    assert [note.key for note in table("progressive", ONE).notes] == ["no_groups"]
    assert relative_change(0.0, 1.0) is None


def test_changes_of_the_paper_s_own_rows_are_those_it_prints() -> None:
    digits = {column.key: column.digits for column in PAPER["Table 3"].columns}
    for printed in PAPER["Table 3"].rows:
        for key in ("far", "otu", "aqe"):
            for before, after in (("g1", "g2"), ("g2", "g3")):
                ends = [
                    [(printed.values[name] or 0) + sign * 0.5 / 10 ** digits[name] for sign in (-1, 1)]
                    for name in (f"{key}_{before}", f"{key}_{after}")
                ]
                least, most = (
                    relative_change(*pair) or 0 for pair in zip(ends[0][::-1], ends[1], strict=True)
                )
                assert least - 0.06 <= (printed.values[f"{key}_delta_{after}"] or 0) <= most + 0.06


def test_ablations_stand_beside_what_the_run_is_scored_with() -> None:
    other = run_of(plan("a", str=0.5, str_no_queue=0.6, distance=10.0, distance_geodesic=10.0), label="two")
    built = table("ablations", ONE, other)
    assert row(built, run="two")["str_change"] == pytest.approx(20.0)
    one = row(table("ablations", ONE), run="one")
    assert (one["str"], one["str_no_queue"]) == (pytest.approx(70.0), pytest.approx(95.0))
    assert one["distance_change"] == pytest.approx(-30.0)
    whole = row(table("ablations", replace(ONE, sessions=ONE.sessions[:1]), other), run="")
    assert whole["str_change"] == pytest.approx((25 + 20) / 2) and whole["str"] is None
    assert whole["distance_change"] == pytest.approx(-15.0)


def test_a_run_that_is_scored_without_queues_has_no_change() -> None:
    unqueued = replace(ONE, label="two", conditions={"queue": "none", "distances": "streets"})
    straight = replace(ONE, label="three", conditions={"queue": "profile", "distances": "great_circle"})
    built = table("ablations", ONE, unqueued, straight)
    changes = [
        (row(built, run=label)["str_change"], row(built, run=label)["distance_change"])
        for label in ("two", "three")
    ]
    assert changes == [(None, pytest.approx(-30.0)), (pytest.approx(100 * 25 / 70), None)]
    assert row(built, run="")["str_change"] == pytest.approx(100 * 25 / 70)


def test_the_ablations_of_the_paper_s_rows_have_the_means_it_states() -> None:
    runs = [
        run_of(
            plan("a", **{
                key: printed.values[theirs] or 0.0
                for key, theirs in {
                    **{f"{key}{end}": f"{key}{end}" for key in ("str", "dtu", "otu") for end in ("", "_no_queue")},
                    "distance": "distance_route", "distance_geodesic": "distance_geodesic",
                }.items()
            }),
            label=f"{printed.model} {printed.group}",
        )
        for printed in PAPER["Table B3"].rows
    ]  # fmt: skip
    whole = row(table("ablations", *runs), run="")
    assert [round(whole[f"{key}_change"], 1) for key in ("str", "dtu", "otu", "distance")] == [
        21.6,
        19.0,
        23.4,
        -30.1,
    ]


def test_costs_are_composed_of_their_kinds() -> None:
    built = table("cost_composition", ONE)
    meals = row(built.where("group", "easy"), kind="cost_meals")
    assert (meals["cost"], meals["share"]) == (150.0, 50.0)
    assert {str(cell) for cell in built.cells("group")} == {"all", "easy", "hard"}


def test_the_worst_run_has_0_and_the_best_100() -> None:
    values = {"one": 2.0, "two": 4.0, "three": 3.0, "four": None}
    assert normalise(values, low_is_better=False) == {"one": 0, "two": 100, "three": 50}
    assert normalise(values, low_is_better=True) == {"one": 100, "two": 0, "three": 50}
    assert normalise({"one": 2.0, "two": 2.0}, low_is_better=False) == {}


def test_a_dimension_is_the_mean_of_its_normalised_metrics() -> None:
    runs = [
        run_of(plan("a", ccd=ccd, far=far, frtc=0.0, str=0.5), label=label)
        for label, ccd, far in (("one", 0.1, 0.2), ("two", 0.3, 0.2), ("three", 0.2, 0.0))
    ]
    built = table("dimension_radars", *runs)
    scores = {str(cells[2]): cells[3] for cells in built.where("group", "all").rows if cells[1] == "accuracy"}
    assert scores == {"one": pytest.approx(50), "two": 0, "three": pytest.approx(75)}
    assert [cells[3] for cells in built.rows if cells[1] == "temporality"] == [None] * 6
    assert [note.key for note in table("dimension_radars", ONE).notes] == ["one_run"]


def test_strategies_are_compared_over_one_model_on_hard_queries() -> None:
    runs = [
        run_of(plan("a", "hard", ccd=0.1), plan("b", ccd=9.0), label="dir", model="m"),
        run_of(plan("a", "hard", ccd=0.3), label="cot", agent="zero_shot_cot", model="m"),
        run_of(plan("a", "hard", ccd=0.2), label="else", model="n"),
    ]
    rows = [list(cells) for cells in table("strategy_radars", *runs).rows]
    assert rows == [["m", "ccd", "dir", pytest.approx(100)], ["m", "ccd", "cot", pytest.approx(0)]]
    assert [note.key for note in table("strategy_radars", ONE).notes] == ["one_strategy"]


def test_correlations_are_over_means_of_runs_or_over_plans() -> None:
    plans = [
        plan("a", ccd=1.0, far=0.1),
        plan("b", ccd=2.0, far=0.3),
        plan("c", ccd=3.0, far=0.2),
        plan("d", ccd=9.0),
    ]
    built = table("plan_correlations", run_of(*plans))
    both = row(built, figure="ccd", other_figure="far")
    assert (both["correlation"], both["pairs"]) == (pytest.approx(0.5), 3)
    assert "EDI" in str(built.notes[0].values["names"]) and len(built.rows) == 1
    assert [note.key for note in table("correlations", run_of(*plans)).notes] == ["few_runs"]
    runs = [
        run_of(plan("a", ccd=ccd, far=far), label=str(ccd))
        for ccd, far in ((1.0, 0.1), (2.0, 0.3), (3.0, 0.2))
    ]
    assert row(table("correlations", *runs), figure="ccd")["correlation"] == pytest.approx(0.5)


def test_failures_are_counted_by_plan() -> None:
    run = run_of(plan("a", failures={"omitted_days": 3}), plan("b"), plan("c"), plan("d"))
    assert row(table("plan_failures", run), failure="omitted_days")["plans"] == 1
    assert row(table("plan_failures", run), failure="omitted_days")["share"] == 25.0
    assert [note.key for note in table("plan_failures", ONE).notes] == ["no_failures"]


def baseline(label: str = "a", conditions: Mapping[str, str] | None = None, **values: float) -> RunFigures:
    return run_of(plan("a", **values), label=label, agent="baseline_a", conditions=conditions or {})


def test_gaps_over_a_tenth_are_listed_with_the_switch_that_closes_them() -> None:
    printed = paper_row(baseline())
    assert printed is not None and printed.model == "Approach A" and printed.values["str"] == 0.4979
    run = baseline(str=0.3, str_no_queue=0.5, far=0.1, bcs=0.6, cost_accommodation=2000.0)
    run = replace(run, by_profile={"paper": {"far": 0.0}})
    renamed = baseline("b", {"names": "standard"}, cost_accommodation=1300.0)
    built = table("gaps", run, renamed)
    own = built.where("run", "a")
    assert row(own, figure="str") == {
        "run": "a", "figure": "str", "here": 30.0, "paper": pytest.approx(49.79),
        "gap": pytest.approx(-39.75, abs=0.01), "switch": "no_queue", "switched": 50.0, "switched_run": "",
    }  # fmt: skip
    assert row(own, figure="far")["switch"] == "profile_paper" and row(own, figure="far")["gap"] is None
    costs = row(own, figure="cost_accommodation")
    assert (costs["switch"], costs["switched_run"]) == ("names", "b")
    assert "bcs" not in own.cells("figure")
    assert row(own, figure="edi")["switch"] == ""


def test_models_have_the_row_of_their_strategy() -> None:
    found = [
        paper_row(run_of(plan("a"), agent=agent, model=model))
        for agent, model in (
            ("direct", "openai/gpt-4o-mini"),
            ("zero_shot_cot", "GPT-4o"),
            ("direct", "other"),
        )
    ]
    assert [(row.model, row.group) if row else None for row in found] == [
        ("GPT-4o mini", "Direct"), ("GPT-4o", "ZS-CoT"), None,
    ]  # fmt: skip
    assert [note.key for note in table("gaps", ONE).notes] == ["not_in_paper"]
    assert percent_off(1.1, 1.0) == pytest.approx(10.0) and percent_off(0.0, 0.0) == 0.0


def test_the_sensitivity_of_the_queue_model_is_the_paper_s() -> None:
    from benchmark.suites.traveleval.statistics import Dataset, queues

    rows = {str(cells[0]): cells[1:] for cells in queues(Dataset.of([])).rows}
    for printed in PAPER["Table A3"].rows:
        own = rows[{"b_category": "base", "k_date": "date", "k_time": "time"}[printed.model]]
        told = [printed.values[key] for key in ("least", "most", "range", "range_share")]
        assert [round(float(str(value)), 3) for value in own[:3]] == told[:3]
        assert round(float(str(own[3])), 2) == told[3]
