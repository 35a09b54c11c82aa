"""Worked examples: one for each metric on which the profiles differ, computed by the rules."""

from __future__ import annotations

from random import Random

import pytest

from benchmark.suites.traveleval.scoring.conditions import conditions_of
from benchmark.suites.traveleval.scoring.examples import worked_examples
from benchmark.suites.traveleval.scoring.itinerary import Itinerary
from benchmark.suites.traveleval.scoring.rules import PlanScore, score_plan
from benchmark.suites.traveleval.world import Tables
from tests.scale.traveleval import query, sound_plan

FROM_COSTS = ("share_", "cost_")
"""Follow from the cost of ways in the city, which has an example."""


def figure(scored: PlanScore, key: str) -> float | None:
    return float(scored.results[key].value) if key in scored.results else None


def test_the_profiles_differ_on_each_example() -> None:
    for work in worked_examples():
        assert work.published_value != work.paper_value, work.key


def test_each_metric_on_which_the_profiles_differ_has_an_example(starter: Tables) -> None:
    differing = set()
    for seed in range(60):
        plan = sound_plan(starter, Random(seed))
        for options in ({}, {"service_hours": "06:00-23:00"}, {"distances": "none"}):
            own = Itinerary.read(plan, query(), starter)
            published, paper = (score_plan(own, conditions_of(options, by_paper=by)) for by in (False, True))
            keys = published.results.keys() | paper.results.keys()
            differing |= {key for key in keys if figure(published, key) != figure(paper, key)}
    differing = {key for key in differing if not key.startswith(FROM_COSTS)}
    assert len(differing) >= 10 and differing <= {work.key for work in worked_examples()}


def test_values_are_those_that_the_words_tell() -> None:
    values = {work.key: (work.published_value, work.paper_value) for work in worked_examples()}
    assert values["pd"] == (1, 2) and values["far"] == (0, 0.5) and values["ssr"] == (0, None)
    assert values["itd"][0] == pytest.approx(3.5 / 9) and values["itd"][1] == 0
    assert values["cost_intracity_transportation"][1] == values["cost_intracity_transportation"][0] + 600  # type: ignore[operator]


def test_random_and_double_figures_are_marked() -> None:
    told = {work.key: work.caveat for work in worked_examples() if work.caveat}
    assert "random" in told["str"] and "random" in told["ttcs"] and "twice" in told["pd"]
