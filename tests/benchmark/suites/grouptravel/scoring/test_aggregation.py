"""From runs to a benchmark's figures."""

from __future__ import annotations

from tests.benchmark.suites.grouptravel.scoring.build import averages


def run(task, trial=0, **figures):
    return {"task_id": task, "trial_id": trial, "pc": None, "gu": None, "gf": None, "pv": None} | figures


def test_trials_first_then_tasks():
    runs = [run("a", pc=1.0), run("a", 1, pc=0.5), run("b", pc=0.25)]
    assert averages(runs)["pc"] == 0.5


def test_trials_without_the_figure_are_left_out():
    assert averages([run("a", gu=3.0), run("a", 1)])["gu"] == 3


def test_a_task_where_no_trial_has_it_counts_zero():
    assert averages([run("a", gf=100.0), run("b")])["gf"] == 50


def test_validity_is_a_share():
    assert averages([run("a", pv=True), run("a", 1, pv=False), run("b", pv=True)])["pv"] == 0.75


def test_only_the_last_figure_is_rounded():
    runs = [run("a", gu=0.01), run("a", 1, gu=0.0), run("b", gu=0.01), run("b", 1, gu=0.0)]
    assert averages(runs)["gu"] == round(0.005, 2)
    thirds = [run(task, pc=1 / 3) for task in "abc"]
    assert averages(thirds)["pc"] == 0.33


def test_no_runs_no_figures():
    assert averages([]) == {"pc": None, "gu": None, "gf": None, "pv": None}
