"""What holds for every plan, well formed or not."""

from __future__ import annotations

import copy
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmark.suites.grouptravel.scoring import Catalogue, score_record
from tests.benchmark.suites.grouptravel.scoring.build import (
    CITY,
    block,
    day,
    hotel,
    leg,
    meal,
    place,
    plan,
    record,
    rest,
    ride,
    sight,
    table,
)
from tests.properties import examples

USERS = ["User1", "User2", "User3"]
ALIASES = ["Ann", "Bo", "Cy"]
NAMES = ["西湖", "灵隐寺", "面馆", "湖边旅舍", "别处"]
HOURS = {"rules": [{"weekdays": [1, 2, 3], "time_windows": [{"open": "09:00", "close": "15:00"}]}]}
CATALOGUE = Catalogue(
    {
        CITY: [
            place("西湖", "自然风光", hours=HOURS),
            place("灵隐寺", "历史古迹"),
            place("面馆", "川菜", "food"),
            place("湖边旅舍", "客栈", "hotels"),
        ]
    }
)

clock = st.integers(6 * 60, 23 * 60).map(lambda m: f"{m // 60:02d}:{m % 60 // 20 * 20:02d}")
who = st.sampled_from([["All"], None, [], *[[u] for u in USERS], USERS[:2], USERS[1:], ["User9"], "User1"])
name = st.sampled_from(NAMES)
activity = st.one_of(
    st.builds(sight, name, clock, clock, who),
    st.builds(meal, name, clock, clock, who),
    st.builds(ride, name, name, clock, clock, who),
    st.builds(rest, clock, clock, who),
    st.builds(hotel, name, clock, clock),
)
blocks = st.lists(activity, max_size=6).map(lambda acts: block(*acts))
days = st.lists(st.one_of(blocks, st.just(leg("上海市", CITY))), min_size=1, max_size=3).map(
    lambda s: day(*s)
)
plans = st.lists(days, min_size=1, max_size=3).map(lambda d: plan(*d))
items = st.lists(st.sampled_from([*NAMES, "自然风光", "川菜", "湖"]), max_size=3)
tables = st.builds(
    lambda a, b, c, d, e, cap: table(
        sights={"must_visit": a, "reject_visit": b, "category_pref": {"positive": c, "negative": d}},
        food={"must_eat": e, "avoid_eat": a},
        intensity={"max_poi_per_day": cap},
        avg_budget=cap * 100,
    ),
    items, items, items, items, items, st.integers(0, 3),
)  # fmt: skip
groups = st.fixed_dictionaries(dict.fromkeys(USERS, tables))

quick = settings(max_examples=examples(40), suppress_health_check=[HealthCheck.too_slow])


PROFILES = st.sampled_from(["published", "paper"])


def score(trip, group, profile="published", **more):
    return score_record(record(trip, group, **more), CATALOGUE, profile)


def figures(found):
    return {
        key: found[key]
        for key in ("pc", "gu", "gf", "pv", "pv_issue_counts", "split_penalty", "per_user_utility")
    }


@quick
@given(plans, groups, st.permutations(USERS), PROFILES)
def test_the_order_of_users_never_changes_a_figure(trip, group, order, profile):
    other = score(trip, {user: group[user] for user in order}, profile)
    assert figures(other) == figures(score(trip, group, profile))


@quick
@given(plans, groups)
def test_renaming_the_users_changes_nothing_but_names(trip, group):
    text = json.dumps(trip)
    for user, alias in zip(USERS, ALIASES, strict=True):
        text = text.replace(user, alias)
    before = score(trip, group)
    after = score(json.loads(text), {alias: group[user] for user, alias in zip(USERS, ALIASES, strict=True)})
    assert (after["gf"], after["gu"], after["split_penalty"]) == (
        before["gf"],
        before["gu"],
        before["split_penalty"],
    )


@quick
@given(plans, groups, st.data())
def test_removing_an_activity_never_adds_an_overlap(trip, group, data):
    places = [s["activities"] for d in trip["days"] for s in d["city_segments"] if s.get("activities")]
    if not places:
        return
    before = score(trip, group)["pv_issue_counts"].get("time_overlap", 0)
    activities = data.draw(st.sampled_from(places))
    activities.pop(data.draw(st.integers(0, len(activities) - 1)))
    if any(s for d in trip["days"] for s in d["city_segments"]):
        assert score(trip, group)["pv_issue_counts"].get("time_overlap", 0) <= before


@quick
@given(groups, st.lists(st.sampled_from(["西湖", "灵隐寺"]), unique=True))
def test_a_visited_must_that_matches_no_liked_category_never_costs(group, visited):
    """Each place once, one after another; the new must is visited and its category is not among the liked ones."""
    sights = [sight(n, f"{9 + i:02d}:00", f"{10 + i:02d}:00") for i, n in enumerate(visited)]
    trip = plan(day(block(*sights, rest("20:00", "21:00"))))
    own = group["User1"]["city_specific_preferences"][CITY]["attractions"]
    own["category_pref"]["positive"] = []
    before = score(trip, group)["per_user_utility"]["User1"]
    for new in visited:
        more = copy.deepcopy(group)
        more["User1"]["city_specific_preferences"][CITY]["attractions"]["must_visit"].append(new)
        assert score(trip, more)["per_user_utility"]["User1"] >= before + 2


keys = st.sampled_from(
    [
        "days", "day", "date", "city_segments", "type", "city", "activities", "location", "from", "to", "from_city",
        "to_city", "start_time", "end_time", "participants", "avg_cost", "transport_mode",
    ]
)  # fmt: skip
words = st.sampled_from(
    [
        "intercity_transport", "attraction", "food", "hotel", "rest", "intracity_transport", CITY, "西湖", "面馆", "",
        "09:00", "25:00", "2026-02-03", "All", "User1", "\ud800",
    ]
)  # fmt: skip
leaves = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 30),
    st.floats(allow_nan=True, allow_infinity=True),
    words,
    st.text(max_size=3),
)
junk = st.recursive(
    leaves,
    lambda deeper: st.one_of(st.lists(deeper, max_size=4), st.dictionaries(keys, deeper, max_size=6)),
    max_leaves=20,
)


def mutated_copy(value, data):
    """A copy of which some random parts are junk."""
    value = copy.deepcopy(value)
    for _ in range(2):
        value = mutate(value, data)
    return value


def mutate(value, data):
    if isinstance(value, dict | list) and value and data.draw(st.integers(0, 4)):
        spot = data.draw(st.sampled_from(sorted(value) if isinstance(value, dict) else range(len(value))))
        value[spot] = mutate(value[spot], data)
        return value
    return data.draw(junk)


@settings(max_examples=examples(120), suppress_health_check=[HealthCheck.too_slow])
@given(plans, groups, st.data())
def test_a_broken_plan_never_raises(trip, group, data):
    found = score(mutated_copy(trip, data), group, data.draw(PROFILES))
    assert found["pv"] in (None, True, False)


@settings(max_examples=examples(60))
@given(junk, junk, st.data())
def test_a_broken_record_never_raises(trip, odd, data):
    fields = [
        "user_names",
        "effective_preferences",
        "agent_preference_table",
        "conversation_history",
        "success",
    ]
    broken = record(trip) | {data.draw(st.sampled_from(fields)): odd}
    assert "evidence" in score_record(broken, CATALOGUE, data.draw(PROFILES))


@quick
@given(plans, tables, st.data())
def test_a_broken_table_never_raises(trip, own, data):
    score(trip, {"User1": mutated_copy(own, data), "User2": table()})


@pytest.mark.parametrize(
    "hours", [[], "x", {"rules": 3}, {"rules": [None, {"time_windows": 3}, {"date_range": "x"}]}]
)
def test_broken_opening_hours_never_raise(hours):
    score_record(record(plan(day(block(sight("西湖"))))), Catalogue({CITY: [place("西湖", hours=hours)]}))
