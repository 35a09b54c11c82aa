"""The critic's list: every fault at its place, in the session's language, from what the agent may know."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from string import Formatter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark.core.view import ToolEntry
from benchmark.suites.grouptravel.briefing.review import days_asked, faults
from benchmark.suites.grouptravel.briefing.wording import fault
from benchmark.suites.grouptravel.scoring import MESSAGES
from benchmark.suites.grouptravel.view import Traveller
from tests.benchmark.agents.cast import plan, view
from tests.properties import examples


def changed_plan(*path: Any, value: Any) -> dict[str, Any]:
    """The sound plan with one part replaced; a value of None removes the key."""
    whole = plan()
    node: Any = whole
    for key in path[:-1]:
        node = node[key]
    if value is None:
        del node[path[-1]]
    else:
        node[path[-1]] = value
    return whole


STAY = ("days", 0, "city_segments", 1, "activities")


def test_a_sound_plan_has_no_faults() -> None:
    assert faults(plan(), view()) == ()


@pytest.mark.parametrize(
    ("made", "zh", "en"),
    [
        (
            changed_plan("days", 1, "date", value="2025-11-05"),
            "- 第 2 天：日期应为 2025-11-03，写的是 2025-11-05",
            "- Day 2: the date must be 2025-11-03, not 2025-11-05",
        ),
        (
            plan(transport_mode="骑马"),
            "- 第 1 天，第 1 段：上海市 → 苏州市：城际的 transport_mode 应为 飞机、火车、高铁、自驾 之一，"
            "写的是 '骑马'",
            "- Day 1, segment 1: 上海市 → 苏州市: the transport_mode between cities must be one of "
            "飞机, 火车, 高铁, 自驾, not '骑马'",
        ),
        (
            changed_plan(*STAY, 3, "avg_cost", value=None),
            "- 第 1 天，第 2 段，第 4 项：酒店 没有写 avg_cost",
            "- Day 1, segment 2, activity 4: 酒店 has no avg_cost",
        ),
        (
            changed_plan(*STAY, 2, "from", value="别处"),
            "- 第 1 天，第 2 段，第 3 项：User2、User1 在 苏州博物馆，市内交通却从 别处 出发",
            "- Day 1, segment 2, activity 3: User2, User1 is at 苏州博物馆, but the local transport starts "
            "from 别处",
        ),
        (
            changed_plan(*STAY, 1, "participants", value=["User1", "User2", "User9"]),
            "- 第 1 天，第 2 段，第 2 项：苏州博物馆：User9 不是成员",
            "- Day 1, segment 2, activity 2: 苏州博物馆: User9 is not a member of the group",
        ),
    ],
)
def test_a_fault_stands_at_its_place_once_for_all_whom_it_concerns(made: Any, zh: str, en: str) -> None:
    assert zh in faults(made, view())
    assert en in faults(made, view(language="en"))


def test_the_agents_own_table_is_held_against_the_plan() -> None:
    wanted = {
        "User1": {
            "global_constraints": {
                "avg_budget": 100,
                "transport": {"reject": ["高铁"]},
                "intensity": {"max_active_hours": 1},
            },
            "city_specific_preferences": {"苏州市": {"attractions": {"reject_visit": ["苏州博物馆"]}}},
        },
        "User2": "？",
        "User9": {},
    }
    assert set(faults(plan(), view(table=wanted))) == {
        "- User1 的花费为人均 280 元，超过上限 100 元",
        "- 第 1 天，第 1 段：User1 坚决拒绝 高铁，计划里却有 上海市 → 苏州市",
        "- 第 2 天，第 1 段：User1 坚决拒绝 高铁，计划里却有 苏州市 → 上海市",
        "- 第 1 天：User1 这一天活动 2.66667 小时，超过上限 1 小时",
        "- 第 1 天，第 2 段，第 2 项：User1 坚决拒绝 苏州博物馆，计划里却有 苏州博物馆",
    }


def eating(name: str) -> dict[str, Any]:
    """The sound plan with a meal in place of its sight."""
    return changed_plan(
        *STAY,
        1,
        value={"type": "food", "location": name, "start_time": "09:00", "end_time": "11:00", "avg_cost": 1},
    )


def preferring(city: dict[str, Any], **everywhere: Any) -> dict[str, Any]:
    return {"User1": {"global_constraints": everywhere, "city_specific_preferences": {"苏州市": city}}}


@pytest.mark.parametrize(
    ("table", "made", "expected"),
    [
        (
            preferring({"food": {"reject_eat": ["火锅"]}}),
            eating("海底捞火锅"),
            "- 第 1 天，第 2 段，第 2 项：User1 坚决拒绝 火锅，计划里却有 海底捞火锅",
        ),
        (
            preferring({"food": {"avoid_eat": ["西餐", "火锅"]}}),
            eating("海底捞火锅"),
            "- 第 1 天，第 2 段，第 2 项：User1 想避开 火锅，计划里却有 海底捞火锅",
        ),
        (
            preferring({}, hotel_preference={"avoid": ["民宿"]}),
            changed_plan(*STAY, 3, "location", value="平江民宿"),
            "- 第 1 天，第 2 段，第 4 项：User1 想避开 民宿，计划里却有 平江民宿",
        ),
        (
            preferring({"attractions": {"category_pref": {"negative": ["博物馆"]}}}),
            plan(),
            "- 第 1 天，第 2 段，第 2 项：User1 想避开 博物馆，计划里却有 苏州博物馆",
        ),
    ],
)
def test_names_tell_what_a_member_does_not_want(table: Any, made: Any, expected: str) -> None:
    assert expected in faults(made, view(table=table))


@pytest.mark.parametrize(
    ("table", "made"),
    [
        (preferring({"food": {"must_eat": ["海底捞"], "avoid_eat": ["火锅"]}}), eating("海底捞火锅")),
        (preferring({"food": {"reject_eat": ["中餐", "西餐", "?"]}}), eating("海底捞火锅")),
        (preferring({"food": {"reject_eat": [""]}}, hotel_preference={"avoid": [""]}), eating("海底捞火锅")),
        (preferring({}, hotel_preference={"avoid": ["商务酒店"]}), plan()),
        (
            preferring({}, hotel_preference={"prefer": ["平江"], "avoid": ["民宿"]}),
            changed_plan(*STAY, 3, "location", value="平江民宿"),
        ),
        (preferring({"attractions": {"category_pref": {"negative": ["公园"]}}}), plan()),
    ],
)
def test_what_no_name_tells_is_no_fault(table: Any, made: Any) -> None:
    assert not any("User1 坚决" in fault or "User1 想" in fault for fault in faults(made, view(table=table)))


HOTEL = ToolEntry(
    "c1", "get_poi_detail", {}, json.dumps({"name": "酒店", "city": "苏州市", "price": 150.0}), False, "world"
)


@pytest.mark.parametrize(
    ("language", "uncosted", "dear", "unknown"),
    [
        (
            "zh",
            "- 第 1 天，第 2 段，第 1 项：苏州博物馆 没有写 avg_cost",
            "- 第 1 天，第 2 段，第 4 项：酒店：计划写的是 ¥200，工具返回的是 ¥150",
            "- 第 2 天，第 1 段：高铁 苏州市 → 上海市，08:00 至 08:30：工具没有返回过这样的班次",
        ),
        (
            "en",
            "- Day 1, segment 2, activity 1: 苏州博物馆 has no avg_cost",
            "- Day 1, segment 2, activity 4: 酒店: the plan says ¥200, but tools returned ¥150",
            "- Day 2, segment 1: 高铁 苏州市 → 上海市 from 08:00 to 08:30 is no service that a tool returned",
        ),
    ],
)
def test_under_the_papers_protocol_its_rules_hold_too(
    language: str, uncosted: str, dear: str, unknown: str
) -> None:
    seen = view(language=language, tool_log=(HOTEL,), protocol="paper")
    assert {uncosted, dear, unknown} <= set(faults(plan(), seen))
    assert faults(plan(), replace(seen, protocol="published")) == ()


def test_a_young_child_left_alone_is_told_under_the_papers_protocol() -> None:
    made = changed_plan(*STAY, 1, "participants", value=["User1"])
    made["days"][0]["city_segments"][1]["activities"].insert(
        2,
        {
            **made["days"][0]["city_segments"][1]["activities"][1],
            "participants": ["User2"],
            "location": "别处",
        },
    )
    child = view(companions=(Traveller("小宝", "儿子"),), protocol="paper")
    assert any("没有人陪 小宝" in sentence for sentence in faults(made, child))
    assert not any("没有人陪" in sentence for sentence in faults(made, replace(child, companions=())))


def test_every_message_of_a_rule_has_its_sentence() -> None:
    untold = {"no_departure", "no_return"}  # the departure city is not known to an agent
    for language in ("zh", "en"):
        for key, pattern in MESSAGES.items():
            if key not in untold:
                fields = {name: "x" for _, name, _, _ in Formatter().parse(pattern) if name}
                assert fault(language, key, **fields)


def test_days_that_are_missing_or_empty_are_told() -> None:
    short = {
        "days": [{"day": 1, "date": "2025-11-02", "city_segments": [{"city": "苏州市", "activities": []}]}]
    }
    assert faults(short, view()) == ("- 计划有 1 天，出行请求是 2 天", "- 第 1 天：这一天没有任何安排")
    assert faults(short, view(language="en")) == (
        "- the plan has 1 days, but the request says 2",
        "- Day 1: nothing is arranged for this day",
    )


@pytest.mark.parametrize(
    ("query", "days"),
    [
        ("苏州市，两天一夜，2人的旅行计划", 2),
        ("成都市、苏州市，5天，2人的旅行计划", 5),
        ("成都十二日游", 12),
        ("苏州市，一晚", 2),
        ("Suzhou and Hangzhou, 4 days, a travel plan for 4 people", 4),
        ("A three-day trip to Suzhou for two people", 3),
        ("Two nights in Suzhou", 3),
        ("苏州市，2人的旅行计划", None),
        ("前两天苏州，后三天杭州", None),
        ("第十二天回家", None),
        ("半天", None),
        ("9" * 400 + "天", None),
        ("", None),
    ],
)
def test_the_request_says_how_many_days(query: str, days: int | None) -> None:
    assert days_asked(query) == days


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.sampled_from(["", "09:00", "hotel", "food", "All"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["type", "x"]), inner),
    max_leaves=4,
)
PATHS = [
    ("days", 0, "date"),
    ("days", 0, "day"),
    ("days", 1, "city_segments"),
    ("days", 0, "city_segments", 0, "transport_mode"),
    ("days", 0, "city_segments", 0, "start_time"),
    (*STAY,),
    *((*STAY, at, key) for at in (0, 1, 3) for key in ("type", "participants", "start_time", "location", "avg_cost")),
]  # fmt: skip


@settings(max_examples=examples(80))
@given(
    st.dictionaries(st.sampled_from(PATHS), JSON, max_size=3),
    st.sampled_from(["zh", "en"]),
    JSON,
    st.sampled_from(["published", "paper"]),
)
def test_no_plan_and_no_table_is_too_strange_to_review(
    made: Any, language: str, table: Any, protocol: str
) -> None:
    whole = copy.deepcopy(plan())
    for path, value in sorted(made.items(), key=lambda item: -len(item[0])):
        node: Any = whole
        for key in path[:-1]:
            node = node[key]
        node[path[-1]] = value
    found = faults(whole, view(language=language, table={"User1": table}, protocol=protocol))
    assert all(sentence.startswith("- ") and "$" not in sentence for sentence in found)
