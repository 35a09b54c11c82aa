"""The private table in plain words."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from benchmark.suites.grouptravel.preferences import FIELDS, filled_fields, table_of
from benchmark.suites.grouptravel.travellers.people.card_words import CardLine, card_lines
from tests.benchmark.suites.grouptravel.travellers.people.people import HANGZHOU, odd_tables
from tests.benchmark.suites.grouptravel.travellers.scripted.cast import TABLE, table
from tests.properties import examples


def texts(own: object, language: str) -> list[str]:
    return [line.text for line in card_lines(own, language)]


def test_global_lines_come_first_then_cities_in_the_tables_order_as_the_schema_has_them() -> None:
    lines = card_lines(TABLE, "zh")
    assert [(line.path, line.city) for line in lines] == [
        (f.path_in(c), c) for f, c, _ in filled_fields(TABLE)
    ]
    assert [*dict.fromkeys(line.city for line in lines)] == ["", "杭州市", "苏州市"]


def test_a_line_holds_its_data_as_they_stand_in_the_table() -> None:
    lines = card_lines(TABLE, "en")
    assert lines[0] == CardLine(
        "global_constraints.avg_budget", "", "cap", (), 2500, "At most 2500 yuan a person in all"
    )
    path = f"{HANGZHOU}.attractions.must_visit"
    assert next(line for line in lines if line.path == path) == CardLine(
        path, "杭州市", "must", ("灵隐寺", "西湖风景名胜区"), None, "You must see: 灵隐寺 and 西湖风景名胜区"
    )


def test_lines_are_plain_chinese_or_english() -> None:
    assert texts(TABLE, "zh")[:6] == [
        "全程每人最多2500元",
        "一定要坐高铁",
        "最好自驾",
        "最好不坐火车",
        "坚决不坐飞机",
        "一天最多3个景点",
    ]
    assert "You'd rather not take slow trains (火车)" in texts(TABLE, "en")
    assert "You refuse to eat: Sichuan food (川菜)" in texts(TABLE, "en")


def test_several_modes_each_have_their_verb() -> None:
    own = table(transport={"must": ["高铁", "自驾"], "reject": ["飞机", "自驾", "轮船"]})
    assert "一定要坐高铁或自驾" in texts(own, "zh")
    assert "坚决不坐飞机、不自驾、不坐轮船" in texts(own, "zh")
    assert "You refuse to fly (飞机) or drive (自驾) or go by 轮船" in texts(own, "en")


def test_one_sight_a_day_is_no_plural() -> None:
    own = table(intensity={"max_poi_per_day": 1, "max_active_hours": 1})
    assert {"At most 1 sight a day", "Out for at most 1 hour a day"} <= set(texts(own, "en"))


def test_an_unknown_language_is_told_in_chinese() -> None:
    assert texts(TABLE, "../x") == texts(TABLE, "zh")


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_field_has_words(language: str) -> None:
    own = table_of(["杭州市"], lambda field, city: 2 if field.kind == "scalar" else ["名{0}"])
    lines = card_lines(own, language)
    assert len(lines) == len(FIELDS) == len({line.text for line in lines})
    assert all("名{0}" in line.text for line in lines if line.items)


@given(odd_tables())
@settings(max_examples=examples(100), deadline=None)
def test_odd_tables_are_survived(own: Any) -> None:
    for language in ("zh", "en"):
        for line in card_lines(own, language):
            assert line.text and (line.cap is None) is bool(line.items)
