"""The built-in sampler: what it keeps for every archetype, and what its draws depend on."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

from benchmark.suites.grouptravel.preferences import CITY_ROOT, GLOBAL_ROOT, filled_fields
from benchmark.suites.grouptravel.synthesis.archetypes import ARCHETYPES
from benchmark.suites.grouptravel.synthesis.casting import is_household
from benchmark.suites.grouptravel.synthesis.constraints import LUXURY
from benchmark.suites.grouptravel.synthesis.openings import LONGEST, Seed, _Speech, check_opening, opening
from benchmark.suites.grouptravel.synthesis.profiles import Profile
from benchmark.suites.grouptravel.synthesis.quotas import slots
from benchmark.suites.grouptravel.synthesis.resources import Resources, Trip
from benchmark.suites.grouptravel.synthesis.sampler import draw_tables
from benchmark.suites.grouptravel.synthesis.skeletons import Window, draw_skeleton
from benchmark.suites.grouptravel.synthesis.tastes import much_alike, one_kitchen
from benchmark.suites.grouptravel.synthesis.validation import check_group

_WAYS = {1: ("南京市",), 2: ("广州市", "佛山市"), 3: ("杭州市", "苏州市", "南京市")}


@pytest.mark.parametrize("group_id", list(ARCHETYPES))
def test_every_archetype_gets_good_tables_and_openings(make_trip: Any, group_id: str) -> None:
    for cities, days in ((1, 2), (2, 4), (3, 6)):
        trip = make_trip(group_id=group_id, cities=_WAYS[cities], days=days, slot=cities)
        tables = draw_tables(trip, 5, 0)
        assert check_group(tables, trip) == []
        for user, table in tables.items():
            constraints = table[GLOBAL_ROOT]
            assert constraints["avg_budget"] % 100 == 0
            hotels = constraints["hotel_preference"]
            assert not set(hotels["prefer"]) & set(hotels["avoid"])
            assert constraints["avg_budget"] >= 3500 or LUXURY not in hotels["prefer"]
            for city in trip.skeleton.cities:
                sights = table[CITY_ROOT][city]["attractions"]
                named = [*sights["must_visit"], *sights["reject_visit"]]
                assert 1 <= len(sights["must_visit"]) <= 2
                assert len(named) + sum(map(len, sights["category_pref"].values())) <= 6
                top = [sight.name for sight in trip.candidates[city].sights]
                assert set(named) <= set(top)
            for language in ("zh", "en"):
                said = opening(user, table, language, 5, user)
                assert check_opening(user, said, table) == []
                assert language == "en" or len(said) <= LONGEST


def test_the_same_key_gives_the_same_tables_and_another_others(make_trip: Any) -> None:
    trip = make_trip(group_id="6-1", cities=_WAYS[3], days=6)
    assert draw_tables(trip, 1, 0) == draw_tables(trip, 1, 0)
    assert draw_tables(trip, 1, 0) != draw_tables(trip, 2, 0)
    assert draw_tables(trip, 1, 0) != draw_tables(trip, 1, 1)


def test_copies_take_over_what_their_strategy_says(make_trip: Any) -> None:
    trip = make_trip(group_id="3-1", cities=_WAYS[2], days=4)
    tables = draw_tables(trip, 9, 0)
    assert tables["User1"][GLOBAL_ROOT] == tables["User2"][GLOBAL_ROOT] == tables["User3"][GLOBAL_ROOT]
    for city in trip.skeleton.cities:
        base, minor = tables["User2"][CITY_ROOT][city], tables["User1"][CITY_ROOT][city]
        assert minor["attractions"]["category_pref"] == base["attractions"]["category_pref"]
        for tier in ("prefer_eat", "avoid_eat"):
            assert minor["food"][tier] == base["food"][tier]
        assert not set(minor["food"]["must_eat"]) & set(base["food"]["must_eat"])
        assert not set(minor["attractions"]["reject_visit"]) & set(base["attractions"]["must_visit"])


def test_food_differs_from_city_to_city(make_trip: Any) -> None:
    trip = make_trip(group_id="6-1", cities=_WAYS[3], days=6)
    for table in draw_tables(trip, 4, 0).values():
        wished = [item for city in table[CITY_ROOT].values() for item in city["food"]["must_eat"]]
        assert len(set(wished)) == len(wished)


def test_a_child_has_no_table(make_trip: Any) -> None:
    trip = make_trip(group_id="6-3")
    assert list(draw_tables(trip, 1, 0)) == ["User4", "User3", "User1", "User2", "User5"]


def test_the_first_user_names_the_budget(make_trip: Any) -> None:
    trip = make_trip(group_id="3-5", cities=_WAYS[1], days=3, pattern=("User1",))
    tables = draw_tables(trip, 1, 0)
    for seed in range(30):
        said = opening("User1", tables["User1"], "zh", seed)
        assert str(tables["User1"][GLOBAL_ROOT]["avg_budget"]) in said
        assert 30 <= len(said) <= LONGEST


def test_openings_hold_nothing_of_anothers_table(make_trip: Any, resources: Resources) -> None:
    trip = make_trip(group_id="6-1", cities=_WAYS[3], days=6)
    tables = draw_tables(trip, 1, 0)
    sights = {sight.name for city in _WAYS[3] for sight in resources.candidates(city).sights}
    for user, table in tables.items():
        own = {item for _, _, value in filled_fields(table) if isinstance(value, list) for item in value}
        said = opening(user, table, "zh", 1, user)
        named = {name for name in sights if name in said}
        assert all(any(name in item for item in own) for name in named)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("", "empty"),
        ("我一定要去，别的都随便。", "names the budget"),
        ("我的must_visit很多，预算{budget}。", "must_visit is the name of a field"),
        ("{budget}" + "很" * 400, "characters are too many"),
    ],
)
def test_bad_openings_are_told(make_trip: Any, said: str, told: str) -> None:
    table = draw_tables(make_trip(), 1, 0)["User1"]
    given = said.format(budget=table[GLOBAL_ROOT]["avg_budget"])
    assert any(told in fault for fault in check_opening("User1", given, table))


# Over many tasks.


DrawnTrips = list[tuple[Trip, dict[str, Any]]]


@pytest.fixture(scope="module")
def drawn_trips(resources: Resources) -> DrawnTrips:
    """Trips of the paper's proportions with their tables."""
    found = []
    for slot in slots(160, 3):
        trip = resources.trip(draw_skeleton(slot, resources.atlas, Window(), 3, 0), 3, 0)
        found.append((trip, draw_tables(trip, 3, 0)))
    return found


def foods(drawn: DrawnTrips, *tiers: str) -> Iterator[tuple[Trip, Profile, str, str]]:
    """Each food in these tiers, with the trip, whose it is and the city."""
    for trip, tables in drawn:
        for user, table in tables.items():
            for city, own in table[CITY_ROOT].items():
                for tier in tiers:
                    yield from ((trip, trip.cast[user], city, name) for name in own["food"][tier])


FOOD_WISHES = ("must_eat", "prefer_eat")


def test_food_is_asked_for_as_often_as_in_published_tables(drawn_trips: DrawnTrips) -> None:
    counts = Counter(name for *_, name in foods(drawn_trips, *FOOD_WISHES))
    share = {name: count / counts.total() for name, count in counts.items()}
    assert all(share.get(name, 0) < 0.05 for name in ("面包甜点", "咖啡厅", "茶馆", "素食", "西餐"))
    assert share["火锅"] > 0.08 and share["小吃快餐"] > 0.08


def test_a_city_s_own_kitchen_is_wished_for_there(drawn_trips: DrawnTrips) -> None:
    for city, kitchens in (("苏州市", ("苏帮菜", "江浙菜", "金陵菜")), ("杭州市", ("杭帮菜", "江浙菜"))):
        eaten = [name for _, _, there, name in foods(drawn_trips, *FOOD_WISHES) if there == city]
        assert sum(name in kitchens for name in eaten) > 0.3 * len(eaten), city


def test_nobody_longs_for_what_is_eaten_at_home(make_trip: Any, drawn_trips: DrawnTrips) -> None:
    homes = {"广州市": "粤菜", "南京市": "金陵菜", "杭州市": "杭帮菜"}
    trips = [make_trip(departure="广州市", cities=("深圳市", "佛山市"), slot=slot) for slot in range(12)]
    all_ = [*drawn_trips, *((trip, draw_tables(trip, 3, 0)) for trip in trips)]
    assert not [
        (trip.skeleton.departure, name)
        for trip, _, _, name in foods(all_, *FOOD_WISHES)
        if homes.get(trip.skeleton.departure) == name
    ]


def test_ages_fit_tastes(drawn_trips: DrawnTrips) -> None:
    by_age: dict[bool, Counter[str]] = {False: Counter(), True: Counter()}
    for _, who, _, name in foods(drawn_trips, *FOOD_WISHES):
        by_age[who.age >= 60][name] += 1
    old, young = by_age[True], by_age[False]
    for name in ("烧烤", "日本料理", "咖啡厅", "面包甜点"):
        assert old[name] / old.total() < young[name] / young.total(), name


def test_budgets_within_a_household_are_within_a_factor_of_three(make_trip: Any) -> None:
    families = [name for name, one in ARCHETYPES.items() if is_household(one)]
    assert {"2-2", "3-6", "4-5", "4-6", "5-3", "6-3"} <= {*families} and "6-1" not in families
    for group_id in families:
        for slot in range(10):
            tables = draw_tables(make_trip(group_id=group_id, slot=slot, days=4), slot, 0)
            budgets = [table[GLOBAL_ROOT]["avg_budget"] for table in tables.values()]
            assert max(budgets) <= 3 * min(budgets), (group_id, slot, budgets)


def test_who_must_travel_some_way_has_the_days_for_it(drawn_trips: DrawnTrips) -> None:
    musts = 0
    for trip, tables in drawn_trips:
        for table in tables.values():
            for mode in table[GLOBAL_ROOT]["transport"]["must"]:
                minutes = [offers[mode].minutes for offers in trip.route.offers if mode in offers]
                musts += 1
                assert sum(minutes) <= 240 * trip.skeleton.days
    assert musts > 100


def test_archetypes_show_in_tastes(make_trip: Any) -> None:
    """Of one pool and the same cities: brothers ask for other things than friends who are women or families."""
    shares = {}
    for group_id in ("2-3", "2-4", "3-5"):
        names: Counter[str] = Counter()
        for slot in range(40):
            trip = make_trip(group_id=group_id, cities=("广州市",), days=3, slot=slot, pattern=("User1",))
            tables = draw_tables(trip, 7, 0)
            names.update(name for *_, name in foods([(trip, tables)], *FOOD_WISHES))
            for table in tables.values():
                own = table[CITY_ROOT]["广州市"]["attractions"]
                names.update(own["category_pref"]["positive"])
        shares[group_id] = {name: count / names.total() for name, count in names.items()}
    women, men = shares["2-3"], shares["2-4"]
    assert men.get("烧烤", 0) > women.get("烧烤", 0)
    assert women.get("特色街区", 0) > men.get("特色街区", 0)


def test_a_city_s_own_kitchen_is_eaten_there_and_not_in_the_next(drawn_trips: DrawnTrips) -> None:
    own = {"苏州市": "苏帮菜", "南京市": "金陵菜", "杭州市": "杭帮菜", "佛山市": "顺德菜"}
    wished = [
        (there, name, [own[city] for city in trip.skeleton.cities if city in own and city != there])
        for trip, _, there, name in foods(drawn_trips, *FOOD_WISHES)
    ]
    assert sum(name in elsewhere for _, name, elsewhere in wished) < 0.01 * len(wished)


def test_nobody_likes_one_kind_of_sights_and_shuns_its_like(drawn_trips: DrawnTrips) -> None:
    alike = [{"游乐园", "主题公园"}, {"博物馆", "展览馆"}]
    tables = [table for _, tables in drawn_trips for table in tables.values()]
    torn = sum(
        bool(pair & liked and pair & shunned)
        for pair in alike
        for table in tables
        for liked, shunned in [_kinds_liked_and_shunned(table)]
    )
    assert torn < 0.02 * len(tables)


def _kinds_liked_and_shunned(table: Any) -> tuple[set[str], set[str]]:
    tiers = [own["attractions"]["category_pref"] for own in table[CITY_ROOT].values()]
    liked = {name for tier in tiers for name in tier["positive"]}
    return liked, {name for tier in tiers for name in tier["negative"]}


def test_a_child_insists_on_no_other_way_than_the_grown_ups(make_trip: Any) -> None:
    for slot in range(30):
        trip = make_trip(group_id="6-3", cities=("广州市",), days=3, slot=slot, departure="深圳市")
        tables = draw_tables(trip, slot, 0)
        musts = {user: {*table[GLOBAL_ROOT]["transport"]["must"]} for user, table in tables.items()}
        grown = {mode for user, modes in musts.items() if trip.cast[user].age >= 18 for mode in modes}
        own = {mode for user, modes in musts.items() if trip.cast[user].age < 18 for mode in modes}
        assert not grown or own <= grown, (slot, musts)


def test_a_dislike_beside_a_wish_of_the_same_city_is_set_against_it() -> None:
    speech = _Speech("zh", True, ("a key",))
    wish = Seed("must_eat", "must_eat", ("火锅",), "杭州市", firm=True)
    said = speech.message_of([[wish], [Seed("category", "avoid_eat", ("小吃快餐",), "杭州市")]])
    assert "，但" in said and said.count("那边") <= 1


@pytest.mark.parametrize("group_id", ["2-1", "3-1", "5-2", "6-1", "6-3"])
def test_nobody_likes_and_shuns_what_is_much_alike(make_trip: Any, group_id: str) -> None:
    for seed in range(12):
        trip = make_trip(group_id=group_id, cities=_WAYS[2 + seed % 2], days=6, slot=seed + 1)
        for table in draw_tables(trip, seed, 0).values():
            for city, wishes in table[CITY_ROOT].items():
                food, sights = wishes["food"], wishes["attractions"]
                for shunned in (*food["avoid_eat"], *food["reject_eat"]):
                    liked = (*food["must_eat"], *food["prefer_eat"])
                    assert not [name for name in liked if one_kitchen(name, shunned)]
                kinds = [trip.candidates[city].by_name[name].category for name in sights["must_visit"]]
                for shunned in sights["category_pref"]["negative"]:
                    liked = (*kinds, *sights["category_pref"]["positive"])
                    assert not [name for name in liked if much_alike(name, shunned)]


@pytest.mark.parametrize("tier", ["must", "prefer", "avoid", "reject"])
def test_an_ordinary_train_is_called_so(tier: str) -> None:
    """A high-speed train is a train too: 一定要坐高铁 beside 最好不坐火车 would contradict itself."""
    said = _Speech("zh", False, (1, tier)).message_of([[Seed("transport", f"ride.{tier}", ("火车",))]])
    assert "普通火车" in said


def test_a_dorm_is_of_students(make_trip: Any) -> None:
    for slot in range(1, 6):
        cast = make_trip(group_id="6-1", slot=slot).cast
        assert {profile.occupation for profile in cast.values()} == {"大学生"}


def test_no_child_has_more_than_the_grown_ups(make_trip: Any) -> None:
    for slot in range(1, 30):
        trip = make_trip(group_id="5-3", slot=slot)
        purses = {user: held[GLOBAL_ROOT]["avg_budget"] for user, held in draw_tables(trip, 1, 0).items()}
        ages = {user: profile.age for user, profile in trip.cast.items()}
        grown = max(purse for user, purse in purses.items() if ages[user] >= 18)
        assert all(purse <= grown for user, purse in purses.items() if ages[user] < 18)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_hardly_anybody_repeats_what_their_partner_has_said_of_the_trip(
    make_trip: Any, language: str
) -> None:
    repeated = heard = 0
    for slot in range(1, 60):
        tables = draw_tables(make_trip(slot=slot), 1, 0)
        first = opening("User1", tables["User1"], language, slot, "User1")
        said = opening("User2", tables["User2"], language, slot, "User2", earlier=(first,))
        for names in (
            tables["User1"][GLOBAL_ROOT]["hotel_preference"]["prefer"],
            tables["User1"][GLOBAL_ROOT]["transport"]["prefer"],
        ):
            if names and all(name in first for name in names):
                heard += 1
                repeated += all(name in said for name in names)
    assert heard > 20
    assert repeated < heard / 4


def test_a_group_does_not_use_one_sentence_again_and_again(make_trip: Any) -> None:
    tables = draw_tables(make_trip(group_id="6-1", cities=_WAYS[2]), 1, 0)
    said = list[str]()
    for user, table in tables.items():
        said.append(opening(user, table, "zh", 1, user, earlier=said))
    assert max(Counter(part.split("元")[0][:8] for text in said for part in text.split("，")).values()) <= 3


def test_one_goes_to_an_eating_house_and_does_not_eat_it(make_trip: Any) -> None:
    table = deepcopy(draw_tables(make_trip(), 1, 0)["User1"])
    for city in table[CITY_ROOT].values():
        city["food"] = {"must_eat": ["茶餐厅"], "prefer_eat": [], "avoid_eat": [], "reject_eat": ["大排档"]}
    for number in range(20):
        assert not re.search("吃(?:上|一次)?(?:茶餐厅|大排档)", opening("User1", table, "zh", number))
