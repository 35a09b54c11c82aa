"""Each part of a report over a few sessions that can be counted by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.judging import Pair
from benchmark.reports import (
    Estimate,
    RatedSession,
    Report,
    Resampler,
    RunFigures,
    SessionFigures,
    Spread,
    Table,
)
from benchmark.reports.bins import even_bins
from benchmark.suites import measures_of
from benchmark.suites.grouptravel.judging.rubric import DIMENSIONS
from benchmark.suites.grouptravel.report import REPORTING

PARTS = {part.name: part for part in REPORTING.parts}
MEASURES = measures_of("grouptravel", "published")


@dataclass
class UniformVerdict:
    """A verdict of one rating for all dimensions."""

    rating: int
    meta: int | None = 5
    rubric: str = ""
    ratings: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        self.ratings = dict.fromkeys(DIMENSIONS, self.rating)

    @property
    def score(self) -> float | None:
        return None if self.meta is None else 100 * (self.rating - 1) / 4 * self.meta / 5


def session(task: str = "a", trial: int = 0, **given: Any) -> SessionFigures:
    usual: dict[str, Any] = {
        "reason": "plan_generated",
        "plan_generated": True,
        "rounds": 4,
        "counted": 0,
        "calls": 10,
        "hits": 8,
        "misses": 2,
    }
    values = {"pc": 0.5, "gu": 4.0, "gf": 60.0, "pv": True}
    values |= {key: given.pop(key) for key in [*values] if key in given}
    facets = {"difficulty": given.pop("difficulty", "easy"), "size": given.pop("size", 2)}
    return SessionFigures(task, trial, facets, **{**usual, "values": values, **given})


NO_PLAN: dict[str, Any] = {"gu": None, "gf": None, "pv": None, "plan_generated": False}


def run(
    *sessions: SessionFigures,
    label: str = "one",
    profile: str = "published",
    mode: str = "isolated",
    seed: str = "1",
    planned: int | None = None,
) -> RunFigures:
    return RunFigures(
        id=label,
        name=f"the run {label}",
        label=label,
        mode=mode,
        players="players",
        conditions={"world": "starter", "seed": seed},
        measures=measures_of("grouptravel", profile),
        sessions=sessions,
        ended=len(sessions),
        planned=len(sessions) if planned is None else planned,
    )


PAIR = Pair("j", "m", 3)


def build_table(
    part: str, *runs: RunFigures, labels: Sequence[RatedSession] = (), others: Sequence[Pair] = ()
) -> Table:
    return PARTS[part].build(
        Report(runs, runs[0].measures if runs else MEASURES, PAIR, others, labels, Resampler(times=100))
    )


def rows(table: Table) -> list[dict[str, Any]]:
    keys = [column.key for column in table.columns]
    return [dict(zip(keys, row, strict=True)) for row in table.rows]


def keys_of_notes(table: Table) -> list[str]:
    return [note.key for note in table.notes]


def value(cell: Any) -> float | None:
    assert isinstance(cell, Estimate)
    return cell.value


def test_the_registry_has_a_counterpart_of_each_of_the_papers_tables_and_figures() -> None:
    told = " ".join(part.counterpart.replace("and", "Figure") for part in PARTS.values())
    assert all(f"Table {number}" in f"{told} " for number in (1, 2, 3, 11, 12, 13))
    assert all(f"Figure {n}" in told or f"Figures {n}" in told for n in (2, 3, *range(7, 16)))
    assert all(name == part.name for name, part in PARTS.items())


def test_main_results_average_trials_then_tasks_and_count_a_task_without_a_plan_as_0() -> None:
    table = build_table(
        "main_results",
        run(session(gu=2.0), session(trial=1, gu=4.0), session("b", difficulty="hard", **NO_PLAN)),
    )
    everything, easy, hard = rows(table)
    assert [row["difficulty"] for row in (everything, easy, hard)] == ["all", "easy", "hard"]
    assert [value(row["gu"]) for row in (everything, easy, hard)] == [1.5, 3.0, 0.0]
    assert value(everything["pc"]) == 50.0
    assert value(everything["rules"]) == pytest.approx((50 + 30 + 50) / 3)


def test_the_paper_profile_counts_a_trial_without_a_figure_as_0() -> None:
    sessions = [session(gu=4.0), session(trial=1, **NO_PLAN)]
    figures = [
        value(rows(build_table("main_results", run(*sessions, profile=p)))[0]["gu"])
        for p in ("published", "paper")
    ]
    assert figures == [4.0, 2.0]


def test_without_a_judge_its_column_and_other_are_empty_and_said_to_be() -> None:
    table = build_table("main_results", run(session(), session("b")))
    assert value(rows(table)[0]["judge"]) is None
    assert value(rows(table)[0]["other"]) is None
    assert "no_judge" in keys_of_notes(table)


def test_other_has_the_judge_in_it_and_says_whose_verdict_it_is() -> None:
    table = build_table("main_results", run(session(verdicts=(UniformVerdict(5), UniformVerdict(3)))))
    found = rows(table)[0]
    assert value(found["judge"]) == 75.0
    assert value(found["other"]) == pytest.approx((50 + 60 + 100 + 75) / 4)
    assert ("judged_by", {"judge": "j on published input", "meta": "m"}) in [
        (note.key, note.values) for note in table.notes
    ]


def test_a_task_that_nobody_judged_says_nothing_of_the_judges_score() -> None:
    found = rows(
        build_table("main_results", run(session(verdicts=(UniformVerdict(5),)), session("b"), session("c")))
    )[0]
    assert value(found["judge"]) == 100.0


def test_differences_are_taken_over_common_tasks_alone() -> None:
    first = run(session(gu=1.0), session("b", gu=2.0), session("c", gu=90.0))
    second = run(session("b", gu=5.0), session(gu=2.0), session("d", gu=90.0), label="two")
    found = {row["figure"]: row for row in rows(build_table("differences", first, second))}
    assert (found["gu"]["tasks"], value(found["gu"]["difference"]), found["gu"]["wins"]) == (2, 2.0, 100.0)
    assert found["gu"]["effect"] == pytest.approx(2 / 2**0.5)
    assert "judge" not in found
    assert "other" not in found


def test_a_run_says_how_far_it_is_and_how_much_of_it_was_judged() -> None:
    table = build_table(
        "runs", run(session(verdicts=(UniformVerdict(5),)), session("b"), planned=5), run(label="two")
    )
    assert [list(row.values()) for row in rows(table)] == [
        ["one", "the run one", 2, 5, 2, 1, 2],
        ["two", "the run two", 0, 0, 0, 0, 0],
    ]
    keys = ["planned", "counted", "judged_sessions", "own_tasks"]
    assert [column.key for column in table.columns][-4:] == keys
    assert [(note.key, note.values) for note in table.notes] == [("going", {"run": "one"})]


def test_a_run_is_not_told_its_label_again_as_a_name_or_an_id() -> None:
    plain, cut = replace(run(), name="one"), replace(run(label="two"), name="two and more", id="x")
    keys = [
        [column.key for column in build_table("runs", *runs).columns][:3] for runs in ((plain,), (plain, cut))
    ]
    assert keys == [["run", "ended", "planned"], ["run", "name", "id"]]


def test_other_is_over_judged_tasks_and_trials_and_says_of_how_many() -> None:
    crashed = session(trial=1, reason="runtime_error", **{**NO_PLAN, "pc": None})
    table = build_table(
        "main_results", run(session(verdicts=(UniformVerdict(5),)), crashed, session("b"), profile="paper")
    )
    found = rows(table)[0]
    assert [value(found[key]) for key in ("pc", "gf", "pv")] == [37.5, 45.0, 75.0]  # the crashed trial is 0
    assert (found["tasks"], found["judged"], value(found["judge"])) == (2, 1, 100.0)
    assert value(found["other"]) == pytest.approx((50 + 60 + 100 + 100) / 4)
    assert "judged_alone" in keys_of_notes(table)
    assert {"run": "one", "n": 1, "sessions": 3} in [note.values for note in table.notes]
    all_judged = build_table("main_results", run(session(verdicts=(UniformVerdict(5),))))
    assert "judged_alone" not in keys_of_notes(all_judged)


def test_one_judged_task_of_several_has_no_interval() -> None:
    sessions = [
        session(str(n), gf=10.0 * n, verdicts=(UniformVerdict(4),) if n == 5 else ()) for n in range(6)
    ]
    found = rows(build_table("main_results", run(*sessions)))[0]
    assert (found["judge"], found["other"].low) == (Estimate(75.0), None)
    assert found["gf"].low < found["gf"].value < found["gf"].high


def test_other_differs_over_the_tasks_that_main_results_has_it_of() -> None:
    first = run(session(verdicts=(UniformVerdict(1),)), session("b"))
    second = run(session(pc=1.0, verdicts=(UniformVerdict(5),)), session("b", pc=0.0), label="two")
    found = {row["figure"]: row for row in rows(build_table("differences", first, second))}
    assert (found["other"]["tasks"], value(found["other"]["difference"])) == (1, (50 + 100) / 4)
    each = [value(rows(build_table("main_results", one))[0]["other"]) for one in (first, second)]
    assert value(found["other"]["difference"]) == (each[1] or 0) - (each[0] or 0)


def test_only_judges_whose_verdicts_count_are_named() -> None:
    rated = run(session(verdicts=(UniformVerdict(5, meta=None),)))
    assert "judged_by" not in keys_of_notes(build_table("main_results", rated))
    assert "judged_by" in keys_of_notes(build_table("judge_ratings", rated))
    others = [Pair("lenient", "m", 7), Pair("mute", "m", 0)]
    notes = build_table("main_results", run(session(verdicts=(UniformVerdict(5),))), others=others).notes
    assert [note.values["judge"] for note in notes if note.key == "other_judges"] == [
        "lenient on published input"
    ]


def test_a_single_run_and_runs_apart_have_nothing_to_compare() -> None:
    assert keys_of_notes(build_table("differences", run(session()))) == ["one_run"]
    assert keys_of_notes(build_table("differences", run(session()), run(session("b"), label="two"))) == [
        "no_pairs"
    ]


def test_scores_by_size_of_the_group() -> None:
    found = rows(
        build_table("group_size", run(session(gf=50.0), session("b", gf=70.0), session("c", size=5, gf=10.0)))
    )
    fairness = [(row["size"], row["tasks"], value(row["value"])) for row in found if row["figure"] == "gf"]
    assert fairness == [(2, 2, 60.0), (5, 1, 10.0)]


def test_stability_is_the_deviation_of_the_figures_of_trials() -> None:
    sessions = [session(t, trial, gu=gu) for trial, gu in enumerate((1.0, 2.0, 3.0)) for t in "ab"]
    [found] = rows(build_table("stability", run(*sessions)))
    assert (found["trials"], found["gu"]) == (3, Spread(2.0, 1.0))
    assert found["other"] == Spread(None, None)
    assert (found["tasks"], found["judged"]) == (2, 0)
    assert keys_of_notes(build_table("stability", run(session()))) == ["one_trial"]


def test_stability_is_over_the_tasks_that_every_trial_has() -> None:
    sessions = [session(str(n), gu=float(n), verdicts=(UniformVerdict(5),)) for n in range(6)]
    sessions += [session("5", 1, gu=5.0, verdicts=(UniformVerdict(5),)), session("4", 1, gu=4.0)]
    table = build_table("stability", run(*sessions))
    [found] = rows(table)
    assert (found["trials"], found["tasks"], found["gu"]) == (2, 2, Spread(4.5, 0.0))
    assert (found["judge"], found["judged"]) == (Spread(100.0, 0.0), 1)
    assert ("unfinished_trials", {"run": "one", "n": 4}) in [(note.key, note.values) for note in table.notes]


def test_interaction_is_a_session_on_average() -> None:
    sessions = [session(counted=1, calls=30, rounds=5), session("b", calls=10, rounds=2, **NO_PLAN)]
    [found] = rows(build_table("interaction", run(*sessions)))
    assert list(found.values())[1:] == [2, 0.5, 20.0, 3.5, 50.0]
    assert rows(build_table("interaction", run()))[0]["rounds"] is None


def test_reasons_stand_in_one_order_and_add_up_to_100() -> None:
    one = run(session(reason="odd"), session("b"), session("c"), session("d", reason="rate_limit"))
    two = run(session(), label="two")
    found = rows(build_table("completion", one, two))
    assert [row["reason"] for row in found][:3] == ["plan_generated", "rate_limit", "odd"]
    assert [row["share"] for row in found] == [50.0, 25.0, 25.0, 100.0, 0.0, 0.0]


def test_issues_are_counted_over_all_sessions_the_most_frequent_first() -> None:
    sessions = [
        session(issues={"time_overlap": 1, "missing_hotel": 4}),
        session("b", issues={"time_overlap": 1}),
    ]
    found = rows(build_table("validity_issues", run(*sessions, session("c", **NO_PLAN))))
    assert [(row["issue"], row["issues"], row["plans_with"], row["a_plan"]) for row in found] == [
        ("missing_hotel", 4, 1, 2.0),
        ("time_overlap", 2, 2, 1.0),
    ]


def test_plans_without_issues_are_told_from_no_plans() -> None:
    [note] = build_table("validity_issues", run(session(), session("b"), session("c", **NO_PLAN))).notes
    assert (note.key, note.values) == ("no_issues", {"n": 2})
    assert keys_of_notes(build_table("validity_issues", run(session(**NO_PLAN)))) == ["no_scored_plan"]


def test_compromises_are_averaged_over_trials_before_tasks_are_counted() -> None:
    one = run(
        session(counted=1),
        session(trial=1),
        session("b"),
        session("c", counted=1),
        session("d", counted=7),
    )
    found = rows(build_table("compromises", one))
    assert [(row["bin"], row["tasks"]) for row in found] == [
        ("0", 1),
        ("> 0 to < 1", 1),
        ("1 to < 2", 1),
        ("2 to < 3", 0),
        ("≥ 3", 1),
    ]


def test_several_runs_have_the_mean_of_their_shares_first() -> None:
    one, two = run(session(), session("b"), session("c")), run(session(counted=1), label="two")
    found = rows(build_table("compromises", one, two))
    assert [(row["run"], row["share"]) for row in found[:3]] == [("", 50.0), ("", 0.0), ("", 50.0)]


@given(st.lists(st.integers(0, 400), min_size=1, max_size=20))
def test_every_task_falls_into_one_bin_of_tool_calls(calls: list[int]) -> None:
    found = rows(
        build_table("tool_calls", run(*(session(str(n), calls=count) for n, count in enumerate(calls))))
    )
    assert sum(row["tasks"] for row in found) == len(calls)
    assert sum(row["share"] for row in found) == pytest.approx(100)
    assert len(found) <= 20


def test_bins_have_a_round_width_and_hold_the_largest() -> None:
    assert even_bins(np.array([3.0, 33.8])) == (
        [float(n) for n in range(0, 34, 2)],
        [f"{n} to < {n + 2}" for n in range(0, 34, 2)],
    )
    assert even_bins(np.array([0.0, 33.0]))[1][:2] == ["0–1", "2–3"]
    assert even_bins(np.array([0.0])) == ([0.0], ["0"])


def test_points_are_tasks_below_three_runs_and_runs_from_there_on() -> None:
    sessions = [
        session(task, calls=calls, gu=float(gu))
        for task, calls, gu in zip("abcde", (1, 2, 3, 1, 3), (1, 2, 2, 1, 2), strict=True)
    ]
    single = build_table("tools_and_utility", run(*sessions))
    assert [row["point"] for row in rows(single)] == list("abcde")
    assert single.notes[0].values["r"] == pytest.approx(0.9128709)
    several = build_table("tools_and_utility", *(run(one, label=one.task_id) for one in sessions))
    assert [(row["run"], row["calls"]) for row in rows(several)][:3] == [("a", 1.0), ("b", 2.0), ("c", 3.0)]
    assert several.notes[0].values == {"run": "", "r": pytest.approx(0.9128709), "n": 5}


def test_fewer_than_five_points_have_no_correlation() -> None:
    four = [session(task, calls=n, gu=float(n)) for n, task in enumerate("abcd")]
    assert keys_of_notes(build_table("tools_and_utility", run(*four))) == ["too_few_points"]
    runs = [run(one, label=one.task_id) for one in four]
    assert keys_of_notes(build_table("tools_and_utility", *runs)) == ["too_few_points"] * 4


def test_offline_and_online_runs_of_the_same_players_are_paired() -> None:
    offline = run(session(calls=10, hits=6, misses=2))
    online = run(session(calls=20, hits=5, misses=5), label="two", mode="online")
    [found] = rows(build_table("offline_online", offline, online))
    assert (found["offline"], found["online"]) == ("one", "two")
    assert (found["hits_offline"], found["hits_online"], found["calls_online"]) == (75.0, 50.0, 20.0)
    assert keys_of_notes(build_table("offline_online", offline, run(session(), label="two"))) == ["no_online"]


def test_offline_and_online_are_compared_over_the_tasks_that_both_played() -> None:
    offline = run(*(session(str(n), gu=20.0 + n, calls=n) for n in range(10)))
    online = run(
        *(session(str(n), gu=20.0 + n, calls=n) for n in range(3)), label="two", mode="online", seed="2"
    )
    table = build_table("offline_online", offline, online)
    [found] = rows(table)
    assert found["tasks"] == 3
    for figure in ("gu", "hits", "calls", "judged"):
        assert found[f"{figure}_offline"] == found[f"{figure}_online"]
    assert keys_of_notes(table) == ["differing_seed"]
    apart = run(session("elsewhere"), label="three", mode="online")
    assert keys_of_notes(build_table("offline_online", offline, apart)) == ["no_online"]


def test_a_run_over_a_world_is_no_offline_one() -> None:
    table = build_table(
        "offline_online", run(session(), mode="world"), run(session(), label="two", mode="online")
    )
    assert (table.rows, keys_of_notes(table)) == ([], ["no_online"])


def test_dimensions_weigh_sessions_as_the_judges_figure_does() -> None:
    judged = run(
        session(verdicts=(UniformVerdict(5), UniformVerdict(5), UniformVerdict(5))),
        session(trial=1, verdicts=(UniformVerdict(1),)),
    )
    figure = value(rows(build_table("main_results", judged))[0]["judge"])
    assert (
        {value(row["score"]) for row in rows(build_table("judge_dimensions", judged))} == {figure} == {50.0}
    )


def test_deviations_are_of_a_sample() -> None:
    table = build_table(
        "tool_calls", run(session(calls=1), session("b", calls=3)), run(session(), label="two")
    )
    means = [note.values for note in table.notes if note.key == "mean_of"]
    assert [(told["std"], told["n"]) for told in means] == [(pytest.approx(2**0.5), 2), (None, 1)]
    assert "mean_of_shares" in keys_of_notes(table)


def test_runs_without_issues_are_named() -> None:
    faulty = run(session(issues={"time_overlap": 1}))
    table = build_table(
        "validity_issues", faulty, run(session(), label="two"), run(session(**NO_PLAN), label="three")
    )
    assert [(note.key, note.values.get("run")) for note in table.notes] == [
        ("log", None),
        ("without_issues", "two"),
        ("without_plans", "three"),
    ]


def test_a_dimension_scores_as_the_verdict_does_and_tasks_are_averaged() -> None:
    judged = run(
        session(verdicts=(UniformVerdict(5), UniformVerdict(1))),
        session("b", verdicts=(UniformVerdict(5, meta=4),)),
        session("c"),
    )
    found = rows(build_table("judge_dimensions", judged, run(session(), label="nobody asked")))
    assert [row["run"] for row in found] == ["one"] * 5
    assert {value(row["score"]) for row in found} == {65.0}  # 50 and 80


@dataclass
class SaidAlone(UniformVerdict):
    """A verdict where no meta-judge is asked."""

    meta: int | None = None

    @property
    def score(self) -> float | None:
        return 100 * (self.rating - 1) / 4


def test_without_a_meta_judge_a_dimension_scores_as_it_was_rated() -> None:
    judged = run(session(verdicts=(SaidAlone(4),)))
    assert {value(row["score"]) for row in rows(build_table("judge_dimensions", judged))} == {75.0}
    assert build_table("meta_judge", judged).rows == []


def test_a_verdict_that_was_not_calibrated_has_ratings_and_no_score() -> None:
    judged = run(session(verdicts=(UniformVerdict(4, meta=None),)))
    assert build_table("judge_dimensions", judged).rows == []
    assert keys_of_notes(build_table("judge_dimensions", judged)) == ["not_calibrated"]
    assert sum(row["verdicts"] for row in rows(build_table("judge_ratings", judged))) == len(DIMENSIONS)
    assert build_table("meta_judge", judged).rows == []


def test_ratings_and_calibrations_are_counted() -> None:
    judged = run(session(verdicts=(UniformVerdict(5), UniformVerdict(2, meta=4), UniformVerdict(5))))
    ratings = [
        row for row in rows(build_table("judge_ratings", judged)) if row["dimension"] == "hallucination"
    ]
    assert [row["verdicts"] for row in ratings] == [0, 1, 0, 0, 2]
    assert sum(row["share"] for row in ratings) == pytest.approx(100)
    table = build_table("meta_judge", judged, run(session(verdicts=(UniformVerdict(1),)), label="two"))
    assert [(r["run"], r["verdicts"]) for r in rows(table) if r["rating"] == "5"] == [
        ("one", 2),
        ("two", 1),
        ("", 3),
    ]


def test_agreement_with_people_waits_for_labels() -> None:
    assert keys_of_notes(build_table("judge_and_people", run(session()))) == ["no_labels"]
    labels = [RatedSession({"hallucination": 4}, [{"hallucination": 3}, {"hallucination": 5}])]
    found = rows(build_table("judge_and_people", run(session()), labels=labels))
    assert [list(row.values()) for row in found] == [["hallucination", 1, 1.0, 1.0], ["all", 1, 1.0, 1.0]]


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("runs", [(), (run(),), (run(), run(session(), label="two"))])
def test_every_part_stands_runs_without_sessions(part: str, runs: tuple[RunFigures, ...]) -> None:
    table = build_table(part, *runs)
    assert all(len(row) == len(table.columns) for row in table.rows)
    assert table.rows or table.notes or not runs


sessions = st.builds(
    session,
    st.sampled_from("abc"),
    st.integers(0, 2),
    size=st.integers(2, 6),
    difficulty=st.sampled_from(["easy", "medium", "hard"]),
    gu=st.none() | st.floats(-5, 20),
    pc=st.none() | st.floats(0, 1),
)


@given(st.lists(sessions, min_size=1, max_size=8), st.randoms(use_true_random=False))
def test_the_order_of_sessions_changes_nothing(given_: list[SessionFigures], chance: Any) -> None:
    alike = [one._replace(facets={"size": 2, "difficulty": "easy"}) for one in given_]
    other = chance.sample(alike, len(alike))
    for part in ("main_results", "interaction", "compromises"):
        one, two = (rows(build_table(part, run(*order))) for order in (alike, other))
        assert [_rounded_cells(row) for row in one] == [_rounded_cells(row) for row in two]


def _rounded_cells(row: dict[str, Any]) -> list[Any]:
    cells = []
    for cell in row.values():
        ends = (cell.value, cell.low, cell.high) if isinstance(cell, Estimate) else (cell,)
        cells += [round(end, 6) if isinstance(end, float) else end for end in ends]
    return cells
