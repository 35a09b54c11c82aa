"""The noise-adjusted ceiling."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.labelling import resampling
from benchmark.labelling.ceiling import ceiling, with_intervals


def test_the_papers_figures() -> None:
    found = ceiling(3, 0.7169, 0.6075)
    values = (found.r.value, found.r_model.value, found.ratio.value, found.all_agree.value)
    assert values == pytest.approx((0.8390, 0.6948, 0.8281, 0.5917), abs=5e-5)


@pytest.mark.reference
def test_the_worked_cases_of_the_suite(reference: Path) -> None:
    lines = (reference / "golden-tripscore" / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [case for case in map(json.loads, lines) if case["input"].get("kind") == "ceiling"]
    assert cases
    for case in cases:
        found = ceiling(case["input"]["K"], case["input"]["A_pair"], case["input"]["A_model"])
        values = {"r": found.r, "r_model": found.r_model, "ratio": found.ratio, "A_all": found.all_agree}
        for name, statistic in values.items():
            assert statistic.value == pytest.approx(case["expected"][name], abs=1e-6)


@given(st.integers(2, 5), st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_the_figures_come_back_from_the_noise_that_they_assume(
    classes: int, share: float, model: float
) -> None:
    """Counted over all answers of a model and three people, each of whom is wrong in any way as often."""
    r = 1 / classes + share * (1 - 1 / classes)
    pairwise = agreed = three = 0.0
    for answers in product(range(classes), repeat=3):
        chances = [r if one == 0 else (1 - r) / (classes - 1) for one in answers]
        pairwise += chances[0] * chances[1] if answers[0] == answers[1] and answers[2] == 0 else 0.0
        three += chances[0] * chances[1] * chances[2] if len(set(answers)) == 1 else 0.0
    for said, other in product(range(classes), repeat=2):
        of_model = model if said == 0 else (1 - model) / (classes - 1)
        agreed += of_model * (r if other == 0 else (1 - r) / (classes - 1)) if said == other else 0.0
    found = ceiling(classes, min(pairwise, 1.0), min(agreed, 1.0))
    assert found.r.value == pytest.approx(r, abs=1e-6)
    if share > 0.01:
        assert found.r_model.value == pytest.approx(model, abs=1e-6)
        assert found.ratio.value == pytest.approx(model / r, abs=1e-6)
        assert found.all_agree.value == pytest.approx(three, abs=1e-6)


def test_people_who_agree_less_than_by_chance_have_no_ceiling() -> None:
    found = ceiling(4, 0.2, 0.5)
    for one in (found.r, found.r_model, found.ratio, found.all_agree):
        assert one.value is None
        assert (
            str(one.reason) == "people agree less than by chance (0.25), which the noise model can't explain"
        )


@pytest.mark.parametrize("classes", [2, 3, 49])
def test_people_who_agree_as_by_chance_say_nothing_of_a_model(classes: int) -> None:
    found = ceiling(classes, 1 / classes, 0.5)
    assert found.r.value == pytest.approx(1 / classes)
    assert found.all_agree.value == pytest.approx(1 / classes**2)
    for one in (found.r_model, found.ratio):
        assert (one.value, str(one.reason).split(",")[0]) == (None, "people agree only as often as by chance")


def test_without_a_model_people_have_their_figures() -> None:
    found = ceiling(3, 0.7169)
    assert found.r.value is not None and found.all_agree.value is not None
    assert str(found.r_model.reason) == "the agreement of the model with people is not given"


def test_figures_beyond_what_noise_explains_are_marked() -> None:
    found = ceiling(3, 0.5, 0.9)
    assert found.r_model.value is not None and found.r_model.value > 1
    assert str(found.r_model.remarks[0]) == "outside 0 to 1, which the noise model can't explain"
    assert ceiling(3, 0.7169, 0.6075).r_model.remarks == ()


@pytest.mark.parametrize(
    ("given_", "told"),
    [
        ((1, 0.5, 0.5), "classes: a label has at least two"),
        ((3, 71.69, 0.5), "pairwise: 71.69 is no share from 0 to 1"),
        ((3, 0.7, -0.1), "model: -0.1 is no share"),
        ((3, float("nan"), 0.1), "pairwise: nan is no share"),
    ],
)
def test_what_is_no_share_is_refused(given_: tuple[int, float, float], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        ceiling(*given_)


def test_the_figures_have_intervals_from_draws_of_the_items() -> None:
    chance = np.random.default_rng(3)
    alike, said = (chance.random(300) < 0.8).astype(float), (chance.random(300) < 0.7).astype(float)
    one = np.ones(300)
    pairwise, model = resampling.share(alike, one), resampling.share(said, one)
    plain = ceiling(3, float(alike.mean()), float(said.mean()))
    for given_ in (model, float(said.mean())):
        found = with_intervals(plain, 3, 300, pairwise, given_)
        for of in (found.r, found.r_model, found.ratio, found.all_agree):
            assert of.value is not None and of.low is not None and of.high is not None
            assert of.low < of.value < of.high and of.high - of.low < 0.3
    assert with_intervals(ceiling(3, 0.8), 3, 300, pairwise, None).r_model.low is None


def test_draws_below_chance_have_no_figure() -> None:
    below = resampling.share(np.zeros(20), np.ones(20))
    assert with_intervals(ceiling(3, 0.7, 0.6), 3, 20, below, 0.6).r.low is None
