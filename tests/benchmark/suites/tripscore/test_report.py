"""TripScore's own report parts over a few plans that can be counted by hand."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from benchmark.judging import Pair
from benchmark.labelling.ceiling import ceiling
from benchmark.labelling.rater_accuracy import Opinion, accuracy
from benchmark.metrics import Metric
from benchmark.reports import PairRater, Report, RunFigures, SessionFigures, Table
from benchmark.reports.paper_results import published_results
from benchmark.suites import measures_of
from benchmark.suites.tripscore.metrics import CONSTRAINTS, FORMAT, SOFT
from benchmark.suites.tripscore.report import PAPER_FILE, REPORTING
from benchmark.suites.tripscore.report.weighing import FACTORS
from benchmark.suites.tripscore.scoring.parameters import DEFAULTS
from benchmark.suites.tripscore.scoring.statistics import aggregate
from benchmark.suites.tripscore.statistics import STATISTICS, Dataset
from benchmark.suites.tripscore.tasks import STARTER, TASK_FILES

MEASURES = measures_of("tripscore", "published")
PASSES = dict.fromkeys(CONSTRAINTS[FORMAT], 1.0)


def plan(
    task: str, reward: float, *, kind: str = "synthetic", days: int = 2, pacing: str = "", **values: float
) -> SessionFigures:
    """A plan of this reward: −3 is not delivered, 0 not feasible, more is feasible."""
    delivered, feasible = reward > -3, reward > 0
    own = {"reward": reward, "delivered": float(delivered), **(PASSES if delivered else {})}
    own |= {"feasible": float(feasible)} if delivered else {}
    own |= {"cond_reward": reward} if feasible else {}
    facets = {"type": kind, "days": days, "pacing": pacing}
    return SessionFigures(task, 0, facets, "planned", True, 1, 0, 0, 0, 0, {**own, **values})


def having(session: SessionFigures, **values: float) -> SessionFigures:
    return session._replace(values={**session.values, **values})


def run_of(*sessions: SessionFigures, label: str = "one", agent: str = "direct") -> RunFigures:
    return RunFigures(
        id=label, name=label, label=label, mode="", players=agent, measures=MEASURES, sessions=sessions,
        ended=len(sessions), planned=len(sessions), cast={"agent": agent, "agent_model": "m"},
    )  # fmt: skip


def table(name: str, *runs: RunFigures, **more: Any) -> Table:
    part = REPORTING.part(name)
    assert part is not None
    return part.table(Report(runs, MEASURES, **more))


def rows(built: Table, **names: str) -> list[dict[str, Any]]:
    """The rows with these names."""
    for key, value in names.items():
        built = built.where(key, value)
    keys = [column.key for column in built.columns]
    return [dict(zip(keys, cells, strict=True)) for cells in built.rows]


ONE = run_of(
    plan("a", 2.5, pacing="relaxed", plan_time=4.0), plan("b", 3.0, plan_time=2.0),
    plan("c", 0.0, operating_hours=0.0),
    plan("d", -3.0, response_format=0.0), plan("r", 2.9, kind="real", days=3),
)  # fmt: skip


def test_results_are_told_by_type_with_what_they_are_over() -> None:
    [own] = rows(table("methods", ONE), type="synthetic")
    assert (own["method"], own["model"], own["reward_by"]) == ("direct", "m", "rules")
    told = aggregate([(True, True, 2.5), (True, True, 3.0), (True, False, 0.0), (False, False, -3.0)])
    shown = {key: (own[key].value, own[key].n) for key in ("delivered", "feasible", "cond_reward", "reward")}
    assert shown == {
        "delivered": (pytest.approx(100 * (told["DR"] or 0)), 4),
        "feasible": (pytest.approx(100 * (told["CPR"] or 0)), 3),
        "cond_reward": (told["CondR"], 2),
        "reward": (told["Reward"], 4),
    }
    assert (own["plan_time"].value, own["plan_time"].n, own["plan_time"].of) == (3.0, 2, 4)
    assert own["highest"] == pytest.approx((3.1 + 3 * 3.0) / 4)
    assert rows(table("methods", ONE), type="real")[0]["highest"] == 3.0


def test_printed_rewards_follow_from_printed_rates_as_ours_do() -> None:
    results = {row.model + str(row.group): row.values for row in _paper("Table 3").rows}
    off = 0
    for values in results.values():
        for kind in ("synthetic", "real"):
            dr, cpr, condr, reward = (values[f"{key}_{kind}"] for key in ("dr", "cpr", "condr", "reward"))
            if None not in (dr, cpr, condr, reward):
                made = -3 * (1 - dr / 100) + dr / 100 * cpr / 100 * condr  # type: ignore[operator]
                off += abs(made - reward) > 0.02  # type: ignore[operator]
    assert off == 1


def _paper(name: str) -> Any:
    return next(table for table in published_results(PAPER_FILE).tables if table.id == name)


def test_the_weights_are_those_of_table_5() -> None:
    printed = {row.model: row.values for row in _paper("Table 5").rows}
    *weights, highest, rated = rows(table("weights", ONE))
    for row in weights:
        values = printed[row["figure"] or row["weight"]]
        assert {kind: row[kind] for kind in ("synthetic", "real")} == values
    assert [(row["synthetic"], row["real"]) for row in (highest, rated)] == [(3.1, 3.0), (3.1, 4.4)]


def test_a_run_s_own_weights_are_told_apart() -> None:
    other = replace(ONE, label="two", conditions={"w1": "density=1", "w4": "synthetic=0.5, real=1"})
    [one, two] = rows(table("weights", ONE, other), weight="w4")
    assert (one["synthetic"], two["synthetic"], two["run"]) == (0.1, 0.5, "two")
    assert rows(table("methods", other), type="synthetic")[0]["highest"] == pytest.approx((3.5 + 3 * 3.0) / 4)


def _with_rated(*plans: SessionFigures) -> Table:
    rated = Metric(key="rated", label="rated", name="rated", source="rater", partial=True)
    metrics = [*(metric for metric in MEASURES.metrics if metric.key != "rated"), rated]
    part = REPORTING.part("methods")
    assert part is not None
    return part.table(Report([run_of(*plans)], replace(MEASURES, metrics=metrics), pair=Pair("j", "")))


def test_a_judge_s_reward_stands_beside_that_of_rules() -> None:
    plans = [
        plan("a", 2.5, rated=2.7),
        plan("b", 3.0),
        plan("c", -3.0),
        plan("r", 2.9, kind="real", rated=4.2),
    ]
    report_table = _with_rated(*plans)
    [rules, rated] = rows(report_table, type="synthetic")
    assert (rules["reward"].n, rated["reward"].n, rated["cond_reward"].of) == (3, 2, 3)
    assert rated["reward"].value == pytest.approx((2.7 - 3) / 2) and "j" in rated["reward_by"]
    assert [row["highest"] for row in rows(report_table, type="real")] == [3.0, pytest.approx(4.4)]
    assert [note.key for note in report_table.notes][1:3] == ["by_rules_real", "by_judge_synthetic"]


def test_errors_are_counted_behind_no_gate_but_their_own() -> None:
    [broken] = rows(table("errors", ONE), type="synthetic", figure="operating_hours")
    assert (broken["broken"], broken["checked"], broken["plans"], broken["share"]) == (1, 1, 4, 25.0)


def test_the_five_most_broken_are_of_real_requests() -> None:
    keys = [*CONSTRAINTS[FORMAT], "operating_hours", "travel_block_out"]
    real = [having(plan(str(n), -3.0, kind="real"), **dict.fromkeys(keys[n:], 0.0)) for n in range(6)]
    found = [row["figure"] for row in rows(table("top_errors", run_of(*real)))]
    assert found == keys[:0:-1]
    assert [note.key for note in table("top_errors", run_of(plan("a", 2.5))).notes] == ["no_real"]


def test_days_are_of_synthetic_queries() -> None:
    run = run_of(
        plan("a", 2.5, days=1), plan("b", -3.0, days=1), plan("c", 3.0, days=5), plan("r", 3.0, kind="real")
    )
    shown = {row["days"]: row["value"].value for row in rows(table("by_duration", run), figure="reward")}
    assert shown == {1: -0.25, 5: 3.0}


def test_pairs_of_feasible_plans_are_sorted_by_how_far_they_are_apart() -> None:
    other = run_of(plan("a", 2.6), plan("b", 2.1), plan("c", 3.0), plan("r", -3.0, kind="real"), label="two")
    built = rows(table("plan_pairs", ONE, other))
    assert [(row["task"], round(row["difference"], 6)) for row in built] == [("b", 0.9), ("a", -0.1)]


def feasible(task: str, *soft: float, **wishes: float) -> SessionFigures:
    return having(plan(task, 2.5), **dict(zip(CONSTRAINTS[SOFT], soft, strict=False)), **wishes)


def test_scaled_multipliers_leave_the_order_of_every_pair() -> None:
    """Appendix C.3: (w3, w4) = (0.5, 0.05) · {1, 2, 3, 4}; other weights within a group may turn a pair."""
    one = run_of(
        feasible("a", 1, 0, 0.7), feasible("b", 0.5, 0.5, pacing=1.0), feasible("c", 0.2, budget=0.9)
    )
    two = run_of(
        feasible("a", 0, 1, 1.0), feasible("b", 0.5, 0.4, pacing=0.0), feasible("c", 0.3), label="two"
    )
    built = table("sensitivity", one, two)
    told = [(DEFAULTS.w3 * f, DEFAULTS.w4["synthetic"] * f) for f in sorted(FACTORS)]
    assert told == [(0.5, 0.05), (1.0, 0.1), (1.5, pytest.approx(0.15)), (2.0, 0.2)]
    for factor in FACTORS:
        [row] = rows(built, weights=f"scaled_{factor:g}")
        assert (row["changed"], row["pairs"]) == (0, 3)
    assert rows(built, weights="simplex")[0]["changed"] == 0
    assert rows(built, weights="temperature_None")[0]["changed"] == 1
    usual = rows(built, weights="scaled_1")[0]["two"]
    assert usual.value == pytest.approx(
        sum(2 + sum(w * v for w, v in own) / sum(w for w, _ in own) for own in (
            [(0.7, 0), (0.5, 1), (0.4, 1)], [(0.7, 0.5), (0.5, 0.4)], [(0.7, 0.3)],
        )) / 3
    )  # fmt: skip


def test_who_agrees_with_people_is_told_with_ties_in_and_out() -> None:
    told = accuracy(
        [Opinion("1", "A", 1.0), Opinion("2", "B", 0.0), Opinion("3", "neither", 0.0), Opinion("4", "A")]
    )
    raters = [
        PairRater("S", "metric", "", "reward", told, 4, ceiling(3, 0.7169, 0.6075)),
        PairRater("S", "pairwise", "gpt", "", told, 4),
    ]
    [own, model] = rows(table("pair_agreement", ONE, pair_raters=raters))
    assert (own["latent"], own["ceiling_share"]) == (
        pytest.approx(69.48, abs=0.01),
        pytest.approx(82.81, abs=0.01),
    )
    assert model["latent"] is None
    notes = table("pair_agreement", ONE, pair_raters=raters[:1]).notes
    assert notes[1].values == {"study": "S", "r": "83.90", "three": "59.17"}
    assert (own["figure"], model["rater"], own["way"]) == ("reward", "gpt", "metric")
    assert (own["ties_in"].value, own["ties_in"].n, own["ties_in"].of) == (pytest.approx(200 / 3), 3, 4)
    assert (own["ties_out"].value, own["ties_out"].n) == (100.0, 1)
    assert [note.key for note in table("pair_agreement", ONE).notes] == ["no_studies"]


def test_places_of_several_queries_count_once() -> None:
    with STARTER[0].open("rb") as file:
        tasks = [own.task for own in TASK_FILES.lines(list(islice(file, 4)))]
    data = Dataset.of([*tasks, *tasks])
    alone = Dataset.of(tasks)
    assert data.by_type["all"].counts[1:] == alone.by_type["all"].counts[1:]
    assert data.by_type["all"].tasks == 8
    built = STATISTICS.parts[0].build(data)
    assert sum(int(str(count)) for count in built.cells("tasks")[-6:-1]) == 4870 == built.cells("tasks")[-1]


def test_each_part_says_how_high_the_rewards_are_that_it_shows() -> None:
    """Synthetic queries alone have their own highest reward, and so have other weights."""
    rated = run_of(*(having(own, rated=2.0) for own in ONE.sessions))
    pair = Pair("j", "", 1)

    def notes(name: str) -> dict[str, str]:
        told = table(name, rated, pair=pair).notes
        return {note.key: str(note.values["highest"]) for note in told if "highest" in note.values}

    every = {
        "by_rules_synthetic": "3.1",
        "by_rules_real": "3",
        "by_judge_synthetic": "3.1",
        "by_judge_real": "4.4",
    }
    assert notes("methods") == every
    assert notes("by_duration") == {key: top for key, top in every.items() if "synthetic" in key}
    other = run_of(*(having(own, rated=1.0) for own in ONE.sessions), label="two")
    assert {note.key for note in table("plan_pairs", rated, other, pair=pair).notes} >= every.keys()
    tops = {str(row["weights"]): row["highest"] for row in rows(table("sensitivity", ONE))}
    assert tops["scaled_2"] == pytest.approx(2 + 2 * 1.1) and tops["scaled_1"] == pytest.approx(3.1)
    assert all(
        row["value"].value <= 3.1 for row in rows(table("by_duration", rated, pair=pair), figure="reward")
    )
