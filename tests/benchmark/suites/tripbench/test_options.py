"""The tolerances as options of a run, and the figures over several trials."""

from __future__ import annotations

import pytest

from benchmark.metrics import BY_TASK, Trial
from benchmark.suites.base import OptionRefused, read_options
from benchmark.suites.tripbench.metrics import METRICS
from benchmark.suites.tripbench.plans.parameters import Parameters
from benchmark.suites.tripbench.scoring.options import DEFAULTS, SCORING_OPTIONS, parameters_of
from benchmark.suites.tripbench.suite import SUITE


def test_each_tolerance_is_an_option_whose_default_is_that_of_the_profile() -> None:
    fields = {field.alias or name for name, field in Parameters.model_fields.items()}
    assert {option.key for option in SCORING_OPTIONS} == fields
    assert parameters_of(read_options(SUITE.options, {})) == parameters_of({}) == DEFAULTS


def test_what_a_run_chooses_is_read() -> None:
    chosen = {"gap_max": "90", "meal": "30–60", "day_end": "18:00-24:00", "around": 0.1}
    own = parameters_of(read_options(SUITE.options, chosen))
    assert (own.gap_max, own.meal, own.day_end, own.around_share) == (90, (30, 60), (1080, 1440), 0.1)


@pytest.mark.parametrize(
    ("key", "value"), [("gap_max", -1), ("meal", "60"), ("meal", "60-30"), ("day_end", "5-6"), ("fit_p", 2)]
)
def test_what_can_not_be_is_refused(key: str, value: object) -> None:
    with pytest.raises(OptionRefused):
        read_options(SUITE.options, {key: value})


def test_runs_are_told_how_often_one_of_four_trials_passes_and_all_of_them() -> None:
    rules = {metric.key: metric.of_run for metric in METRICS if metric.of_run}
    trials = [
        Trial(task, {"loose": hit})
        for task, hits in {"a": (1, 0, 0, 1, 0), "b": (1,) * 4, "c": (1,)}.items()
        for hit in hits
    ]
    told = {key: rule(trials, BY_TASK) for key, rule in rules.items() if key.startswith("loose")}
    assert told == {"loose_pass_any": 1, "loose_pass_all": 0.5, "loose_pass_mean": 0.75}
    assert rules["strict_pass_any"](trials[-1:], BY_TASK) is None
