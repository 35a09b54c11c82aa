"""What scores hold beside the metrics: figures without queues, ways between sights, failures of plans."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from benchmark.plans.ways import great_circle_km
from benchmark.suites.traveleval.scoring.conditions import conditions_of
from benchmark.suites.traveleval.scoring.failures import count_failures
from benchmark.suites.traveleval.scoring.itinerary import Itinerary
from benchmark.suites.traveleval.scoring.rules import score_plan
from benchmark.suites.traveleval.scoring.sessions import PROFILES, sheet_of
from benchmark.suites.traveleval.world import Tables
from tests.scale.traveleval import query, sound_plan

Plan = dict[str, Any]
OF_QUEUES = ("str", "dtu", "otu")


@pytest.fixture
def plan(starter: Tables) -> Plan:
    return sound_plan(starter, Random(7))


def figures(plan: Plan, starter: Tables, profile: str, **options: str) -> dict[str, Any]:
    own = Itinerary.read(plan, query(), starter)
    score = score_plan(own, conditions_of(options, by_paper=profile == "paper"))
    return dict(sheet_of(score, profile, count_failures(own)).figures)


@pytest.mark.parametrize("profile", ["published", "paper"])
def test_figures_without_queues_are_those_of_a_run_without_queues(
    plan: Plan, starter: Tables, profile: str
) -> None:
    usual, unqueued = figures(plan, starter, profile), figures(plan, starter, profile, queue="none")
    for key in OF_QUEUES:
        assert usual[f"{key}_no_queue"] == unqueued[key] == unqueued[f"{key}_no_queue"]
    assert usual["otu"] < usual["otu_no_queue"]


def test_the_way_between_sights_is_a_mean_over_neighbours_of_a_day(plan: Plan, starter: Tables) -> None:
    points = starter.city("杭州").points
    days = [
        [own["location_name"] for own in day["activities"] if own["type"] == "attraction"]
        for day in plan["daily_plans"]
    ]
    ways = [round(great_circle_km(points[a], points[b]), 2) for a, b in days]
    for profile in PROFILES:
        own = figures(plan, starter, profile)
        assert own["distance_geodesic"] == own["distance"] == pytest.approx(sum(ways) / 3)
        assert "distance" not in figures(plan, starter, profile, distances="none")


def test_what_is_lost_as_published_does_not_count_without_queues_either(plan: Plan, starter: Tables) -> None:
    plan["accommodation"]["room_type"][0]["nights"] = "two"
    score = score_plan(Itinerary.read(plan, query(), starter), conditions_of({}, by_paper=False))
    sheet = sheet_of(score, "published", {})
    assert {"str", "str_no_queue", "distance"} <= {*sheet.uncounted_keys}


def _claim(plan: Plan) -> None:
    plan["summary"]["calculated_total_cost"] = "2930"


def _claim_what_is_told(plan: Plan) -> None:
    plan["summary"]["calculated_total_cost"] = 500.5


def _raise_price(plan: Plan) -> None:
    plan["accommodation"]["room_type"][0]["price_per_night"] = 3000


def _end_at_night(plan: Plan) -> None:
    for day in plan["daily_plans"][:2]:
        day["ending_point"] |= {"start_time": "01:00", "end_time": "01:30"}


def _omit(plan: Plan) -> None:
    del plan["daily_plans"][1:]


def _break(plan: Plan) -> None:
    plan["daily_plans"][0]["ending_point"]["start_time"] = plan["summary"]["calculated_total_cost"] = "late"
    plan["daily_plans"][1]["day"] = "two"


@pytest.mark.parametrize(
    ("change", "failures"),
    [
        (dict, {}),
        (_claim, {"claimed_costs": 1}),
        (_claim_what_is_told, {}),
        (_raise_price, {"false_within_budget": 1}),
        (_end_at_night, {"nightly_ends": 2}),
        (_omit, {"omitted_days": 2}),
        (_break, {"omitted_days": 1}),
    ],
)
def test_failures_that_no_metric_names_are_counted(
    plan: Plan, starter: Tables, change: Callable[[Plan], object], failures: dict[str, int]
) -> None:
    change(plan)
    for profile in PROFILES:
        if profile == "paper" or change is not _break:
            assert figures(plan, starter, profile)["failures"] == failures
