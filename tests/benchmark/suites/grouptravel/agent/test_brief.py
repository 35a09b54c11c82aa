"""Reading the request, and written numbers."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.suites.grouptravel.agent.brief import read_brief
from benchmark.suites.grouptravel.view import Traveller
from benchmark.text.numerals.chinese import read_number

from .group import view

UNITS = "零一二三四五六七八九"


def han(value: int) -> str:
    """A number under ten thousand in Chinese."""
    text = ""
    gap = False
    for unit, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = value // unit % 10
        if digit:
            text += ("零" if gap and text else "") + UNITS[digit] + name
        gap = not digit
    return text.removeprefix("一") if text.startswith("一十") else text


@given(st.integers(1, 9999))
def test_a_number_in_words_is_read_back(value: int) -> None:
    assert read_number(han(value)) == value
    assert read_number(str(value)) == value
    assert read_number(f"{value:,}") == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("三千五", 3500),
        ("两百五", 250),
        ("一万二", 12000),
        ("3.5k", 3500),
        ("1.2万", 12000),
        ("九", 9),
        ("两三", 3),
    ],
)
def test_short_forms_of_numbers(text: str, value: float) -> None:
    assert read_number(text) == value


@given(st.text(max_size=12))
def test_any_text_is_a_number_or_none(text: str) -> None:
    value = read_number(text)
    assert value is None or value >= 0


@pytest.mark.parametrize(
    ("query", "cities", "days", "heads"),
    [
        ("海口市、三亚市、万宁市，七天六夜，3人的旅行计划", ("海口市", "三亚市", "万宁市"), 7, 3),
        ("漳州市，两天一夜，2人的旅行计划", ("漳州市",), 2, 2),
        ("呼和浩特市和包头市，5天4晚，四个人", ("呼和浩特市", "包头市"), 5, 4),
        ("和田市、喀什地区，6日游，2人", ("和田市", "喀什地区"), 6, 2),
        ("成都市、甘孜藏族自治州，四天三夜，5人的旅行计划", ("成都市", "甘孜藏族自治州"), 4, 5),
    ],
)
def test_the_request_is_read(query: str, cities: tuple[str, ...], days: int, heads: int) -> None:
    brief = read_brief(replace(view(), query=query))
    assert (brief.cities, brief.days, brief.head_count) == (cities, days, heads)
    assert (brief.departure_city, brief.start) == ("北京市", date(2025, 10, 31))


def test_young_children_are_counted() -> None:
    seen = replace(view(), query="杭州市，三天两夜，旅行计划", companions=(Traveller("User3", "幼儿"),))
    brief = read_brief(seen)
    assert (brief.head_count, brief.companions) == (3, ("User3",))
