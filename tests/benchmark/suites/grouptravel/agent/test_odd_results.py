"""Answers of tools that hold what no tool of ours would say, as other people's caches may."""

from __future__ import annotations

import json
from itertools import cycle
from typing import Any

import pytest

from benchmark.suites.grouptravel.agent.results import told_in
from benchmark.suites.grouptravel.agent.understanding.names import names_in
from sandbox.toolbox import ToolOutcome
from sandbox.toolsets.grouptravel.poi import PartialPlace, PartialPlaces

from .group import Nothing, entry, session

FIELDS = (
    *("id", "name", "kind", "category", "city", "address", "location", "price", "rating", "opening_hours"),
    *("opening_text", "stay_hours", "mode", "number", "depart", "arrive", "day_offset", "duration_minutes"),
    *(
        "distance_m",
        "cost",
        "cost_per",
        "date",
        "text",
        "low",
        "high",
        "rain_chance",
        "origin",
        "destination",
    ),
)
LISTS = ("pois", "trains", "flights", "days", "routes", "answers")
QUESTIONS = (
    "@Agent 西湖门票多少钱？",
    "@Agent 杭州那几天天气怎么样？",
    "@Agent 高铁票多少钱？",
    "@Agent 西湖几点开门？",
    "@Agent 从西湖到灵隐寺要多久？",
    "@Agent 哪家火锅好？",
)
WRONG = (5, True, -1, 1e308, "x", [], [1], [[]], {}, {"a": 1}, [{"name": []}])


class Odd(Nothing):
    """Every field of every answer has the same value; its lists hold such rows, or have that value as well."""

    def __init__(self, wrong: object, rows: bool) -> None:
        super().__init__()
        row: dict[str, Any] = dict.fromkeys(FIELDS, wrong)
        named = row | {"id": "p1", "name": "西湖", "location": "120.14,30.24"}
        lists = dict.fromkeys(LISTS, [row, named, wrong] if rows else wrong)
        self._result = json.dumps({**(named if rows else row), **lists}, ensure_ascii=False)

    def call(self, name: str, arguments: dict[str, Any] | str) -> ToolOutcome:
        super().call(name, arguments)
        return ToolOutcome(self._result, "isolated", "cache")


@pytest.mark.parametrize("rows", [True, False])
@pytest.mark.parametrize("wrong", WRONG, ids=map(repr, range(len(WRONG))))
def test_a_session_is_played_to_its_end_whatever_tools_say(wrong: object, rows: bool) -> None:
    said = cycle(QUESTIONS)
    talk, tools = session(2, ("杭州市",), "easy", lambda _: next(said), QUESTIONS[1], Odd(wrong, rows))
    assert talk.state.final_event is not None and tools.calls


def test_what_does_not_fit_is_left_out_and_all_else_stays() -> None:
    held = {
        "pois": [{"name": "西湖", "kind": ["lake"], "price": "12", "rating": True, "new": {"city": 5}}, 7]
    }
    told = told_in("search_poi", json.dumps(held))
    assert isinstance(told, PartialPlaces) and told.model_dump(exclude_unset=True) == {
        "pois": [{"name": "西湖"}, None]
    }
    fine = {"days": [{"date": "2026-02-03", "low": -5, "high": 3, "rain_chance": None}]}
    weather = told_in("maps_weather", json.dumps(fine))
    assert weather is not None and weather.model_dump(exclude_unset=True) == fine
    for text in ("", "5", "[]", '{"error": "x"}', "[" * 100_000):
        assert told_in("search_poi", text) is None


@pytest.mark.parametrize(("price", "read"), [(0, 0), (12.5, 12.5), (-1, None), (1e9, None)])
def test_a_figure_that_no_trip_has_is_left_out(price: float, read: float | None) -> None:
    told = told_in("get_poi_detail", json.dumps({"price": price}))
    assert isinstance(told, PartialPlace) and told.price == read


def test_a_place_without_a_city_is_in_none() -> None:
    pois = [
        {"name": "仙湖植物园", "kind": "attraction"},
        {"name": "西湖", "kind": "attraction", "city": "杭州市"},
    ]
    known = names_in([entry("search_poi", {}, {"pois": pois})])
    assert (known.cities_of("仙湖"), known.cities_of("西湖")) == ((), ("杭州市",))
