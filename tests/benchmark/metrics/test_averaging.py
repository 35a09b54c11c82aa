"""How the values of sessions become those of runs."""

from math import comb
from statistics import fmean

import pytest

from benchmark.metrics import (
    BY_TASK,
    POOLED_TRIALS,
    SHARED_METRICS,
    Metric,
    Trial,
    column_metrics,
    known_mean,
    of_rules,
    run_values,
    values_of,
)
from benchmark.suites import DEFAULT_SUITE, SUITES, metrics_of
from benchmark.suites.grouptravel.scoring.profile import PROFILES

BY_PROFILE = PROFILES["published"].averaging


def success_of_all(trials, by_profile):
    """Pass^2 as agent benchmarks have it: C(c, 2) / C(n, 2) a task, over tasks with two trials or more."""
    tasks = {}
    for trial in trials:
        tasks.setdefault(trial.task, []).append(trial.values["solved"])
    rates = [comb(int(sum(own)), 2) / comb(len(own), 2) for own in tasks.values() if len(own) >= 2]
    return fmean(rates) if rates else None


SOLVED_FLAG = Metric(key="solved", label="solved", name="whether it was solved", unit="flag")
PASS_2 = Metric(
    key="pass_2", label="pass^2", name="both of two", unit="share", scope="run", of_run=success_of_all
)


def test_a_metric_of_a_run_alone_has_a_rule_of_its_own_over_the_sessions():
    outcomes = {"a": [1, 1, 0], "b": [1, 1], "c": [1]}
    trials = [Trial(task, {"solved": value}) for task, own in outcomes.items() for value in own]
    found = run_values([SOLVED_FLAG, PASS_2], trials, BY_PROFILE, 6)
    assert found == {"solved": round((2 / 3 + 1 + 1) / 3, 6), "pass_2": (1 / 3 + 1) / 2}
    assert run_values([SOLVED_FLAG, PASS_2], [], BY_PROFILE, 6) == {"solved": None, "pass_2": None}


def test_no_session_has_a_value_of_a_metric_of_runs():
    assert of_rules([SOLVED_FLAG, PASS_2]) == [SOLVED_FLAG]
    assert values_of([SOLVED_FLAG, PASS_2], {"solved": True, "pass_2": 0.5}) == {"solved": 1.0}


@pytest.mark.parametrize("wrong", [{"scope": "run"}, {"of_run": success_of_all}])
def test_a_rule_of_runs_and_the_scope_belong_together(wrong):
    with pytest.raises(ValueError, match="metric x: scope `run`"):
        Metric(key="x", label="x", name="x", **wrong)


def test_a_task_that_no_rater_saw_does_not_count_for_a_rater_and_counts_0_for_the_rules():
    trials = [Trial("a", {"pc": 0.5, "judge": 80.0}), Trial("a", {"judge": 61.0}), Trial("b", {})]
    found = run_values(metrics_of(DEFAULT_SUITE), trials, BY_PROFILE, 6)
    assert (found["pc"], found["judge"]) == (0.25, 70.5)
    assert found["pc"] == run_values(column_metrics(metrics_of(DEFAULT_SUITE)), trials, BY_PROFILE, 6)["pc"]


def test_a_profile_may_pool_the_trials_of_all_tasks():
    trials = [Trial("a", {"solved": 1}), Trial("a", {"solved": 1}), Trial("a", {}), Trial("b", {"solved": 0})]
    assert run_values([SOLVED_FLAG], trials, POOLED_TRIALS, 6) == {"solved": round(2 / 3, 6)}
    assert run_values([SOLVED_FLAG], trials, BY_TASK, 6) == {"solved": 0.5}
    assert run_values([SOLVED_FLAG], [Trial("a", {})], POOLED_TRIALS, 6) == {"solved": None}


def test_a_mean_tells_over_how_many_tasks_or_trials_it_is():
    tasks = [[1.0, None], [None], [0.0, 0.5]]
    assert BY_TASK.mean_over_tasks(tasks) == (0.625, 2, 3)
    assert POOLED_TRIALS.mean_over_tasks(tasks) == (0.5, 3, 5)
    assert BY_TASK.mean_over_tasks([[None]]) == POOLED_TRIALS.mean_over_tasks([[None]]) == (None, 0, 1)


def test_what_a_rater_gave_is_not_rounded():
    trials = [Trial("a", {"judge": value, "gu": value}) for value in (1.0, 1.0, 2.0)]
    found = run_values(metrics_of(DEFAULT_SUITE), trials, BY_PROFILE, 2)
    assert (found["judge"], found["gu"]) == (known_mean([1, 1, 2]), 1.33)


def test_values_of_a_scored_session_lack_what_it_has_no_figure_of():
    figures = {"pc": 0.5, "gu": None, "gf": 100, "pv": False, "pv_issue_counts": {"a": 2, "b": 1}}
    assert values_of(metrics_of(DEFAULT_SUITE), figures) == {"pc": 0.5, "gf": 100.0, "pv": 0.0, "issues": 3.0}
    crashed = {"pc": None, "gu": None, "gf": None, "pv": None, "pv_issue_counts": None}
    assert values_of(metrics_of(DEFAULT_SUITE), crashed) == {}


def test_files_have_flags_and_whole_counts():
    kinds = {metric.key: metric for metric in metrics_of(DEFAULT_SUITE)}
    assert kinds["pv"].plain(0.0) is False
    assert repr(kinds["issues"].plain(3.0)) == "3"
    assert repr(kinds["gf"].plain(100.0)) == "100.0"
    assert kinds["pv"].plain(None) is None


@pytest.mark.parametrize("suite", SUITES)
def test_a_suite_names_each_metric_once(suite):
    keys = [metric.key for metric in (*metrics_of(suite), *SHARED_METRICS)]
    assert len(keys) == len(set(keys))
    shown = {metric.key for metric in metrics_of(suite) if not metric.detail_of}
    assert {metric.detail_of for metric in metrics_of(suite)} - {""} <= shown
