"""Each part of a report over a few sessions that can be counted by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.judging import DIMENSIONS
from benchmark.reports import (
    PARTS,
    Estimate,
    Labelled,
    Report,
    Resampler,
    RunFigures,
    SessionFigures,
    Spread,
    Table,
)
from benchmark.reports.bins import even_bins


@dataclass
class Said:
    """A verdict of one rating for all dimensions."""

    rating: int
    meta: int | None = 5
    judge: str = "j"
    meta_judge: str = "m"
    ratings: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        self.ratings = dict.fromkeys(DIMENSIONS, self.rating)

    @property
    def score(self) -> float | None:
        return None if self.meta is None else 100 * (self.rating - 1) / 4 * self.meta / 5


def session(task: str = "a", trial: int = 0, **given: Any) -> SessionFigures:
    usual: dict[str, Any] = {
        "difficulty": "easy",
        "size": 2,
        "reason": "plan_generated",
        "plan_generated": True,
        "rounds": 4,
        "compromises": 0,
        "calls": 10,
        "hits": 8,
        "misses": 2,
        "pc": 0.5,
        "gu": 4.0,
        "gf": 60.0,
        "pv": True,
    }
    return SessionFigures(task, trial, **{**usual, **given})


NO_PLAN: dict[str, Any] = {"gu": None, "gf": None, "pv": None, "plan_generated": False}


def run(
    *sessions: SessionFigures, label: str = "one", profile: str = "published", mode: str = "isolated"
) -> RunFigures:
    return RunFigures(label, label, mode, "players", profile, sessions)


def built(part: str, *runs: RunFigures, labels: Sequence[Labelled] = ()) -> Table:
    return PARTS[part].build(Report(runs, labels, Resampler(times=100)))


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
    table = built(
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
        value(rows(built("main_results", run(*sessions, profile=p)))[0]["gu"]) for p in ("published", "paper")
    ]
    assert figures == [4.0, 2.0]


def test_without_a_judge_its_column_and_other_are_empty_and_said_to_be() -> None:
    table = built("main_results", run(session(), session("b")))
    assert value(rows(table)[0]["judge"]) is None
    assert value(rows(table)[0]["other"]) is None
    assert "no_judge" in keys_of_notes(table)


def test_other_has_the_judge_in_it_and_says_whose_verdict_it_is() -> None:
    table = built("main_results", run(session(verdicts=(Said(5), Said(3)))))
    found = rows(table)[0]
    assert value(found["judge"]) == 75.0
    assert value(found["other"]) == pytest.approx((50 + 60 + 100 + 75) / 4)
    assert ("judged_by", {"judge": "j", "meta": "m"}) in [(note.key, note.given) for note in table.notes]


def test_a_task_that_nobody_judged_says_nothing_of_the_judges_score() -> None:
    found = rows(built("main_results", run(session(verdicts=(Said(5),)), session("b"), session("c"))))[0]
    assert value(found["judge"]) == 100.0


def test_differences_are_taken_over_common_tasks_alone() -> None:
    first = run(session(gu=1.0), session("b", gu=2.0), session("c", gu=90.0))
    second = run(session("b", gu=5.0), session(gu=2.0), session("d", gu=90.0), label="two")
    found = {row["figure"]: row for row in rows(built("differences", first, second))}
    assert (found["gu"]["tasks"], value(found["gu"]["difference"]), found["gu"]["wins"]) == (2, 2.0, 100.0)
    assert found["gu"]["effect"] == pytest.approx(2 / 2**0.5)
    assert "judge" not in found
    assert "other" not in found


def test_a_single_run_and_runs_apart_have_nothing_to_compare() -> None:
    assert keys_of_notes(built("differences", run(session()))) == ["one_run"]
    assert keys_of_notes(built("differences", run(session()), run(session("b"), label="two"))) == ["no_pairs"]


def test_scores_by_size_of_the_group() -> None:
    found = rows(
        built("group_size", run(session(gf=50.0), session("b", gf=70.0), session("c", size=5, gf=10.0)))
    )
    fairness = [(row["size"], row["tasks"], value(row["value"])) for row in found if row["figure"] == "gf"]
    assert fairness == [(2, 2, 60.0), (5, 1, 10.0)]


def test_stability_is_the_deviation_of_the_figures_of_trials() -> None:
    sessions = [session(t, trial, gu=gu) for trial, gu in enumerate((1.0, 2.0, 3.0)) for t in "ab"]
    [found] = rows(built("stability", run(*sessions)))
    assert (found["trials"], found["gu"]) == (3, Spread(2.0, 1.0))
    assert found["other"] == Spread(None, None)
    assert keys_of_notes(built("stability", run(session()))) == ["one_trial"]


def test_interaction_is_a_session_on_average() -> None:
    sessions = [session(compromises=1, calls=30, rounds=5), session("b", calls=10, rounds=2, **NO_PLAN)]
    [found] = rows(built("interaction", run(*sessions)))
    assert list(found.values())[1:] == [2, 0.5, 20.0, 3.5, 50.0]
    assert rows(built("interaction", run()))[0]["rounds"] is None


def test_reasons_stand_in_one_order_and_add_up_to_100() -> None:
    one = run(session(reason="odd"), session("b"), session("c"), session("d", reason="rate_limit"))
    two = run(session(), label="two")
    found = rows(built("completion", one, two))
    assert [row["reason"] for row in found][:3] == ["plan_generated", "rate_limit", "odd"]
    assert [row["share"] for row in found] == [50.0, 25.0, 25.0, 100.0, 0.0, 0.0]


def test_issues_are_counted_over_all_sessions_the_most_frequent_first() -> None:
    sessions = [
        session(issues={"time_overlap": 1, "missing_hotel": 4}),
        session("b", issues={"time_overlap": 1}),
    ]
    found = rows(built("validity_issues", run(*sessions, session("c", **NO_PLAN))))
    assert [(row["issue"], row["issues"], row["plans_with"], row["a_plan"]) for row in found] == [
        ("missing_hotel", 4, 1, 2.0),
        ("time_overlap", 2, 2, 1.0),
    ]
    assert keys_of_notes(built("validity_issues", run(session()))) == ["no_issues"]


def test_compromises_are_averaged_over_trials_before_tasks_are_counted() -> None:
    one = run(
        session(compromises=1),
        session(trial=1),
        session("b"),
        session("c", compromises=1),
        session("d", compromises=7),
    )
    found = rows(built("compromises", one))
    assert [(row["bin"], row["tasks"]) for row in found] == [
        ("0", 1),
        ("(0, 1)", 1),
        ("[1, 2)", 1),
        ("[2, 3)", 0),
        ("≥ 3", 1),
    ]


def test_several_runs_have_the_mean_of_their_shares_first() -> None:
    one, two = run(session(), session("b"), session("c")), run(session(compromises=1), label="two")
    found = rows(built("compromises", one, two))
    assert [(row["run"], row["share"]) for row in found[:3]] == [("", 50.0), ("", 0.0), ("", 50.0)]


@given(st.lists(st.integers(0, 400), min_size=1, max_size=20))
def test_every_task_falls_into_one_bin_of_tool_calls(calls: list[int]) -> None:
    found = rows(built("tool_calls", run(*(session(str(n), calls=count) for n, count in enumerate(calls)))))
    assert sum(row["tasks"] for row in found) == len(calls)
    assert sum(row["share"] for row in found) == pytest.approx(100)
    assert len(found) <= 20


def test_bins_have_a_round_width_and_hold_the_largest() -> None:
    assert even_bins(33.8) == (
        [float(n) for n in range(0, 34, 2)],
        [f"[{n}, {n + 2})" for n in range(0, 34, 2)],
    )
    assert even_bins(0.0) == ([0.0], ["[0, 1)"])


def test_points_are_tasks_below_three_runs_and_runs_from_there_on() -> None:
    sessions = [
        session(t, calls=calls, gu=gu) for t, calls, gu in (("a", 1, 1.0), ("b", 2, 2.0), ("c", 3, 2.0))
    ]
    single = built("tools_and_utility", run(*sessions))
    assert [row["point"] for row in rows(single)] == ["a", "b", "c"]
    assert single.notes[0].given["r"] == pytest.approx(0.8660254)
    several = built("tools_and_utility", *(run(one, label=one.task_id) for one in sessions))
    assert [(row["run"], row["calls"]) for row in rows(several)] == [("a", 1.0), ("b", 2.0), ("c", 3.0)]
    assert several.notes[0].given == {"run": "", "r": pytest.approx(0.8660254), "n": 3}


def test_offline_and_online_runs_of_the_same_players_are_paired() -> None:
    offline = run(session(calls=10, hits=6, misses=2))
    online = run(session(calls=20, hits=5, misses=5), label="two", mode="online")
    [found] = rows(built("offline_online", offline, online))
    assert (found["offline"], found["online"]) == ("one", "two")
    assert (found["hits_offline"], found["hits_online"], found["calls_online"]) == (75.0, 50.0, 20.0)
    assert keys_of_notes(built("offline_online", offline, run(session(), label="two"))) == ["no_online"]


def test_a_dimension_scores_as_the_verdict_does_and_tasks_are_averaged() -> None:
    judged = run(
        session(verdicts=(Said(5), Said(1))), session("b", verdicts=(Said(5, meta=4),)), session("c")
    )
    found = rows(built("judge_dimensions", judged, run(session(), label="nobody asked")))
    assert [row["run"] for row in found] == ["one"] * 5
    assert {value(row["score"]) for row in found} == {65.0}  # 50 and 80


def test_a_verdict_that_was_not_calibrated_has_ratings_and_no_score() -> None:
    judged = run(session(verdicts=(Said(4, meta=None),)))
    assert {value(row["score"]) for row in rows(built("judge_dimensions", judged))} == {None}
    assert sum(row["verdicts"] for row in rows(built("judge_ratings", judged))) == len(DIMENSIONS)
    assert built("meta_judge", judged).rows == []


def test_ratings_and_calibrations_are_counted() -> None:
    judged = run(session(verdicts=(Said(5), Said(2, meta=4), Said(5))))
    ratings = [row for row in rows(built("judge_ratings", judged)) if row["dimension"] == "hallucination"]
    assert [row["verdicts"] for row in ratings] == [0, 1, 0, 0, 2]
    assert sum(row["share"] for row in ratings) == pytest.approx(100)
    table = built("meta_judge", judged, run(session(verdicts=(Said(1),)), label="two"))
    assert [(r["run"], r["verdicts"]) for r in rows(table) if r["rating"] == "5"] == [
        ("one", 2),
        ("two", 1),
        ("", 3),
    ]


def test_agreement_with_people_waits_for_labels() -> None:
    assert keys_of_notes(built("judge_and_people", run(session()))) == ["no_labels"]
    labels = [Labelled({"hallucination": 4}, [{"hallucination": 3}, {"hallucination": 5}])]
    found = rows(built("judge_and_people", run(session()), labels=labels))
    assert [list(row.values()) for row in found] == [["hallucination", 1, 1.0, 1.0], ["all", 1, 1.0, 1.0]]


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("runs", [(), (run(),), (run(), run(session(), label="two"))])
def test_every_part_stands_runs_without_sessions(part: str, runs: tuple[RunFigures, ...]) -> None:
    table = built(part, *runs)
    assert all(len(row) == len(table.columns) for row in table.rows)


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
    alike = [one._replace(size=2, difficulty="easy") for one in given_]
    other = chance.sample(alike, len(alike))
    for part in ("main_results", "interaction", "compromises"):
        one, two = (rows(built(part, run(*order))) for order in (alike, other))
        assert [_rounded(row) for row in one] == [_rounded(row) for row in two]


def _rounded(row: dict[str, Any]) -> list[Any]:
    cells = []
    for cell in row.values():
        ends = (cell.value, cell.low, cell.high) if isinstance(cell, Estimate) else (cell,)
        cells += [round(end, 6) if isinstance(end, float) else end for end in ends]
    return cells
