"""What the reference agent looks up, answers and refuses, in both languages."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, datetime
from typing import Any

import pytest

from benchmark.core.events import Event, MessagePosted, ToolCalled, ToolReturned
from benchmark.core.view import AGENT, Message
from benchmark.suites.travelbench.agent.agent import question
from benchmark.suites.travelbench.agent.cities import cities_in, city_here
from benchmark.suites.travelbench.agent.days import day_meant
from benchmark.suites.travelbench.agent.names import anchor_in, ends_in
from benchmark.suites.travelbench.agent.opening import open_on
from benchmark.suites.travelbench.agent.ordering import _lines
from benchmark.suites.travelbench.agent.request import Step, read_request
from benchmark.suites.travelbench.agent.telling import without_points
from benchmark.suites.travelbench.events import USER
from benchmark.suites.travelbench.modes import UNSOLVED_MARK
from tests.benchmark.suites.travelbench.conftest import PlayTask
from tests.benchmark.suites.travelbench.test_users import VIEW


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
    play_task: PlayTask, query: str, tool: str, wanted: dict[str, Any], told: str
) -> None:
    events = play_task(query=query)
    name, arguments = calls(events)[-1]
    assert name == tool
    assert wanted.items() <= arguments.items()
    assert told in answer(events)
    assert not [one for one in events if isinstance(one.body, ToolReturned) and one.body.error]


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("南京明天冷不冷呀要不要穿羽绒服出门", "羽绒服"),
        ("will it be cold in Nanjing tomorrow, do I need a coat", "coat"),
        ("现在外面风大不大", "风"),
        ("苏州明天要带伞吗", "伞"),
        ("苏州博物馆几点关门来着 礼拜一开不开", "苏州博物馆周一（10月27日）不开放，开放的日子 17:00 关门。"),
        ("苏州博物馆明天几点关门", "苏州博物馆周三（10月22日）开放，17:00 关门。"),
        (
            "when does Lingyin Temple close on Monday",
            "灵隐寺 is open on Monday (27 October) and closes at 18:00.",
        ),
        ("从西湖到灵隐寺坐公交快还是打车快", "驾车更快，比公共交通少用"),
        ("武汉去南京明天有直达的动车吗几个小时", "有直达"),
    ],
)
def test_it_answers_in_a_word_what_is_asked_in_a_word(play_task: PlayTask, query: str, told: str) -> None:
    assert (
        told in answer(play_task(query=query)).split("\n")[0] + answer(play_task(query=query)).split("\n")[1]
    )


@pytest.mark.parametrize(
    ("query", "parts"),
    [
        (
            "今天在苏州玩一天上午园林下午博物馆晚上逛街给我排个顺序",
            ["1. 上午：", "2. 下午：", "3. 晚上："],
        ),
        ("在苏州先去博物馆然后喝茶帮我安排一下", ["1. 先：", "2. 然后："]),
        (
            "plan one day in Suzhou: a garden in the morning, a museum in the afternoon, shopping in the evening",
            ["1. Morning: ", "2. Afternoon: ", "3. Evening: "],
        ),
    ],
)
def test_a_day_is_put_in_order_with_the_ways_between(
    play_task: PlayTask, query: str, parts: list[str]
) -> None:
    lines = answer(play_task(query=query)).split("\n")[1:]
    assert [line for line in lines[::2] if not line.startswith(tuple(parts))] == []
    assert len(lines[::2]) == len(parts) and all("↓" in line for line in lines[1::2])


def test_a_place_that_is_closed_that_day_is_not_in_the_order(play_task: PlayTask) -> None:
    """Monday: the museums of Suzhou are closed."""
    said = answer(play_task(query="下周一在苏州上午博物馆下午园林给我排个顺序"))
    assert "苏州博物馆" not in said


@pytest.mark.parametrize(
    "query",
    ["去灵隐寺怎么走坐公交", "How do I get to Lingyin Temple by taxi?", "从广州塔开车到长隆野生动物世界多久"],
)
def test_no_coordinates_are_shown(play_task: PlayTask, query: str) -> None:
    said = answer(play_task(query=query))
    assert re.search(r"\d+\.\d{2,}\s*,\s*\d+\.\d{2,}", said) is None
    assert "灵隐寺" in said or "长隆" in said


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("西湖，坐标：30.245,120.141，免费", "西湖，免费"),
        ("步行约 1.6 公里到120.6332,31.3155（含等候）", "步行约 1.6 公里（含等候）"),
        ("Walk to 120.6332, 31.3155 and wait", "Walk and wait"),
        ("二等座 73.5, 一等座 117.5 元", "二等座 73.5, 一等座 117.5 元"),
    ],
)
def test_coordinates_in_the_words_of_a_service_are_left_out(text: str, shown: str) -> None:
    assert without_points(text) == shown


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("南京12月20日冷不冷", "南京12月还没有预报"),
        ("一月份去南京冷吗", "南京1月还没有预报"),
        ("what is the weather in Nanjing in January", "There is no forecast for Nanjing in January yet"),
    ],
)
def test_weather_of_another_month_is_told_as_usual_for_the_season(
    play_task: PlayTask, query: str, told: str
) -> None:
    said = answer(play_task(query=query))
    assert said.startswith(told) and ("冬天湿冷" in said)
    assert "°C" not in said


def test_high_speed_trains_are_no_slow_ones(play_task: PlayTask) -> None:
    said = answer(play_task(query="后天上午上海到苏州的高铁"))
    assert not re.search(r"^- [KTZ]", said, flags=re.MULTILINE)


def test_what_somebody_does_not_want_is_not_looked_for(play_task: PlayTask) -> None:
    assert calls(play_task(query="西湖附近吃饭，不去火锅店"))[-1][1]["query"] == "餐厅"


@pytest.mark.parametrize(
    ("hours", "day", "open_"),
    [
        ("周二至周日 09:00-17:00", date(2025, 10, 20), ("", "")),
        ("Tue-Sun 09:00-17:00", date(2025, 10, 19), ("09:00", "17:00")),
        (
            "03-01~11-15 07:30-17:30；11-16~02-29 07:30-17:00",
            date(2025, 12, 1),
            ("07:30", "17:00"),
        ),
        ("周五至周一 10:00-18:00", date(2025, 10, 20), ("10:00", "18:00")),
        ("11:00-14:30, 17:00-21:30", date(2025, 10, 20), ("11:00", "21:30")),
        ("全天开放", date(2025, 10, 20), ("00:00", "24:00")),
        ("请以现场为准", date(2025, 10, 20), None),
    ],
)
def test_opening_hours_are_read_by_the_day(hours: str, day: date, open_: Any) -> None:
    assert open_on(hours, day) == open_


REFUSED_REQUESTS = (
    "等下到站的时候喊我一声",
    "刚才那家店几点关门",
    "嗯那个就是你说吧",
    "please remind me at eight",
)


@pytest.mark.parametrize("query", REFUSED_REQUESTS)
def test_what_it_can_not_do_gets_the_tag_only_where_the_subtask_has_it(
    play_task: PlayTask, query: str
) -> None:
    assert answer(play_task(query=query, missing_tool=True)) == UNSOLVED_MARK
    assert UNSOLVED_MARK not in answer(play_task(query=query))
    assert not calls(play_task(query=query))


def test_it_answers_what_can_be_answered_in_the_unsolvable_subtask_as_well(play_task: PlayTask) -> None:
    assert UNSOLVED_MARK not in answer(play_task(query="去灵隐寺怎么走", missing_info=True))


def test_nothing_found_is_said_and_not_made_up(play_task: PlayTask) -> None:
    events = play_task(query="去月球基地怎么走")
    assert answer(events) == "抱歉，没有查到：月球基地。"
    assert {name for name, _ in calls(events)} == {"map_search_places"}


def test_a_kind_of_place_within_a_name_is_not_what_is_looked_for(play_task: PlayTask) -> None:
    events = play_task(query="南京儿童医院旁边有什么麦当劳")
    assert not calls(events) and "抱歉" in answer(events)


def test_it_asks_once_where_the_request_lacks_what_the_answer_depends_on(play_task: PlayTask) -> None:
    events = play_task(
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


@pytest.mark.parametrize(
    ("query", "asked"),
    [
        ("嗯我们想找个地方吃饭", "请问您具体想找什么、在哪一带、预算大概多少？"),
        ("明天带我爸妈逛逛广州去哪儿好呢", "请问您具体想找什么、预算大概多少？"),
        (
            "Find somewhere nice for dinner tonight",
            "What are you looking for, in which area and what is your budget?",
        ),
    ],
)
def test_it_asks_for_nothing_that_was_told_and_three_things_at_most(query: str, asked: str) -> None:
    language = "zh" if query[0] > "z" else "en"
    now = datetime(2025, 10, 24, 10)
    said = (Message(1, USER, query),)
    view = replace(
        VIEW, me=AGENT, query=query, messages=said, time=f"{now:%Y-%m-%d %H:%M}", language=language
    )
    assert question(read_request(view), language) == asked


def test_a_stop_of_an_order_tells_no_distance_beside_the_way_there() -> None:
    rows = [{"name": "拙政园"}, {"name": "苏州博物馆", "distance_m": 274}]
    steps = [Step("morning", "园林", "园林"), Step("afternoon", "博物馆", "博物馆")]
    assert "274" not in "".join(_lines(steps, rows, ["步行：356 米"], "zh"))


@pytest.mark.parametrize(
    ("query", "days"),
    [
        ("帮我排一下苏州两天的行程，每天上午逛园林，下午逛博物馆", 2),
        ("广州三天怎么玩，上午喝早茶，下午看博物馆，晚上吃粤菜，帮我每天排个顺序", 3),
        ("Plan a 3-day itinerary for Guangzhou with a museum in the morning and dim sum at noon", 3),
        ("过两天去苏州，上午逛园林，下午逛博物馆，帮我排个顺序", 1),
        ("杭州三天怎么玩", 3),
        ("Plan a 3-day itinerary for Guangzhou", 3),
        ("What should we do in Suzhou for two days?", 2),
        ("广州三天行程，想吃粤菜，住便宜的酒店", 3),
        ("苏州七天怎么玩", 7),
        ("苏州一日游", 1),
    ],
)
def test_an_order_for_several_days_has_each_day_and_no_place_twice(
    play_task: PlayTask, query: str, days: int
) -> None:
    told = answer(play_task(query=query, intent=query))
    titles = re.findall(r"^(?:第 (\d) 天|Day (\d))$", told, re.MULTILINE)
    assert [int(one or other) for one, other in titles] == (list(range(1, days + 1)) if days > 1 else [])
    places = re.findall(r"^\d\. [^：:]+[：:]\s*([^：:]+)[：:]", told, re.MULTILINE)
    assert len(places) == len(set(places)) >= 2 * days


@pytest.mark.parametrize(
    ("query", "kinds"),
    [
        ("杭州三天怎么玩", ["景点", "餐厅", "景点", "餐厅"]),
        ("苏州两天行程，想看园林", ["园林", "餐厅", "景点", "餐厅"]),
        ("广州三天行程，想吃粤菜", ["景点", "餐厅", "景点", "粤菜"]),
        ("Plan 2 days in Hangzhou with hot pot", ["景点", "餐厅", "景点", "火锅"]),
        ("杭州三天的酒店推荐", []),
        ("三天后去苏州，找个充电站，安排一下", []),
    ],
)
def test_days_without_kinds_of_places_have_sights_and_meals(query: str, kinds: list[str]) -> None:
    view = replace(VIEW, me=AGENT, query=query, messages=(Message(1, USER, query),))
    steps = read_request(view).steps
    assert [step.seek for step in steps] == kinds
    assert [step.part for step in steps] == (["morning", "noon", "afternoon", "evening"] if kinds else [])


def test_days_are_shared_out_among_the_cities_that_are_named(play_task: PlayTask) -> None:
    query = "杭州苏州五天怎么玩"
    told = answer(play_task(query=query, intent=query))
    titles = re.findall(r"^第 \d 天（(.+)）$", told, re.MULTILINE)
    assert titles == ["杭州", "杭州", "杭州", "苏州", "苏州"]


@pytest.mark.parametrize(
    ("query", "asks"),
    [
        ("周末想出去玩两天你看着安排吧", True),
        ("杭州三天怎么玩", False),
        ("玩两天，想看博物馆，安排一下", False),
    ],
)
def test_whoever_leaves_all_open_is_asked(query: str, asks: bool) -> None:
    view = replace(VIEW, me=AGENT, query=query, messages=(Message(1, USER, query),))
    assert ("在哪一带" in question(read_request(view), "zh")) is asks


def test_classes_of_seats_have_english_names(play_task: PlayTask) -> None:
    query = "Trains from Hangzhou to Shanghai tomorrow morning please"
    told = answer(play_task(query=query, intent=query, language="en"))
    assert "second class" in told and not re.search("等座|硬[座卧]", told)


def test_the_kinds_of_places_have_english_names(play_task: PlayTask) -> None:
    query = "Plan a 2-day itinerary for Suzhou"
    told = answer(play_task(query=query, intent=query, language="en"))
    assert not re.search(r"园林|博物馆[;；]|苏帮菜", told) and "classical garden;" in told


def test_days_beyond_what_is_there_are_told(play_task: PlayTask) -> None:
    query = "帮我排一下苏州七天的行程，每天上午逛动物园，下午逛博物馆"
    told = answer(play_task(query=query, intent=query))
    assert "第 1 天" in told and "动物园只够排" in told


@pytest.mark.parametrize("city", ["Hangzhou", "Guangzhou", "Suzhou"])
def test_a_city_has_its_english_name_in_english(play_task: PlayTask, city: str) -> None:
    query = f"What will the weather be like in {city} tomorrow?"
    told = answer(play_task(query=query, intent=query))
    assert f"The weather in {city}" in told
