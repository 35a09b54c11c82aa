"""Points for what a plan does to each traveller's preferences."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.benchmark.suites.grouptravel.scoring.build import (
    CITY,
    block,
    day,
    hotel,
    leg,
    meal,
    one_day,
    place,
    plan,
    points,
    rest,
    ride,
    score,
    sight,
    table,
)

LAKE = place("西湖", "自然风光")


def sights(must=(), reject=(), positive=(), negative=()):
    categories = {"positive": list(positive), "negative": list(negative)}
    return table(sights={"must_visit": list(must), "reject_visit": list(reject), "category_pref": categories})


def food(**tiers):
    return table(food={f"{tier}_eat": value for tier, value in tiers.items()})


class TestSights:
    def test_must_and_reject_are_parts_of_a_visited_name(self):
        assert points(one_day(sight("杭州西湖")), sights(must=["西湖"])) == 2
        assert points(one_day(sight("杭州西湖")), sights(reject=["西湖"])) == -2
        assert points(one_day(sight("西")), sights(must=["西湖"])) == 0

    def test_each_item_counts_once(self):
        trip = one_day(sight("西湖"), sight("西湖东岸", "10:00", "11:00"))
        assert points(trip, sights(must=["西湖"])) == 2

    def test_one_visit_may_satisfy_two_items(self):
        assert points(one_day(sight("西湖断桥")), sights(must=["西湖", "断桥"])) == 4

    def test_a_must_place_need_not_be_known(self):
        assert points(one_day(sight("无名湖")), sights(must=["湖"])) == 2

    def test_category_by_name_then_by_catalogue(self):
        assert points(one_day(sight("西湖")), sights(positive=["自然风光"]), LAKE) == 1
        assert points(one_day(sight("西湖")), sights(positive=["西", "自然风光"]), LAKE) == 1
        assert points(one_day(sight("西湖")), sights(positive=["湖"]), LAKE) == 1
        assert points(one_day(sight("西湖")), sights(positive=["自然"]), LAKE) == 0

    def test_liked_and_disliked_count_independently(self):
        own = sights(positive=["自然风光"], negative=["湖", "自然风光"])
        assert points(one_day(sight("西湖")), own, LAKE) == 0

    def test_an_unknown_place_has_no_category_points(self):
        assert points(one_day(sight("东湖")), sights(positive=["湖"]), LAKE) == 0

    def test_a_named_visit_has_no_category_points(self):
        assert points(one_day(sight("西湖")), sights(must=["西湖"], positive=["自然风光"]), LAKE) == 2
        assert points(one_day(sight("西湖")), sights(reject=["西湖"], negative=["自然风光"]), LAKE) == -2

    def test_category_points_count_per_visit(self):
        trip = one_day(sight("西湖"), sight("西湖", "10:00", "11:00"))
        assert points(trip, sights(positive=["自然风光"]), LAKE) == 2

    def test_cities_must_be_equal(self):
        trip = plan(day(block(sight("西湖"), city="杭州")))
        assert points(trip, sights(must=["西湖"])) == 0

    def test_a_string_acts_as_its_characters_or_as_a_substring(self):
        own = table(sights={"must_visit": "西北"})
        assert points(one_day(sight("西湖")), own) == 2
        own = table(sights={"category_pref": {"positive": "爱自然风光"}})
        assert points(one_day(sight("西湖")), own, LAKE) == 1

    def test_only_those_who_take_part(self):
        found = score(
            one_day(sight("西湖", who=("User1",))),
            tables=dict.fromkeys(["User1", "User2"], sights(must=["西湖"])),
        )
        assert found["per_user_utility"] == {"User1": 2, "User2": 0}

    @pytest.mark.parametrize("who", [None, [], ["All"]])
    def test_everyone(self, who):
        found = score(one_day(sight("西湖", who=who)), tables={"甲": sights(must=["西湖"])})
        assert found["per_user_utility"] == {"甲": 2}

    def test_all_beside_a_name_is_taken_as_it_is(self):
        found = score(
            one_day(sight("西湖", who=["All", "User1"])),
            tables=dict.fromkeys(["User1", "User2"], sights(must=["西湖"])),
        )
        assert found["per_user_utility"] == {"User1": 2, "User2": 0}


class TestFood:
    NOODLES = place("老王面馆", "川菜", "food")

    @pytest.mark.parametrize(("tier", "worth"), [("must", 2), ("reject", -2), ("prefer", 1), ("avoid", -1)])
    def test_by_name_and_by_cuisine(self, tier, worth):
        assert points(one_day(meal("老王面馆")), food(**{tier: ["面馆"]}), self.NOODLES) == worth
        assert points(one_day(meal("老王面馆")), food(**{tier: ["川菜"]}), self.NOODLES) == worth

    def test_the_first_name_match_decides_alone(self):
        own = food(must=["川菜"], reject=["面馆"], prefer=["老王"])
        assert points(one_day(meal("老王面馆")), own, self.NOODLES) == -2

    def test_names_come_before_cuisines(self):
        assert points(one_day(meal("老王面馆")), food(must=["川菜"], avoid=["面"]), self.NOODLES) == -1

    def test_must_and_reject_of_a_cuisine_may_both_apply(self):
        own = food(must=["川菜"], reject=["川菜"], prefer=["川菜"])
        assert points(one_day(meal("老王面馆")), own, self.NOODLES) == 0

    def test_without_them_prefer_comes_before_avoid(self):
        assert points(one_day(meal("老王面馆")), food(prefer=["川菜"], avoid=["川菜"]), self.NOODLES) == 1

    def test_an_unknown_restaurant_counts_nothing(self):
        assert points(one_day(meal("老李面馆")), food(must=["面馆"]), self.NOODLES) == 0

    def test_every_meal_counts(self):
        trip = one_day(meal("老王面馆"), meal("老王面馆", "18:00", "19:00"))
        assert points(trip, food(must=["面馆"]), self.NOODLES) == 4

    def test_the_name_is_the_plans_wording(self):
        assert points(one_day(meal("老王")), food(must=["面馆"], avoid=["川菜"]), self.NOODLES) == -1


class TestTransport:
    def worth(self, *legs, **tiers):
        return points(plan(day(*legs)), table(transport=tiers))

    def test_modes(self):
        ride = leg("上海市", CITY, "高铁")
        assert self.worth(ride, must=["高铁"]) == 2
        assert self.worth(ride, reject=["高铁"]) == -2
        assert self.worth(ride, must=["高铁"], reject=["高铁"], prefer=["高铁"]) == 0
        assert self.worth(ride, prefer=["高铁"], avoid=["高铁"]) == 1
        assert self.worth(ride, avoid=["高铁"]) == -1
        assert self.worth(ride, must=["火车"]) == 0

    def test_every_leg_counts(self):
        assert self.worth(leg("上海市", CITY), leg(CITY, "上海市"), must=["高铁"]) == 4

    def test_a_string_holds_what_it_contains(self):
        assert self.worth(leg("上海市", CITY, "高铁"), must="高铁或飞机") == 2

    def test_legs_count_for_everyone(self):
        trip = plan(day(leg("上海市", CITY, participants=["User2"])))
        assert points(trip, table(transport={"must": ["高铁"]})) == 2


class TestHotels:
    INN = place("湖边旅舍", "客栈", "hotels")

    def worth(self, *activities, known=INN, **tiers):
        return points(one_day(*activities), table(hotel_preference=tiers), known)

    def test_prefer_else_avoid(self):
        assert self.worth(hotel(), prefer=["客栈"]) == 1
        assert self.worth(hotel(), avoid=["客栈"]) == -1
        assert self.worth(hotel(), prefer=["客栈"], avoid=["客栈"]) == 1

    def test_every_night_counts_for_everyone(self):
        assert self.worth(hotel(participants=["User9"]), hotel(), prefer=["客栈"]) == 2

    def test_an_unknown_hotel_counts_nothing(self):
        assert self.worth(hotel("别家"), prefer=["客栈"]) == 0

    def test_an_unknown_class_is_a_business_hotel(self):
        assert self.worth(hotel(), known=place("湖边旅舍", "精品", "hotels"), prefer=["商务酒店"]) == 1


class TestIntensity:
    def worth(self, *activities, **caps):
        return points(one_day(*activities), table(intensity=caps))

    def test_more_sights_than_the_cap(self):
        three = [sight("a"), sight("b", "10:00", "11:00"), sight("c", "11:00", "12:00")]
        assert self.worth(*three, max_poi_per_day=2) == -2
        assert self.worth(*three, max_poi_per_day=3) == 0

    def test_per_day(self):
        days = [day(block(sight("a"), sight("b", "10:00", "11:00")), number=i) for i in (1, 2)]
        assert points(plan(*days), table(intensity={"max_poi_per_day": 1})) == -4

    def test_hours_of_sights_and_local_transport_exceed_strictly(self):
        busy = [
            sight("a", "09:00", "12:00"),
            ride("a", "b", "12:00", "12:20"),
            rest("13:00", "18:00"),
            meal("b"),
        ]
        assert self.worth(*busy, max_active_hours=3) == -2
        assert self.worth(*busy[:1], max_active_hours=3) == 0
        assert self.worth(*busy, max_active_hours=3.5) == 0

    def test_minutes_are_summed_and_then_divided(self):
        steps = [ride("a", "a", f"{h:02d}:00", f"{h:02d}:20") for h in (9, 10, 11)]
        assert self.worth(*steps, max_active_hours=1) == 0

    def test_backwards_counts_no_minutes(self):
        assert self.worth(sight("a", "09:00", "12:00"), sight("b", "23:00", "13:00"), max_active_hours=3) == 0

    @pytest.mark.parametrize("cap", [0, None, "1", [1]])
    def test_a_missing_zero_or_misshapen_cap_is_no_limit(self, cap):
        assert self.worth(sight("a"), sight("b", "10:00", "11:00"), max_poi_per_day=cap) == 0

    def test_a_negative_cap_is_no_limit(self):
        assert self.worth(sight("a"), max_poi_per_day=-1) == 0
        assert self.worth(sight("a"), max_active_hours=-0.5) == 0

    def test_overlapping_sights_still_count_here(self):
        assert self.worth(sight("a"), sight("b"), max_poi_per_day=1) == -2


class TestBudget:
    def worth(self, budget, *segments, who="User1"):
        tables = {"User1": table(avg_budget=budget), "User2": table()}
        return score(plan(day(*segments)), tables=tables)["per_user_utility"][who]

    def test_legs_hotels_and_own_meals_exceed_it(self):
        trip = (
            leg("上海市", CITY),
            block(hotel(), meal("a", avg_cost=30), meal("b", who=("User2",), avg_cost=99)),
        )
        assert self.worth(179, *trip) == -2
        assert self.worth(180, *trip) == 0

    def test_tickets_and_local_transport_do_not_count(self):
        assert self.worth(5, block(sight("a"), {**ride("a", "b"), "avg_cost": 9})) == 0

    @pytest.mark.parametrize("budget", [0, None, "1", float("nan"), float("inf")])
    def test_no_limit(self, budget):
        assert self.worth(budget, leg("上海市", CITY)) == 0

    @pytest.mark.parametrize("cost", [0, 99999, "99999", None])
    def test_no_figure_counts_local_transport(self, cost):
        """A plan scores as one whose ride names no cost."""
        ways = ride("西湖", "面馆") | {"avg_cost": cost}, ride("西湖", "面馆")
        del ways[1]["avg_cost"]
        told, untold = (
            score(one_day(sight("西湖"), way, meal("面馆")), {"User1": table(avg_budget=20)}) for way in ways
        )
        assert told == untold

    def test_a_negative_budget_is_always_exceeded(self):
        assert self.worth(-1, block(rest())) == -2

    @pytest.mark.parametrize("cost", ["约99", "", None, [], [99], float("nan")])
    def test_a_cost_that_is_no_number_adds_nothing(self, cost):
        assert self.worth(1, block(meal("a", avg_cost=cost))) == 0

    @pytest.mark.parametrize("cost", ["99", " 9.9e1\n", "９９", "9_9", "inf"])
    def test_a_text_that_is_a_number_counts_as_that_number(self, cost):
        assert self.worth(98.5, block(meal("a", avg_cost=cost))) == -2
        assert cost == "inf" or self.worth(99, block(meal("a", avg_cost=cost))) == 0

    def test_true_costs_one(self):
        assert self.worth(0.5, block(meal("a", avg_cost=True))) == -2
        assert self.worth(1, block(meal("a", avg_cost=True))) == 0

    @given(st.lists(st.sampled_from([0.1, 0.2, 0.3, 0.7, 1e16, 33.35]), min_size=1, max_size=6))
    def test_costs_are_added_as_floats_in_the_order_of_the_plan(self, costs):
        """A leg, then meals and a hotel in turn, over two blocks: what is spent is the running sum, unrounded."""
        made = [meal("a", avg_cost=c) if i % 2 else hotel(avg_cost=c) for i, c in enumerate(costs)]
        total = 0.0
        for cost in (0.4, *costs):
            total += cost
        trip = (leg("上海市", CITY, avg_cost=0.4), block(*made[:2]), block(*made[2:]))
        assert self.worth(total, *trip) == 0
        assert self.worth(math.nextafter(total, 0), *trip) == -2

    def test_a_cost_beyond_all_numbers_exceeds_it(self):
        trip = block(meal("a", avg_cost=10**400), meal("b", "18:00", "19:00", avg_cost=0.5))
        assert self.worth(1, trip) == -2


class TestOverlapsEarnNothing:
    OWN = sights(must=["西湖", "灵隐寺"])

    def test_both_are_left_out(self):
        assert points(one_day(sight("西湖"), sight("灵隐寺", "09:30", "10:30")), self.OWN) == 0

    def test_touching_is_no_overlap(self):
        assert points(one_day(sight("西湖"), sight("灵隐寺", "10:00", "11:00")), self.OWN) == 4

    def test_for_everybody_even_who_does_only_one(self):
        trip = one_day(sight("西湖"), sight("灵隐寺", who=("User2",)))
        found = score(trip, tables={"User1": self.OWN, "User2": self.OWN})
        assert found["per_user_utility"] == {"User1": 0, "User2": 0}

    def test_two_parties_do_not_overlap(self):
        trip = one_day(sight("西湖", who=("User1",)), sight("灵隐寺", who=("User2",)))
        assert score(trip, tables={"User1": self.OWN, "User2": self.OWN})["per_user_utility"] == {
            "User1": 2,
            "User2": 2,
        }

    def test_local_transport_and_rest_overlap_too(self):
        assert points(one_day(sight("西湖"), ride("a", "b", "09:30", "09:40")), self.OWN) == 0
        assert points(one_day(sight("西湖"), rest("09:30", "09:40")), self.OWN) == 0

    def test_hotels_do_not(self):
        assert points(one_day(sight("西湖"), hotel(start="09:00", end="10:00")), self.OWN) == 2

    def test_a_meal_is_left_out_too(self):
        known = place("面馆", "川菜", "food")
        assert points(one_day(meal("面馆"), rest("12:00", "12:30")), food(must=["面馆"]), known) == 0

    def test_what_runs_backwards_overlaps_nothing(self):
        assert points(one_day(sight("西湖"), sight("灵隐寺", "09:30", "09:00")), self.OWN) == 4

    def test_another_block_is_no_overlap_but_shares_the_key(self):
        """Left out by day, location and start: the same visit written in a second block goes with it."""
        apart = plan(day(block(sight("西湖")), block(rest("09:00", "10:00"))))
        assert points(apart, self.OWN) == 2
        twice = plan(
            day(block(sight("西湖"), rest("09:00", "10:00")), block(sight("西湖", "09:00", "09:01")))
        )
        assert points(twice, self.OWN) == 0


class TestSplits:
    GROUP = {f"User{i}": table() for i in (1, 2, 3)}

    def penalty(self, *activities):
        found = score(one_day(*activities), tables=self.GROUP)
        assert found["gu_total"] == -found["split_penalty"]
        return found["split_penalty"]

    def test_disjoint_parties_at_one_time(self):
        assert self.penalty(sight("a", who=("User1",)), sight("b", who=("User2", "User3"))) == 1
        assert self.penalty(*[sight(u, who=(u,)) for u in self.GROUP]) == 2

    def test_parties_that_meet_cost_nothing(self):
        assert self.penalty(sight("a", who=("User1", "User2")), sight("b", who=("User2", "User3"))) == 0

    def test_one_party_twice_is_one(self):
        assert self.penalty(sight("a", who=("User1",)), rest("09:30", "10:00", ("User1",))) == 0

    def test_after_one_another_is_no_split(self):
        assert self.penalty(sight("a", who=("User1",)), sight("b", "10:00", "11:00", who=("User2",))) == 0

    def test_clusters_join_transitively(self):
        chain = [
            sight("a", "09:00", "10:00", ("User1",)),
            rest("09:30", "11:00", ("User2",)),
            meal("c", "10:30", "12:00", ("User3",)),
        ]
        assert self.penalty(*chain) == 2

    def test_two_clusters_cost_twice(self):
        first = [sight(u, who=(u,)) for u in ("User1", "User2")]
        second = [ride("a", "b", "11:00", "11:30", (u,)) for u in ("User1", "User2")]
        assert self.penalty(*first, *second) == 2

    def test_everyone_is_no_party(self):
        assert self.penalty(sight("a", who=("User1",)), sight("b", who=("All",)), sight("c", who=None)) == 0

    def test_hotels_never_split(self):
        assert self.penalty(hotel(participants=["User1"]), hotel(participants=["User2"])) == 0

    def test_a_name_written_twice_or_in_another_order_is_the_same_party(self):
        assert (
            self.penalty(sight("a", who=("User1", "User2")), sight("b", who=("User2", "User1", "User1"))) == 0
        )


def test_group_utility_is_the_mean_after_penalties_over_users_with_a_table():
    tables = {"User1": sights(must=["西湖"]), "User2": sights(must=["灵隐寺"]), "User3": table()}
    trip = one_day(sight("西湖", who=("User1",)), sight("灵隐寺", who=("User2",)))
    found = score(trip, tables=tables, users=["User1", "User2", "User3", "User4"])
    assert (found["gu_total"], found["gu"], found["gf"]) == (3, 1.0, 0.0)
    found = score(trip, tables=tables)
    assert (found["gu_total"], found["gu"]) == (3, 1.0)


def test_group_utility_is_rounded():
    tables = {"User1": sights(must=["西湖"]), "User2": table(), "User3": table()}
    assert score(one_day(sight("西湖")), tables=tables)["gu"] == 0.67


def test_every_point_names_preference_item_and_place():
    trip = plan(day(leg("上海市", CITY), block(sight("西湖"), sight("b", "11:00", "12:00")), number=4))
    own = table(
        sights={"must_visit": ["湖"]}, transport={"avoid": ["高铁"]}, intensity={"max_poi_per_day": 1}
    )
    found = score(trip, tables={"User1": own})
    must, mode, cap = found["evidence"]["utility"]
    assert must == {
        "user": "User1",
        "path": f"city_specific_preferences.{CITY}.attractions.must_visit",
        "tier": "must",
        "strength": "strong",
        "item": "湖",
        "points": 2,
        "day": 4,
        "segment": 1,
        "activity": 0,
        "place": "西湖",
        "matched": "name",
    }
    assert (mode["path"], mode["points"], mode["segment"]) == ("global_constraints.transport.avoid", -1, 0)
    assert (cap["item"], cap["points"], cap["matched"]) == (1, -2, "2")


def test_a_split_names_its_parties():
    trip = one_day(sight("a", who=("User2",)), sight("b", who=("User1",)))
    (split,) = score(trip, tables={"User1": table(), "User2": table()})["evidence"]["splits"]
    assert split == {
        "day": 1,
        "segment": 0,
        "activities": (0, 1),
        "parties": (("User2",), ("User1",)),
        "penalty": 1,
    }
