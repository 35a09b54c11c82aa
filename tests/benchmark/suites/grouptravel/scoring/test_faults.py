"""Values on which the published scorer fails: named, taken as empty, and never the end of a file."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from benchmark.suites.grouptravel.scoring import FAULTS, Catalogue, score_record
from tests.benchmark.suites.grouptravel.scoring.build import (
    CITY,
    Json,
    block,
    day,
    hotel,
    leg,
    meal,
    one_day,
    place,
    plan,
    record,
    rest,
    ride,
    sight,
    table,
)

CATALOGUE = Catalogue({CITY: [place("西湖", "自然风光"), place("湖边旅舍", "客栈", "hotels")]})
OWN = table(
    sights={
        "must_visit": ["西湖"],
        "reject_visit": [],
        "category_pref": {"positive": ["公园"], "negative": []},
    },
    food={"must_eat": ["面"], "prefer_eat": [], "avoid_eat": [], "reject_eat": []},
    avg_budget=50,
    transport={"must": ["高铁"], "prefer": [], "avoid": [], "reject": []},
    intensity={"max_poi_per_day": 3, "max_active_hours": 8},
    hotel_preference={"prefer": ["客栈"], "avoid": []},
)
TRIP = plan(day(leg("上海市", CITY), block(sight("西湖"), meal("面馆"), hotel())))
TABLE = "effective_preferences.User1.preference"
SHARED_PATH, IN_CITY = f"{TABLE}.global_constraints", f"{TABLE}.city_specific_preferences.{CITY}"


def warnings_of(given: Json) -> list[tuple[str, str]]:
    made = score_record(given, CATALOGUE)
    assert made["pc"] is not None
    found = [(fault["field"], fault["reason"]) for fault in made.get("warnings", ())]
    assert {reason for _, reason in found} <= set(FAULTS)
    return found


def with_table(*way: str, value: Any) -> Json:
    own = copy.deepcopy(OWN)
    node = own
    for key in way[:-1]:
        node = node[key]
    node[way[-1]] = value
    return record(TRIP, {"User1": own})


def of_part(part: Json, **more: Any) -> list[tuple[str, str]]:
    return warnings_of(record(plan(day(block(part))), {"User1": OWN}, **more))


def test_a_sound_record_has_no_warnings():
    made = score_record(record(TRIP, {"User1": OWN}), CATALOGUE)
    assert "warnings" not in made and made["gu"] != 0


@pytest.mark.parametrize("value", [None, 3, True])
@pytest.mark.parametrize(
    ("way", "path"),
    [
        (("global_constraints", "transport", "prefer"), f"{SHARED_PATH}.transport.prefer"),
        (("global_constraints", "hotel_preference", "avoid"), f"{SHARED_PATH}.hotel_preference.avoid"),
        (
            ("city_specific_preferences", CITY, "attractions", "category_pref", "positive"),
            f"{IN_CITY}.attractions.category_pref.positive",
        ),
        (("city_specific_preferences", CITY, "food", "must_eat"), f"{IN_CITY}.food.must_eat"),
    ],
)
def test_a_null_or_number_for_a_list(way, path, value):
    assert warnings_of(with_table(*way, value=value)) == [(path, "no_list")]


@pytest.mark.parametrize("value", ["", "西湖", {}, {"西湖": 1}, []])
def test_a_text_or_object_for_a_list_is_fine(value):
    assert (
        warnings_of(with_table("city_specific_preferences", CITY, "attractions", "must_visit", value=value))
        == []
    )


@pytest.mark.parametrize("value", [None, 3, "x"])
@pytest.mark.parametrize(
    ("way", "path"),
    [
        (("global_constraints",), SHARED_PATH),
        (("global_constraints", "intensity"), f"{SHARED_PATH}.intensity"),
        (("city_specific_preferences",), f"{TABLE}.city_specific_preferences"),
        (("city_specific_preferences", CITY), IN_CITY),
        (
            ("city_specific_preferences", CITY, "attractions", "category_pref"),
            f"{IN_CITY}.attractions.category_pref",
        ),
    ],
)
def test_what_should_be_an_object(way, path, value):
    assert warnings_of(with_table(*way, value=value)) == [(path, "no_object")]


def test_a_table_that_is_null_or_lies_in_the_entry_itself():
    entries = {"User1": {"preference": None}, "User2": table(transport={"must": None})}
    given = record(TRIP, users=["User1", "User2"]) | {"effective_preferences": entries}
    assert warnings_of(given) == [
        (TABLE, "no_object"),
        ("effective_preferences.User2.global_constraints.transport.must", "no_list"),
    ]


@pytest.mark.parametrize("entry", [None, 3, 0, "x", "preference", [], ["preference"]])
def test_an_entry_that_is_no_object(entry):
    """It is a text, number or null in place of an object that utility reads: warned of, never the end of a file."""
    sound = record(TRIP, {"User2": OWN}, users=["User1", "User2"])
    given = sound | {"effective_preferences": {"User1": entry} | sound["effective_preferences"]}
    assert warnings_of(given) == [("effective_preferences.User1", "no_object")]
    assert list(score_record(given, CATALOGUE)["per_user_utility"]) == ["User2"]


def test_utility_reads_no_tables_without_a_plan_or_of_others():
    bad = with_table("global_constraints", "transport", "must", value=None)
    assert warnings_of(bad | {"plan_generated": False}) == []
    assert warnings_of(bad | {"user_names": ["User2"]}) == []


def test_completeness_reads_the_lists_of_all_tables():
    """A number in place of a tier's list has no items to be recalled; null has none either, and is empty."""
    bad = with_table("global_constraints", "transport", "must", value=3)
    found = [(f"{SHARED_PATH}.transport.must", "no_list")]
    assert (
        warnings_of(bad | {"plan_generated": False}) == warnings_of(bad | {"user_names": ["User2"]}) == found
    )
    assert warnings_of(bad) == found


def test_names_that_are_no_texts_where_something_is_visited():
    bad = with_table("city_specific_preferences", CITY, "attractions", "must_visit", value=["西湖", 3])
    assert warnings_of(bad) == [(f"{IN_CITY}.attractions.must_visit", "no_text")]
    assert score_record(bad, CATALOGUE)["gu"] == score_record(record(TRIP, {"User1": OWN}), CATALOGUE)["gu"]
    elsewhere = with_table("city_specific_preferences", "远市", value={"food": {"must_eat": [None]}})
    assert warnings_of(elsewhere) == []
    modes = with_table("global_constraints", "transport", "must", value=["高铁", 3])
    assert warnings_of(modes) == []


@pytest.mark.parametrize(
    ("way", "value"),
    [("avg_budget", "900"), ("intensity.max_poi_per_day", "4"), ("intensity.max_active_hours", "")],
)
def test_a_text_for_a_budget_or_cap(way, value):
    keys = ("global_constraints", *way.split("."))
    assert warnings_of(with_table(*keys, value=value)) == [(f"{SHARED_PATH}.{way}", "no_number")]


def test_a_null_cap_beside_a_filled_one():
    caps = {"max_poi_per_day": None, "max_active_hours": 8}
    assert warnings_of(with_table("global_constraints", "intensity", value=caps)) == [
        (f"{SHARED_PATH}.intensity.max_poi_per_day", "null_beside")
    ]
    for fine in ({"max_poi_per_day": None, "max_active_hours": None}, {"max_active_hours": 8}):
        assert warnings_of(with_table("global_constraints", "intensity", value=fine)) == []
    assert warnings_of(with_table("global_constraints", "avg_budget", value=None)) == []


@pytest.mark.parametrize(
    ("cost", "fails"), [("约100", True), ("", False), ("1e2", False), ([1], True), (None, False)]
)
def test_a_cost_that_is_no_number_where_a_user_with_a_budget_pays(cost, fails):
    path = "plan.days[0].city_segments[0].activities[0].avg_cost"
    expected = [(path, "no_cost")] if fails else []
    assert of_part(meal("面馆", avg_cost=cost)) == expected
    assert of_part(hotel(avg_cost=cost, participants=["x"])) == expected
    assert of_part(meal("面馆", who=["x"], avg_cost=cost)) == []
    assert of_part(sight("西湖") | {"avg_cost": cost}) == []
    legs = record(plan(day(leg("上海市", CITY, avg_cost=cost))), {"User1": OWN})
    assert warnings_of(legs) == ([("plan.days[0].city_segments[0].avg_cost", "no_cost")] if fails else [])
    assert warnings_of(record(one_day(meal("面馆", avg_cost=cost)))) == []


@pytest.mark.parametrize("name", [None, 7])
def test_a_place_that_is_no_text(name):
    found = [("plan.days[0].city_segments[0].activities[0].location", "no_place")]
    assert of_part(sight(name)) == of_part(meal(name)) == of_part(hotel(name)) == found
    assert of_part(meal(name, who=["x"])) == []
    assert of_part(rest() | {"location": name}) == []
    far = plan(day(block(sight(name), meal(name, "12:00", "13:00"), hotel(name), city="远市")))
    assert warnings_of(record(far, {"User1": OWN})) == []
    silent = {"User1": table("远市")}
    assert warnings_of(record(one_day(sight(name)), silent)) == found
    assert warnings_of(record(one_day(sight(name), date=None), silent)) == []
    assert warnings_of(record(one_day(hotel(name)), silent)) == []


@pytest.mark.parametrize(
    ("who", "fails"),
    [
        (3, True),
        (True, True),
        ([["User1"]], True),
        ([1], False),
        ("User1", False),
        ({"a": 1}, False),
        (0, False),
    ],
)
def test_participants_that_are_no_names(who, fails):
    path = "plan.days[0].city_segments[0].activities[0].participants"
    for part in (sight("西湖", who=who), ride("a", "b", who=who)):
        assert of_part(part) == ([(path, "no_names")] if fails else [])


@pytest.mark.parametrize(
    ("believed", "field", "reason"),
    [
        (None, "", "no_table"),
        ({"User1": None}, ".User1", "no_table"),
        ({"User1": "x"}, ".User1", "no_object"),
        ({"User1": {"global_constraints": ["x"]}}, ".User1.global_constraints", "no_object"),
        (
            {"User1": {"global_constraints": {"hotel_preference": "x"}}},
            ".User1.global_constraints.hotel_preference",
            "no_object",
        ),
        (
            {"User1": {"city_specific_preferences": {CITY: "x"}}},
            f".User1.city_specific_preferences.{CITY}",
            "no_object",
        ),
        (
            {"User1": {"city_specific_preferences": {CITY: {"food": {"must_eat": 3}}}}},
            f".User1.city_specific_preferences.{CITY}.food.must_eat",
            "no_list",
        ),
    ],
)
def test_the_agents_table(believed, field, reason):
    given = record(TRIP, {"User1": OWN}) | {"agent_preference_table": believed}
    assert warnings_of(given) == [(f"agent_preference_table{field}", reason)]
    assert warnings_of(given | {"plan_generated": False}) == [(f"agent_preference_table{field}", reason)]


@pytest.mark.parametrize(
    "believed",
    [
        {"User1": {"global_constraints": None}},
        {"User1": {"city_specific_preferences": {CITY: {"attractions": "x", "food": ["y"]}}}},
        {"User1": {"city_specific_preferences": {CITY: {"attractions": {"category_pref": "x"}}}}},
        {"User9": None},
    ],
)
def test_what_passes_in_the_agents_table(believed):
    given = record(TRIP, {"User1": OWN}) | {"agent_preference_table": believed}
    assert warnings_of(given) == []


def test_a_record_without_figures_has_no_warnings():
    bad = with_table("global_constraints", "transport", "must", value=None)
    assert "warnings" not in score_record(bad | {"success": False}, CATALOGUE)
