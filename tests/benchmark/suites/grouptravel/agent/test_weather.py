"""What the agent tells of the weather: what was asked in a word, and what is usual for the season as just that."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from benchmark.core.view import ToolEntry
from benchmark.suites.grouptravel.agent.brief import read_brief
from benchmark.suites.grouptravel.agent.facts.answers import answer, calls_for
from benchmark.suites.grouptravel.agent.facts.desk import Desk
from benchmark.suites.grouptravel.agent.facts.questions import pending_queries
from benchmark.suites.grouptravel.agent.picture import read_chat
from sandbox.toolbox import world_tools
from sandbox.worlds import World

from .group import entry, view

ENGLISH = {
    "language": "en",
    "query": "Hangzhou (杭州市) and Suzhou (苏州市), 3 days and 2 nights, a trip for 2 people",
    "context": "Departure city: 北京市",
}


def answer_to(question: str, *log: ToolEntry, language: str = "zh", tools: Any = None) -> str:
    """The answer; by `tools`, when there are any, else by the log."""
    seen = replace(view(("User2", f"@Agent {question}")), **(ENGLISH if language == "en" else {}))
    brief = read_brief(seen)
    (query,) = pending_queries(seen, read_chat(seen, brief), brief)
    for call in calls_for(query, Desk(brief, log)) if tools else ():
        outcome = tools.call(call.name, call.arguments)
        log += (ToolEntry("c", call.name, call.arguments, outcome.result, outcome.error, outcome.source),)
    return answer(query, Desk(brief, log))


TRIP = {"location": "苏州市", "date": "2025-10-31", "days": 2}


def forecast(*days: tuple[str, str, int, int]) -> ToolEntry:
    rows = [{"date": day, "text": sky, "low": low, "high": high} for day, sky, low, high in days]
    return entry("maps_weather", TRIP, {"days": rows})


@pytest.mark.parametrize(
    ("low", "high", "question", "verdict"),
    [
        (-3, 5, "苏州那几天冷不冷？", "很冷，要穿羽绒服"),
        (4, 12, "苏州要不要穿羽绒服？", "冷，羽绒服或厚外套用得上"),
        (14, 20, "苏州会不会很冷啊？", "不算冷，早晚加件外套就行"),
        (26, 35, "苏州热不热？", "很热，中午少在外面走"),
        (20, 27, "苏州冷吗？", "不冷，穿单衣就行"),
    ],
)
def test_a_question_in_a_word_is_answered_in_a_word(low: int, high: int, question: str, verdict: str) -> None:
    days = [(f"2025-{day}", "多云", low, high) for day in ("10-31", "11-01", "11-02")]
    assert answer_to(question, forecast(*days)).endswith(verdict)


def test_days_alike_are_told_together_and_those_without_a_forecast_are_named() -> None:
    first, second = ("2025-10-31", "多云", 12, 18), ("2025-11-01", "多云", 11, 17)
    alike = "苏州市10月31日到11月1日多云，11到18度"
    assert answer_to("苏州那几天天气怎么样？", forecast(first, second)) == f"{alike}；11月1日以后的还没有预报"
    wet = forecast(first, second, ("2025-11-02", "小雨", 10, 15))
    assert answer_to("苏州那几天天气怎么样？", wet) == f"{alike}；11月2日小雨，10到15度"


@pytest.mark.parametrize(
    ("question", "language", "usual", "verdict"),
    [
        ("苏州那几天冷不冷？", "zh", "苏州市10月31日往年一般", "外套"),
        ("苏州12月冷不冷，要不要穿羽绒服？", "zh", "苏州市12月往年一般", "羽绒服"),
        ("三月份苏州要带伞吗？", "zh", "苏州市3月往年一般", "雨"),
        ("Will it be cold in Suzhou in January?", "en", "it is usually cloudy in January", "coat"),
        ("Do I need an umbrella in Suzhou?", "en", "it is usually", "umbrella"),
    ],
)
def test_what_the_world_tells_by_its_climate_is_told_as_usual_for_the_season(
    world: World, question: str, language: str, usual: str, verdict: str
) -> None:
    said = answer_to(question, language=language, tools=world_tools(world, language))  # type: ignore[arg-type]
    assert usual in said and verdict in said.rpartition("；" if language == "zh" else "; ")[2]
    assert said.count("苏州市") == 1


@pytest.mark.parametrize(
    ("sky", "told"),
    [
        ("闷热多雷雨", "muggy and thundery"),
        ("晴暖多风", "sunny, warm and windy"),
        ("闷热多雷雨有雾潮湿", "muggy, thundery and foggy"),
    ],
)
def test_the_weather_takes_few_words(sky: str, told: str) -> None:
    days = [(f"2025-{day}", sky, 22, 30) for day in ("10-31", "11-01", "11-02")]
    assert f"it will be {told} from" in answer_to(
        "What is the weather in Suzhou?", forecast(*days), language="en"
    )


def test_weather_of_another_month_is_never_told_as_the_trip_s() -> None:
    """A cache answers by a call of another month."""
    said = answer_to("苏州那几天冷不冷？", forecast(("2025-03-02", "阴", 6, 12), ("2025-03-03", "阴", 5, 11)))
    assert said == "苏州市3月往年一般阴，5到12度；冷，羽绒服或厚外套用得上"


def test_where_there_is_no_forecast_the_season_is_looked_up() -> None:
    failed = entry("maps_weather", TRIP, {"error": "x"})
    season = {"answers": [{"text": "苏州10月秋高气爽，气温15到23度。"}]}
    found = entry("web_search", {"query": "苏州市10月天气 气候"}, season)
    said = answer_to("苏州那几天天气怎么样？", failed, found)
    assert said == "苏州市还没有那几天的预报，往年10月：苏州10月秋高气爽，气温15到23度"
