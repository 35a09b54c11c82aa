"""What validation catches: faults that are planted into good tables."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from datetime import date
from typing import Any

import pytest

from benchmark.suites.grouptravel.synthesis.archetypes import ARCHETYPES
from benchmark.suites.grouptravel.synthesis.resources import Resources, Trip
from benchmark.suites.grouptravel.synthesis.sampler import draw_tables
from benchmark.suites.grouptravel.synthesis.validation import (
    check_group,
    check_inheritance,
    check_table,
    settle_tiers,
    unreachable,
    yielding,
)

Tables = dict[str, Any]


def attractions(table: Any, city: str = "杭州市") -> Any:
    return table["city_specific_preferences"][city]["attractions"]


def food(table: Any, city: str = "杭州市") -> Any:
    return table["city_specific_preferences"][city]["food"]


def test_the_samplers_tables_have_no_fault(trip: Trip, tables: Tables) -> None:
    assert check_group(tables, trip) == []


def _wish_unknown_sight(table: Any) -> None:
    attractions(table)["must_visit"] = ["云上仙宫"]


def _wish_sight_elsewhere(table: Any) -> None:
    attractions(table)["must_visit"] = ["拙政园"]


def _odd_sight(table: Any) -> None:
    attractions(table)["category_pref"]["negative"] = ["火山口"]


def _odd_food(table: Any) -> None:
    food(table)["reject_eat"] = ["龙肉"]


def _odd_hotel(table: Any) -> None:
    table["global_constraints"]["hotel_preference"]["avoid"] = ["太空舱"]


def _odd_mode(table: Any) -> None:
    table["global_constraints"]["transport"]["avoid"] = ["轮船"]


def _poor(table: Any) -> None:
    table["global_constraints"]["avg_budget"] = 100


def _spendthrift(table: Any) -> None:
    table["global_constraints"]["avg_budget"] = 2900
    table["global_constraints"]["hotel_preference"] = {"prefer": ["豪华型"], "avoid": ["旅馆"]}


def _both_strong(table: Any) -> None:
    attractions(table)["must_visit"] = ["灵隐寺"]
    attractions(table)["reject_visit"] = ["灵隐寺"]


def _both_weak(table: Any) -> None:
    attractions(table)["category_pref"] = {"positive": ["博物馆"], "negative": ["博物馆"]}


def _text_for_list(table: Any) -> None:
    food(table)["must_eat"] = "杭帮菜"


def _text_for_number(table: Any) -> None:
    table["global_constraints"]["avg_budget"] = "3000"


def _missing_list(table: Any) -> None:
    del food(table)["avoid_eat"]


def _another_city(table: Any) -> None:
    cities = table["city_specific_preferences"]
    cities["南京市"] = cities.pop("苏州市")


@pytest.mark.parametrize(
    ("plant", "kind", "path", "told"),
    [
        (
            _wish_unknown_sight,
            "unknown",
            "city_specific_preferences.杭州市.attractions.must_visit",
            "云上仙宫 is not a sight",
        ),
        (
            _wish_sight_elsewhere,
            "unknown",
            "city_specific_preferences.杭州市.attractions.must_visit",
            "拙政园 is not a sight",
        ),
        (
            _odd_sight,
            "unknown",
            "city_specific_preferences.杭州市.attractions.category_pref.negative",
            "火山口",
        ),
        (
            _odd_food,
            "unknown",
            "city_specific_preferences.杭州市.food.reject_eat",
            "龙肉 is neither a category of food",
        ),
        (
            _odd_hotel,
            "unknown",
            "global_constraints.hotel_preference.avoid",
            "not one of the 13 hotel classes",
        ),
        (_odd_mode, "unknown", "global_constraints.transport.avoid", "轮船 is not a means of transport"),
        (_poor, "budget", "global_constraints.avg_budget", "100 CNY are less than the cheapest fares"),
        (_spendthrift, "incoherent", "global_constraints.hotel_preference.prefer", "豪华型"),
        (
            _both_strong,
            "two_tiers",
            "city_specific_preferences.杭州市.attractions.must_visit",
            "灵隐寺 is also in",
        ),
        (_text_for_list, "shape", "city_specific_preferences.杭州市.food.must_eat", "must be a list"),
        (_text_for_number, "shape", "global_constraints.avg_budget", "must be a whole number"),
        (
            _missing_list,
            "shape",
            "city_specific_preferences.杭州市.food.avoid_eat",
            "must be a list, not None",
        ),
        (_another_city, "city", "city_specific_preferences", "lists 杭州市, 南京市, but the trip visits"),
    ],
)
def test_planted_faults_are_found(
    trip: Trip, tables: Tables, plant: Callable[[Any], None], kind: str, path: str, told: str
) -> None:
    table = deepcopy(tables["User1"])
    plant(table)
    (fault,) = [found for found in check_table("User1", table, trip) if found.kind == kind]
    assert (fault.user, fault.path) == ("User1", path)
    assert told in str(fault.message)


def test_a_category_liked_and_disliked_is_a_fault(trip: Trip, tables: Tables) -> None:
    table = deepcopy(tables["User1"])
    _both_weak(table)
    assert "two_tiers" in {fault.kind for fault in check_table("User1", table, trip)}


def test_somebody_who_minds_nothing_is_a_fault(trip: Trip, tables: Tables) -> None:
    table = deepcopy(tables["User1"])
    for tier in ("avoid", "reject"):
        table["global_constraints"]["transport"][tier] = []
    table["global_constraints"]["hotel_preference"]["avoid"] = []
    for city in trip.skeleton.cities:
        attractions(table, city)["reject_visit"] = []
        attractions(table, city)["category_pref"]["negative"] = []
        food(table, city)["avoid_eat"] = food(table, city)["reject_eat"] = []
    assert [fault.kind for fault in check_table("User1", table, trip)] == ["no_negative"]


def test_a_sight_that_is_shut_all_the_trip_is_a_fault(resources: Resources, make_trip: Any) -> None:
    monday = date(2026, 3, 30)
    shut = next(sight for sight in resources.candidates("苏州市").sights if sight.closed([monday]))
    trip = make_trip(group_id="2-1", cities=("苏州市",), start=monday, days=2)
    trip = trip._replace(skeleton=trip.skeleton._replace(days=1))
    table = draw_tables(trip, 1, 0)["User1"]
    attractions(table, "苏州市")["must_visit"] = [shut.name]
    assert [fault.kind for fault in check_table("User1", table, trip)] == ["closed"]


def test_an_item_in_two_tiers_stays_in_the_stronger(tables: Tables) -> None:
    table = deepcopy(tables["User1"])
    food(table)["must_eat"], food(table)["prefer_eat"] = ["杭帮菜"], ["火锅", "杭帮菜"]
    food(table)["reject_eat"], food(table)["avoid_eat"] = ["川菜"], ["川菜"]
    kept = settle_tiers(table)
    assert food(kept.table)["prefer_eat"] == ["火锅"]
    assert food(kept.table)["avoid_eat"] == []
    assert kept.removed_items == (
        ("city_specific_preferences.杭州市.food.prefer_eat", "杭帮菜"),
        ("city_specific_preferences.杭州市.food.avoid_eat", "川菜"),
    )
    assert food(table)["prefer_eat"] == ["火锅", "杭帮菜"], "the table given is left alone"


def test_must_against_reject_is_left_to_regeneration(trip: Trip, tables: Tables) -> None:
    table = deepcopy(tables["User1"])
    _both_strong(table)
    kept = settle_tiers(table)
    assert attractions(kept.table)["must_visit"] == attractions(kept.table)["reject_visit"] == ["灵隐寺"]


def test_a_mode_that_does_not_run_makes_its_user_yield(trip: Trip, tables: Tables) -> None:
    changed = deepcopy(tables)
    transport = changed["User3"]["global_constraints"]["transport"]
    transport.update(must=["飞机"], prefer=[], avoid=[], reject=[])
    assert unreachable(changed["User3"], trip) == ["飞机"], "no flight from Hangzhou to Suzhou"
    assert yielding(changed, trip) == ("User1", "User2", "User3")


def test_a_preferred_mode_need_run_on_one_leg_alone(trip: Trip, tables: Tables) -> None:
    table = deepcopy(tables["User3"])
    table["global_constraints"]["transport"].update(must=["高铁"], prefer=["飞机"])
    assert unreachable(table, trip) == []


def test_a_preferred_mode_that_runs_nowhere_makes_its_user_yield(make_trip: Any) -> None:
    trip = make_trip(group_id="2-1", cities=("佛山市",), departure="深圳市", days=2, pattern=("User2",))
    tables = draw_tables(trip, 1, 0)
    for table in tables.values():
        table["global_constraints"]["transport"].update(must=[], prefer=["飞机"], avoid=[], reject=[])
    assert yielding(tables, trip) == ("User1", "User2")


def test_driving_is_always_possible_by_land(trip: Trip, tables: Tables) -> None:
    table = deepcopy(tables["User3"])
    table["global_constraints"]["transport"].update(must=["自驾"], prefer=[])
    assert unreachable(table, trip) == []


def test_a_copy_that_differs_in_what_it_takes_over_is_a_fault(trip: Trip, tables: Tables) -> None:
    changed = deepcopy(tables)
    changed["User2"]["global_constraints"]["avg_budget"] += 100
    food(changed["User4"])["prefer_eat"] = []
    found = check_inheritance(changed, trip)
    assert [(fault.user, fault.path) for fault in found] == [
        ("User2", "global_constraints.avg_budget"),
        ("User4", "city_specific_preferences.杭州市.food.prefer_eat"),
    ]


def test_tables_in_another_order_are_a_fault(trip: Trip, tables: Tables) -> None:
    turned = dict(reversed(tables.items()))
    assert "expected User1, User2, User3, User4" in str(check_group(turned, trip)[0])
    assert ARCHETYPES["4-1"].generation_order == tuple(tables)


def kinds(table: Any, trip: Trip) -> list[str]:
    return [fault.kind for fault in check_table("User1", table, trip)]


def test_a_budget_of_just_the_least_cost_is_enough(trip: Trip, tables: Tables) -> None:
    """Fares out, on and back, 60 CNY a day and the cheapest nights; a CNY less is too little."""
    least = (
        trip.route.lowest()
        + 60 * 4
        + sum(trip.candidates[c].night * n for c, n in (("杭州市", 2), ("苏州市", 1)))
    )
    assert trip.least_cost() == pytest.approx(least)
    table = deepcopy(tables["User1"])
    table["global_constraints"]["hotel_preference"]["prefer"] = []
    enough = -(-int(least * 100) // 100)
    for budget, expected in ((enough + 1, []), (int(least) - 1, ["budget"]), (1, ["budget"])):
        table["global_constraints"]["avg_budget"] = budget
        assert kinds(table, trip) == expected, budget


def test_luxury_takes_3500(trip: Trip, tables: Tables) -> None:
    table = deepcopy(tables["User1"])
    table["global_constraints"]["hotel_preference"] = {"prefer": ["豪华型"], "avoid": ["旅馆"]}
    for budget, expected in ((3_500, []), (3_499, ["incoherent"])):
        table["global_constraints"]["avg_budget"] = budget
        assert kinds(table, trip) == expected


@pytest.mark.parametrize(
    "name", ["灵隐寺 ", "靈隱寺", "灵隐", "灵隐寺景区", "Lingyin Temple", "楼外楼(孤山路店)"]
)
def test_a_name_that_is_nearly_right_is_unknown(trip: Trip, tables: Tables, name: str) -> None:
    table = deepcopy(tables["User1"])
    attractions(table)["must_visit"], attractions(table)["reject_visit"] = [name], []
    assert kinds(table, trip) == ["unknown"]


def test_what_one_city_has_another_may_lack(trip: Trip, tables: Tables) -> None:
    """A category of food, and a category of sights in place of a name."""
    table = deepcopy(tables["User1"])
    only = next(
        name for name in trip.candidates["杭州市"].foods if name not in trip.candidates["苏州市"].foods
    )
    food(table, "苏州市")["must_eat"] = [only]
    attractions(table)["must_visit"] = ["博物馆"]
    found = check_table("User1", table, trip)
    assert [(fault.kind, fault.path.split(".")[1]) for fault in found] == [
        ("unknown", "杭州市"),
        ("unknown", "苏州市"),
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("must_eat", "prefer_eat"),
        ("must_eat", "avoid_eat"),
        ("must_eat", "reject_eat"),
        ("prefer_eat", "avoid_eat"),
        ("prefer_eat", "reject_eat"),
        ("avoid_eat", "reject_eat"),
    ],
)
def test_no_food_stands_in_any_two_tiers(trip: Trip, tables: Tables, one: str, other: str) -> None:
    table = deepcopy(tables["User1"])
    for tier in ("must_eat", "prefer_eat", "avoid_eat", "reject_eat"):
        food(table)[tier] = ["火锅"] if tier in (one, other) else []
    assert kinds(table, trip) == ["two_tiers"]
    strengths = {("must", "reject"): 2, ("prefer", "avoid"): 2}
    left = settle_tiers(table).table
    held = [tier for tier in food(left) if food(left)[tier]]
    assert len(held) == strengths.get((one.split("_")[0], other.split("_")[0]), 1)
    assert held[0].startswith(("must", "reject")) or len(held) == 2


@pytest.mark.parametrize(("one", "other"), [("must", "avoid"), ("prefer", "reject"), ("must", "reject")])
def test_no_mode_stands_in_two_tiers(trip: Trip, tables: Tables, one: str, other: str) -> None:
    table = deepcopy(tables["User1"])
    lists: dict[str, list[str]] = {tier: [] for tier in ("must", "prefer", "avoid", "reject")}
    table["global_constraints"]["transport"] = lists | {one: ["高铁"], other: ["高铁"]}
    assert kinds(table, trip) == ["two_tiers"]


def test_the_same_item_in_two_cities_is_no_fault(trip: Trip, tables: Tables) -> None:
    table = deepcopy(tables["User1"])
    for city, tier in (("杭州市", "must_eat"), ("苏州市", "avoid_eat")):
        for each in ("must_eat", "prefer_eat", "avoid_eat", "reject_eat"):
            food(table, city)[each] = ["火锅"] if each == tier else []
    assert kinds(table, trip) == []


def test_every_fault_of_a_table_is_told(trip: Trip, tables: Tables) -> None:
    table = deepcopy(tables["User1"])
    table["global_constraints"]["hotel_preference"]["prefer"] = []
    _wish_unknown_sight(table)
    _poor(table)
    _odd_hotel(table)
    food(table)["must_eat"] = food(table)["reject_eat"] = ["火锅"]
    assert sorted(kinds(table, trip)) == ["budget", "two_tiers", "unknown", "unknown"]


def test_what_can_not_be_read_does_not_hide_the_rest(trip: Trip, tables: Tables) -> None:
    table = deepcopy(tables["User1"])
    table["global_constraints"]["hotel_preference"]["prefer"] = []
    _wish_unknown_sight(table)
    _poor(table)
    food(table)["must_eat"] = ["杭帮菜", "杭帮菜", 7]
    food(table)["avoid_eat"] = "川菜"
    assert kinds(table, trip) == ["shape", "shape", "unknown", "budget"]
    _text_for_number(table)
    assert kinds(table, trip) == ["shape", "shape", "shape", "unknown"]


@pytest.mark.parametrize("table", [None, [], "", {}, {"city_specific_preferences": []}])
def test_what_is_no_table_is_told(trip: Trip, table: Any) -> None:
    assert kinds(table, trip)[0] == "shape"


def test_a_city_too_few_or_too_many(trip: Trip, tables: Tables) -> None:
    table = deepcopy(tables["User1"])
    del table["city_specific_preferences"]["苏州市"]
    _wish_unknown_sight(table)
    assert kinds(table, trip) == ["city", "unknown"]
    table = deepcopy(tables["User1"])
    table["city_specific_preferences"]["南京市"] = deepcopy(table["city_specific_preferences"]["苏州市"])
    assert kinds(table, trip) == ["city"]
    table["city_specific_preferences"] = dict(
        reversed(tables["User1"]["city_specific_preferences"].items()),
    )
    assert kinds(table, trip) == ["city"]
