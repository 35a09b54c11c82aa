"""Facts put into words from a world's own records."""

from __future__ import annotations

from typing import Any

from sandbox.worlds.records import DateRange, OpeningHours, OpeningRule, Place, Service, TimeWindow
from sandbox.worlds.sentences import (
    attraction_fact,
    hours_text,
    journey_facts,
    overview_facts,
    restaurant_fact,
)

DAY = (TimeWindow(open="09:00", close="17:00"),)


def _place(name: str, kind: str = "attraction", **fields: Any) -> Place:
    base = {"id": name, "city": "甲市", "kind": kind, "name": name, "longitude": 120, "latitude": 30}
    return Place.model_validate(base | fields)


def _service(**fields: Any) -> Service:
    base = {
        "number": "G1", "mode": "高铁", "type": "高铁", "origin_city": "甲市", "destination_city": "乙市",
        "origin_station": "甲站", "destination_station": "乙站", "depart": "08:00", "arrive": "09:30",
        "duration_minutes": 90, "price": 50,
    }  # fmt: skip
    return Service.model_validate(base | fields)


def test_closed_weekdays_and_seasons_are_said() -> None:
    rules = (
        OpeningRule(weekdays=(2, 3, 4, 5, 6, 7), time_windows=DAY),
        OpeningRule(date_range=DateRange(start="11-01", end="03-31"), time_windows=DAY),
    )
    assert (
        hours_text(OpeningHours(rules=rules)) == "开放时间：09:00-17:00（周一闭馆），11-01至03-31 09:00-17:00"
    )


def test_unknown_hours_say_nothing() -> None:
    assert hours_text(None) == ""
    assert hours_text(OpeningHours(always_open=True)) == "全天开放"


def test_an_attraction_without_details_is_still_a_sentence() -> None:
    assert attraction_fact(_place("某园", category="公园")).text == "某园位于甲市，类型：公园。"


def test_a_free_attraction_is_free() -> None:
    assert "免费" in attraction_fact(_place("某园", category="公园", price=0)).text


def test_dishes_are_in_the_text_and_the_keywords() -> None:
    fact = restaurant_fact(_place("某店", "restaurant", category="川菜", dishes=("鱼",)))
    assert "推荐菜：鱼" in fact.text
    assert "鱼" in fact.keywords


def test_the_overview_begins_with_the_best_known() -> None:
    sights = [_place("小园", popularity=1), _place("大园", popularity=9)]
    (fact,) = overview_facts("甲市", sights)
    assert fact.text == "甲市知名的景点有：大园、小园。"


def test_a_journey_names_the_fastest_and_the_cheapest_of_each_mode() -> None:
    runs = [
        _service(),
        _service(number="G3", duration_minutes=100, price=40),
        _service(number="K1", mode="火车", price=9),
    ]
    (fact,) = journey_facts(runs)
    assert (
        fact.text
        == "从甲市到乙市：高铁每天2班，最快1小时30分，最低40元；火车每天1班，最快1小时30分，最低9元。"
    )
