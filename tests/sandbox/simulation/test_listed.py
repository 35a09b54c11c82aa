"""What searches told of a place answers for that place: its very id, its name in its city, and nothing made up."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sandbox.cache import Cache, import_published, published_key
from sandbox.retrieval import FieldsEmbedder, build_indexes, open_indexes
from sandbox.simulation import ModelSimulator, NearestSimulator, WrittenAnswer
from sandbox.toolbox import Toolbox, ToolOutcome, world_tools
from sandbox.toolbox.isolated_answers import IsolatedAnswers
from sandbox.toolsets.grouptravel.tools import TOOLS
from sandbox.worlds import World
from tests.sandbox.toolbox.test_modes import MemoryPins, quiet

SIGHTS = {"keywords": "景点", "city": "杭州"}
SEARCHES: list[tuple[str, dict[str, Any]]] = [
    ("search_poi", SIGHTS),
    ("search_poi", {"keywords": "美食", "city": "杭州", "location": "西湖", "radius_km": 5}),
    ("search_along_route", {"origin": "西湖", "destination": "武林广场", "keywords": "酒店", "city": "杭州",
                            "route_range": 3000}),
]  # fmt: skip
DETAILS: list[tuple[str, dict[str, Any]]] = [("get_poi_detail", {"id": "sz-a1"})]
GEO: list[tuple[str, dict[str, Any]]] = [("maps_geo", {"address": "上海"})]


class Sandbox:
    """The tools over a cache of these calls, and the world that answered them."""

    def __init__(
        self, folder: Path, world: World, calls: list[tuple[str, dict[str, Any]]], simulator: Any = None
    ) -> None:
        self.world, published = world_tools(world), folder / "published"
        published.mkdir()
        for tool in {tool for tool, _ in calls}:
            told = {published_key(call): self.ask(tool, call) for name, call in calls if name == tool}
            (published / f"{tool}_cache.json").write_text(json.dumps(told, ensure_ascii=False), "utf-8")
        import_published(published, folder / "cache", quiet)
        self.cache = Cache.open(folder / "cache")
        build_indexes(self.cache.pack, folder / "index", FieldsEmbedder(), progress=quiet)
        indexes = open_indexes(folder / "index", self.cache.pack.digest, FieldsEmbedder())
        answers = IsolatedAnswers(self.cache, lambda: indexes, simulator or NearestSimulator(), MemoryPins())
        self.tools = Toolbox(answers)

    def ask(self, tool: str, call: dict[str, Any]) -> str:
        return self.world.call(tool, call).result

    def __call__(self, tool: str, **arguments: Any) -> ToolOutcome:
        return self.tools.call(tool, arguments)


@pytest.mark.parametrize("calls", [SEARCHES, SEARCHES + DETAILS])
def test_a_detail_holds_what_a_search_told_of_the_id_and_nothing_else(
    tmp_path: Path, tiny_world: World, calls: list[tuple[str, dict[str, Any]]]
) -> None:
    """With and without any cached call of the tool itself."""
    ask = Sandbox(tmp_path, tiny_world, calls)
    listed = [poi for tool, call in SEARCHES for poi in json.loads(ask.ask(tool, call))["pois"]]
    assert {poi["kind"] for poi in listed} == {"attraction", "restaurant", "hotel"}
    for poi in listed:
        outcome = ask("get_poi_detail", id=poi["id"])
        told, true = json.loads(outcome.result), json.loads(ask.ask("get_poi_detail", {"id": poi["id"]}))
        TOOLS["get_poi_detail"].result.model_validate(told)
        assert outcome.source == "simulated"
        assert told.pop("opening_text") == poi["opening_hours"]
        own = {name: value for name, value in poi.items() if name in told and name != "opening_hours"}
        assert {name: told[name] for name in own} == own | {"distance_m": None}
        empty = {name: value for name, value in told.items() if name not in own}
        assert empty.pop("categories") == [poi["category"]]
        assert not any(empty.values()) and set(told) <= set(true)


def test_the_event_names_the_search_that_told_of_it(tmp_path: Path, tiny_world: World) -> None:
    ask = Sandbox(tmp_path, tiny_world, SEARCHES)
    assert ask("get_poi_detail", id="hz-a2").examples == (f"search_poi {published_key(SIGHTS)}",)


def test_a_real_answer_comes_before_a_search(tmp_path: Path, tiny_world: World) -> None:
    ask = Sandbox(tmp_path, tiny_world, [*SEARCHES, ("get_poi_detail", {"id": "hz-a2"})])
    assert json.loads(ask("get_poi_detail", id=" hz-a2 ").result)["opening_hours"]


@pytest.mark.parametrize("id_", ["hz-a", "hz-a22", "HZ-A2", "浙江省博物馆", "sz-r1"])
def test_an_id_that_no_answer_lists_is_not_known(tmp_path: Path, tiny_world: World, id_: str) -> None:
    outcome = Sandbox(tmp_path, tiny_world, SEARCHES + DETAILS)("get_poi_detail", id=id_)
    assert (outcome.source, outcome.error_kind) == ("none", "unanswered")


def test_a_search_by_name_category_or_kind_finds_what_other_searches_listed(
    tmp_path: Path, tiny_world: World
) -> None:
    ask = Sandbox(tmp_path, tiny_world, SEARCHES)
    for words, found in (
        ("灵隐寺", ["灵隐寺"]),
        ("博物馆", ["浙江省博物馆"]),
        ("火锅", ["川味火锅", "小龙坎"]),
    ):
        told = json.loads(ask("search_poi", keywords=words, city="杭州市").result)
        assert [poi["name"] for poi in told["pois"]] == found and told["total"] == len(found)
        assert all(poi["distance_m"] is None for poi in told["pois"])
        TOOLS["search_poi"].result.model_validate(told)
    for words, city in (("灵隐", "杭州"), ("灵隐寺", "苏州"), ("拙政园", "杭州"), ("景点 博物馆", "杭州")):
        assert json.loads(ask("search_poi", keywords=words, city=city).result)["pois"] == []


def test_a_search_around_a_place_measures_what_other_searches_listed(
    tmp_path: Path, tiny_world: World
) -> None:
    ask = Sandbox(tmp_path, tiny_world, SEARCHES)
    near = {"keywords": "火锅", "city": "杭州", "location": "120.1630,30.2600", "radius_km": 0.5}
    told = json.loads(ask("search_poi", **near).result)
    assert told["pois"] == json.loads(ask.ask("search_poi", near))["pois"] and told["pois"]


def test_a_search_of_the_city_is_more_than_one_around_a_place(tmp_path: Path, tiny_world: World) -> None:
    """The cached search of that kind was around a place without any; other searches list them."""
    nowhere = {"keywords": "火锅", "city": "杭州", "location": "120.5,30.5", "radius_km": 1}
    ask = Sandbox(tmp_path, tiny_world, [*SEARCHES, ("search_poi", nowhere)])
    told = json.loads(ask("search_poi", keywords="火锅", city="杭州").result)
    assert [poi["name"] for poi in told["pois"]] == ["川味火锅", "小龙坎"]
    near = {**nowhere, "location": "120.1630,30.2600"}
    assert json.loads(ask("search_poi", **near).result)["pois"][0]["name"] == "川味火锅"
    assert ask("search_poi", **nowhere).source == "cache"


def test_a_place_that_a_search_listed_is_located_in_its_city(tmp_path: Path, tiny_world: World) -> None:
    ask = Sandbox(tmp_path, tiny_world, SEARCHES + GEO)
    here = {"address": "灵隐寺", "city": "杭州"}
    assert ask("maps_geo", **here).result == ask.ask("maps_geo", here)
    for other in (
        {"address": "灵隐寺"},
        {"address": "灵隐寺", "city": "苏州"},
        {"address": "博物馆", "city": "杭州"},
    ):
        assert ask("maps_geo", **other).source == "none"


def test_a_model_is_shown_what_a_search_told_of_the_id(tmp_path: Path, tiny_world: World) -> None:
    seen = []

    def model(messages: Any) -> WrittenAnswer:
        seen.append("".join(message["content"] for message in messages))
        return WrittenAnswer(Sandbox.ask(ask, "get_poi_detail", {"id": "hz-a2"}))

    ask = Sandbox(tmp_path, tiny_world, SEARCHES + DETAILS, ModelSimulator("m", model))
    assert ask("get_poi_detail", id="hz-a2").source == "simulated"
    assert "浙江省博物馆" in seen[0] and "拙政园" in seen[0]
