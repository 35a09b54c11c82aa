"""TRIP-Bench's own report parts over a few sessions that can be counted by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from benchmark.reports import Figure, Report, RunFigures, SessionFigures, Table
from benchmark.reports.paper_results import published_results
from benchmark.suites import measures_of
from benchmark.suites.tripbench.metrics import METRICS
from benchmark.suites.tripbench.report import PAPER_FILE, REPORTING
from benchmark.suites.tripbench.report.checkpoints import read_checkpoint
from benchmark.suites.tripbench.rubrics import RUBRICS
from benchmark.suites.tripbench.rubrics.labels import DOMAINS, LABELS, domain_of, figure_key

MEASURES = measures_of("tripbench", "published")


def session(
    task: str, subset: str, *, loose: int, strict: int = 0, trial: int = 0, **values: float
) -> SessionFigures:
    own = {"loose": float(loose), "strict": float(strict), **values}
    return SessionFigures(task, trial, {"subset": subset}, "all_said", True, 1, 0, 0, 0, 0, own)


def run_of(*sessions: SessionFigures, label: str = "one", mode: str = "multi-turn") -> RunFigures:
    return RunFigures(
        id=label, name=label, label=label, mode="", players="reference", measures=MEASURES, sessions=sessions,
        ended=len(sessions), planned=len(sessions), conditions={"option_mode": mode},
        cast={"agent": "reference", "agent_model": ""},
    )  # fmt: skip


def table(name: str, *runs: RunFigures) -> Table:
    part = REPORTING.part(name)
    assert part is not None
    return part.table(Report(runs, MEASURES))


def rows(built: Table) -> list[dict[str, Any]]:
    """Figures as their values."""
    keys = [column.key for column in built.columns]
    plain = [[cell.value if isinstance(cell, Figure) else cell for cell in cells] for cells in built.rows]
    return [dict(zip(keys, cells, strict=True)) for cells in plain]


def test_verdicts_are_told_by_subset_and_every_task_weighs_the_same() -> None:
    several = run_of(
        session("a", "easy", loose=1, strict=1, trial=0), session("a", "easy", loose=0, trial=1),
        session("b", "easy", loose=1), session("c", "pmr", loose=0),
    )  # fmt: skip
    once = run_of(session("a", "easy", loose=1), label="two", mode="single-turn")

    first, second = rows(table("subsets", several, once))

    assert (first["mode"], second["mode"]) == ("multi-turn", "single-turn")
    assert (first["easy_loose"], first["easy_strict"], first["pmr_loose"]) == (75, 25, 0)
    assert first["overall_loose"] == pytest.approx(50) and first["sessions"] == 4
    assert (second["easy_loose"], second["pmr_loose"], second["overall_loose"]) == (100, None, 100)
    assert "mid_loose" not in first


def test_shares_of_turns_stand_beside_verdicts_in_the_end() -> None:
    [row] = rows(
        table("subsets_by_turn", run_of(session("a", "mid", loose=0, loose_per_turn=0.5, strict_per_turn=0)))
    )
    assert (row["mid_loose"], row["mid_strict"]) == (50, 0)


def test_what_sessions_take_is_told_where_it_is_known() -> None:
    own = run_of(
        session("a", "easy", loose=1, agent_turns=2, output_tokens=100, agent_cost=0.5),
        session("b", "easy", loose=0, agent_turns=4),
    )
    built = {row["resource"]: row for row in rows(table("resources", own))}
    assert {key: row["spent"] for key, row in built.items()} == {
        "agent_turns": 3, "output_tokens": 100, "agent_cost": 0.5,
    }  # fmt: skip
    assert built["agent_turns"]["loose"] == 50
    [bare] = rows(table("resources", run_of(session("a", "easy", loose=0, agent_turns=1))))
    assert bare["loose"] == 0


def test_constraints_are_ordered_by_how_often_they_are_broken() -> None:
    one = run_of(
        session("a", "easy", loose=0, timeline=0, diversity=1, hotel_star=0.5),
        session("b", "easy", loose=0, timeline=0, diversity=1, hotel_star=1, general_total_budget=1),
    )
    two = run_of(
        session("a", "easy", loose=0, timeline=1, attraction_price=0),
        session("b", "easy", loose=0),
        label="two",
    )

    built = rows(table("broken_constraints", one, two))

    shares = {(row["constraint"], row["run"]): row["broken"] for row in built}
    assert [*dict.fromkeys(row["constraint"] for row in built)] == [
        "attraction_price",
        "timeline",
        "hotel_star",
    ]
    assert shares["timeline", "one"] == 100 and shares["timeline", "two"] == 0
    assert shares["hotel_star", "one"] == 25 and shares["hotel_star", "two"] is None
    scopes = {row["constraint"]: (row["domain"], row["scope"]) for row in built}
    assert scopes["hotel_star"] == ("hotel", "pointwise") and scopes["timeline"] == ("soundness", "every")


def test_no_more_than_fifteen_constraints_are_listed() -> None:
    keys = [figure_key(key) for key in RUBRICS][:20]
    built = rows(
        table("broken_constraints", run_of(session("a", "hard", loose=0, **dict.fromkeys(keys, 0.0))))
    )
    assert len(built) == 15


def test_rubrics_stand_in_the_settings_of_their_runs() -> None:
    runs = [run_of(session("a", "hard", loose=0, hotel_cost=share), label=mode, mode=mode)
            for mode, share in (("single-turn", 1.0), ("multi-turn", 0.5))]  # fmt: skip
    built = rows(table("rubrics", *runs))
    assert [(row["constraint"], row["scope"], row["mode"], row["met"]) for row in built] == [
        ("hotel_cost", "global", "single-turn", 100), ("hotel_cost", "global", "multi-turn", 50),
    ]  # fmt: skip


def test_reliability_is_told_for_each_number_of_trials() -> None:
    own = run_of(
        *(session("a", "easy", loose=passed, trial=trial) for trial, passed in enumerate((1, 0, 1))),
        *(session("b", "easy", loose=passed, trial=trial) for trial, passed in enumerate((0, 0))),
    )
    built = {
        (row["figure"], row["k"]): row for row in rows(table("passes", own)) if row["verdict"] == "loose"
    }
    shares = {key: (round(row["share"], 3), row["tasks"]) for key, row in built.items()}
    assert shares["pass@k", 1] == (round(100 * (2 / 3) / 2, 3), 2)
    assert shares["pass@k", 2] == (50, 2) and shares["pass^k", 2] == (round(100 * (1 / 3) / 2, 3), 2)
    assert shares["avg@k", 3] == (66.667, 1)
    assert not table("passes", run_of(session("a", "easy", loose=1))).rows


@pytest.mark.parametrize("name", [part.name for part in REPORTING.parts])
def test_every_part_says_something_without_sessions(name: str) -> None:
    built = table(name, run_of())
    assert built.rows or built.notes


def test_counterparts_are_tables_of_the_paper() -> None:
    results = published_results(PAPER_FILE)
    missing = [
        part.name for part in REPORTING.parts if part.counterpart and not results.like(part.counterpart)
    ]
    assert missing == ["passes", "checkpoints"]  # the text of the paper gives no figure of Figures 5 and 6


def test_every_rubric_has_a_figure_with_its_label_and_domain() -> None:
    keys = {metric.key for metric in METRICS}
    assert LABELS.keys() == RUBRICS.keys()
    assert all(figure_key(key) in keys and domain_of(key) in DOMAINS for key in RUBRICS)


@pytest.mark.parametrize(
    ("name", "checkpoint"),
    [
        ("qwen/checkpoint-120", ("qwen", 120)),
        ("out/gtpo/global_step_30", ("out/gtpo", 30)),
        ("qwen2.5-14b-step-7", ("qwen2.5-14b", 7)),
        ("STEP9", ("-", 9)),
        ("gpt-5.2", None),
        ("footstep-9", None),
        ("", None),
    ],
)
def test_names_of_models_tell_a_step_of_a_training(name: str, checkpoint: tuple[str, int] | None) -> None:
    assert read_checkpoint(name) == checkpoint


def test_runs_of_checkpoints_stand_in_the_order_of_their_steps() -> None:
    runs = [
        replace(run_of(session("a", "easy", loose=at), label=str(at)), cast={"agent_model": name})
        for at, name in enumerate(["m/checkpoint-100", "m/checkpoint-20", "other"])
    ]
    told = [row for row in rows(table("checkpoints", *runs)) if row["verdict"] == "loose"]
    assert [(row["step"], row["share"]) for row in told] == [(20, 100), (100, 0)]
    assert table("checkpoints", runs[2]).notes
