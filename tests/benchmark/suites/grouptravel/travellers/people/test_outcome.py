"""What of a person's wishes is in the plan, item by item."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings

from benchmark.suites.grouptravel.scoring import Catalogue, score_record
from benchmark.suites.grouptravel.travellers.people.outcome import Where, Wish, outcome
from benchmark.suites.grouptravel.travellers.people.plans import same_place
from tests.benchmark.suites.grouptravel.scoring.build import (
    block,
    day,
    hotel,
    leg,
    meal,
    one_day,
    place,
    plan,
    record,
    sight,
)
from tests.benchmark.suites.grouptravel.scoring.build import table as small
from tests.benchmark.suites.grouptravel.travellers.people.people import JUNK, odd_tables
from tests.benchmark.suites.grouptravel.travellers.scripted.cast import TABLE
from tests.properties import examples

USERS = ("User1", "User2")
CATALOGUE = Catalogue(
    {
        "杭州市": [
            place("灵隐寺", "寺庙"),
            place("西湖风景名胜区", "公园"),
            place("浙江省博物馆", "博物馆"),
            place("外婆家", "杭帮菜", "food"),
            place("蜀香", "川菜", "food"),
            place("湖边旅舍", "民宿", "hotels"),
        ]
    }
)
TRIP = plan(
    day(
        leg("上海市", "杭州市"),
        block(sight("灵隐寺"), sight("浙江省博物馆", "10:30", "11:30"), meal("蜀香"), hotel()),
    )
)


def wishes_by_item(
    own: Any = TABLE, trip: Any = TRIP, original: Any = None, catalogue: Catalogue | None = CATALOGUE
) -> dict[str, Wish]:
    held = outcome(trip, own if original is None else original, own, "User1", USERS, catalogue)
    return {wish.item: wish for wish in held}


def result_of(item: str, **options: Any) -> tuple[bool | None, Where | None]:
    wish = wishes_by_item(**options)[item]
    return wish.got, wish.where


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("西湖", "西湖风景名胜区", True),
        ("杭州西湖", "西湖风景名胜区", True),
        ("西溪国家湿地公园", "西溪湿地公园", False),
        ("西溪", "西溪国家湿地公园", True),
        ("灵隐寺(飞来峰)", "灵隐寺", True),
        ("西湖", "西湖博物馆", False),
        ("平江路", "平江路历史街区", True),
        ("湖", "湖景区", False),
    ],
)
def test_a_nickname_is_the_same_place(one: str, other: str, same: bool) -> None:
    assert same_place(one, other, "杭州市") is same_place(other, one, "杭州市") is same


def test_a_wish_is_got_under_the_places_nickname() -> None:
    trip = plan(day(leg("上海市", "杭州市"), block(sight("西湖"), hotel())))
    assert result_of("西湖风景名胜区", trip=trip) == (True, (1, "西湖"))


def test_of_several_hotels_that_are_wanted_one_is_enough() -> None:
    wish = wishes_by_item()
    assert wish["民宿"].got is True and "舒适型" not in wish
    own = deepcopy(TABLE)
    own["global_constraints"]["hotel_preference"]["prefer"] = ["豪华型", "舒适型"]
    missed = [wish for wish in outcome(TRIP, own, own, "User1", USERS, CATALOGUE) if "hotel" in wish.path]
    assert [(wish.item, wish.got) for wish in missed if wish.tier == "prefer"] == [("", False)]


def test_what_is_wanted_is_got_where_the_plan_has_it() -> None:
    assert result_of("灵隐寺") == (True, (1, "灵隐寺"))
    assert result_of("高铁") == (True, (1, "上海市 → 杭州市"))
    assert result_of("博物馆") == (True, (1, "浙江省博物馆"))
    assert result_of("民宿") == (True, (1, "湖边旅舍"))
    assert result_of("西湖风景名胜区") == (False, None)
    assert result_of("杭帮菜") == (False, None)


def test_what_is_shunned_is_got_where_the_plan_is_without_it() -> None:
    assert result_of("川菜") == (False, (1, "蜀香"))
    assert result_of("宋城") == (True, None)
    assert result_of("飞机") == (True, None)


def test_a_cap_is_got_when_it_is_kept() -> None:
    assert result_of("2500") == (True, None)
    dear = plan(day(leg("上海市", "杭州市", avg_cost=2600)))
    assert result_of("2500", trip=dear) == (False, None)
    full = one_day(*(sight(f"湖{at}", f"{at}:00", f"{at}:30") for at in (10, 11, 12, 13)))
    assert result_of("3", trip=full) == (False, (1, ""))


def test_where_others_go_alone_the_wish_is_not_got() -> None:
    assert result_of("灵隐寺", trip=one_day(sight("灵隐寺", who=("User2",)))) == (False, (1, "灵隐寺"))


def test_a_place_counted_for_another_wish_is_got_all_the_same() -> None:
    own = small(sights={"must_visit": ["浙江省博物馆"], "category_pref": {"positive": ["博物馆"]}})
    assert result_of("博物馆", own=own) == (True, (1, "浙江省博物馆"))


def test_every_item_is_there_once_in_the_tables_order() -> None:
    own = small(food={"must_eat": ["面", "面", "饭"]}, avg_budget=900)
    assert [wish.item for wish in outcome(TRIP, own, own, "User1", USERS)] == ["900", "面", "饭"]


def test_a_given_up_wish_is_marked_and_judged_as_it_was() -> None:
    given = deepcopy(TABLE)
    given["city_specific_preferences"]["杭州市"]["attractions"]["must_visit"] = ["灵隐寺"]
    given["city_specific_preferences"]["杭州市"]["food"]["reject_eat"] = []
    held = wishes_by_item(given, original=TABLE)
    assert (held["西湖风景名胜区"].given_up, held["西湖风景名胜区"].got) == (True, False)
    assert (held["川菜"].given_up, held["川菜"].got) == (True, False)
    assert not held["灵隐寺"].given_up


def test_a_raised_cap_stands_beside_the_one_that_was_given_up() -> None:
    dear = plan(day(leg("上海市", "杭州市", avg_cost=950)))
    held = wishes_by_item(small(avg_budget=1000), dear, small(avg_budget=900))
    assert [(item, wish.got, wish.given_up) for item, wish in held.items()] == [
        ("900", False, True),
        ("1000", True, False),
    ]


def test_without_a_plan_nothing_is_known() -> None:
    assert {wish.got for wish in wishes_by_item(trip=None).values()} == {None}
    assert {wish.got for wish in wishes_by_item(trip={"days": []}).values()} == {None}


def test_without_the_catalogue_kinds_and_hotels_are_not_known_and_names_are() -> None:
    held = wishes_by_item(catalogue=None)
    assert (held["灵隐寺"].got, held["博物馆"].got, held["高铁"].got, held["2500"].got) == (
        True,
        True,
        True,
        True,
    )
    assert [held[item].got for item in ("杭帮菜", "川菜", "豪华型", "游乐园")] == [None] * 4
    assert (held["宋城"].got, held["西湖风景名胜区"].got) == (True, False)


def test_the_evidence_of_the_published_score_says_the_same() -> None:
    score = score_record(record(TRIP, {"User1": TABLE}, ["User1"]), CATALOGUE)
    held = {
        (wish.path, wish.item): wish.got
        for wish in outcome(TRIP, TABLE, TABLE, "User1", ["User1"], CATALOGUE)
    }
    points = score["evidence"]["utility"]
    assert points
    for point in points:
        assert held[point["path"], str(point["item"])] is (point["points"] > 0)


def test_somebody_outside_the_group_has_an_outcome_too() -> None:
    assert outcome(TRIP, TABLE, TABLE, "User9", USERS)


@given(odd_tables(), odd_tables(), JUNK)
@settings(max_examples=examples(120), deadline=None)
def test_odd_tables_and_plans_are_survived(original: Any, effective: Any, junk: Any) -> None:
    broken = {
        "days": [{"city_segments": [junk, block(sight("西湖", who=junk), meal("面馆", avg_cost=junk))]}]
    }
    for trip in (junk, broken, json.loads(json.dumps(TRIP))):
        for catalogue in (None, CATALOGUE):
            assert isinstance(outcome(trip, original, effective, "User1", USERS, catalogue), tuple)
