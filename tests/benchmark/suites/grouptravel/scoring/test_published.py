"""How plans and tables are read that hold what they should not, sentence by sentence of the published rules."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from benchmark.suites.grouptravel.itineraries.reading import members
from benchmark.suites.grouptravel.scoring import Catalogue, score_record
from benchmark.suites.grouptravel.scoring.leniency import items, iterate_participants, party
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
    score,
    sight,
    table,
)

FAR = "上海市"


def issues_of(trip: Json, *kinds: str, users: tuple[str, ...] = ("User1",), places: Any = ()) -> list[Json]:
    """The issues of these kinds as the figures list them, without the kind where there is one alone."""
    listed = score(trip, *places, tables={user: table() for user in users})["pv_issues"]
    held = [issue for issue in listed if issue["type"] in kinds]
    return [{k: v for k, v in i.items() if k != "type"} for i in held] if len(kinds) == 1 else held


def movers(
    *activities: Json, users: tuple[str, ...] = ("User1",), arrive: bool = False
) -> list[tuple[str, Any]]:
    """Who gets from place to place without fitting transport, and in which way."""
    segments = [leg(FAR, CITY, start="06:00", end="07:00")] if arrive else []
    kinds = {"missing_intracity_transport": "gap", "intracity_transport_origin_mismatch": "origin"}
    listed = issues_of(plan(day(*segments, block(*activities))), *kinds, users=users)
    return [(kinds[issue["type"]], issue["user"]) for issue in listed]


class TestParticipants:
    @pytest.mark.parametrize("who", [None, [], ["All"], "", {}, 0, False])
    def test_missing_empty_or_all_is_everyone(self, who):
        assert members(who, ["a", "b"]) == {"a", "b"}

    @given(
        st.text("ab、", min_size=1, max_size=4), st.lists(st.text("ab", min_size=1, max_size=2), unique=True)
    )
    def test_a_text_holds_the_names_that_are_a_part_of_it(self, text, users):
        assert members(text, users) == {user for user in users if user in text}
        assert party(text) == set(text)
        assert list(iterate_participants(text)) == list(text)

    @given(st.lists(st.sampled_from(["a", "b", "All", "z", 1, None]), min_size=1))
    def test_a_list_is_taken_as_it_is(self, who):
        assert members(who, ["a", "b"]) == ({"a", "b"} if who == ["All"] else {"a", "b"} & set(who))
        assert (party(who), list(iterate_participants(who))) == (set(who), who)

    def test_an_object_acts_as_its_keys(self):
        assert members({"a": 0, "z": 1}, ["a", "b"]) == {"a"}
        assert party({"a": 0, "z": 1}) == {"a", "z"}

    @pytest.mark.parametrize("who", [7, True, 1.5])
    def test_a_number_is_nobody(self, who):
        assert members(who, ["a"]) == set() and list(iterate_participants(who)) == []

    def test_all_as_a_text_is_nobody(self):
        assert (
            score(one_day(meal("a", who="All", avg_cost=9)), tables={"User1": table(avg_budget=1)})["gu"] == 0
        )

    @given(st.lists(st.sampled_from(["ab", "cd", "bc", "d"]), min_size=2, max_size=4))
    def test_texts_split_by_their_characters(self, texts):
        steps = [sight(str(i), who=text) for i, text in enumerate(texts)]
        sets = {frozenset(text) for text in texts}
        apart = all(not one & other for one, other in combinations(sets, 2))
        assert score(one_day(*steps))["split_penalty"] == (len(sets) - 1 if apart else 0)

    def test_items_that_are_no_texts_are_parties(self):
        assert score(one_day(sight("a", who=[1]), sight("b", who=["User1"])))["split_penalty"] == 1
        assert score(one_day(sight("a", who=[1]), sight("b", who=[1, 2])))["split_penalty"] == 0


class TestPositions:
    def test_a_missing_place_or_origin_is_none_and_the_position_stays(self):
        nameless = [{k: v for k, v in sight("a").items() if k != "location"}, meal("b", location=None)]
        away = [{k: v for k, v in ride("x", "y").items() if k != key} for key in ("from", "to")]
        assert movers(sight("西湖"), *nameless, sight("西湖")) == []
        assert movers(sight("西湖"), away[0], sight("y")) == []
        assert movers(sight("西湖"), ride("西湖", None), sight("西湖")) == []
        assert movers(sight("西湖"), away[1], sight("西湖")) == [("origin", "User1")]

    def test_an_empty_text_and_a_number_are_places(self):
        assert movers(sight("西湖"), meal("")) == [("gap", "User1")]
        assert movers(sight("西湖"), meal(""), sight("")) == [("gap", "User1")]
        assert movers(sight("西湖"), ride("", "a")) == [("origin", "User1")]
        assert movers(sight(5), ride(5, 7), meal(7), meal(8)) == [("gap", "User1")]

    def test_a_hotel_without_a_name_moves_nobody_but_on_arrival(self):
        assert movers(sight("西湖"), hotel(""), sight("西湖")) == [("gap", "User1")]
        assert movers(hotel(""), sight("西湖"), arrive=True) == [("gap", "User1")] * 2

    @pytest.mark.parametrize("kind", ["shopping", "", None, "Attraction", "intercity_transport"])
    def test_other_kinds_have_no_place(self, kind):
        other = sight("别处") | {"type": kind}
        assert movers(sight("西湖"), other, sight("西湖")) == []
        assert movers(other, ride("x", "西湖"), sight("西湖"), arrive=True) == [("gap", "User1")]

    def test_after_an_arrival_the_first_part_but_rest_is_transport(self):
        assert movers(rest(), ride("anywhere", "西湖"), sight("西湖"), arrive=True) == []
        assert movers(rest(), sight("西湖"), sight("西湖"), arrive=True) == [("gap", "User1")]
        assert movers(sight(None), ride("x", "西湖"), sight("西湖"), arrive=True) == [("gap", "User1")]

    def test_transport_without_a_destination_leaves_the_user_at_the_hub(self):
        assert movers(ride("x", None), sight("西湖"), arrive=True) == [("gap", "User1")]
        assert movers(ride("x", None), ride("y", "西湖"), sight("西湖"), arrive=True) == []

    def test_an_arrival_concerns_the_users_of_the_group_alone(self):
        before = block(sight("西湖", who=("User9", "User1")))
        after = block(sight("灵隐寺", who=("User9", "User1")))
        trip = plan(day(before, leg(CITY, CITY), after))
        kind = "missing_intracity_transport"
        assert [issue["user"] for issue in issues_of(trip, kind)] == ["User9", "User1"]
        messages = [i["message"]["key"] for i in score(trip)["evidence"]["validity"] if i["type"] == kind]
        assert messages == ["no_transport", "no_transport_after_leg"]
        assert movers(sight("西湖", who=("User9",)), arrive=True) == []

    def test_listed_participants_are_followed_as_listed(self):
        assert movers(sight("西湖", who=["All", "User1"]), sight("灵隐寺", who=["All", "User1"])) == [
            ("gap", "All"),
            ("gap", "User1"),
        ]
        twice = ["User1", "User1"]
        assert movers(sight("西湖"), ride("西湖", "灵隐寺", who=twice)) == [("origin", "User1")]
        assert movers(sight("西湖", who=[1]), sight("灵隐寺", who=[1])) == [("gap", 1)]

    @given(st.text("ab", min_size=1, max_size=5))
    def test_a_text_is_walked_by_characters(self, who):
        """Each first character finds its own position unknown; the second time it stands there."""
        seen = [("gap", letter) for letter in dict.fromkeys(who)]
        assert movers(sight("西湖", who=who), sight("灵隐寺", who=who)) == seen

    def test_positions_are_forgotten_each_morning(self):
        days = [day(block(sight(name)), number=n) for n, name in enumerate(("西湖", "灵隐寺"))]
        assert issues_of(plan(*days), "missing_intracity_transport") == []

    def test_positions_carry_across_the_blocks_of_a_day(self):
        trip = plan(day(block(sight("西湖")), block(sight("灵隐寺"))))
        assert len(issues_of(trip, "missing_intracity_transport")) == 1


class TestTimeline:
    def order(self, *segments: Json, users: tuple[str, ...] = ("User1",)) -> list[Json]:
        return issues_of(plan(day(*segments)), "timeline_order_violation", users=users)

    def test_a_late_arrival_is_everybodys(self):
        late = leg(FAR, CITY, end="11:00")
        users = ("User1", "User2")
        assert self.order(late, block(sight("a", "10:00", "12:00")), users=users) == [
            {"day": 1, "user": user} for user in users
        ]
        assert self.order(late, block(sight("a", "11:00", "12:00"))) == []

    def test_a_departure_before_the_end(self):
        assert (
            len(self.order(block(sight("a", "10:00", "12:00")), leg(CITY, FAR, start="11:00", end="13:00")))
            == 1
        )

    def test_an_earlier_end_of_a_leg_replaces_the_previous_one(self):
        steps = block(sight("a", "10:00", "12:00")), leg(CITY, FAR, start="08:00", end="09:00")
        assert len(self.order(*steps, block(sight("b", "09:30", "10:00")))) == 1

    def test_a_night_leg_never_replaces_it(self):
        night = leg(CITY, FAR, start="22:00", end="06:00")
        assert self.order(night, block(sight("a", "05:00", "06:00"))) == []
        assert (
            len(self.order(block(sight("a", "10:00", "12:00")), night, block(sight("b", "09:00", "10:00"))))
            == 1
        )

    def test_the_readable_end_of_an_unreadable_start_still_replaces(self):
        assert len(self.order(block(sight("a", "早上", "12:00"), sight("b", "11:00", "13:00")))) == 1

    def test_the_start_of_a_hotel_is_checked_and_its_end_never_counts(self):
        assert len(self.order(block(sight("a", "10:00", "12:00"), hotel(start="11:00", end="23:00")))) == 1
        assert self.order(block(hotel(start="08:00", end="12:00"), sight("a", "09:00", "10:00"))) == []

    def test_the_issue_of_a_leg_stands_at_the_leg(self):
        trip = plan(day(block(sight("a", "10:00", "12:00")), leg(CITY, FAR, start="11:00", end="13:00")))
        (issue,) = [i for i in score(trip)["evidence"]["validity"] if i["type"] == "timeline_order_violation"]
        assert (issue["segment"], issue["activity"], issue["location"]) == (1, None, f"{CITY} → {FAR}")


CITY_NAMES = st.sampled_from([CITY, CITY.removesuffix("市"), FAR, "", None])
UNNAMED_BLOCK = st.builds(lambda: {"activities": [rest()]})
BLOCK = st.builds(lambda city: block(rest(), city=city), CITY_NAMES)
LEG = st.builds(lambda city: leg(FAR, city), CITY_NAMES)
LEG_TO_NOWHERE = st.builds(lambda: {"type": "intercity_transport", "from_city": FAR, "avg_cost": 1})
SEGMENTS = st.lists(st.one_of(UNNAMED_BLOCK, BLOCK, LEG, LEG_TO_NOWHERE), max_size=4)


def gaps_by_the_sentences(days: list[list[Json]]) -> list[tuple[Any, Any, Any]]:
    """The gaps worked out from pairs of neighbours, each sentence of the rule for itself."""
    short = {CITY: CITY.removesuffix("市"), FAR: FAR.removesuffix("市")}
    walks = [[(is_leg(s), city_named(s)) for s in day_ if is_leg(s) or "city" in s] for day_ in days]
    found_gaps = [
        (n, before, city)
        for n, walk in enumerate(walks, 1)
        for (_, before), (by_leg, city) in pairwise(walk)
        if not by_leg and before is not None and short.get(before, before) != short.get(city, city)
    ]
    for n in range(2, len(days) + 1):
        evening, morning = walks[n - 2], walks[n - 1]
        if not evening or not morning or is_leg(days[n - 1][0]) or morning[0] == (True, None):
            continue
        before, city = evening[-1][1], morning[0][1]
        if before and short.get(before, before) != short.get(city, city):
            found_gaps.append((n, before, city))
    return found_gaps


def is_leg(segment: Json) -> bool:
    return segment.get("type") == "intercity_transport"


def city_named(segment: Json) -> Any:
    return segment.get("to_city", "") if is_leg(segment) else segment["city"]


class TestCities:
    def gaps(self, *days: list[Json]) -> list[tuple[Any, Any, Any]]:
        trip = plan(*[day(*segments, number=n) for n, segments in enumerate(days, 1)])
        listed = issues_of(trip, "missing_intercity_transport")
        return [(issue["day"], issue["from_city"], issue["to_city"]) for issue in listed]

    def leg_without(self, **given: Any) -> Json:
        return {key: value for key, value in {**leg(FAR, "x"), **given}.items() if value != "x"}

    def test_a_leg_without_its_city_counts_as_empty_and_null_as_nothing(self):
        assert self.gaps([self.leg_without(), block(rest())]) == [(1, "", CITY)]
        assert self.gaps([self.leg_without(to_city=None), block(rest())]) == []

    def test_a_block_with_an_empty_or_null_city_is_a_gap_and_one_without_is_passed_over(self):
        for city in ("", None):
            assert self.gaps([block(rest()), block(rest(), city=city)]) == [(1, CITY, city)]
        assert self.gaps([block(rest()), {"activities": [rest()]}, block(rest())]) == []
        assert self.gaps([block(rest()), {"activities": [rest()]}, block(rest(), city=FAR)]) == [
            (1, CITY, FAR)
        ]

    def test_overnight_only_the_day_before_counts(self):
        assert self.gaps([block(rest())], [block(rest(), city=FAR)]) == [(2, CITY, FAR)]
        assert self.gaps([block(rest())], [], [block(rest(), city=FAR)]) == []
        assert self.gaps([block(rest()), self.leg_without()], [block(rest(), city=FAR)]) == []
        assert self.gaps([block(rest())], [leg(CITY, FAR), block(rest(), city=FAR)]) == []
        assert self.gaps([block(rest()), leg(CITY, FAR)], [block(rest())]) == [(2, FAR, CITY)]

    def test_a_leg_behind_a_block_without_a_city_is_compared_by_where_it_leads(self):
        unnamed, before = {"activities": [rest()]}, [block(rest())]
        assert self.gaps(before, [unnamed, leg(CITY, FAR), block(rest(), city=FAR)]) == [(2, CITY, FAR)]
        assert self.gaps(before, [unnamed, leg(FAR, CITY), block(rest())]) == []
        assert self.gaps(before, [unnamed, unnamed, self.leg_without()]) == [(2, CITY, "")]
        assert self.gaps(before, [unnamed, self.leg_without(to_city=None)]) == []
        assert self.gaps(before, [leg(CITY, FAR), unnamed, block(rest(), city=FAR)]) == []

    @given(st.lists(SEGMENTS, min_size=1, max_size=4))
    @example([[block(rest())], [{"activities": []}, leg(CITY, FAR), block(rest(), city=FAR)]])
    def test_any_days_have_the_gaps_that_the_sentences_say(self, days):
        assume(days[0])
        assert self.gaps(*days) == gaps_by_the_sentences(days)

    def test_gaps_inside_days_come_first(self):
        first, second = [block(rest()), block(rest(), city=FAR)], [block(rest()), block(rest(), city=FAR)]
        assert self.gaps(first, second) == [(1, CITY, FAR), (2, CITY, FAR), (2, FAR, CITY)]

    @pytest.mark.parametrize(
        ("one", "other"),
        [("苏州", "苏州市"), ("阿里地", "阿里地区"), ("甘孜", "甘孜自治州"), ("桐庐县", "桐庐")],
    )
    def test_one_suffix_is_ignored(self, one, other):
        assert self.gaps([leg(FAR, one), block(rest(), city=other)]) == []

    @pytest.mark.parametrize(
        ("one", "other"),
        [("市", ""), ("苏州市区", "苏州"), ("阿里", "阿里地区"), ("县", "市"), ("自治州", "")],
    )
    def test_not_two_and_not_the_whole_name(self, one, other):
        assert len(self.gaps([leg(FAR, one), block(rest(), city=other)])) == 1


class TestHotels:
    def night(self, *segments: Json) -> list[str]:
        kinds = ("missing_hotel", "hotel_not_last_activity")
        return [issue["type"] for issue in issues_of(plan(day(*segments), day(block(rest()))), *kinds)]

    def test_blocks_without_activities_are_passed_over(self):
        assert self.night(block(hotel()), {"city": CITY}) == []
        assert self.night({"city": CITY}) == ["missing_hotel"]

    def test_an_empty_last_block_is_always_a_missing_hotel(self):
        assert self.night(block(hotel()), block()) == ["missing_hotel"]
        assert self.night(block(hotel()), {"city": CITY, "activities": None}) == ["missing_hotel"]

    def test_a_hotel_elsewhere_in_the_day(self):
        assert self.night(block(hotel()), block(rest())) == ["hotel_not_last_activity"]


class TestNames:
    """What an issue names of its day and place."""

    @pytest.mark.parametrize("label", [3, "一", None, 2.5, [1]])
    def test_the_day_is_the_plans_label_as_it_is(self, label):
        assert (
            issues_of(plan(day(block(sight("a", "x")), number=label)), "invalid_time_format")[0]["day"]
            == label
        )

    def test_a_day_without_a_label_is_0(self):
        trip = plan({"city_segments": [block(sight("a", "x"))]})
        assert issues_of(trip, "invalid_time_format") == [{"day": 0, "location": "a"}]

    @pytest.mark.parametrize(
        ("written", "named"),
        [
            ({"location": None, "to": "b"}, None),
            ({"location": "", "to": "b"}, ""),
            ({"to": "b"}, "b"),
            ({}, ""),
        ],
    )
    def test_the_location_if_it_is_there_else_the_destination(self, written, named):
        activity = {"type": "rest", "start_time": "x", "end_time": "10:00", **written}
        assert issues_of(one_day(activity), "invalid_time_format") == [{"day": 1, "location": named}]

    def test_a_leg(self):
        bad = leg(FAR, CITY, start="x", avg_cost=None)
        assert issues_of(plan(day(bad, block(rest()))), "invalid_time_format") == [{"day": 1, "location": ""}]
        for place_, named in (({"to": "站"}, "站"), ({"location": None, "to": "站"}, None)):
            trip = plan(day(bad | place_, block(rest())))
            assert issues_of(trip, "invalid_time_format") == [{"day": 1, "location": named}]
        costs = issues_of(plan(day(bad, block(rest()))), "missing_avg_cost")
        assert costs == [{"day": 1, "location": f"{FAR}→{CITY}"}]

    def test_by_day_then_segment_and_activity_in_list_order(self):
        first = [
            block(sight("a", "x"), sight("b", "10:00", "09:00")),
            leg(FAR, CITY, start="x") | {"to": "c"},
        ]
        trip = plan(day(*first, block(sight("d", "x"))), day(block(sight("e", "12:00", "11:00")), number=2))
        listed = issues_of(trip, "invalid_time_format", "invalid_time_range")
        assert [issue["location"] for issue in listed] == ["a", "b", "c", "d", "e"]

    def test_costs_in_list_order(self):
        trip = plan(
            day(
                block(meal("a", avg_cost=None)),
                leg(CITY, FAR, avg_cost=None),
                block(hotel("b", avg_cost=None)),
            )
        )
        named = [issue["location"] for issue in issues_of(trip, "missing_avg_cost")]
        assert named == ["a", f"{CITY}→{FAR}", "b"]


def twin_days(first: Any, second: Any) -> Json:
    """A day on which a visit of the lake overlaps a meal, and one with the visit alone."""
    visit = sight("西湖", "09:00", "11:00")
    return plan(
        day(block(visit, meal("x", "10:00", "12:00")), number=first), day(block(visit), number=second)
    )


@given(*[st.sampled_from([1, 2, None, "1", 1.0, True])] * 2)
def test_days_with_equal_labels_share_the_overlap(first, second):
    own = table(sights={"must_visit": ["西湖"]})
    assert score(twin_days(first, second), tables={"User1": own})["gu"] == (0 if first == second else 2)


class TestTables:
    def score_entries(self, entries: Json, users: list[str], trip: Json | None = None) -> Json:
        given = record(trip or one_day(sight("西湖")), users=users) | {"effective_preferences": entries}
        return score_record(given, Catalogue({CITY: [place("西湖", "自然风光")]}))

    def test_an_entry_without_the_level_is_itself_the_table(self):
        own = table(sights={"must_visit": ["西湖"]})
        made = self.score_entries({"User1": own}, ["User1"])
        assert (made["gu"], made["per_user_completeness"]) == (2.0, {"User1": [0, 1]})

    def test_without_global_fields_utility_does_not_count_it_and_fairness_does(self):
        own = table(sights={"must_visit": ["西湖"]})
        flat = {"city_specific_preferences": own["city_specific_preferences"]}
        made = self.score_entries({"User1": flat, "User2": {"preference": own}}, ["User1", "User2", "User3"])
        assert (made["gu"], made["gf"], made["per_user_utility"]) == (2.0, 0.0, {"User2": 2})
        assert made["per_user_completeness"] == {"User1": [0, 1], "User2": [0, 1]}
        assert self.score_entries({"User1": flat}, ["User1"])["gu"] == 0.0

    def test_an_entry_with_neither_is_no_user(self):
        entries = {"User1": {"role": "x"}, "User2": {"preference": table()}}
        made = self.score_entries(entries, ["User1", "User2"])
        assert (made["per_user_utility"], made["per_user_completeness"]["User1"]) == ({"User2": 0}, [0, 0])

    def test_a_table_of_another_name_counts_in_completeness_only(self):
        own = {"preference": table(sights={"must_visit": ["西湖"]})}
        made = self.score_entries({"User1": own, "小宝": own}, ["User1"])
        assert (made["per_user_utility"], made["gf"]) == ({"User1": 2}, 100.0)
        assert made["per_user_completeness"] == {"User1": [0, 1], "小宝": [0, 1]}

    def test_without_any_user_the_penalty_is_of_one(self):
        apart = one_day(sight("a", who=["x"]), sight("b", who=["y"]))
        assert self.score_entries({"User1": {}}, ["User1"], apart)["gu"] == -1.0


class TestTiers:
    def test_items(self):
        assert [list(items(v)) for v in (["a"], "ab", {"a": 1}, 3, None)] == [
            ["a"],
            ["a", "b"],
            ["a"],
            [],
            [],
        ]

    @given(st.text("西湖山", min_size=1, max_size=4))
    def test_names_of_a_text_are_its_characters(self, wanted):
        own = table(sights={"must_visit": wanted})
        expected = 2 * sum(letter in "西湖" for letter in wanted)
        assert score(one_day(sight("西湖")), tables={"User1": own})["gu"] == expected

    @given(
        st.text("高铁火车、", max_size=5),
        st.sampled_from(["高铁", ""]),
        st.sampled_from([("must", 2), ("prefer", 1), ("avoid", -1), ("reject", -2)]),
    )
    @example("", "", ("reject", -2))
    def test_modes_are_searched_in_a_text(self, wanted, mode, tier):
        name, worth = tier
        own = table(transport={name: wanted})
        trip = plan(day(leg(FAR, CITY, mode), block(rest())))
        made = score(trip, tables={"User1": own})
        assert made["gu"] == (worth if mode in wanted else 0)
        assert made["per_user_completeness"] == {"User1": [0, len(wanted)]}

    def test_classes_and_categories_are_searched_in_a_text(self):
        inn, lake = place("湖边旅舍", "客栈", "hotels"), place("西湖", "自然风光")
        own = table(
            hotel_preference={"prefer": "民宿、客栈"}, sights={"category_pref": {"negative": "自然风光多"}}
        )
        assert score(one_day(sight("西湖"), hotel()), inn, lake, tables={"User1": own})["gu"] == 0
        own["global_constraints"]["hotel_preference"] = {"avoid": {"客栈": 1}}
        assert score(one_day(sight("西湖"), hotel()), inn, lake, tables={"User1": own})["gu"] == -2


@pytest.mark.parametrize(("success", "crashed"), [(False, True), (None, False), (True, False), ("-", False)])
def test_only_a_success_of_false_is_a_crash(success, crashed):
    given = record(one_day(rest()))
    del given["success"]
    made = score_record(given | ({} if success == "-" else {"success": success}), Catalogue({}))
    assert (made["pc"] is None, made["gu"] is None) == (crashed, crashed)
