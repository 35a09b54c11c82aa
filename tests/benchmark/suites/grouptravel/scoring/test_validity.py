"""Each validity issue, and a neighbour that is none."""

from __future__ import annotations

import pytest

from benchmark.suites.grouptravel.scoring import MESSAGES, Catalogue, score_record
from tests.benchmark.suites.grouptravel.scoring.build import (
    CITY,
    block,
    day,
    hotel,
    issues,
    leg,
    meal,
    one_day,
    place,
    plan,
    record,
    rest,
    ride,
    score,
    sight,
    table,
)


def nights(*days):
    """A plan whose days are numbered and dated in a row."""
    return plan(*[{**d, "day": i + 1, "date": f"2026-02-0{i + 3}"} for i, d in enumerate(days)])


class TestInterCityTransport:
    def test_two_cities_in_one_day_without_a_leg(self):
        found = score(plan(day(block(city="杭州市"), block(city="苏州市"))))
        assert found["pv_issues"] == [
            {"type": "missing_intercity_transport", "day": 1, "from_city": "杭州市", "to_city": "苏州市"}
        ]

    def test_a_leg_leads_to_the_next_city(self):
        assert issues(plan(day(block(city="杭州市"), leg("杭州市", "苏州市"), block(city="苏州市")))) == []

    def test_the_leg_leads_elsewhere(self):
        trip = plan(day(leg("杭州市", "上海市"), block(city="苏州市")))
        assert issues(trip) == ["missing_intercity_transport"]

    def test_the_first_block_needs_no_leg(self):
        assert issues(plan(day(block(city="苏州市")))) == []

    @pytest.mark.parametrize("suffix", ["市", "区", "县", "自治州"])
    def test_one_suffix_is_ignored(self, suffix):
        assert issues(plan(day(block(city="德宏"), block(city="德宏" + suffix)))) == []

    def test_only_one_suffix_is_ignored_and_in_a_fixed_order(self):
        """地区 ends with 区, which is tried first and leaves 地."""
        assert issues(plan(day(block(city="德宏地区"), block(city="德宏地")))) == []
        assert issues(plan(day(block(city="德宏县市"), block(city="德宏")))) == [
            "missing_intercity_transport"
        ]

    def test_overnight(self):
        trip = nights(day(block(hotel(), city="杭州市")), day(block(city="苏州市")))
        assert score(trip)["pv_issues"] == [
            {"type": "missing_intercity_transport", "day": 2, "from_city": "杭州市", "to_city": "苏州市"}
        ]

    def test_overnight_a_leg_opens_the_next_day(self):
        trip = nights(day(block(hotel(), city="杭州市")), day(leg("上海市", "苏州市"), block(city="苏州市")))
        assert issues(trip) == []

    def test_a_leg_at_the_end_of_the_day_counts_for_the_next(self):
        days = day(block(hotel(), city="杭州市"), leg("杭州市", "苏州市")), day(block(city="苏州市"))
        assert issues(nights(*days)) == []


class TestHotels:
    def test_a_night_without_a_hotel(self):
        assert issues(nights(day(block(rest())), day(block()))) == ["missing_hotel"]

    def test_a_hotel_ends_the_day(self):
        assert issues(nights(day(block(rest(), hotel())), day(block()))) == []

    def test_a_hotel_stands_elsewhere_in_the_day(self):
        trip = nights(day(block(hotel(), rest("21:30", "22:00"))), day(block()))
        assert issues(trip) == ["hotel_not_last_activity"]

    def test_a_hotel_in_an_earlier_block_stands_elsewhere(self):
        trip = nights(day(block(hotel()), block(rest("21:30", "22:00"))), day(block()))
        assert issues(trip) == ["hotel_not_last_activity"]

    def test_an_empty_last_block_is_always_missing(self):
        assert issues(nights(day(block(hotel()), block()), day(block()))) == ["missing_hotel"]

    def test_the_last_day_needs_none(self):
        assert issues(one_day(rest())) == []


class TestTimes:
    @pytest.mark.parametrize("time", ["24:00", "25:00", "", "9点", "09:00:00", None, 9, " 9:00"])
    def test_not_hours_and_minutes(self, time):
        found = score(one_day(sight("西湖", time, "10:00")))
        assert found["pv_issues"] == [{"type": "invalid_time_format", "day": 1, "location": "西湖"}]

    @pytest.mark.parametrize("time", ["9:00", "09:5", "00:00"])
    def test_hours_and_minutes(self, time):
        assert issues(one_day(sight("西湖", time, "10:00"))) == []

    def test_a_transport_is_named_by_where_it_goes(self):
        found = score(one_day(ride("西湖", "灵隐寺", "x")))
        assert found["pv_issues"] == [{"type": "invalid_time_format", "day": 1, "location": "灵隐寺"}]

    def test_hotels_are_exempt(self):
        assert issues(one_day(hotel(start="25:00"))) == []

    def test_legs_are_not(self):
        assert issues(plan(day(leg("上海市", CITY, start="25:00")))) == ["invalid_time_format"]

    @pytest.mark.parametrize("end", ["09:00", "08:59"])
    def test_no_end_after_the_start(self, end):
        assert issues(one_day(sight("西湖", "09:00", end))) == ["invalid_time_range"]

    def test_an_end_after_the_start(self):
        assert issues(one_day(sight("西湖", "09:00", "09:01"))) == []

    def test_hotels_and_legs_may_end_on_the_next_day(self):
        trip = plan(
            day(leg("上海市", CITY, start="23:00", end="01:00"), block(hotel(start="22:00", end="08:00")))
        )
        assert "invalid_time_range" not in issues(trip)


class TestOverlap:
    def test_one_issue_for_each_user_and_pair(self):
        trip = one_day(rest("09:00", "12:00"), rest("10:00", "11:00"), rest("11:30", "12:30"))
        found = issues(trip, users=("User1", "User2"))
        assert found.count("time_overlap") == 4

    def test_listed_by_block_then_user_then_pair(self):
        crowded = block(rest("09:00", "12:00"), rest("10:00", "11:00"), rest("11:30", "12:30"))
        pair = {"User1": table(), "User2": table()}
        found = score(plan(day(crowded, crowded)), tables=pair)["evidence"]["validity"]
        overlaps = [issue for issue in found if issue["type"] == "time_overlap"]
        places = [(issue["segment"], issue["users"], issue["activity"]) for issue in overlaps]
        assert places == [(at, [user], i) for at in (0, 1) for user in pair for i in (1, 2)]

    def test_touching_is_no_overlap(self):
        assert issues(one_day(rest("09:00", "10:00"), rest("10:00", "11:00"))) == []

    def test_different_users_do_not_overlap(self):
        trip = one_day(rest("09:00", "10:00", ("User1",)), rest("09:00", "10:00", ("User2",)))
        assert issues(trip, users=("User1", "User2")) == []

    def test_hotels_do_not_overlap(self):
        assert issues(one_day(rest("21:00", "22:00"), hotel(start="22:00", end="22:30"))) == []
        assert "time_overlap" not in issues(
            one_day(rest("21:00", "22:00"), hotel(start="21:00", end="22:30"))
        )

    def test_two_blocks_do_not_overlap(self):
        trip = plan(day(block(rest("09:00", "10:00")), block(rest("09:00", "10:00"))))
        assert "time_overlap" not in issues(trip)


class TestOrder:
    ORDER = "timeline_order_violation"

    def test_a_start_before_the_previous_end(self):
        assert issues(one_day(rest("10:00", "11:00"), rest("09:00", "09:30"))) == [self.ORDER]

    def test_over_the_blocks_of_a_day(self):
        trip = plan(day(block(rest("10:00", "11:00")), block(rest("09:00", "09:30"))))
        assert issues(trip) == [self.ORDER]

    def test_not_over_night(self):
        days = day(block(rest("10:00", "11:00"), hotel())), day(block(rest("09:00", "09:30")))
        assert issues(nights(*days)) == []

    def test_a_hotel_start_is_checked(self):
        assert issues(one_day(rest("20:00", "22:00"), hotel(start="21:00"))) == [self.ORDER]

    def test_a_hotel_never_becomes_the_previous_end(self):
        assert issues(one_day(hotel(start="08:00", end="12:00"), rest("09:00", "10:00"))) == []

    def test_an_earlier_end_replaces_the_previous_one(self):
        trip = one_day(rest("09:00", "12:00"), rest("09:30", "10:00"), rest("10:30", "11:00"))
        assert issues(trip).count(self.ORDER) == 1

    def test_what_ends_before_it_starts_never_replaces(self):
        trip = one_day(rest("09:00", "10:00"), rest("10:00", "08:00"), rest("09:30", "09:45"))
        assert issues(trip).count(self.ORDER) == 1

    def test_an_end_counts_although_the_start_cannot_be_read(self):
        assert issues(one_day(rest("", "12:00"), rest("11:00", "12:00"))).count(self.ORDER) == 1

    def test_only_what_the_user_takes_part_in(self):
        trip = one_day(rest("10:00", "11:00", ("User1",)), rest("09:00", "09:30", ("User2",)))
        assert issues(trip, users=("User1", "User2")) == []


class TestLocalTransport:
    MISSING, ORIGIN = "missing_intracity_transport", "intracity_transport_origin_mismatch"

    def test_two_places_without_transport(self):
        found = score(one_day(sight("西湖"), meal("外婆家")))
        assert found["pv_issues"] == [{"type": self.MISSING, "day": 1, "user": "User1"}]

    def test_two_places_with_transport(self):
        assert issues(one_day(sight("西湖"), ride("西湖", "外婆家"), meal("外婆家"))) == []

    def test_the_morning_forgets_where_everyone_was(self):
        trip = nights(
            day(block(sight("西湖"), ride("西湖", "湖边旅舍"), hotel())), day(block(sight("灵隐寺")))
        )
        assert issues(trip) == []

    def test_a_transport_from_elsewhere(self):
        trip = one_day(sight("西湖"), ride("灵隐寺", "外婆家"), meal("外婆家"))
        assert issues(trip) == [self.ORIGIN]

    def test_positions_are_compared_by_equal_strings(self):
        assert issues(one_day(sight("西湖"), sight("西湖 ", "10:00", "11:00"))) == [self.MISSING]

    def test_the_same_place_twice_needs_none(self):
        assert issues(one_day(sight("西湖"), sight("西湖", "10:00", "11:00"))) == []

    def test_after_a_leg_the_first_thing_is_transport_from_anywhere(self):
        trip = plan(
            day(leg("上海市", CITY), block(ride("某站", "西湖", "09:00", "09:30"), sight("西湖", "09:30")))
        )
        assert issues(trip) == []

    def test_after_a_leg_a_place_is_out_of_reach(self):
        assert issues(plan(day(leg("上海市", CITY), block(sight("西湖"))))) == [self.MISSING]

    def test_after_a_leg_one_may_rest(self):
        activities = rest("09:00", "09:30"), ride("某站", "西湖", "09:30", "09:50"), sight("西湖", "09:50")
        assert issues(plan(day(leg("上海市", CITY), block(*activities)))) == []

    def test_a_leg_forgets_the_position(self):
        activities = block(sight("西湖", "06:00", "07:00")), leg(CITY, CITY), block(sight("西湖"))
        assert issues(plan(day(*activities))) == [self.MISSING]

    def test_the_position_carries_across_blocks(self):
        assert issues(plan(day(block(sight("西湖")), block(meal("外婆家"))))) == [self.MISSING]

    def test_the_position_moves_even_after_an_issue(self):
        trip = one_day(sight("西湖"), meal("外婆家"), sight("外婆家", "14:00", "15:00"))
        assert issues(trip) == [self.MISSING]

    def test_a_transport_without_destination_leaves_it(self):
        trip = one_day(sight("西湖"), {**ride("西湖", ""), "to": None}, sight("西湖", "11:00", "12:00"))
        assert issues(trip) == []

    def test_rest_is_ignored(self):
        trip = one_day(
            sight("西湖"), {**rest("10:00", "11:00"), "location": "宾馆"}, sight("西湖", "11:00", "12:00")
        )
        assert issues(trip) == []

    def test_each_user_is_followed_alone(self):
        trip = one_day(sight("西湖", who=("User1",)), sight("灵隐寺", who=("User2",)), meal("西湖"))
        found = score(trip, tables={"User1": table(), "User2": table()})
        assert found["pv_issues"] == [{"type": self.MISSING, "day": 1, "user": "User2"}]

    def test_listed_participants_are_followed_as_listed_unknown_ones_too(self):
        trip = one_day(sight("西湖", who=("User9",)), meal("外婆家", who=("User9",)))
        found = score(trip)["pv_issues"]
        assert {"type": self.MISSING, "day": 1, "user": "User9"} in found
        assert {"type": self.MISSING, "day": 1, "user": "User1"} not in found

    def test_a_string_of_participants_is_walked_by_characters(self):
        trip = one_day(sight("西湖", who="甲乙"), meal("外婆家", who="甲乙"))
        found = [i["user"] for i in score(trip)["pv_issues"] if i["type"] == self.MISSING]
        assert found == ["甲", "乙"]


def hours(*rules):
    return {"always_open": False, "rules": list(rules)}


def rule(opens="09:00", closes="17:00", weekdays=(1, 2, 3, 4, 5, 6, 7), **more):
    windows = [{"open": opens, "close": closes}] if opens else []
    return {"weekdays": list(weekdays), "time_windows": windows, **more}


def span(start, end):
    return {"date_range": {"start": start, "end": end}}


class TestOpeningHours:
    """2026-02-03 is a Tuesday."""

    def is_closed(self, opening_hours, start="09:00", end="10:00", date="2026-02-03", name="西湖"):
        trip = one_day(sight(name, start, end), date=date)
        return issues(trip, place("西湖", hours=opening_hours)) == ["outside_opening_hours"]

    def test_inside_and_outside_a_window(self):
        assert not self.is_closed(hours(rule()), "09:00", "17:00")
        assert self.is_closed(hours(rule()), "08:59", "10:00")
        assert self.is_closed(hours(rule()), "16:00", "17:01")

    def test_the_visit_lies_inside_one_window(self):
        two = {
            "weekdays": [2],
            "time_windows": [{"open": "09:00", "close": "11:00"}, {"open": "11:00", "close": "17:00"}],
        }
        assert not self.is_closed(hours(two), "11:00", "12:00")
        assert self.is_closed(hours(two), "10:00", "12:00")

    def test_times_are_compared_as_text(self):
        assert self.is_closed(hours(rule("07:00", "17:00")), "08:00", "9:00")
        assert not self.is_closed(hours(rule("09:00", "9:30")), "09:00", "10:00")

    def test_a_weekday_outside_the_rule_is_closed(self):
        assert self.is_closed(hours(rule(weekdays=(1,)), rule()))
        assert not self.is_closed(hours(rule(weekdays=(2,))))

    def test_the_first_rule_whose_range_holds_the_day_decides(self):
        assert self.is_closed(hours(rule("12:00", **span("02-01", "02-28")), rule()))
        assert not self.is_closed(hours(rule("12:00", **span("03-01", "03-31")), rule()))
        assert not self.is_closed(hours(rule(**span("02-03", "02-03")), rule("12:00")))

    def test_a_range_wraps_over_new_year(self):
        assert self.is_closed(hours(rule("12:00", **span("11-01", "02-28"))))
        assert not self.is_closed(hours(rule("12:00", **span("11-01", "02-02"))))

    def test_empty_windows_fall_through_to_the_next_rule(self):
        assert self.is_closed(hours(rule(None), rule("12:00")))
        assert not self.is_closed(hours(rule(None), rule()))

    def test_a_closed_weekday_decides_before_empty_windows(self):
        assert self.is_closed(hours(rule(None, weekdays=(1,)), rule()))

    @pytest.mark.parametrize(
        "opening_hours",
        [None, {"always_open": True}, hours(), hours(rule("12:00", **span("03-01", "03-31")))],
    )
    def test_nothing_decides(self, opening_hours):
        assert not self.is_closed(opening_hours)

    def test_unknown_place(self):
        assert not self.is_closed(hours(rule("12:00")), name="别处")

    @pytest.mark.parametrize("date", [None, "", "02-03", "2026-02-30", 20260203])
    def test_a_missing_or_bad_date_is_skipped(self, date):
        assert not self.is_closed(hours(rule("12:00")), date=date)

    @pytest.mark.parametrize(("start", "end"), [("09:00", "25:00"), ("7:00", "7:30"), ("上午", "下午")])
    def test_a_bad_time_is_compared_as_text(self, start, end):
        assert "outside_opening_hours" in issues(
            one_day(sight("西湖", start, end)), place("西湖", hours=hours(rule("08:00", "18:00")))
        )

    def test_a_missing_time_or_city_is_skipped(self):
        closed = place("西湖", hours=hours(rule("12:00")))
        for time in (None, ""):
            assert issues(one_day(sight("西湖", "09:00", time)), closed) == ["invalid_time_format"]
            assert issues(one_day(sight("西湖", time, "23:00")), closed) == ["invalid_time_format"]
        assert issues(plan(day(block(sight("西湖"), city=""))), closed) == []

    def test_only_sights_are_checked(self):
        assert (
            issues(one_day(meal("西湖")), place("西湖", "中餐", "food", hours(rule("18:00", "19:00")))) == []
        )

    def test_the_hours_are_those_of_the_matched_place_of_any_kind(self):
        known = place("西湖楼外楼", "中餐", "food", hours(rule("18:00", "19:00")))
        assert issues(one_day(sight("楼外楼")), known) == ["outside_opening_hours"]


class TestCosts:
    @pytest.mark.parametrize("activity", [meal("西湖", avg_cost=None), hotel(avg_cost=None)])
    def test_no_cost(self, activity):
        assert issues(one_day(activity)) == ["missing_avg_cost"]
        del activity["avg_cost"]
        assert issues(one_day(activity)) == ["missing_avg_cost"]

    def test_a_leg_without_cost(self):
        assert issues(plan(day(leg("上海市", CITY, avg_cost=None)))) == ["missing_avg_cost"]

    def test_zero_is_a_cost(self):
        assert issues(plan(day(leg("上海市", CITY, avg_cost=0)))) == []
        assert issues(one_day(meal("西湖", avg_cost=0))) == []

    def test_sights_and_local_transport_need_none(self):
        assert issues(one_day({**sight("西湖"), "avg_cost": None}, ride("西湖", "西湖"))) == []


class TestParticipants:
    INVALID = "invalid_participants"

    @pytest.mark.parametrize("who", ["User1", [], {"User1": 1}, 3, False])
    def test_not_a_list_or_an_empty_one(self, who):
        assert issues(one_day(rest(who=who))) == [self.INVALID]

    @pytest.mark.parametrize("who", [None, ["All"], ["User1"], ["All", "User1"]])
    def test_missing_everyone_or_users(self, who):
        assert issues(one_day(rest(who=who))) == []

    def test_one_issue_for_each_unknown_name(self):
        assert issues(one_day(rest(who=["User1", "User8", "all", 7]))) == [self.INVALID] * 3

    def test_hotels_are_exempt(self):
        assert issues(one_day(hotel(participants=["User8"]))) == []

    def test_a_user_of_the_run_without_a_table_is_known(self):
        found = score(one_day(rest(who=["User2"])), tables={"User1": table()}, users=["User1", "User2"])
        assert found["pv"]


def test_every_issue_has_words_for_its_place():
    broken = plan(
        day(
            block(
                hotel(avg_cost=None),
                sight("西湖", "9点"),
                rest("10:00", "09:00"),
                meal("外婆家", who=["User8"]),
            )
        ),
        day(
            leg("上海市", "苏州市"),
            block(sight("西湖", "06:00", "08:00"), ride("x", "y", "07:00", "08:00")),
            number=2,
        ),
        day(block(rest(who=[]), rest(who="a"))),
    )
    catalogue = Catalogue({CITY: [place("西湖", hours=hours(rule()))]})
    found = score_record(record(broken), catalogue)
    assert len(found["evidence"]["validity"]) == len(found["pv_issues"]) > 9
    for issue in found["evidence"]["validity"]:
        assert MESSAGES[issue["message"]["key"]].format_map(issue["message"]["params"])


def test_an_issue_names_its_exact_place():
    trip = plan(day(leg("上海市", CITY), block(ride("某站", "西湖", "09:00", "09:20"), rest(who=["User8"]))))
    (issue,) = score(trip)["evidence"]["validity"]
    assert (issue["type"], issue["day"], issue["segment"], issue["activity"]) == (
        "invalid_participants",
        1,
        1,
        1,
    )
    assert issue["message"] == {"key": "participants_unknown", "params": {"place": "", "name": "User8"}}


def test_issues_are_listed_in_the_published_order():
    trip = plan(
        day(block(hotel(avg_cost=None), rest("9点", "10:00"), rest("10:00", "09:00", ["User8"]))),
        day(
            block(
                rest("10:00", "12:00"),
                sight("西湖", "06:00", "07:00"),
                sight("灵隐寺", "06:30", "07:30"),
                ride("x", "y", "12:00", "12:20"),
                city="苏州市",
            ),
            number=2,
        ),
    )
    catalogue = Catalogue({"苏州市": [place("西湖", hours=hours(rule()))]})
    found = score_record(record(trip), catalogue)
    order = [
        "missing_intercity_transport",
        "hotel_not_last_activity",
        "invalid_time_format",
        "invalid_time_range",
        "time_overlap",
        "outside_opening_hours",
        "missing_intracity_transport",
        "intracity_transport_origin_mismatch",
        "timeline_order_violation",
        "missing_avg_cost",
        "invalid_participants",
    ]
    assert list(dict.fromkeys(issue["type"] for issue in found["pv_issues"])) == order
    assert list(found["pv_issue_counts"]) == order
