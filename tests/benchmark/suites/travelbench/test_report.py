"""Each own part of TravelBench's reports over a few sessions that can be counted by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import stdev
from typing import Any

import pytest

from benchmark.judging import Pair
from benchmark.metrics import Metric, Trial, run_values
from benchmark.reports import Measures, Report, Resampler, RunFigures, SessionFigures, Spread, Table
from benchmark.reports.verdicts import judged_values
from benchmark.suites.travelbench.judging.rubric import RUBRIC
from benchmark.suites.travelbench.metrics import METRICS as DECLARED
from benchmark.suites.travelbench.modes import DIMENSIONS
from benchmark.suites.travelbench.report import REPORTING
from benchmark.suites.travelbench.scoring.sessions import PROFILES

PARTS = {part.name: part for part in REPORTING.parts}
SINGLE, MULTI = DIMENSIONS["single_turn"], DIMENSIONS["multi_turn"]
METRICS = (
    Metric(key="error_rate", label="errors", name="errors", unit="share", better="low"),
    Metric(key="unsolved", label="unsolved", name="unsolved", unit="flag"),
    Metric(key="judge", label="S", name="S", source="rater"),
)


@dataclass
class FixedVerdict:
    """A verdict. weight: what tool errors leave of it."""

    ratings: Mapping[str, int]
    meta: int | None = 5
    weight: float = 1.0
    rubric: str = ""

    @property
    def score(self) -> float | None:
        return RUBRIC.score(self.ratings, self.meta) * self.weight


class CrashedVerdict:
    """A verdict on a session without a conversation, by the paper's rules."""

    ratings: Mapping[str, int] = {}
    meta, score, rubric = None, 0.0, ""


def verdict_with(dimensions: Sequence[str], *ratings: int, **given: Any) -> FixedVerdict:
    """The last rating is that of all dimensions that are left."""
    whole = [*ratings, *[ratings[-1]] * (len(dimensions) - len(ratings))]
    return FixedVerdict(dict(zip(dimensions, whole, strict=True)), **given)


def session(task: str, trial: int = 0, verdicts: Any = (), **given: Any) -> SessionFigures:
    usual: dict[str, Any] = {"reason": "completed", "plan_generated": True}
    usual |= {"rounds": 1, "counted": 0, "calls": 4, "hits": 3, "misses": 1}
    values = given.pop("values", {})
    facets = {"subtask": task.split("-")[1]}
    return SessionFigures(task, trial, facets, **{**usual, **given}, values=values, verdicts=verdicts)


def single(n: int, *verdicts: Any, trial: int = 0, errors: float = 0.0, **given: Any) -> SessionFigures:
    return session(f"travelbench-single-{n}", trial, verdicts, values={"error_rate": errors}, **given)


def multi(n: int, *verdicts: Any, trial: int = 0, errors: float = 0.0, **given: Any) -> SessionFigures:
    return session(f"travelbench-multi-{n}", trial, verdicts, values={"error_rate": errors}, **given)


def unsolved_session(n: int, said: bool, trial: int = 0) -> SessionFigures:
    return session(f"travelbench-unsolved-{n}", trial, values={"unsolved": said})


def run(
    *sessions: SessionFigures, label: str = "one", profile: str = "published", **given: Any
) -> RunFigures:
    measures = Measures("travelbench", "1", profile, PROFILES[profile], METRICS, (RUBRIC,))
    usual: dict[str, Any] = {"mode": "isolated", "conditions": {"world": "w"}, "cast": {}}
    counts = {"ended": len(sessions), "planned": len(sessions)}
    named = {"id": label, "name": label, "label": label, "players": "players"}
    return RunFigures(measures=measures, sessions=sessions, **named, **counts, **{**usual, **given})


def table(part: str, *runs: RunFigures) -> Table:
    report = Report(runs, runs[0].measures, Pair("j", "m", 3), resampler=Resampler(times=50))
    return PARTS[part].table(report)


def rows(part: str, *runs: RunFigures) -> list[dict[str, Any]]:
    found = table(part, *runs)
    keys = [column.key for column in found.columns]
    return [dict(zip(keys, row, strict=True)) for row in found.rows]


def notes(part: str, *runs: RunFigures) -> list[str]:
    return [note.key for note in table(part, *runs).notes]


def whole(overall: float, **given: Any) -> RunFigures:
    """A run whose three subsets have nearly this score each: five words and one accuracy."""
    word = 1 + round(overall / 25)
    said = [unsolved_session(n, n < overall / 25) for n in range(4)]
    return run(single(1, verdict_with(SINGLE, word)), multi(1, verdict_with(MULTI, word)), *said, **given)


def test_the_reports_have_counterparts_of_all_that_runs_can_tell() -> None:
    told = {part.counterpart for part in PARTS.values()}
    assert {f"Table {n}" for n in (3, 4, 5, 6, 9, 14, 15, 17)} | {"Tables 2 and 10"} <= told
    assert {f"Figure {n}" for n in (2, 3, 8, 9)} <= told


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("profile", ["published", "paper"])
def test_every_part_can_be_built_of_nothing_of_unjudged_and_of_judged_sessions(
    part: str, profile: str
) -> None:
    unjudged = run(single(1), multi(1), unsolved_session(1, True), label="two", profile=profile)
    assert rows(part, run(profile=profile)) is not None
    for runs in ([unjudged], [whole(50, profile=profile), unjudged]):
        found = table(part, *runs)
        assert found.rows or found.notes
        assert all(len(row) == len(found.columns) for row in found.rows)


# Tables 2 and 10.


def test_a_subset_has_raw_scores_errors_and_final_scores() -> None:
    one = run(
        single(1, verdict_with(SINGLE, 5), errors=0.0),
        single(2, verdict_with(SINGLE, 3, meta=4, weight=0.5), errors=0.5),
        single(3, errors=1.0),
    )
    (row,) = rows("subsets", one)
    assert (row["single_raw"], row["single_errors"], row["single_judged"]) == (75, 25, 2)
    assert row["single_final"] == pytest.approx((100 + 50 * 0.5 * 4 / 5) / 2)
    assert (row["multi_raw"], row["multi_final"], row["accuracy"], row["overall"]) == (None,) * 4


def test_the_overall_score_is_that_of_rounded_subsets_and_by_the_paper_of_unrounded_ones() -> None:
    sessions = [
        single(1, verdict_with(SINGLE, 5, 5, 4)),
        single(2, verdict_with(SINGLE, 4, 4, 4)),
        single(3, verdict_with(SINGLE, 1, 2, 1)),
        multi(1, verdict_with(MULTI, 2, 2, 2, 3)),
        *(unsolved_session(n, n == 0) for n in range(3)),
    ]
    subsets = (175 / 3, 31.25, 100 / 3)
    (published,), (paper,) = (rows("subsets", run(*sessions, profile=one)) for one in ("published", "paper"))
    assert published["single_final"] == pytest.approx(subsets[0])
    assert published["overall"] == round(sum(round(one, 2) for one in subsets) / 3, 2)
    assert paper["overall"] == pytest.approx(sum(subsets) / 3, abs=1e-9)
    assert paper["overall"] != published["overall"]


def test_trials_are_pooled_and_by_the_paper_averaged_by_instance_first() -> None:
    sessions = [
        single(1, verdict_with(SINGLE, 5)),
        single(1, verdict_with(SINGLE, 5), trial=1),
        single(1, verdict_with(SINGLE, 5), trial=2),
        single(2, verdict_with(SINGLE, 1)),
        *(unsolved_session(1, True, trial) for trial in range(3)),
        unsolved_session(2, False),
    ]
    (published,), (paper,) = (rows("subsets", run(*sessions, profile=one)) for one in ("published", "paper"))
    assert (published["single_final"], published["accuracy"]) == (75, 75)
    assert (paper["single_final"], paper["accuracy"]) == (50, 50)


def test_a_missing_dimension_counts_in_the_means_of_the_others_alone() -> None:
    two = run(single(1, FixedVerdict({SINGLE[0]: 5})), single(2, verdict_with(SINGLE, 1, 3, 5)))
    (row,) = rows("subsets", two)
    assert row["single_raw"] == (100 + 50) / 2
    assert row["single_final"] == pytest.approx(((100 + 0) / 2 + 50 + 100) / 3)


def test_a_crash_without_a_rating_is_0_in_every_dimension() -> None:
    (row,) = rows(
        "subsets", run(single(1, CrashedVerdict()), single(2, verdict_with(SINGLE, 5)), profile="paper")
    )
    assert (row["single_raw"], row["single_final"]) == (50, 50)


# The same figures where a run shows them.


def trials_of(one: RunFigures) -> list[Trial]:
    return [
        Trial(each.task_id, {**each.values, **judged_values(RUBRIC, each.verdicts)}, each.facets)
        for each in one.sessions
    ]


UNEVEN = (
    multi(1, FixedVerdict({MULTI[0]: 5, MULTI[1]: 2}, meta=4, weight=0.5)),
    multi(1, verdict_with(MULTI, 2, 3, 4, 5), trial=1, errors=0.5),
    multi(2, FixedVerdict({MULTI[3]: 4}), FixedVerdict({MULTI[3]: 5, MULTI[0]: 3})),
    multi(3, errors=1.0),
    single(1, verdict_with(SINGLE, 4, 2, 5)),
    single(1, FixedVerdict({SINGLE[2]: 1}), trial=1),
    single(2, CrashedVerdict()),
    *(unsolved_session(1, said, trial) for trial, said in enumerate((True, True, False))),
    unsolved_session(2, False),
)
"""Judgements that lack dimensions, tasks with more trials than others, a session without a judgement."""


@pytest.mark.parametrize("profile", ["published", "paper"])
def test_a_run_s_own_metrics_are_those_of_its_report(profile: str) -> None:
    one = run(*UNEVEN, profile=profile)
    own = run_values(DECLARED, trials_of(one), PROFILES[profile], 6)
    (row,) = rows("subsets", one)
    for key, figure in (("multi", "multi_final"), ("single", "single_final"), ("overall", "overall")):
        assert own[key] is not None and own[key] == pytest.approx(row[figure], abs=1e-9), key
    assert 100 * (own["unsolved"] or 0) == pytest.approx(row["accuracy"], abs=1e-4)
    assert row["accuracy"] == pytest.approx({"published": 50, "paper": 100 / 3}[profile])


def test_published_multi_turn_is_the_mean_of_dimensions_and_no_mean_of_sessions() -> None:
    trials = trials_of(run(multi(1, FixedVerdict({MULTI[0]: 5})), multi(2, verdict_with(MULTI, 1, 1, 1, 1))))
    found = {name: run_values(DECLARED, trials, rule, 6)["multi"] for name, rule in PROFILES.items()}
    assert found == {"published": 12.5, "paper": 50}


@pytest.mark.parametrize("profile", ["published", "paper"])
def test_main_results_and_runs_average_sessions_alike(profile: str) -> None:
    """Whatever an instance's number of trials: `published` pools them, `paper` takes instances first."""
    given = {"profile": profile}
    one = run(*UNEVEN, **given)
    whole_ = replace(one.measures, metrics=DECLARED)
    (row, *_) = rows("main_results", replace(one, measures=whole_))
    own = run_values(DECLARED, trials_of(one), PROFILES[profile], 6)
    for key, scale in (("judge", 1), ("unsolved", 100), ("error_rate", 100), ("overall", 1), ("multi", 1)):
        told = getattr(row[key], "value", row[key])
        assert told == pytest.approx(scale * (own[key] or 0), abs=1e-3), key


# Tables 3 and 5.


def test_trials_are_told_one_by_one_with_the_sample_deviation() -> None:
    words = (3, 4, 5)
    one = run(
        *(single(1, verdict_with(SINGLE, word), trial=n) for n, word in enumerate(words)),
        *(multi(1, verdict_with(MULTI, 3), trial=n) for n in range(3)),
        *(unsolved_session(1, True, trial=n) for n in range(3)),
        single(2, verdict_with(SINGLE, 1)),
    )
    *each, last = rows("trial_stability", one)
    assert [(row["trial"], row["single"]) for row in each] == [("1", 50), ("2", 75), ("3", 100)]
    overall = [round((50 + score + 100) / 3, 2) for score in (50, 75, 100)]
    assert [row["overall"] for row in each] == overall
    assert last["trial"] == "all" and last["multi"] == Spread(50, 0)
    assert last["overall"] == Spread(pytest.approx(sum(overall) / 3), pytest.approx(stdev(overall)))


def test_one_trial_says_nothing_of_trials() -> None:
    assert notes("trial_stability", whole(50)) == ["one_trial"] and not rows("trial_stability", whole(50))


def test_repeated_judgements_of_the_same_sessions_are_told_one_by_one() -> None:
    one = run(
        single(1, verdict_with(SINGLE, 3), verdict_with(SINGLE, 5)),
        single(2, verdict_with(SINGLE, 1)),
        multi(1, verdict_with(MULTI, 3), verdict_with(MULTI, 3)),
        unsolved_session(1, True),
    )
    first, second, last = rows("judge_stability", one)
    assert (first["single"], second["single"], first["accuracy"]) == (50, 100, 100)
    assert last["single"] == Spread(75, pytest.approx(stdev([50, 100])))
    assert "judged_less_often" in notes("judge_stability", one)
    assert notes("judge_stability", whole(50)) == ["one_judgement"]


# Tables 4, 6, 9 and 17.


def test_offline_and_online_are_compared_over_the_tasks_that_both_played() -> None:
    shared = [multi(1, verdict_with(MULTI, 3), calls=7, hits=2, misses=6), unsolved_session(1, True)]
    offline = run(*shared, single(1, verdict_with(SINGLE, 3)), single(2, verdict_with(SINGLE, 5)))
    online = run(
        *shared, single(1, verdict_with(SINGLE, 5), calls=9, hits=1, misses=1), label="two", mode="online"
    )
    (row,) = rows("offline_online", offline, online)
    assert (row["tasks"], row["overall_offline"], row["overall_online"]) == (3, 66.67, 83.33)
    assert (row["multi_hits_offline"], row["multi_calls_offline"]) == (25, 7)
    assert (row["single_hits_offline"], row["single_hits_online"]) == (75, 50)
    assert (row["single_calls_offline"], row["single_calls_online"]) == (4, 9)
    assert "differing_world" in notes(
        "offline_online", offline, run(*shared, mode="online", conditions={"world": "x"})
    )
    assert notes("offline_online", offline) == ["no_online"]


def test_steps_and_turns_are_the_least_and_the_most_of_the_tasks_means() -> None:
    one = run(
        single(1, calls=2),
        single(1, calls=4, trial=1),
        single(2, calls=6),
        multi(1, rounds=2),
        multi(2, rounds=5),
        unsolved_session(1, True),
    )
    found = rows("composition", one)
    assert [(row["subset"], row["tasks"], row["counted_by"]) for row in found] == [
        *(("single", 2, "steps"), ("multi", 2, "turns"), ("unsolved", 1, "")),
    ]
    assert [(row["mean"], row["least"], row["most"]) for row in found] == [
        *((5.5, 4, 7), (3.5, 2, 5), (None, None, None)),
    ]


def test_ratings_are_counted_by_subset_and_dimension() -> None:
    one = run(
        single(1, verdict_with(SINGLE, 5, 3, 1)),
        single(2, FixedVerdict({SINGLE[0]: 5}), verdict_with(SINGLE, 4)),
        multi(1, verdict_with(MULTI, 2)),
        multi(2),
        unsolved_session(1, True),
    )
    found = {
        (row["dimension"], row["rating"]): row["verdicts"]
        for row in rows("single_ratings", one)
        if row["verdicts"]
    }
    assert found[SINGLE[0], "5"] == 2 and found[SINGLE[0], "4"] == 1 and found[SINGLE[1], "3"] == 1
    shares = [row["share"] for row in rows("single_ratings", one) if row["dimension"] == SINGLE[1]]
    assert shares == [0, 0, 50, 50, 0]
    assert {row["dimension"] for row in rows("multi_ratings", one)} == {*MULTI}


def test_steps_are_those_of_the_model_where_the_rules_count_them() -> None:
    counted = session("travelbench-single-1", values={"steps": 3}, calls=8)
    (row,) = rows("composition", run(counted))
    assert row["mean"] == 3, "table 6 counts the answer"
    assert [row["bin"] for row in rows("single_steps", run(counted)) if row["tasks"]] == ["2"], (
        "figure 8 does not"
    )
    failed = session("travelbench-single-1", values={"steps": 0}, calls=2)
    assert [row["bin"] for row in rows("single_steps", run(failed)) if row["tasks"]] == ["0"]


def test_the_same_model_in_two_agents_stands_together() -> None:
    plain = whole(50, cast={"agent": "llm", "agent_model": "m"})
    react = whole(100, label="two", cast={"agent": "react", "agent_model": "m"})
    other = whole(50, label="three", cast={"agent": "llm", "agent_model": "n"})
    found = rows("frameworks", plain, other, react)
    assert [(row["model"], row["agent"], row["overall"]) for row in found] == [
        ("m", "llm", 50),
        ("m", "react", 100),
    ]
    assert notes("frameworks", plain, other) == ["one_agent_a_model"]


def test_the_hardest_tasks_are_those_with_the_most_calls_over_all_runs() -> None:
    easy = [single(n, verdict_with(SINGLE, 5), calls=n % 3) for n in range(100, 160)]
    hard = [single(n, verdict_with(SINGLE, 1), calls=9) for n in range(50)]
    mixed = run(*easy, *hard, multi(1, verdict_with(MULTI, 3)))
    top50, top100, every = rows("hardest", mixed)
    assert [row["hardest"] for row in (top50, top100, every)] == ["50", "100", "all"]
    assert [row["single_final"] for row in (top50, top100)] == [0, pytest.approx(50)]
    assert every["single_final"] == pytest.approx(100 * 60 / 110)
    assert [row["multi_tasks"] for row in (top50, every)] == [1, 1]
    assert [row["hardest"] for row in rows("hardest", whole(50))] == ["all"]


def test_which_tasks_are_the_hardest_does_not_depend_on_the_run() -> None:
    calls = {"one": (8, 1), "two": (1, 2)}
    both = [
        run(
            *(single(0, verdict_with(SINGLE, 1), calls=first) for _ in range(1)),
            *(single(n, verdict_with(SINGLE, 5), calls=second) for n in range(1, 51)),
            label=label,
        )
        for label, (first, second) in calls.items()
    ]
    tops = [row for row in rows("hardest", *both) if row["hardest"] == "50"]
    assert [row["single_final"] for row in tops] == [pytest.approx(98)] * 2


# Figures 2, 3, 8 and 9.


def test_dimensions_stand_by_subset_with_tool_errors_and_calibration() -> None:
    one = run(
        single(1, verdict_with(SINGLE, 5, 3, 1, meta=4, weight=0.5)),
        multi(1, verdict_with(MULTI, 3, 3, 3, 5)),
    )
    found = {(row["subset"], row["dimension"]): row["score"] for row in rows("subset_dimensions", one)}
    assert [found["single", name] for name in SINGLE] == pytest.approx([40, 20, 0])
    assert [found["multi", name] for name in MULTI] == pytest.approx([50, 50, 50, 100])
    assert ("single", "user_interaction") not in found


def test_tasks_are_counted_by_their_mean_number_of_calls_subset_by_subset() -> None:
    one = run(
        single(1, calls=1),
        single(2, calls=1),
        single(3, calls=3),
        multi(1, calls=2),
        unsolved_session(1, True),
    )
    found = [(row["subset"], row["bin"], row["tasks"]) for row in rows("subset_calls", one) if row["tasks"]]
    assert found == [("single", "1", 2), ("single", "3", 1), ("multi", "2", 1)]
    shares = [row["share"] for row in rows("subset_calls", one) if row["subset"] == "single"]
    assert sum(shares) == pytest.approx(100)
    assert {row["subset"] for row in rows("single_steps", one)} == {"single"}
    turns = rows("multi_turns", run(multi(1, rounds=2), multi(1, rounds=3, trial=1)))
    assert [row["bin"] for row in turns if row["tasks"]] == ["2 to < 3"]


# The golden aggregates.


@dataclass
class Golden:
    """A verdict as a golden item has it."""

    ratings: Mapping[str, int]
    meta: int | None
    score: float | None
    rubric: str = ""


def of_golden(item: Mapping[str, Any], number: int, subtask: str) -> SessionFigures:
    found = item["evaluation"]
    if found is None or found["scores"].get("average_score") is None:
        return session(f"travelbench-{subtask}-{number}")
    ratings = {
        name.removesuffix("_score"): int(value)
        for name, value in found["scores"].items()
        if name != "average_score" and value is not None
    }
    verdict = Golden(ratings, found["meta_score"], found["final_scores"]["average_score"])
    rate = {"error_rate": found["tool_error_rate"]}
    return session(f"travelbench-{subtask}-{number}", verdicts=[verdict], values=rate)


@pytest.mark.reference
def test_subsets_of_golden_items_come_to_the_golden_figures(reference: Path) -> None:
    folder = reference / "golden-travelbench"
    cases, expected = (
        [json.loads(line) for line in (folder / name).read_text("utf-8").splitlines()]
        for name in ("records.jsonl", "expected.jsonl")
    )
    seen = 0
    for case, told in zip(cases, expected, strict=True):
        if case["kind"] != "aggregate" or told["subset_scores_printed"] is None:
            continue
        subtask = "multi" if case["mode"] == "multi-turn" else "single"
        sessions = [of_golden(item, n, subtask) for n, item in enumerate(case["items"])]
        sessions += [unsolved_session(n, flag) for n, flag in enumerate(case["unsolved_flags"])]
        (row,) = rows("subsets", run(*sessions))
        figures = told["statistics"]
        assert row[f"{subtask}_final"] == pytest.approx(
            figures["final_average_scores_100"]["overall_average"], abs=1e-9
        )
        assert row[f"{subtask}_raw"] == pytest.approx(
            figures["average_scores_100"]["overall_average"], abs=1e-9
        )
        errors = figures["tool_error_statistics"]["average_tool_error_rate"]
        assert row[f"{subtask}_errors"] == pytest.approx(100 * errors, abs=1e-9)
        assert row["accuracy"] == pytest.approx(100 * told["unsolved_accuracy"], abs=1e-9)
        seen += 1
    assert seen >= 3
