"""Calls for what is known of a place or a day: web_search and maps_weather."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

from tests.scale.gazetteer import Entry, Gazetteer, Town
from tests.scale.spelling import city, day, option, spot, varied_spelling

DrawnCall = tuple[dict[str, Any], dict[str, Any]]

_ABOUT_PLACES = (
    "{}门票价格",
    "{}开放时间",
    "{}需要预约吗",
    "{}怎么去",
    "{}人均消费",
    "{}附近停车",
    "{} 评价",
    "{}游玩时间",
)
_ABOUT_TOWNS = (
    "{}旅游攻略 {}天",
    "{}{}月天气 穿衣建议",
    "{}必吃美食推荐 前{}名",
    "{}适合{}人小团的住宿区域",
    "{}地铁{}号线运营时间",
    "{}亲子景点推荐 {}岁",
    "{}夜市排行 {}",
)
_SUFFIXES = ("", "", " 2025", " 2026", " 最新", " 官网", "？")
_TEXTS = (
    "{name}位于{city}{address}，旺季成人票{price}元，淡季八折，儿童身高一米二以下免票，建议提前{days}天在官方渠道预约。",
    "游客反映{name}周末排队较久，平均等候{price}分钟，建议工作日上午前往，游览约需{days}小时，周边餐饮选择较多。",
    "从{city}市中心前往{name}可乘地铁换乘公交，全程约{price}分钟，下车后步行{days}分钟即到，附近停车位较为紧张。",
    "{name}近期评分较高，最受欢迎的时段为傍晚，人均消费约{price}元，店内支持预订，等位约{days}桌。",
)
_SKIES = ("晴", "多云", "阴", "小雨", "中雨", "雷阵雨", "雾", "小雪")


def web_search(known: Gazetteer, chance: random.Random) -> Iterator[DrawnCall]:
    """Several questions on one subject, each with a few endings."""
    while True:
        town = known.town(chance)
        place = chance.choice(town.places)
        for _ in range(chance.choice((1, 2, 3, 5))):
            query = varied_spelling(chance, _question(chance, town, place) + chance.choice(_SUFFIXES))
            yield {"query": query}, _answers(chance, town, query)


def _question(chance: random.Random, town: Town, place: Entry) -> str:
    if chance.random() < 0.25:
        return chance.choice(_ABOUT_TOWNS).format(town.name, chance.randint(1, 20))
    before = chance.choice(("", town.name, f"{town.name} "))
    return before + chance.choice(_ABOUT_PLACES).format(place["name"])


def _answers(chance: random.Random, town: Town, query: str) -> dict[str, Any]:
    places = chance.choices(town.places, k=chance.randint(4, 7))
    return {
        "query": query,
        "answers": [_answer(chance, town, place) for place in places],
        "note": "来自网页搜索，仅供参考",
    }


def _answer(chance: random.Random, town: Town, place: Entry) -> dict[str, str]:
    told = {"name": place["name"], "city": town.name, "address": place["address"]}
    text = chance.choice(_TEXTS).format(**told, price=chance.randrange(20, 300), days=chance.randint(1, 9))
    return {
        "title": f"{place['name']}_{town.name}旅游",
        "text": text,
        "source": f"https://travel.example/{place['id']}",
    }


def maps_weather(known: Gazetteer, chance: random.Random) -> Iterator[DrawnCall]:
    """A city, or a spot in it, on one date after another."""
    while True:
        town = known.town(chance)
        for _ in range(chance.choice((1, 3, 6))):
            where = city(chance, town) if chance.random() < 0.8 else spot(chance, chance.choice(town.places))
            days = option(chance, 0.5, "days", chance.randint(0, 5))
            arguments = {"location": where, "date": day(chance), **days}
            yield arguments, _weather(chance, town, arguments["date"], days.get("days") or 0)


def _weather(chance: random.Random, town: Town, first: str, days: int) -> dict[str, Any]:
    dates = [(date.fromisoformat(first) + timedelta(after)).isoformat() for after in range(days + 1)]
    return {
        "city": f"{town.name}市",
        "days": [_weather_day(chance, each) for each in dates],
        "note": "预报来自气象服务，仅供参考",
    }


def _weather_day(chance: random.Random, on: str) -> dict[str, Any]:
    low = chance.randint(-5, 26)
    return {
        "date": on,
        "text": chance.choice(_SKIES),
        "low": low,
        "high": low + chance.randint(4, 12),
        "rain_chance": chance.choice((None, 0, 10, 40, 80)),
        "wind": None,
    }
