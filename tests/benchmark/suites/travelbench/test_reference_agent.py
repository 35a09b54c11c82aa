"""What the reference agent looks up, answers and refuses, in both languages."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import pytest

from benchmark.core.events import Event, MessagePosted, ToolCalled, ToolReturned
from benchmark.core.view import AGENT
from benchmark.suites.travelbench.agent.cities import cities_in, city_here
from benchmark.suites.travelbench.agent.days import day_meant
from benchmark.suites.travelbench.agent.names import anchor_in, ends_in
from benchmark.suites.travelbench.modes import UNSOLVED
from tests.benchmark.suites.travelbench.conftest import Played


def calls(events: list[Event]) -> list[tuple[str, Any]]:
    return [(one.body.name, one.body.arguments) for one in events if isinstance(one.body, ToolCalled)]


def answer(events: list[Event]) -> str:
    said = [one.body for one in events if isinstance(one.body, MessagePosted) and one.body.role == AGENT]
    return said[-1].content


@pytest.mark.parametrize(
    ("query", "tool", "wanted", "told"),
    [
        ("这附近有没有人均一百以内的杭帮菜", "map_search_places", {"price_max": 100.0}, "新白鹿"),
        ("nearest museum near here please, find one", "map_search_places", {"query": "博物馆"}, "museum"),
        ("去灵隐寺怎么走坐公交", "map_compute_routes", {"modes": ["transit"]}, "灵隐寺"),
        ("How do I get to Lingyin Temple by taxi?", "map_compute_routes", {"modes": ["driving"]}, "by car"),
        ("后天上海到苏州的高铁", "travel_search_trains", {"date": "2025-10-23"}, "二等座"),
        (
            "Trains from Hangzhou to Shanghai tomorrow",
            "travel_search_trains",
            {"date": "2025-10-22"},
            "Trains",
        ),
        ("南京明天冷不冷", "weather_forecast_days", {"location": "江苏省南京市"}, "°C"),
        ("what's the weather like now", "weather_current_conditions", {"location": "浙江省杭州市"}, "°C"),
        ("北京飞深圳这周日有哪些航班", "travel_search_flights", {"date": "2025-10-26"}, "航班"),
        ("佛山必吃的榜单", "map_search_ranking_list", {"region": "广东省佛山市"}, "榜"),
    ],
)
def test_it_looks_up_what_is_asked_and_tells_what_it_found(
    played: Played, query: str, tool: str, wanted: dict[str, Any], told: str
) -> None:
    events = played(query=query)
    name, arguments = calls(events)[-1]
    assert name == tool
    assert wanted.items() <= arguments.items()
    assert told in answer(events)
    assert not [one for one in events if isinstance(one.body, ToolReturned) and one.body.error]


REFUSED = ("等下到站的时候喊我一声", "刚才那家店几点关门", "嗯那个就是你说吧", "please remind me at eight")


@pytest.mark.parametrize("query", REFUSED)
def test_what_it_can_not_do_gets_the_tag_only_where_the_subtask_has_it(played: Played, query: str) -> None:
    assert answer(played(query=query, missing_tool=True)) == UNSOLVED
    assert UNSOLVED not in answer(played(query=query))
    assert not calls(played(query=query))


def test_it_answers_what_can_be_answered_in_the_unsolvable_subtask_as_well(played: Played) -> None:
    assert UNSOLVED not in answer(played(query="去灵隐寺怎么走", missing_info=True))


def test_nothing_found_is_said_and_not_made_up(played: Played) -> None:
    events = played(query="去月球基地怎么走")
    assert answer(events) == "抱歉，没有查到：月球基地。"
    assert {name for name, _ in calls(events)} == {"map_search_places"}


def test_a_kind_of_place_within_a_name_is_not_what_is_looked_for(played: Played) -> None:
    events = played(query="南京儿童医院旁边有什么麦当劳")
    assert not calls(events) and "抱歉" in answer(events)


def test_it_asks_once_where_the_request_lacks_what_the_answer_depends_on(played: Played) -> None:
    events = played(
        query="帮我看看去深圳怎么去合适",
        intent="11月1日从武汉去深圳出差，比较高铁和飞机，上午出发",
        user_profile="### 基本信息\n- 常驻城市：武汉市",
    )
    said = [one.body.role for one in events if isinstance(one.body, MessagePosted)]
    assert said == ["User", AGENT, "User", AGENT, "User"]
    assert [name for name, _ in calls(events)] == ["travel_search_trains", "travel_search_flights"]
    assert all(arguments["origin"] == "湖北省武汉市" for _, arguments in calls(events))


NOW = datetime(2025, 11, 14, 21)  # a Friday


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("明天", date(2025, 11, 15)),
        ("后天上午", date(2025, 11, 16)),
        ("这周日", date(2025, 11, 16)),
        ("下周三", date(2025, 11, 19)),
        ("11月23日", date(2025, 11, 23)),
        ("1月3日", date(2026, 1, 3)),
        ("on 22 November", date(2025, 11, 22)),
        ("this Saturday", date(2025, 11, 15)),
        ("2月30日", None),
        ("随便", None),
    ],
)
def test_days_are_read_from_the_task_s_time(words: str, day: date | None) -> None:
    assert day_meant(words, NOW) == day


def test_cities_are_told_from_streets_that_bear_their_names() -> None:
    assert cities_in("上海到苏州") == ["上海市", "江苏省苏州市"]
    assert cities_in("南京路和中山陵") == []
    assert cities_in("from Wuhan, near Beijing Road") == ["湖北省武汉市"]


@pytest.mark.parametrize(
    ("text", "path"), [("上海市上海市", "上海市"), ("浙江省杭州市", "浙江省杭州市"), ("某地", "")]
)
def test_the_user_s_city_is_what_the_tools_take(text: str, path: str) -> None:
    assert city_here(f"**用户当前位置描述**\n{text}") == path


def test_names_are_taken_without_the_words_around_them() -> None:
    assert ends_in("我从广州塔开车到长隆野生动物世界多长时间") == ("广州塔", "长隆野生动物世界")
    assert ends_in("How far is it to the Bund?") == ("", "外滩")
    assert anchor_in("帮我找一下夫子庙附近的店") == "夫子庙"
    assert anchor_in("离那个越秀公园最近的酒店") == "越秀公园"
    assert anchor_in("这附近有加油站吗") == ""
