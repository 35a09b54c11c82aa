"""What was read off published tasks, and holds of ours: one test a fact."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import date
from itertools import combinations, pairwise
from typing import Any

import pytest

from benchmark.suites.grouptravel.preferences import CITY_ROOT, GLOBAL_ROOT
from benchmark.suites.grouptravel.synthesis import rates
from benchmark.suites.grouptravel.synthesis.archetypes import ARCHETYPES, draw_pattern
from benchmark.suites.grouptravel.synthesis.casting import Casting
from benchmark.suites.grouptravel.synthesis.cities import CATALOGUE
from benchmark.suites.grouptravel.synthesis.clusters import SHIPPED_CLUSTERS, derive_clusters
from benchmark.suites.grouptravel.synthesis.constraints import _avoidance_weights
from benchmark.suites.grouptravel.synthesis.draws import dice, pick
from benchmark.suites.grouptravel.synthesis.making import Maker, Recipe
from benchmark.suites.grouptravel.synthesis.openings import LONGEST, SHORTEST
from benchmark.suites.grouptravel.synthesis.profiles import pool
from benchmark.suites.grouptravel.synthesis.quotas import slots
from benchmark.suites.grouptravel.synthesis.resources import Resources
from benchmark.suites.grouptravel.synthesis.sentences import context, duration, query
from benchmark.suites.grouptravel.synthesis.skeletons import FIRST_DAY, LAST_DAY, Window

Task = dict[str, Any]
PLANS = """
2-1 1I 2m1|2-2 1I 2m1|2-3 1I 2M1|2-4 1I 2M1|3-1 2I 1m2 3M2|3-2 1I 2m1 3M1|3-3 1I 2M1 3M1|3-4 1I 2M1 3M1
3-5 2I 1m2 3-|3-6 2I 1m2 3I|4-1 1I 2m1 3I 4m3|4-2 2I 1m2 3M2 4M2|4-3 1I 2M1 3I 4M3|4-4 1I 2M1 3I 4M3
4-5 2I 1m2 3I 4-|4-6 1I 2m1 3I 4m3|5-1 1I 2M1 3I 4M3 5M1|5-2 1I 2M1 3I 4M3 5M1|5-3 2I 1m2 3I 4I 5m4
6-1 1I 2I 3I 4I 5I 6I|6-2 1I 2m1 3I 4m3 5I 6m5|6-3 4I 3m4 1I 2m1 5I 6-
"""
_LETTERS = {"independent": "I", "copy_minor": "m", "copy_moderate": "M", "skip": "-"}


@pytest.fixture(scope="module")
def tasks(resources: Resources) -> list[Task]:
    """120 tasks in the paper's proportions, without proofs."""
    maker = Maker(resources, Recipe(11, prove=False))
    made = [maker.fill(slot).task for slot in slots(120, 11)]
    return [task for task in made if task is not None]


def tables(task: Task) -> dict[str, Any]:
    return {user: card["preference"] for user, card in task["user_preferences"].items()}


def users(tasks: list[Task]) -> Iterator[tuple[Task, str, Any]]:
    for task in tasks:
        for user, table in tables(task).items():
            yield task, user, table


# A task as written.


def test_every_slot_gets_a_task(tasks: list[Task]) -> None:
    assert len(tasks) == 120


def test_the_query_and_the_context_say_what_the_fields_say(tasks: list[Task]) -> None:
    for task in tasks:
        metadata = task["metadata"]
        people = len(task["user_preferences"]) + len(metadata["child_members"])
        cities = "、".join(metadata["cities"])
        assert task["query"] == f"{cities}，{metadata['date']}，{people}人的旅行计划"
        said = (
            f"出发城市：{metadata['departure_city']}；出行日期：{task['time']}；"
            f"团队类型：{metadata['group_name']}（共{people}人）"
        )
        children = "、".join(child["role"] for child in metadata["child_members"])
        assert task["context"] == (f"{said}；随行儿童：{children}" if children else said)
        assert people == int(metadata["group_id"][0])


def test_durations_are_written_as_published() -> None:
    assert [duration(days, "zh") for days in range(2, 8)] == [
        *("两天一夜", "三天两夜", "四天三夜", "五天四夜", "六天五夜", "七天六夜"),
    ]
    assert duration(2, "en") == "2 days and 1 night"
    assert query(("广州市", "佛山市"), "3 days and 2 nights", 2, "en") == (
        "Guangzhou (广州市) and Foshan (佛山市), 3 days and 2 nights, a trip for 2 people"
    )
    assert context("上海市", "2025-09-01", "Couple", 2, (), "en") == (
        "Departure city: Shanghai (上海市); departure date: 2025-09-01; group: Couple (2 people)"
    )


def test_tables_stand_in_the_order_in_which_they_are_made(tasks: list[Task]) -> None:
    for task in tasks:
        assert tuple(task["user_preferences"]) == ARCHETYPES[task["metadata"]["group_id"]].generation_order
        assert [child["user"] for child in task["metadata"]["child_members"]] == [
            member.slot for member in ARCHETYPES[task["metadata"]["group_id"]].children
        ]


def test_nobody_departs_from_a_destination_and_the_hub_comes_first(tasks: list[Task]) -> None:
    for task in tasks:
        cities = [CATALOGUE[city] for city in task["metadata"]["cities"]]
        assert task["metadata"]["departure_city"] not in task["metadata"]["cities"]
        assert cities[0].capital or cities[0].weight == max(city.weight for city in cities)


def test_trips_start_on_a_day_of_the_window(tasks: list[Task]) -> None:
    days = [date.fromisoformat(task["time"]) for task in tasks]
    assert min(days) >= FIRST_DAY and max(days) <= LAST_DAY
    assert (LAST_DAY - FIRST_DAY).days + 1 == 243
    drawn = Counter(Window(date(2026, 2, 27), date(2026, 3, 1)).draw(number) for number in range(300))
    assert sorted(drawn) == [date(2026, 2, 27), date(2026, 2, 28), date(2026, 3, 1)]
    assert min(drawn.values()) > 60


# Archetypes.


@pytest.mark.parametrize("told", PLANS.strip().replace("\n", "|").split("|"))
def test_each_archetype_has_its_plan(told: str) -> None:
    group_id, *plan = told.split()
    archetype = ARCHETYPES[group_id]
    by_slot = {f"User{step[0]}": step[1:] for step in plan}
    for slot, member in archetype.by_slot.items():
        source = (member.reference or "").removeprefix("User")
        assert by_slot[slot] == f"{_LETTERS[member.generation]}{source}", slot
    skipped = {child.slot for child in archetype.children}
    assert list(archetype.generation_order) == [slot for slot in by_slot if slot not in skipped]
    assert archetype.size == int(group_id[0]) == len(plan)


def test_all_22_plans_are_told() -> None:
    assert [told.split()[0] for told in PLANS.strip().replace("\n", "|").split("|")] == sorted(ARCHETYPES)


def test_patterns_are_drawn_alike_and_yield_as_many_as_the_papers_do() -> None:
    drawn = Counter(draw_pattern(ARCHETYPES["3-3"], number) for number in range(700))
    assert len(drawn) == 7
    assert min(drawn.values()) > 65
    yielding = sum(
        archetype.tasks * sum(map(len, archetype.patterns)) / len(archetype.patterns)
        for archetype in ARCHETYPES.values()
    )
    assert yielding / 2748 == pytest.approx(0.548, abs=0.001)


@pytest.mark.parametrize("group_id", ["3-5", "3-6", "4-5", "4-6", "5-3", "6-3"])
def test_parents_are_22_to_40_years_older_than_children(group_id: str) -> None:
    archetype, casting = ARCHETYPES[group_id], Casting(pool())
    generations = (
        ("grandfather", "grandmother", "father of one", "mother of one"),
        ("father", "mother", "husband", "wife"),
        ("child", "child (8-18)", "teenager", "teenager (12+)"),
    )
    for number in range(20):
        cast = casting.cast(archetype, number)
        ages = {archetype.by_slot[slot].role_en: profile.age for slot, profile in cast.items()}
        for older, younger in pairwise(generations):
            for one in older:
                for other in younger:
                    if one in ages and other in ages:
                        assert 22 <= ages[one] - ages[other] <= 40, (one, other)


def test_a_profile_has_six_to_twelve_interests() -> None:
    assert all(6 <= len(profile.interests) <= 12 for profile in pool(count=50))


# Cities.


def test_distances_in_derived_clusters_keep_the_rule() -> None:
    for cluster in derive_clusters(CATALOGUE.values()):
        towns = [CATALOGUE[name] for name in cluster.cities]
        legs = [one.km(other) for one, other in pairwise(towns)]
        span = max(one.km(other) for one, other in combinations(towns, 2))
        far = len(towns) == 2 and towns[0].region in ("southwest", "northwest", "central")
        assert span <= (450 if far else 350), cluster
        assert legs[0] <= (450 if far else 300), cluster
        assert max(legs[1:], default=0) <= 260, cluster
        for one, other in combinations(towns, 2):
            assert one.over_land(other), cluster
            assert one.region == other.region or one.km(other) <= 220, cluster


def test_five_remote_cities_stay_alone() -> None:
    used = {name for cluster in SHIPPED_CLUSTERS for name in cluster.cities}
    assert len(CATALOGUE.keys() - used) == 5
    assert [sum(len(cluster.cities) == size for cluster in SHIPPED_CLUSTERS) for size in (2, 3)] == [98, 77]


def test_cities_are_drawn_by_the_weight_of_their_tier() -> None:
    weights = {"三亚市": 3, "丽江市": 2, "武夷山市": 1}
    drawn = Counter(pick(dice("city", number), weights) for number in range(3000))
    assert [round(drawn[name] / 500) for name in weights] == [3, 2, 1]


def test_one_drives_over_land_alone() -> None:
    assert not CATALOGUE["海口市"].over_land(CATALOGUE["广州市"])
    assert not CATALOGUE["大连市"].over_land(CATALOGUE["烟台市"])
    assert CATALOGUE["海口市"].over_land(CATALOGUE["三亚市"])
    assert CATALOGUE["上海市"].over_land(CATALOGUE["成都市"])


# Preference tables.


def test_counts_of_items_have_the_means_of_table_9() -> None:
    strategies = ("independent", "copy_minor", "copy_moderate")
    by_plan = dict.fromkeys(strategies, 0.0)
    for archetype in ARCHETYPES.values():
        for member in archetype.members:
            if member.generation != "skip":
                by_plan[member.generation] += archetype.tasks
    for field, paper in (
        ("must_visit", 7699),
        ("reject_visit", 2501),
        ("must_eat", 5945),
        ("reject_eat", 2140),
    ):
        means = {one: rates._mean(rates.items(one, field)) for one in strategies}
        # 5,929 city tables of 2,748 users
        found = sum(by_plan[one] * means[one] for one in strategies) * 5929 / 2748
        assert found == pytest.approx(paper, rel=0.05), field


def test_global_constraints_have_published_shapes(tasks: list[Task]) -> None:
    caps = Counter[int]()
    for _, _, table in users(tasks):
        held = table[GLOBAL_ROOT]
        assert (
            rates.Shape(**{tier: tuple(modes) for tier, modes in held["transport"].items()}) in rates.SHAPES
        )
        assert held["avg_budget"] % 100 == 0
        assert 500 <= held["avg_budget"] <= 10_500
        assert held["intensity"]["max_poi_per_day"] in (2, 3, 4)
        assert held["intensity"]["max_active_hours"] in range(6, 11)
        assert len(held["hotel_preference"]["avoid"]) <= 1
        caps[held["intensity"]["max_poi_per_day"]] += 1
    assert 0.65 < caps[3] / caps.total() < 0.88


def test_who_has_less_than_3000_mostly_avoids_luxury() -> None:
    weights = _avoidance_weights([], 2_900)
    assert weights["豪华型"] / sum(weights.values()) == pytest.approx(0.9)
    assert _avoidance_weights([], 5_000)["豪华型"] < weights["豪华型"]


def test_budgets_grow_with_days(tasks: list[Task]) -> None:
    by_days: dict[str, list[int]] = {}
    for task, _, table in users(tasks):
        by_days.setdefault(task["metadata"]["date"], []).append(table[GLOBAL_ROOT]["avg_budget"])
    means = {days: sum(found) / len(found) for days, found in by_days.items()}
    assert means["三天两夜"] < means["五天四夜"] < means["七天六夜"]


def test_everybody_minds_something(tasks: list[Task]) -> None:
    for _, user, table in users(tasks):
        held = table[GLOBAL_ROOT]
        minded = [
            *held["transport"]["avoid"],
            *held["transport"]["reject"],
            *held["hotel_preference"]["avoid"],
        ]
        for city in table[CITY_ROOT].values():
            minded += city["attractions"]["reject_visit"] + city["attractions"]["category_pref"]["negative"]
            minded += city["food"]["avoid_eat"] + city["food"]["reject_eat"]
        assert minded, user


def test_hardly_anybody_likes_in_one_city_what_they_shun_in_another(tasks: list[Task]) -> None:
    """None of the 48 published users with several cities does."""
    torn, several = 0, 0
    for _, _, table in users(tasks):
        held = table[CITY_ROOT].values()
        kinds = [city["attractions"]["category_pref"] for city in held]
        liked = {item for kind in kinds for item in kind["positive"]}
        shunned = {item for kind in kinds for item in kind["negative"]}
        eaten = {item for city in held for tier in ("must_eat", "prefer_eat") for item in city["food"][tier]}
        left = {item for city in held for tier in ("avoid_eat", "reject_eat") for item in city["food"][tier]}
        several += len(table[CITY_ROOT]) > 1
        torn += bool(liked & shunned or eaten & left)
    assert several > 300
    assert torn / several < 0.02


def test_copies_rarely_wish_what_their_source_wishes(tasks: list[Task]) -> None:
    same, all_of_them = Counter[str](), Counter[str]()
    refused = 0
    for task in tasks:
        held = tables(task)
        for member in ARCHETYPES[task["metadata"]["group_id"]].members:
            if member.reference is None:
                continue
            for city, own in held[member.slot][CITY_ROOT].items():
                theirs = held[member.reference][CITY_ROOT][city]
                all_of_them[member.generation] += 1
                wanted = set(theirs["attractions"]["must_visit"])
                same[member.generation] += bool(wanted & set(own["attractions"]["must_visit"]))
                if member.generation == "copy_minor":
                    assert not set(theirs["food"]["must_eat"]) & set(own["food"]["must_eat"])
                    refused += bool(wanted & set(own["attractions"]["reject_visit"]))
    assert same["copy_minor"] / all_of_them["copy_minor"] < 0.10
    assert same["copy_moderate"] / all_of_them["copy_moderate"] < 0.22
    assert refused == 0


def test_foods_differ_across_cities(tasks: list[Task]) -> None:
    several, differing = 0, 0
    for _, _, table in users(tasks):
        held = [city["food"]["must_eat"] for city in table[CITY_ROOT].values()]
        if len(held) > 1:
            wished = [item for one in held for item in one]
            several += 1
            differing += len(set(wished)) == len(wished)
    assert differing / several > 0.83


def test_nobody_below_age_asks_for_a_bar(resources: Resources) -> None:
    """A child of a family over the ten-city names of categories."""
    from benchmark.suites.grouptravel.synthesis.tastes import suits

    profiles = pool()
    child = next(profile for profile in profiles if profile.age < 14)
    grown = next(profile for profile in profiles if 25 < profile.age < 50)
    assert suits(child, "food", "酒吧/酒馆", False) < 0.1
    assert suits(child, "food", "小吃", False) == suits(grown, "food", "酒吧/酒馆", False) == 1.0
    assert suits(grown, "food", "酒吧/酒馆", True) < 0.5


# Openings.


def test_openings_are_one_paragraph_of_the_published_length(tasks: list[Task]) -> None:
    lengths = []
    for task in tasks:
        seats = [message["role"] for message in task["initial_messages"]]
        assert seats == sorted(task["user_preferences"])
        for message in task["initial_messages"]:
            said = message["content"]
            assert "\n" not in said
            assert SHORTEST <= len(said) <= LONGEST, said
            assert not re.search(r"[A-Za-z]+_|User\d|@|\$", said), said
            assert "。。" not in said and "，，" not in said
            lengths.append(len(said))
    assert 48 <= sum(lengths) / len(lengths) <= 60


def test_the_first_user_names_the_budget_and_nobody_anothers(tasks: list[Task]) -> None:
    for task in tasks:
        for message in task["initial_messages"]:
            budget = tables(task)[message["role"]][GLOBAL_ROOT]["avg_budget"]
            named = [int(number) for number in re.findall(r"(\d+)元", message["content"])]
            assert named in ([], [budget])
            assert message["role"] != "User1" or named


def test_tones_are_those_of_the_tiers(tasks: list[Task]) -> None:
    for task in tasks:
        for message in task["initial_messages"]:
            table, said = tables(task)[message["role"]], message["content"]
            must = {item for city in table[CITY_ROOT].values() for item in city["attractions"]["must_visit"]}
            for part in re.split("[。，]", said):
                if any(part.startswith(turn) or turn in part for turn in ("绝对不", "坚决不", "千万别")):
                    assert not any(item in part for item in must), said
                if any(item in part for item in must):
                    assert re.search("一定|非去|必须|肯定|必去", part), said


def test_kinds_of_wishes_stand_in_about_as_many_openings_as_published(tasks: list[Task]) -> None:
    found, count = Counter[str](), 0
    for task in tasks:
        for message in task["initial_messages"]:
            table, said = tables(task)[message["role"]], message["content"]
            cities = table[CITY_ROOT].values()
            count += 1
            found["budget"] += "元" in said
            found["hotel"] += any(
                h in said for h in (*table[GLOBAL_ROOT]["hotel_preference"]["prefer"], "住")
            )
            found["must_visit"] += any(i in said for c in cities for i in c["attractions"]["must_visit"])
            found["reject_eat"] += any(i in said for c in cities for i in c["food"]["reject_eat"])
    shares = {kind: found[kind] / count for kind in found}
    for kind, paper in (("budget", 0.44), ("hotel", 0.38), ("must_visit", 0.84), ("reject_eat", 0.31)):
        assert abs(shares[kind] - paper) < 0.1, (kind, shares[kind])


def test_no_item_is_named_twice_and_few_turns_are_repeated(tasks: list[Task]) -> None:
    turns = ("一定", "必须", "肯定", "绝对不", "坚决不", "千万别", "最好", "比较想", "不太想")
    repeated, count = 0, 0
    for task in tasks:
        for message in task["initial_messages"]:
            count += 1
            repeated += any(message["content"].count(turn) > 1 for turn in turns)
    assert repeated / count < 0.03
