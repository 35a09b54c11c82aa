"""Each requirement of TRIP-Bench with arguments that the sound plan just meets and some that it does not."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from benchmark.suites.base import CaseContext
from benchmark.suites.tripbench.rubrics import RUBRICS, read_rubric
from benchmark.suites.tripbench.scoring.cases import score_case
from tests.scale.tripbench import CONSTRAINTS, WORLD, case, sound_plan


def is_met(rubric: str, args: Any, **changes: Any) -> Any:
    told = score_case(
        case(constraints=[{"id": "c", "rubric": rubric, "args": args}], **changes), CaseContext()
    )
    return told["user"]["c"]


def test_every_rubric_has_arguments_that_the_sound_plan_meets() -> None:
    assert [each["rubric"] for each in CONSTRAINTS] == [*RUBRICS]
    assert {*score_case(case(constraints=CONSTRAINTS), CaseContext())["user"].values()} == {True}


STRICTER: list[tuple[str, dict[str, Any]]] = [
    ("attraction.include_categories", {"cats": ["History", "Zoos"]}),
    ("attraction.exclude_categories", {"cats": ["Parks", "Zoos"]}),
    ("attraction.include_attractions", {"ids": ["a1", "a9"]}),
    ("attraction.exclude_attractions", {"ids": ["a1"]}),
    ("attraction.heat_score", {"op": "more", "a": 3.1}),
    ("attraction.comment_score", {"op": "exclude", "a": 4.8, "b": 5}),
    ("attraction.comment_count", {"op": "around", "a": 300}),
    ("attraction.price", {"op": "free"}),
    ("attraction.distance", {"of": "hotel", "km": 1.5}),
    ("attraction.distance", {"of": "center", "km": 1.5}),
    ("attraction.category_priority", {"cats": ["Parks", "History"]}),
    ("attraction.sight_level", {"op": "exact", "level": "3A"}),
    ("attraction.sight_level", {"op": "at_least", "level": "4A", "quant": "all"}),
    ("hotel.cost", {"op": "more", "level": "room_night", "a": 301}),
    ("hotel.cost", {"op": "less", "level": "person_night", "a": 149}),
    ("hotel.cost", {"op": "less", "level": "person_total", "a": 299}),
    ("hotel.hotel_type", {"op": "not_in", "types": ["Midscale"]}),
    ("hotel.review_count", {"min": 201}),
    ("hotel.good_rate", {"min": 0.91}),
    ("hotel.star", {"min": 4.1}),
    ("hotel.aspect_rating", {"aspect": "product", "min": 8.1}),
    ("hotel.cancel_policy", {"hours": 23}),
    ("hotel.breakfast_number", {"op": "min", "n": 3}),
    ("hotel.breakfast_number", {"op": "exact", "n": 1}),
    ("hotel.location", {"op": "center", "km": 1.1}),
    ("hotel.location", {"op": "last_near_hub", "hub_km": 18}),
    ("hotel.location", {"op": "center_except_last", "km": 2, "hub_km": 18}),
    ("restaurant.price", {"op": "around", "a": 30}),
    ("restaurant.rating", {"min": 4.1}),
    ("restaurant.review_count", {"min": 81}),
    ("restaurant.subrating_food", {"min": 8.1}),
    ("restaurant.subrating_environment", {"min": 8.6}),
    ("restaurant.subrating_service", {"min": 9.1}),
    ("restaurant.include_cuisine", {"cats": ["Grill", "Tea"]}),
    ("restaurant.exclude_cuisine", {"cats": ["Grill"]}),
    ("restaurant.open", {"op": "reservable"}),
    ("transport.time_depart", {"event": "depart", "op": "after", "a": "08:01"}),
    ("transport.time_depart", {"event": "arrive", "op": "window", "a": "09:00", "b": "10:59"}),
    ("transport.time_return", {"event": "depart", "op": "period", "periods": ["afternoon"]}),
    ("transport.cost", {"level": "one_way_person", "a": 399}),
    ("transport.cost", {"level": "total", "a": 999}),
    ("transport.platform", {"op": "not_in", "names": ["TripGo"]}),
    ("transport.ontime", {"rate": 0.91}),
    ("transport.ontime", {"delay": 9}),
    ("transport.airline", {"names": ["Kestrel"]}),
    ("general.total_budget", {"a": 2079}),
    ("general.daily_attractions", {"max": 1}),
    ("general.day_window", {"a": "09:07", "b": "19:00"}),
]


@pytest.mark.parametrize(("rubric", "args"), STRICTER)
def test_a_little_more_is_not_met(rubric: str, args: dict[str, Any]) -> None:
    assert read_rubric(rubric, args) is not None  # the arguments are right
    assert is_met(rubric, args) is False


def test_a_hotel_that_takes_no_pets_and_a_room_without_window_are_told() -> None:
    own = copy.deepcopy(WORLD)
    own["hotels"][0]["pet_friendly"] = None
    own["hotels"][0]["products"][0]["window"] = False
    assert is_met("hotel.pet_friendly", {}, world=own) is False
    assert is_met("hotel.has_window", {}, world=own) is False


@pytest.mark.parametrize(
    ("rubric", "args"),
    [
        ("hotel.stars", {"min": 1}),
        ("hotel.star", {}),
        ("hotel.star", {"min": "1"}),
        ("hotel.star", {"min": True}),
        ("hotel.star", {"min": 1, "unit": "star"}),
        ("hotel.star", None),
        ("hotel.cost", {"op": "below", "level": "total", "a": 9999}),
        ("hotel.cost", {"op": "range", "level": "total", "a": 0}),
        ("attraction.price", {"op": "less"}),
        ("transport.time_depart", {"event": "arrive", "op": "before", "a": "25:00"}),
        ("transport.ontime", {}),
        ("general.daily_attractions", {}),
        ("hotel.location", {"op": "center", "hub_km": 50}),
        (7, {}),
    ],
)
def test_what_is_no_requirement_is_never_met(rubric: Any, args: Any) -> None:
    assert read_rubric(rubric, args) is None and is_met(rubric, args) is False


def test_a_trip_without_nights_or_legs_fails_their_domains_and_no_other() -> None:
    plan: Any = sound_plan()
    plan["trip_plan"]["daily_schedule"] = [plan["trip_plan"]["daily_schedule"][1]]
    plan["trip_plan"]["daily_schedule"][0]["activities"] = []
    told = score_case(case(plan, constraints=CONSTRAINTS), CaseContext())["user"]
    held = {each["rubric"] for each in CONSTRAINTS if told[each["id"]]}
    assert not {key for key in held if key.startswith(("hotel", "transport"))}
    assert {"attraction.heat_score", "restaurant.rating", "general.total_budget"} <= held


def test_a_number_larger_than_floats_costs_more_than_any_budget() -> None:
    plan: Any = sound_plan()
    plan["trip_plan"]["daily_schedule"][1]["activities"][1]["products"][0]["quantity"] = 10**400
    assert score_case(case(plan), CaseContext())["F_sound"] == 1
    assert is_met("general.total_budget", {"a": 1e300}, plan=plan) is False
