"""The planner's small parts: clocks, hours, distances, tastes, frames."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.core.view import ToolEntry
from benchmark.suites.grouptravel.agent.planning.geography import Atlas, read_point, ride_minutes
from benchmark.suites.grouptravel.agent.planning.hours import (
    CLOCK,
    minutes,
    told_on,
    windows_in_text,
    windows_of,
)
from benchmark.suites.grouptravel.agent.planning.knowledge import read_log, read_service
from benchmark.suites.grouptravel.agent.planning.score import split_penalty
from benchmark.suites.grouptravel.agent.planning.skeleton import leg_days
from benchmark.suites.grouptravel.agent.planning.tastes import read_taste
from sandbox.toolsets.grouptravel.services import PartialService

MONDAY, TUESDAY = date(2025, 11, 3), date(2025, 11, 4)


@given(st.integers(0, 1439))
def test_written_minutes_are_read_back(minute: int) -> None:
    assert minutes(CLOCK[minute]) == minute


def test_a_closed_weekday_leaves_no_window() -> None:
    rule = {"weekdays": [2, 3], "time_windows": [{"open": "09:00", "close": "17:00"}]}
    assert windows_of({"rules": [rule]}, MONDAY) == ()
    assert windows_of({"rules": [rule]}, TUESDAY) == ((540, 1020),)


def test_the_first_rule_whose_season_holds_the_day_decides() -> None:
    winter = {
        "date_range": {"start": "11-01", "end": "03-31"},
        "time_windows": [{"open": "10:00", "close": "16:00"}],
    }
    always = {"time_windows": [{"open": "08:00", "close": "18:00"}]}
    assert windows_of({"rules": [winter, always]}, MONDAY) == ((600, 960),)
    assert windows_of({"rules": [winter, always]}, date(2025, 7, 1)) == ((480, 1080),)


def test_times_are_compared_as_texts() -> None:
    """The scorer finds 9:00 after 10:00: nothing written HH:MM lies between 9:00 and 17:00."""
    assert windows_of({"rules": [{"time_windows": [{"open": "9:00", "close": "17:00"}]}]}, MONDAY) == ()
    assert windows_of({"rules": [{"time_windows": [{"open": "18:00", "close": "24:00"}]}]}, MONDAY) == (
        (1080, 1439),
    )


def test_unlimited_hours() -> None:
    assert windows_of({"always_open": True, "rules": []}, MONDAY) is None
    assert windows_of(None, MONDAY) is None
    assert windows_in_text("10:00-14:00,17:00-02:00", date(2026, 1, 12)) == ((600, 840), (1020, 1439))


@pytest.mark.parametrize(
    ("text", "monday", "tuesday"),
    [
        ("周一闭馆", (), None),
        ("周二至周日 09:00-17:00", (), ((540, 1020),)),
        ("Tue-Sun 09:00-17:00", (), ((540, 1020),)),
        ("周一不开放；周二至周日 09:00-17:00", (), ((540, 1020),)),
        ("周六至周一 09:00-17:00；周二、周四 10:00-12:00", ((540, 1020),), ((600, 720),)),
        ("12-01~02-28 09:00-16:00；03-01~11-30 09:00-18:00", ((540, 960),), ((540, 960),)),
        ("04-01至10-31 周一至周日 08:00-17:30；11-01至03-31周二至周日 08:00-16:30", (), ((480, 990),)),
        ("11-01~03-31 不开放", (), ()),
        ("全天开放", None, None),
    ],
)
def test_hours_in_words_hold_on_their_weekdays_and_in_their_season(
    text: str, monday: object, tuesday: object
) -> None:
    found = tuple(windows_in_text(text, date(2026, 1, day)) for day in (12, 13))
    assert found == (monday, tuesday)


def test_only_the_hours_of_the_trip_are_told() -> None:
    text = "04-01至10-31 周一至周日 08:30-17:00；11-01至03-31 周一至周日 08:30-16:30"
    assert told_on(text, [date(2026, 1, 12)]) == "11-01至03-31 周一至周日 08:30-16:30"
    assert told_on(text, [date(2026, 3, 31), date(2026, 4, 1)]) == text
    assert told_on("周一至周日 09:00-17:00", [date(2026, 1, 12)]) == "周一至周日 09:00-17:00"


def test_hours_of_another_season_are_taken_with_care() -> None:
    text = "03-01~11-30 06:30-18:30（其他日期不同）"
    assert windows_in_text(text, date(2026, 5, 1)) == ((390, 1110),)
    assert windows_in_text(text, date(2026, 1, 12)) == ((450, 1050),)


def test_a_longer_way_takes_more_time() -> None:
    assert ride_minutes(0.5) <= 10 < ride_minutes(5) < ride_minutes(40)


@given(st.text(max_size=12))
def test_any_text_is_a_point_or_none(text: str) -> None:
    point = read_point(text)
    assert point is None or abs(point[1]) <= 90


def test_nowhere_is_next_door() -> None:
    atlas = Atlas()
    a, b = atlas.add("a", (116.0, 39.0)), atlas.add("b", None, unknown=40)
    assert atlas.minutes(0, a) == 0
    assert atlas.minutes(a, b) == 40


def test_meals_by_name_before_cuisine() -> None:
    food = {"must_eat": ["火锅"], "reject_eat": ["川菜"], "prefer_eat": ["老王"], "avoid_eat": []}
    taste = read_taste({"city_specific_preferences": {"甲市": {"food": food}}}, ("甲市",))
    assert taste.meal_points("甲市", "老王饭店", "川菜") == 1
    assert taste.meal_points("甲市", "小李火锅", "川菜") == 2
    assert taste.meal_points("甲市", "小李饭店", "川菜") == -2
    assert taste.meal_points("乙市", "小李饭店", "川菜") == 0


def test_strong_tiers_speak_first_for_rides() -> None:
    transport = {"must": ["高铁"], "prefer": ["高铁", "飞机"], "reject": ["自驾"], "avoid": ["火车"]}
    taste = read_taste({"global_constraints": {"transport": transport}}, ())
    assert [taste.ride_points(mode) for mode in ("高铁", "飞机", "火车", "自驾")] == [2, 1, -1, -2]


def test_one_cluster_costs_its_parts_less_one() -> None:
    assert split_penalty([(1, 600, 660), (2, 630, 700), (1, 690, 720), (3, 800, 900)], 3) == 1


def test_legs_follow_the_nights() -> None:
    assert leg_days((2, 0, 1)) == (0, 2, 2, 3)


def test_a_service_that_arrives_before_it_leaves_arrives_tomorrow() -> None:
    service = read_service(PartialService(mode="火车", depart="20:00", arrive="06:00", price=100))
    assert service is not None
    assert service.day_offset == 1
    assert service.duration == 600
    assert read_service(PartialService(mode="火车", depart="20:00")) is None


@given(
    st.text(max_size=30),
    st.sampled_from(["search_poi", "maps_geo", "travel_search_trains", "get_poi_detail"]),
)
def test_any_answer_can_be_read(text: str, tool: str) -> None:
    read_log(
        [
            ToolEntry("1", tool, {"city": "甲市"}, text, False, "world"),
            ToolEntry("2", tool, "{", None, True, ""),
        ]
    )
