"""The built-in sampler: what it keeps for every archetype, and what its draws depend on."""

from __future__ import annotations

from typing import Any

import pytest

from benchmark.suites.grouptravel.preferences import CITY_ROOT, GLOBAL_ROOT, filled
from benchmark.suites.grouptravel.synthesis.archetypes import ARCHETYPES
from benchmark.suites.grouptravel.synthesis.constraints import LUXURY
from benchmark.suites.grouptravel.synthesis.openings import LONGEST, check_opening, opening
from benchmark.suites.grouptravel.synthesis.resources import Resources
from benchmark.suites.grouptravel.synthesis.sampler import draw_tables
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
        own = {item for _, _, value in filled(table) if isinstance(value, list) for item in value}
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
