"""Each parameter is an option of a run, and a case's own come first."""

from __future__ import annotations

import json

import pytest

from benchmark.suites import suite_named
from benchmark.suites.base import CaseContext, OptionRefused, read_options
from benchmark.suites.tripscore.scoring.options import LABELS, parameters_of
from benchmark.suites.tripscore.scoring.parameters import DEFAULTS, Parameters
from tests.scale.tripscore import case

SUITE = suite_named("tripscore")


def test_each_parameter_is_an_option_whose_default_is_that_of_published() -> None:
    assert [*LABELS] == [*Parameters.model_fields]
    usual = read_options(SUITE.options, {})
    assert parameters_of(usual) is DEFAULTS and parameters_of({}) is DEFAULTS
    assert (usual["density_full"], usual["pacing"]) == ("4-10", "relaxed=2-6, moderate=4-8, compact=7-12")
    assert usual["star_bands"] == "cost-effective=0-2.5, comfortable=2.5-4.5, high-end=4.5-"
    texts = {key: value for key, value in usual.items() if isinstance(value, str)}
    assert parameters_of(read_options(SUITE.options, texts)) is DEFAULTS


def test_what_a_run_chooses_is_in_force_and_names_left_out_stay_as_they_are() -> None:
    chosen = {
        "w1": "density=0, unique_attractions=1；iconic=2",
        "pacing": "relaxed=1–3",
        "hotel_last": "false",
    }
    chosen |= {"early_departure": "9:30", "penalty_format": "-5", "star_bands": "comfortable=2-"}
    parameters = parameters_of(read_options(SUITE.options, chosen))
    assert parameters.w1 == {
        **DEFAULTS.w1,
        "schedule_density": 0,
        "unique_attractions": 1,
        "iconic_landmarks": 2,
    }
    assert parameters.pacing == {**DEFAULTS.pacing, "relaxed": (1, 3)} and not parameters.hotel_last
    assert parameters.early_minutes == 570 and parameters.penalty_format == -5
    assert parameters.star_bands["comfortable"] == (2, None)


@pytest.mark.parametrize(
    ("key", "value", "remedy"),
    [
        ("density_full", "4", "such as 4-10"),
        ("density_full", "10-4", "such as 4-10"),
        ("pacing", "slow=1-2", "for some of relaxed, moderate, compact"),
        ("pacing", "relaxed=0-0", "for some of relaxed"),
        ("w1", "density=1, schedule_density=2", "each once"),
        ("w1", "density=-1", "NAME=VALUE"),
        ("w2", "user=nan", "NAME=VALUE"),
        ("far_share", "1.5", "from 0 to 1"),
        ("min_visit_min", -1, "0 or a number above"),
        ("late_open", "25:00", "such as 12:00"),
        ("daytime_mode", "neither", "both, either"),
    ],
)
def test_what_can_not_be_is_refused_with_its_remedy(key: str, value: object, remedy: str) -> None:
    with pytest.raises(OptionRefused, match=remedy) as refusal:
        read_options(SUITE.options, {key: value})
    assert refusal.value.key == key


def test_the_parameters_of_a_case_replace_those_of_the_run() -> None:
    assert SUITE.cases
    own = case()
    given = CaseContext(options=read_options(SUITE.scoring.options, {"w3": "2", "w4": "synthetic=0"}))
    usual = SUITE.cases.score(own, CaseContext())["reward"]
    without = SUITE.cases.score({**own, "params": {"w4": {}}}, CaseContext())["reward"]
    of_run = SUITE.cases.score(own, given)["reward"]
    assert of_run == pytest.approx(2 + 2 * (without - 2)) and of_run != usual
    of_case = SUITE.cases.score(json.loads(json.dumps({**own, "params": {"w3": 1}})), given)["reward"]
    assert of_case == pytest.approx(without)
