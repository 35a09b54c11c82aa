"""Each rule in which the paper is stricter, and a neighbour that keeps it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from benchmark.suites.grouptravel.scoring import MENDS, MESSAGES, REASONS, Catalogue, score_record
from benchmark.suites.grouptravel.scoring.paper import PAPER_CHECKS, Background, Tolerances
from benchmark.suites.grouptravel.scoring.paper.feasible import infeasible_transport
from benchmark.suites.grouptravel.scoring.run_record import read_record
from benchmark.suites.grouptravel.scoring.trip import prepare
from tests.benchmark.suites.grouptravel.scoring.build import (
    CITY,
    Json,
    averages,
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

FAR = "上海市"
COUPLE = {"User1": table(), "User2": table()}
NO_CALLS = {"cache_hits": 0, "cache_misses": 0, "tool_errors": 0, "tool_calls_executed": 0}


def opening_hours(opens: str, closes: str) -> Json:
    """Opening hours that are the same every day."""
    hours = {"open": opens, "close": closes}
    return {"rules": [{"weekdays": [1, 2, 3, 4, 5, 6, 7], "time_windows": [hours]}]}


OPEN_TILL_TWO = opening_hours("17:00", "02:00")
LUNCH = opening_hours("11:00", "14:00")


def answer(name: str, result: Any, *, error: bool = False) -> Json:
    text = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)
    return {"type": "tool_result", "name": name, "result": text, "error": error}


def search_result(name: str, price: float | None, city: str = CITY, tool: str = "search_poi") -> Json:
    poi = {"name": name, "city": city, "price": price}
    return answer(tool, {"total": 1, "pois": [poi]} if tool == "search_poi" else poi)


def trains(origin: str, to: str, *times: tuple[str, str], price: float = 50, mode: str = "高铁") -> Json:
    listed = [{"mode": mode, "depart": start, "arrive": end, "price": price} for start, end in times]
    return answer("travel_search_trains", {"origin": origin, "destination": to, "trains": listed})


def drive(origin: str, to: str, minutes: int, cost: float) -> Json:
    ends = {"origin": {"name": origin}, "destination": {"name": to}}
    return answer("plan_route", {"mode": "driving", **ends, "duration_minutes": minutes, "cost": cost})


def score_trip(
    trip: Json, *results: Json, places: tuple[Json, ...] = (), profile: str = "paper", **more: Any
) -> Json:
    given = record(trip, more.pop("tables", None), **{"departure_city": CITY, **more})
    given["conversation_history"] = [*results, *given["conversation_history"]]
    return score_record(given, Catalogue({CITY: list(places)}), profile)


def issues(trip: Json, *results: Json, **more: Any) -> list[str]:
    return [issue["type"] for issue in score_trip(trip, *results, **more)["pv_issues"]]


def uncheckable_issues(trip: Json, *results: Json, **more: Any) -> list[tuple[str, str]]:
    listed = score_trip(trip, *results, **more)["evidence"]["not_checkable"]
    return [(entry["type"], entry["reason"]) for entry in listed]


REFUSALS = [
    lambda tool: answer(tool, "外婆家: no such city", error=True),
    lambda tool: answer(tool, {"error": "外婆家: no such city"}),
]


class TestRestaurantHours:
    RULE = "outside_opening_hours"

    def test_a_meal_while_the_kitchen_is_closed(self):
        kitchen = (place("外婆家", "中餐", "food", LUNCH),)
        late = one_day(meal("外婆家", "15:00", "16:00"))
        assert issues(late, places=kitchen) == [self.RULE]
        assert issues(late, places=kitchen, profile="published") == []
        assert issues(one_day(meal("外婆家", "12:00", "13:00")), places=kitchen) == []

    @pytest.mark.parametrize(
        ("start", "end", "open_"),
        [
            ("19:00", "21:00", True),
            ("00:30", "01:30", True),
            ("16:00", "18:00", False),
            ("01:30", "02:30", False),
        ],
    )
    def test_a_kitchen_that_closes_after_midnight(self, start, end, open_):
        bar = (place("夜宵", "中餐", "food", OPEN_TILL_TWO),)
        assert issues(one_day(meal("夜宵", start, end)), places=bar) == [] if open_ else [self.RULE]

    def test_times_are_compared_as_times(self):
        kitchen = (place("早点铺", "中餐", "food", opening_hours("9:00", "22:00")),)
        for start, end, open_ in (
            ("07:00", "08:00", False),
            ("9:00", "10:00", True),
            ("10:00", "22:00", True),
        ):
            assert issues(one_day(meal("早点铺", start, end)), places=kitchen) == (
                [] if open_ else [self.RULE]
            )

    def test_a_meal_over_midnight(self):
        late = one_day(meal("夜宵", "23:00", "00:30"))
        for opens, closes, open_ in (
            ("17:00", "02:00", True),
            ("17:00", "00:00", False),
            ("10:00", "24:00", False),
            ("00:00", "24:00", True),
        ):
            bar = (place("夜宵", "中餐", "food", opening_hours(opens, closes)),)
            assert (self.RULE in issues(late, places=bar)) is not open_, (opens, closes)

    def test_hours_that_can_not_be_read_say_nothing(self):
        kitchen = (place("外婆家", "中餐", "food", opening_hours("早上", "22:00")),)
        assert issues(one_day(meal("外婆家", "03:00", "04:00")), places=kitchen) == []

    def test_both_sights_and_meals_are_found_once(self):
        both = place("西湖", "公园", hours=LUNCH), place("外婆家", "中餐", "food", LUNCH)
        trip = one_day(sight("西湖", "09:00", "10:00"), meal("外婆家", "15:00", "16:00"))
        assert issues(trip, places=both).count(self.RULE) == 2


class TestCosts:
    RULE = "cost_mismatch"

    def test_a_meal_at_another_price_than_the_tool_returned(self):
        trip = one_day(meal("外婆家", avg_cost=80))
        assert issues(trip, search_result("外婆家", 95)) == [self.RULE]
        assert issues(trip, search_result("外婆家", 80)) == []
        assert issues(trip, search_result("外婆家", 95), profile="published") == []

    def test_prices_are_compared_to_a_yuan(self):
        assert issues(one_day(meal("外婆家", avg_cost=80)), search_result("外婆家", 80.6)) == []

    def test_a_cost_for_what_no_tool_returned(self):
        assert issues(one_day(hotel(avg_cost=300)), search_result("外婆家", 80)) == [self.RULE]

    def test_no_tool_was_called_at_all(self):
        assert issues(one_day(hotel()), agent_tool_stats=NO_CALLS) == [self.RULE]

    def test_a_room_that_is_shared(self):
        detail = {"name": "湖边旅舍", "city": CITY, "price": 180, "rooms": [{"price": 500, "capacity": 2}]}
        for cost in (180, 250, 500):
            assert issues(one_day(hotel(avg_cost=cost)), answer("get_poi_detail", detail)) == []
        assert issues(one_day(hotel(avg_cost=120)), answer("get_poi_detail", detail)) == [self.RULE]

    def test_a_place_of_that_name_in_another_city_is_another(self):
        assert issues(one_day(meal("外婆家", avg_cost=80)), search_result("外婆家", 80, "苏州市")) == [
            self.RULE
        ]
        assert issues(one_day(meal("外婆家", avg_cost=80)), search_result("外婆家", 80, "杭州")) == []

    def test_a_shorter_name_means_the_place_that_contains_it(self):
        assert issues(one_day(meal("外婆家", avg_cost=80)), search_result("外婆家(西湖店)", 80)) == []

    def test_a_sight_without_cost_has_nothing_to_agree(self):
        assert issues(one_day({**sight("西湖"), "avg_cost": None}), search_result("西湖", 80)) == [
            "missing_avg_cost"
        ]

    def test_a_leg_costs_what_its_own_service_costs(self):
        two = (
            trains("上海市", CITY, ("08:00", "09:00"), price=50),
            trains("上海市", CITY, ("10:00", "11:00"), price=90),
        )
        assert issues(plan(day(leg("上海市", CITY, avg_cost=50))), *two) == []
        assert issues(plan(day(leg("上海市", CITY, avg_cost=90))), *two) == [self.RULE]

    @pytest.mark.parametrize(("cost", "fine"), [(50, True), (80, True), (150, True), (65, False)])
    def test_a_leg_may_cost_what_any_class_of_its_service_costs(self, cost, fine):
        classes = [
            {"name": "二等座", "price": 50},
            {"name": "一等座", "price": 80},
            {"name": "商务座", "price": 150},
        ]
        listed = {"mode": "高铁", "depart": "08:00", "arrive": "09:00", "price": 50, "classes": classes}
        told = {"origin": "上海市", "destination": CITY, "trains": [listed]}
        trip = plan(day(leg("上海市", CITY, avg_cost=cost)))
        assert issues(trip, answer("travel_search_trains", told)) == ([] if fine else [self.RULE])

    @pytest.mark.parametrize(("cost", "fine"), [(300, True), (150, True), (100, True), (60, False)])
    def test_a_drive_costs_the_car_or_each_one_a_part(self, cost, fine):
        """Two with a table and a child: 300 a car, 150 or 100 each."""
        trip = plan(day(leg("上海市", CITY, "自驾", "08:00", "10:30", avg_cost=cost)))
        types = issues(trip, drive("上海市", CITY, 150, 300), tables=COUPLE, query="2天，3人的旅行计划")
        assert types == ([] if fine else [self.RULE])

    def test_without_results_nothing_can_be_checked(self):
        trip = one_day(sight("外婆家"), meal("外婆家"))
        assert issues(trip) == []
        assert uncheckable_issues(trip) == [(self.RULE, "no_results")] * 2

    def test_free_text_can_not_be_read(self):
        trip = one_day(meal("外婆家", avg_cost=80))
        assert uncheckable_issues(trip, answer("search_poi", "外婆家，人均95元")) == [
            (self.RULE, "unreadable")
        ]
        assert issues(trip, answer("search_poi", "外婆家，人均95元")) == []

    def test_what_is_readable_beside_free_text_still_counts(self):
        trip = one_day(meal("外婆家", avg_cost=80))
        assert issues(trip, answer("search_poi", "…"), search_result("外婆家", 95)) == [self.RULE]

    def test_a_search_of_the_web_may_have_named_it(self):
        told = answer("web_search", {"answers": [{"text": "外婆家人均80元"}]})
        assert uncheckable_issues(one_day(meal("外婆家")), told) == [(self.RULE, "unreadable")]
        assert issues(one_day(meal("别家")), told) == [self.RULE]

    def test_a_tool_that_gives_no_price(self):
        assert uncheckable_issues(one_day(meal("外婆家")), search_result("外婆家", None)) == [
            (self.RULE, "no_price")
        ]

    def test_an_error_tells_nothing_and_makes_nothing_unreadable(self):
        assert issues(
            one_day(meal("外婆家")), answer("search_poi", "no such city", error=True), search_result("x", 1)
        ) == [self.RULE]

    @pytest.mark.parametrize("refused", REFUSALS)
    def test_errors_alone_hold_nothing(self, refused):
        """No call and a call that failed tell the same of an invented price."""
        trip = one_day(meal("外婆家"))
        assert issues(trip, refused("search_poi")) == issues(trip, agent_tool_stats=NO_CALLS) == [self.RULE]
        assert uncheckable_issues(trip, refused("web_search")) == []

    @pytest.mark.parametrize("cost", ["80元", True, [80], 10**400])
    def test_a_cost_that_is_no_number_agrees_with_nothing(self, cost):
        assert issues(one_day(meal("外婆家", avg_cost=cost)), search_result("外婆家", 80)) == [self.RULE]


class TestNights:
    RULE = "double_booked_night"

    def test_two_hotels_in_one_day(self):
        twice = one_day(hotel("甲", "14:00", "15:00"), ride("甲", "乙", "20:00", "20:20"), hotel("乙"))
        assert issues(twice) == [self.RULE]
        assert issues(twice, profile="published") == []

    def test_two_entries_of_one_date(self):
        trip = plan(day(block(hotel("甲"))), day(block(hotel("乙")), number=2))
        assert issues(trip) == [self.RULE]
        later = plan(day(block(hotel("甲"))), day(block(hotel("乙")), number=2, date="2026-02-04"))
        assert issues(later) == []

    def test_two_entries_of_one_day_without_a_date(self):
        first, second = day(block(hotel("甲")), date=None), day(block(hotel("乙")), date=None)
        assert issues(plan(first, second)) == [self.RULE]
        assert issues(plan(first, {**second, "day": 2})) == []

    def test_coming_back_to_the_same_hotel(self):
        assert issues(one_day(hotel("甲", "12:00", "13:00"), rest(), hotel("甲"))) == []

    def test_a_stop_at_the_hotel_of_the_night_before(self):
        def next_day(noon: str, night: str) -> Json:
            way = hotel(noon, "12:00", "12:30"), ride(noon, night, "20:00", "20:20"), hotel(night)
            return plan(day(block(hotel("甲"))), day(block(*way), number=2, date="2026-02-04"))

        assert issues(next_day("甲", "乙")) == []
        assert issues(next_day("乙", "甲")) == [self.RULE]

    def test_hotels_of_one_name_in_two_cities(self):
        trip = plan(day(block(hotel("如家")), leg(CITY, "苏州市"), block(hotel("如家"), city="苏州市")))
        assert self.RULE in issues(trip)

    def test_one_hotel_a_day(self):
        assert issues(plan(day(block(hotel("甲"))), day(block(hotel("甲")), number=2))) == []

    def test_in_different_blocks_of_a_day(self):
        trip = plan(day(block(hotel("甲")), leg(CITY, "苏州市"), block(hotel("乙"), city="苏州市")))
        assert self.RULE in issues(trip)


class TestChildren:
    RULE = "child_without_adult"
    FAMILY = {"child_members": [{"user": "User3", "role": "幼儿（0-8岁）"}]}

    def rests_at(self, first: str = "10:00", second: str = "10:00") -> Json:
        return one_day(rest(first, "12:00", ["User1"]), rest(second, "12:30", ["User2"]))

    def test_all_adults_on_other_branches(self):
        assert issues(self.rests_at(), tables=COUPLE, **self.FAMILY) == [self.RULE]
        assert issues(self.rests_at(), tables=COUPLE, **self.FAMILY, profile="published") == []
        assert issues(self.rests_at(), tables=COUPLE) == []

    def test_one_adult_stays(self):
        trio = {**COUPLE, "User4": table()}
        assert issues(self.rests_at(), tables=trio, **self.FAMILY) == []

    def test_together_is_no_split(self):
        together = one_day(rest("10:00", "12:00", ["User1", "User2"]))
        assert issues(together, tables=COUPLE, **self.FAMILY) == []

    def test_one_after_the_other(self):
        turns = one_day(rest("10:00", "12:00", ["User1"]), rest("12:00", "14:00", ["User2"]))
        assert issues(turns, tables=COUPLE, **self.FAMILY) == []

    def test_a_chain_in_which_somebody_is_always_free(self):
        trio = {**COUPLE, "User4": table()}
        chain = one_day(
            rest("10:00", "11:00", ["User1"]),
            rest("10:30", "11:30", ["User2"]),
            rest("11:15", "12:00", ["User4"]),
        )
        assert issues(chain, tables=trio, **self.FAMILY) == []

    def test_an_older_child_is_no_adult(self):
        given = record(self.rests_at(), {**COUPLE, "User4": table()}, child_members=[{"user": "User3"}])
        given["effective_preferences"]["User4"]["role"] = "孩子（8-18岁）"
        score = score_record(given, Catalogue({}), "paper")
        assert [issue["type"] for issue in score["pv_issues"]] == [self.RULE]
        given["effective_preferences"]["User4"]["role"] = "男友B"
        assert score_record(given, Catalogue({}), "paper")["pv"]

    def test_a_published_record_tells_of_children_by_its_head_count_only(self):
        assert issues(self.rests_at(), tables=COUPLE, query="杭州市，三天两夜，3人的旅行计划") == [self.RULE]
        assert issues(self.rests_at(), tables=COUPLE, query="杭州市，三天两夜，2人的旅行计划") == []

    def test_a_price_in_the_query_is_no_head_count(self):
        assert issues(self.rests_at(), tables=COUPLE, query="预算5000人民币，2人出行") == []
        assert issues(self.rests_at(), tables=COUPLE, query="预算5000人民币，一家三口") == [self.RULE]

    def test_a_branch_that_names_the_child_with_an_adult(self):
        trip = one_day(rest("10:00", "12:00", ["User1", "User3"]), rest("10:00", "12:00", ["User2"]))
        assert self.RULE not in issues(trip, tables=COUPLE, **self.FAMILY)


class TestServices:
    RULE = "unmatched_service"

    def only_this(self, trip: Json, *results: Json) -> bool:
        return self.RULE in issues(trip, *results)

    def test_mode_cities_and_times_are_those_of_a_service(self):
        offered = trains("上海市", CITY, ("08:00", "09:00"))
        assert issues(plan(day(leg("上海市", CITY))), offered) == []
        assert issues(plan(day(leg("上海", "杭州"))), offered) == []
        for other in (
            leg("上海市", CITY, start="08:05"),
            leg("上海市", CITY, end="09:05"),
            leg("上海市", CITY, "火车"),
            leg("上海市", CITY, "飞机"),
            leg("苏州市", CITY),
            leg(CITY, "上海市"),
        ):
            assert self.only_this(plan(day(other)), offered), other
            assert issues(plan(day(other)), offered, profile="published") == []

    def test_times_are_compared_as_times(self):
        assert (
            issues(plan(day(leg("上海市", CITY, start="8:00"))), trains("上海市", CITY, ("08:00", "09:00")))
            == []
        )

    def test_a_flight(self):
        flights = {
            "origin": "上海市",
            "destination": CITY,
            "flights": [{"depart": "08:00", "arrive": "09:00", "price": 50}],
        }
        trip = plan(day(leg("上海市", CITY, "飞机")))
        assert issues(trip, answer("travel_search_flights", flights)) == []

    def test_a_drive_takes_at_least_as_long_as_its_route(self):
        way = drive("上海市", CITY, 60, 50)
        assert issues(plan(day(leg("上海市", CITY, "自驾"))), way) == []
        assert self.only_this(plan(day(leg("上海市", CITY, "自驾", "08:00", "08:30"))), way)
        assert self.only_this(plan(day(leg("苏州市", CITY, "自驾"))), way)

    @pytest.mark.parametrize("tool", ["maps_geo", "search_poi", "get_poi_detail"])
    def test_a_drive_between_coordinates_that_tools_found_in_the_cities(self, tool):
        """Routes are asked for by coordinates, and then name nothing else."""

        def spot(city: str, location: str) -> Json:
            told = {"name": "somewhere", "city": city, "location": location, "price": 0}
            return answer(tool, {"total": 1, "pois": [told]} if tool == "search_poi" else told)

        way = drive("121.473700,31.230400", "120.155000,30.274000", 60, 50)
        start, end = spot("上海", "121.4737,31.2304"), spot(CITY, "120.155,30.274")
        trip = plan(day(leg("上海市", CITY, "自驾")))
        assert issues(trip, start, end, way) == []
        assert self.only_this(trip, start, way)
        assert self.only_this(trip, start, spot(CITY, "120.156,30.274"), way)
        assert self.only_this(trip, start, spot("苏州", "120.155,30.274"), way)

    def test_a_drive_over_midnight(self):
        assert (
            issues(plan(day(leg("上海市", CITY, "自驾", "23:30", "00:40"))), drive("上海市", CITY, 60, 50))
            == []
        )

    def test_without_readable_results_nothing_can_be_checked(self):
        trip = plan(day(leg("上海市", CITY, avg_cost=None)))
        assert uncheckable_issues(trip) == [(self.RULE, "no_results")]
        assert uncheckable_issues(trip, answer("travel_search_trains", "G1 08:00")) == [
            (self.RULE, "unreadable")
        ]
        assert uncheckable_issues(trip, answer("travel_search_flights", "free text")) == []

    @pytest.mark.parametrize("refused", REFUSALS)
    def test_a_search_that_failed_returned_no_service(self, refused):
        trip = plan(day(leg("上海市", CITY, avg_cost=None)))
        assert self.only_this(trip, refused("travel_search_trains"))
        assert uncheckable_issues(trip, refused("travel_search_trains")) == []

    def test_the_nearest_services_would_mend_it(self):
        offered = trains("上海市", CITY, ("07:00", "08:00"), ("12:00", "13:00"))
        (issue,) = score_trip(plan(day(leg("上海市", CITY))), offered)["evidence"]["validity"]
        assert issue["mend"] == "Take one of those returned: 07:00–08:00, 12:00–13:00."


class TestEveryItemCarriesACost:
    @pytest.mark.parametrize("part", [sight("西湖"), ride("a", "b")])
    def test_sights_and_local_transport_too(self, part):
        lacking = {key: value for key, value in part.items() if key != "avg_cost"}
        named = {"type": "missing_avg_cost", "day": 1, "location": part.get("location", part.get("to"))}
        for given in (lacking, part | {"avg_cost": None}):
            assert score_trip(one_day(given))["pv_issues"] == [named]
            assert issues(one_day(given), profile="published") == []

    @pytest.mark.parametrize("cost", [0, 12.5, "", "12"])
    def test_any_cost_is_one(self, cost):
        assert issues(one_day(ride("a", "b") | {"avg_cost": cost})) == []

    def test_meals_hotels_and_legs_are_named_once(self):
        bare = [leg(FAR, CITY, avg_cost=None), block(meal("面馆", avg_cost=None), hotel(avg_cost=None))]
        assert issues(plan(day(*bare))).count("missing_avg_cost") == 3

    def test_rest_and_other_kinds_cost_nothing(self):
        assert issues(one_day(rest(), rest("15:00", "16:00") | {"type": "shopping"})) == []


class TestRequiredLegs:
    LEG_THERE, LEG_BACK = leg(FAR, CITY), leg(CITY, FAR, start="20:00", end="21:00")
    STAY = block(rest())

    def legs(self, *segments: Json, home: str | None = FAR) -> list[tuple[str, str, str]]:
        found = score_trip(plan(day(*segments)), departure_city=home)["evidence"]["validity"]
        return [
            (i["message"]["key"], i["message"]["params"]["from_city"], i["message"]["params"]["to_city"])
            for i in found
            if i["type"] == "missing_required_leg"
        ]

    def test_there_and_back(self):
        assert self.legs(self.LEG_THERE, self.STAY, self.LEG_BACK) == []
        assert self.legs(self.STAY, self.LEG_BACK) == [("no_departure", FAR, CITY)]
        assert self.legs(self.LEG_THERE, self.STAY) == [("no_return", CITY, FAR)]
        assert len(self.legs(self.STAY)) == 2

    def test_a_suffix_makes_no_other_city(self):
        assert self.legs(self.LEG_THERE, self.STAY, self.LEG_BACK, home="上海") == []

    @pytest.mark.parametrize("wrong", [leg("苏州市", CITY), leg(FAR, "苏州市"), leg(FAR, "")])
    def test_a_leg_between_other_cities_is_none(self, wrong):
        assert self.legs(wrong, self.STAY, self.LEG_BACK) == [("no_departure", FAR, CITY)]

    def test_several_legs_may_lead_there(self):
        over = leg(FAR, "苏州市"), leg("苏州市", CITY, start="10:00", end="11:00")
        assert self.legs(*over, self.STAY, self.LEG_BACK) == []

    def test_who_begins_or_ends_at_home_needs_none(self):
        home = block(rest("06:00", "07:00"), city=FAR)
        assert self.legs(home, self.LEG_THERE, self.STAY, self.LEG_BACK) == []
        assert (
            self.legs(self.LEG_THERE, self.STAY, self.LEG_BACK, block(rest("22:00", "23:00"), city=FAR)) == []
        )
        assert self.legs(self.STAY, home=CITY) == []

    def test_first_and_last_are_those_of_the_whole_trip(self):
        days = day(self.LEG_THERE), day(self.STAY, number=2), day(self.LEG_BACK, number=3)
        assert issues(plan(*days), departure_city=FAR)[2:] == []
        far = day(block(rest(), city="苏州市"), number=2)
        found = score_trip(plan(day(self.LEG_THERE, self.STAY), far), departure_city=FAR)["pv_issues"]
        assert found[-1] == {"type": "missing_required_leg", "day": 2, "from_city": "苏州市", "to_city": FAR}

    def test_legs_tell_the_cities_where_no_block_does(self):
        nowhere = block(rest(), city="")
        assert (
            self.legs(self.LEG_THERE, nowhere, self.LEG_BACK)
            == self.legs(self.LEG_THERE, self.LEG_BACK)
            == []
        )
        assert self.legs(self.LEG_THERE, nowhere) == self.legs(self.LEG_THERE) == [("no_return", CITY, FAR)]

    def test_it_is_no_rule_of_the_published_profile(self):
        assert issues(plan(day(self.STAY)), profile="published", departure_city=FAR) == []

    def test_the_task_may_name_the_city(self):
        named = {"departure_city": None, "metadata": {"departure_city": FAR}}
        assert issues(plan(day(self.LEG_THERE, self.STAY)), **named)[-1] == "missing_required_leg"

    @pytest.mark.parametrize("city", [None, "", 3, {}])
    def test_without_the_city_it_can_not_be_checked(self, city):
        trip = plan(day(self.STAY))
        assert issues(trip, departure_city=city) == []
        assert uncheckable_issues(trip, departure_city=city) == [
            ("missing_required_leg", "no_departure_city")
        ]
        assert uncheckable_issues(plan(day(block(rest(), city=""))), departure_city=city) == []


class TestTimeline:
    def test_an_arrival_is_compared_with_what_follows_and_a_departure_with_what_comes_before(self):
        visit = block(sight("西湖", "10:00", "12:00"))
        late, early = leg(FAR, CITY, end="11:00"), leg(CITY, FAR, start="11:00", end="13:00")
        fine = leg(FAR, CITY, end="10:00"), visit, leg(CITY, FAR, start="12:00", end="13:00")
        for profile in ("published", "paper"):
            kind = "timeline_order_violation"
            assert issues(plan(day(late, visit)), profile=profile).count(kind) == 1
            assert issues(plan(day(visit, early)), profile=profile).count(kind) == 1
            assert kind not in issues(plan(day(*fine)), profile=profile)


class TestTrials:
    CRASHED_RECORD = {"task_id": "t", "pc": None, "gu": None, "gf": None, "pv": None}
    FINE = {"task_id": "t", "pc": 1.0, "gu": 6.0, "gf": 80.0, "pv": True}

    def test_a_crashed_trial_scores_zero(self):
        assert averages([self.FINE, self.CRASHED_RECORD], profile="paper") == {
            "pc": 0.5,
            "gu": 3.0,
            "gf": 40.0,
            "pv": 0.5,
        }
        assert averages([self.FINE, self.CRASHED_RECORD]) == {"pc": 1.0, "gu": 6.0, "gf": 80.0, "pv": 1.0}

    def test_without_a_crash_the_profiles_agree(self):
        assert averages([self.FINE, self.FINE], profile="paper") == averages([self.FINE, self.FINE])


def test_all_that_is_published_holds_in_the_paper_profile_too():
    broken = plan(day(block(hotel(avg_cost=None), rest("10:00", "09:00"), meal("外婆家", who=["User8"]))))
    assert set(issues(broken, profile="published")) <= set(issues(broken))


def test_what_can_not_be_checked_is_no_issue():
    score = score_trip(one_day(meal("外婆家")))
    assert score["pv"] and score["pv_issue_counts"] == {}
    (entry,) = score["evidence"]["not_checkable"]
    assert (entry["day"], entry["segment"], entry["activity"], entry["location"]) == (1, 0, 0, "外婆家")
    assert entry["reason"] in REASONS


def test_every_message_has_a_mend():
    assert set(MENDS) == set(MESSAGES)


@pytest.mark.parametrize(
    "result", [None, 3, [], {}, "[", '{"pois": [null]}', '{"pois": [{"name": 3, "price": []}]}']
)
@pytest.mark.parametrize(
    "tool",
    [
        "search_poi",
        "get_poi_detail",
        "travel_search_trains",
        "plan_route",
        "compare_routes",
        "search_along_route",
    ],
)
def test_odd_results_never_raise(tool, result):
    odd = {"type": "tool_result", "name": tool, "result": result, "error": False}
    score_trip(plan(day(leg("上海市", CITY), leg(CITY, "a", "自驾"), block(meal("外婆家")))), odd)


LAKE, TEMPLE = "120.1400,30.2500", "120.1400,30.2680"
"""Two kilometres apart, one north of the other."""


def spots(**located: str) -> Json:
    pois = [
        {"name": name, "city": CITY, "price": 10, "location": location} for name, location in located.items()
    ]
    return answer("search_poi", {"total": len(pois), "pois": pois})


class TestInfeasibleTransport:
    RULE = "infeasible_transport"
    BOTH = spots(西湖=LAKE, 灵隐寺=TEMPLE)

    def way(self, mode: str | None, minutes: int, *results: Json, **more: Any) -> list[str]:
        moved = {**ride("西湖", "灵隐寺", "10:00", f"10:{minutes:02d}"), "transport_mode": mode}
        trip = one_day(sight("西湖"), moved, sight("灵隐寺", "11:00", "12:00"))
        return issues(trip, *(results or (self.BOTH,)), **more)

    @pytest.mark.parametrize(
        ("mode", "feasible", "too_fast"),
        [
            *[(mode, 16, 14) for mode in ("步行", "walk", "Walking", "on foot", "步行/散步", " 徒步 ")],
            *[(mode, 5, 3) for mode in ("骑行", "bike", "步行+骑行")],
            *[
                (mode, 2, 1)
                for mode in ("打车", "地铁", "taxi", "步行+地铁", "walk, then metro", "", None, 3)
            ],
        ],
    )
    def test_nobody_goes_faster_than_the_mode_allows(self, mode, feasible, too_fast):
        assert self.way(mode, feasible) == []
        assert self.way(mode, too_fast) == [self.RULE]
        assert self.way(mode, too_fast, profile="published") == []

    def test_the_evidence_says_how_far_and_how_fast(self):
        trip = one_day(sight("西湖"), {**ride("西湖", "灵隐寺", "10:00", "10:01"), "transport_mode": "步行"})
        (issue,) = [i for i in score_trip(trip, self.BOTH)["evidence"]["validity"] if i["type"] == self.RULE]
        said = issue["message"]["params"]
        assert (said["km"], said["minutes"], said["kmh"], said["most"]) == ("2.0", 1, "120", "8")
        assert (issue["segment"], issue["activity"], issue["location"]) == (0, 1, "灵隐寺")
        assert "16 min" in issue["mend"]

    def test_the_tolerances_are_parameters(self):
        trip = prepare(
            one_day(sight("西湖"), {**ride("西湖", "灵隐寺", "10:00", "10:14"), "transport_mode": "步行"}),
            ["User1"],
            Catalogue({}),
        )
        told = Background(read_record({"conversation_history": [self.BOTH]}))
        for most, found_ in ((8, 1), (9, 0)):
            assert len(list(infeasible_transport(Tolerances(walk_kmh=most))(trip, told))) == found_

    def test_every_tool_that_tells_where_a_place_lies_counts(self):
        geo = [
            answer("maps_geo", {"name": n, "city": CITY, "location": at})
            for n, at in (("西湖", LAKE), ("灵隐寺", TEMPLE))
        ]
        detail = [
            answer("get_poi_detail", {"name": n, "city": CITY, "location": at})
            for n, at in (("西湖", LAKE), ("灵隐寺", TEMPLE))
        ]
        ends = {
            "origin": {"name": "西湖", "location": LAKE},
            "destination": {"name": "灵隐寺", "location": TEMPLE},
        }
        route = [answer("plan_route", {"mode": "walking", **ends, "duration_minutes": 30})]
        for told in (geo, detail, route):
            assert self.RULE in self.way("步行", 1, *told), told

    def test_a_name_of_several_places_is_the_nearest(self):
        near = spots(西湖=LAKE, 灵隐寺="120.1400,30.2501")
        assert self.way("步行", 1, self.BOTH, near) == []

    def test_a_place_of_that_name_in_another_city_is_another(self):
        far = answer(
            "search_poi", {"pois": [{"name": "灵隐寺", "city": FAR, "price": 10, "location": TEMPLE}]}
        )
        trip = one_day({**ride("西湖", "灵隐寺", "10:00", "10:01"), "transport_mode": "步行"})
        assert uncheckable_issues(trip, spots(西湖=LAKE), far) == [(self.RULE, "no_coordinates")]

    def test_where_no_tool_tells_where_both_lie_it_can_not_be_checked(self):
        trip = one_day(ride("西湖", "灵隐寺", "10:00", "10:01"))
        assert uncheckable_issues(trip) == [(self.RULE, "no_results")]
        assert uncheckable_issues(trip, spots(西湖=LAKE)) == [(self.RULE, "no_coordinates")]
        assert uncheckable_issues(trip, spots(西湖="somewhere", 灵隐寺=TEMPLE)) == [
            (self.RULE, "no_coordinates")
        ]

    def test_a_stay_at_one_place_is_no_way(self):
        assert issues(one_day({**ride("西湖", "西湖", "10:00", "10:01"), "transport_mode": "步行"})) == []

    @pytest.mark.parametrize(("end", "feasible"), [("08:29", False), ("08:30", True), ("08:00", False)])
    def test_a_leg_takes_half_of_the_fastest_service_at_least(self, end, feasible):
        offers = trains("上海市", CITY, ("06:00", "07:00"), ("09:00", "11:00"))
        trip = plan(day(leg("上海市", CITY, start="08:00", end=end)))
        assert (self.RULE in issues(trip, offers)) is not feasible
        assert self.RULE not in issues(trip, offers, profile="published")

    def test_a_night_train_and_a_drive_are_measured_too(self):
        offers = trains(FAR, CITY, ("22:00", "06:00"), mode="火车")
        night = plan(day(leg(FAR, CITY, "火车", start="23:00", end="02:00")))
        assert self.RULE in issues(night, offers)
        car = plan(day(leg(FAR, CITY, "自驾", start="08:00", end="08:40")))
        assert self.RULE in issues(car, drive(FAR, CITY, 150, 300))

    def test_a_leg_without_a_service_is_another_issue(self):
        trip = plan(day(leg("上海市", CITY, start="08:00", end="08:01")))
        assert issues(trip, trains(CITY, FAR, ("08:00", "09:00"))) == ["cost_mismatch", "unmatched_service"]


class TestOverlapWithLodging:
    RULE = "time_overlap"

    def lodging_issues(self, *activities: Json, profile: str = "paper", **more: Any) -> list[str]:
        trip = plan(day(block(*activities)))
        return [i for i in issues(trip, profile=profile, **more) if i == self.RULE]

    def test_a_visit_while_the_group_is_in_its_hotel(self):
        for night in (hotel(start="14:00", end="22:00"), hotel(start="14:00", end="08:00")):
            assert self.lodging_issues(sight("西湖", "15:00", "16:00"), night) == [self.RULE]
            assert self.lodging_issues(night, sight("西湖", "15:00", "16:00")) == [self.RULE]
            assert self.lodging_issues(sight("西湖", "15:00", "16:00"), night, profile="published") == []

    def test_what_touches_or_is_over_is_none(self):
        assert self.lodging_issues(sight("西湖", "15:00", "21:00"), hotel(start="21:00")) == []
        assert self.lodging_issues(hotel(start="13:00", end="14:00"), sight("西湖", "14:00", "16:00")) == []

    def test_the_morning_after_and_a_rest_are_none(self):
        days = day(block(hotel())), day(block(sight("西湖", "07:00", "09:00")), number=2)
        assert self.RULE not in issues(plan(*days))
        assert self.lodging_issues(rest("15:00", "16:00"), hotel(start="14:00")) == []

    def test_every_user_who_takes_part_has_one(self):
        both = sight("西湖", "15:00", "16:00"), meal("外婆家", "15:00", "16:00", ["User2"])
        night = hotel(start="14:00", end="22:00")
        assert self.lodging_issues(both[0], night, tables=COUPLE) == [self.RULE] * 2
        assert self.lodging_issues(both[1], night, tables=COUPLE) == [self.RULE]

    def test_it_holds_over_the_blocks_of_a_day(self):
        trip = plan(day(block(hotel(start="14:00", end="22:00")), block(ride("a", "b", "15:00", "15:20"))))
        assert self.RULE in issues(trip)


def test_there_is_one_check_for_each_rule_about_plans():
    assert len(PAPER_CHECKS) == 9
