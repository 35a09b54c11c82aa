"""No tool ever answers for another entity: over a cache in the published layout, in Chinese and in English."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sandbox.cache import Cache, import_published, published_key
from sandbox.retrieval import FieldsEmbedder, build_indexes, open_indexes
from sandbox.simulation import NearestSimulator
from sandbox.toolbox import Toolbox, ToolOutcome, world_tools
from sandbox.toolbox.isolated_answers import IsolatedAnswers
from sandbox.tools.language import Language
from sandbox.toolsets.grouptravel.tools import TOOLS
from sandbox.worlds import World, open_world
from tests.sandbox.toolbox.test_modes import MemoryPins, quiet

Ask = Callable[..., ToolOutcome]

TRIP = {"origin": "上海", "destination": "杭州", "date": "2026-05-01"}
CACHED_ANSWERS: dict[str, list[dict[str, Any]]] = {
    "maps_geo": [
        {"address": "苏州市"},
        {"address": "杭州"},
        {"address": "西湖", "city": "杭州"},
        {"address": "武林广场", "city": "杭州"},
        {"address": "杭州东站"},
        {"address": "上海虹桥站", "city": "上海市"},
    ],
    "get_poi_detail": [{"id": "hz-a1"}, {"id": "hz-a2"}, {"id": "hz-h1"}],
    "maps_weather": [{"location": "杭州", "date": "2026-05-01", "days": 2}],
    "travel_search_trains": [TRIP, {"origin": "苏州", "destination": "杭州", "date": "2026-05-01"}],
    "travel_search_flights": [TRIP],
    "search_poi": [
        {"keywords": "火锅", "city": "杭州"},
        {"keywords": "景点", "city": "杭州"},
        {"keywords": "火锅", "city": "苏州市"},
    ],
    "plan_route": [{"origin": "西湖", "destination": "灵隐寺", "mode": "driving", "city": "杭州"}],
    "compare_routes": [{"origin": "西湖", "destination": "灵隐寺", "city": "杭州"}],
    "search_along_route": [
        {
            "origin": "灵隐寺",
            "destination": "武林广场",
            "keywords": "火锅",
            "city": "杭州",
            "route_range": 3000,
        }
    ],
    "web_search": [{"query": "西湖音乐喷泉几点"}, {"query": "儿童票"}],
}
"""What the cache holds: calls that the tiny world was asked."""


@pytest.fixture(scope="module", params=["zh", "en"])
def language(request: pytest.FixtureRequest) -> Language:
    return "en" if request.param == "en" else "zh"


@pytest.fixture(scope="module")
def cache_folder(tmp_path_factory: pytest.TempPathFactory, tiny_pack: Path, language: Language) -> Path:
    """A cache in the published layout, imported and indexed; a test opens it and changes nothing."""
    published, folder = tmp_path_factory.mktemp("published"), tmp_path_factory.mktemp("imported") / "cache"
    with contextlib.closing(open_world(tiny_pack)) as world:
        tools = world_tools(world, language)
        for tool, calls in CACHED_ANSWERS.items():
            answers = {published_key(call): tools.call(tool, call).result for call in calls}
            (published / f"{tool}_cache.json").write_text(json.dumps(answers, ensure_ascii=False), "utf-8")
    import_published(published, folder, quiet)
    build_indexes(Cache.open(folder).pack, folder / "index", FieldsEmbedder(), progress=quiet)
    return folder


@pytest.fixture
def ask(cache_folder: Path, language: Language) -> Ask:
    """The ten tools over that cache."""
    cache = Cache.open(cache_folder)
    indexes = open_indexes(cache_folder / "index", cache.pack.digest, FieldsEmbedder())
    tools = Toolbox(IsolatedAnswers(cache, lambda: indexes, NearestSimulator(), MemoryPins()), language)
    return lambda tool, **arguments: tools.call(tool, arguments)


def read(outcome: ToolOutcome) -> Any:
    """The result in the form of its tool: no field more than the tool has."""
    assert outcome.source == "simulated", outcome
    return json.loads(outcome.result)


def is_unknown(outcome: ToolOutcome) -> bool:
    """Whether the tool itself says that it knows nothing of what was asked for."""
    assert list(json.loads(outcome.result)) == ["error"] or not outcome.error
    return (outcome.error_kind, outcome.source) == ("unanswered", "none")


def test_every_tool_is_asked_here() -> None:
    assert set(CACHED_ANSWERS) == set(TOOLS)


@pytest.mark.parametrize("tool", CACHED_ANSWERS)
def test_the_same_call_is_a_hit(ask: Ask, tool: str) -> None:
    assert ask(tool, **CACHED_ANSWERS[tool][0]).source == "cache"


@pytest.mark.parametrize(
    ("same", "location"),
    [
        ({"address": "杭州市"}, "120.155,30.274"),
        ({"address": "苏州"}, "120.585,31.299"),
        ({"address": "西湖", "city": "杭州市"}, "120.1446,30.2478"),
        ({"address": "杭州西湖"}, "120.1446,30.2478"),
        ({"address": "杭州市西湖", "city": "杭州"}, "120.1446,30.2478"),
        ({"address": " 120.10 , 30.20 "}, "120.1,30.2"),
    ],
)
def test_an_address_is_the_same_with_and_without_its_city(
    ask: Ask, same: dict[str, str], location: str
) -> None:
    assert read(ask("maps_geo", **same))["location"] == location


@pytest.mark.parametrize(
    "other",
    [
        {"address": "上海市"},
        {"address": "上海"},
        {"address": "上海站"},
        {"address": "上海虹桥"},
        {"address": "虹桥站", "city": "杭州"},
        {"address": "苏州站"},
        {"address": "杭州站"},
        {"address": "西湖区", "city": "杭州"},
        {"address": "西湖", "city": "苏州"},
        {"address": "西湖"},
        {"address": "南西湖", "city": "杭州"},
        {"address": "Shanghai"},
    ],
)
def test_no_other_address_is_told(ask: Ask, other: dict[str, str]) -> None:
    outcome = ask("maps_geo", **other)
    assert is_unknown(outcome) and other["address"] in outcome.result


def test_a_detail_is_told_of_its_id_alone(ask: Ask) -> None:
    assert read(ask("get_poi_detail", id=" hz-a1"))["id"] == "hz-a1"
    for other in ("hz-a11", "hz-a", "HZ-A1", "西湖", "sz-a1"):
        assert is_unknown(ask("get_poi_detail", id=other))


@pytest.mark.parametrize("location", ["杭州", "杭州市"])
def test_weather_is_of_the_place_and_the_days(ask: Ask, location: str) -> None:
    told = read(ask("maps_weather", location=location, date="2026-05-02", days=1))
    assert [day["date"] for day in told["days"]] == ["2026-05-02", "2026-05-03"]
    assert told["city"] == "杭州市"
    further = read(ask("maps_weather", location=location, date="2026-05-03", days=5))
    assert [day["date"] for day in further["days"]] == ["2026-05-03"]
    assert read(ask("maps_weather", location=location, date="2025-05-01"))["days"] == []


@pytest.mark.parametrize("location", ["苏州", "杭州东站", "杭州县", "120.155,30.274", "Hangzhou"])
def test_no_weather_of_another_place_is_told(ask: Ask, location: str) -> None:
    assert is_unknown(ask("maps_weather", location=location, date="2026-05-01"))


@pytest.mark.parametrize(
    ("tool", "field"), [("travel_search_trains", "trains"), ("travel_search_flights", "flights")]
)
def test_services_are_of_the_pair_and_the_day(ask: Ask, tool: str, field: str) -> None:
    spelt = TRIP | {"origin": "上海市", "destination": "杭州市"}
    assert read(ask(tool, **spelt))[field] == json.loads(ask(tool, **TRIP).result)[field] != []
    for other in (
        {"date": "2026-05-02"},
        {"origin": "南京"},
        {"origin": "上海站"},
        {"destination": "苏州"},
        {"origin": "杭州", "destination": "上海"},
    ):
        told = read(ask(tool, **TRIP | other))
        assert told[field] == [] and told["note"]
        assert {name: told[name] for name in TRIP} == TRIP | other


def test_a_search_is_of_the_city_and_the_kind(ask: Ask) -> None:
    hotpot = json.loads(ask("search_poi", keywords="火锅", city="杭州").result)
    for same in ({"keywords": "火锅店", "city": "杭州"}, {"keywords": "杭州 火锅", "city": "杭州市"}):
        assert read(ask("search_poi", **same)) == hotpot
    for other in (
        {"keywords": "火锅", "city": "上海"},
        {"keywords": "火锅", "city": "杭州县"},
        {"keywords": "咖啡", "city": "杭州"},
        {"keywords": "火锅底料", "city": "杭州"},
        {"keywords": "景点 博物馆", "city": "杭州"},
    ):
        assert (read(ask("search_poi", **other))["pois"]) == []


def test_a_search_is_around_the_place_that_is_named(ask: Ask) -> None:
    near = {"keywords": "火锅", "city": "杭州", "location": "武林广场", "radius_km": 1.2}
    assert [poi["name"] for poi in read(ask("search_poi", **near))["pois"]] == ["小龙坎"]
    assert is_unknown(ask("search_poi", **near | {"location": "武林门"}))


def test_a_route_is_computed_from_its_ends(ask: Ask, tiny_world: World, language: Language) -> None:
    """By coordinates, and by names that are cached as addresses, as other routes' ends, or as found places."""
    tools = world_tools(tiny_world, language)
    for ends in (
        {"origin": "120.10,30.20", "destination": "120.2,30.3"},
        {"origin": "武林广场", "destination": "灵隐寺"},
        {"origin": "灵隐寺", "destination": "西湖"},
        {"origin": "小龙坎", "destination": "120.2,30.3"},
    ):
        asked = ends | {"mode": "driving", "city": "杭州"}
        told, expected = read(ask("plan_route", **asked)), json.loads(tools.call("plan_route", asked).result)
        for name in ("distance_m", "duration_minutes", "cost", "mode"):
            assert told[name] == expected[name]
        assert told["origin"]["location"] == expected["origin"]["location"]
        compared = read(ask("compare_routes", **ends, city="杭州"))["routes"]
        assert told["distance_m"] in [route["distance_m"] for route in compared]


@pytest.mark.parametrize("tool", ["plan_route", "compare_routes", "search_along_route"])
def test_no_route_to_another_place_is_told(ask: Ask, tool: str) -> None:
    words = {"keywords": "火锅"} if tool == "search_along_route" else {}
    for other in ("灵隐", "灵隐寺站", "上海站", "西湖区"):
        outcome = ask(tool, origin="西湖", destination=other, city="杭州", **words)
        assert is_unknown(outcome) and other in outcome.result


def test_places_along_a_route_are_of_the_kind_and_beside_it(ask: Ask) -> None:
    lake = {"origin": "120.15,30.26", "destination": "120.17,30.262", "city": "杭州"}
    told = read(ask("search_along_route", **lake, keywords="火锅店", route_range=400))
    assert {poi["name"] for poi in told["pois"]} == {"川味火锅", "小龙坎", "知味观"}
    assert all(poi["distance_m"] <= 400 and poi["detour_m"] == 2 * poi["distance_m"] for poi in told["pois"])
    assert told["route"]["origin"]["location"] == "120.15,30.26"
    assert read(ask("search_along_route", **lake, keywords="咖啡"))["pois"] == []
    away = {"origin": "120.3,30.3", "destination": "120.4,30.3", "keywords": "火锅", "city": "杭州"}
    assert read(ask("search_along_route", **away))["pois"] == []


def test_the_web_tells_nothing_of_what_was_not_asked(ask: Ask) -> None:
    told = read(ask("web_search", query="西湖音乐喷泉 开放时间"))
    assert told["query"] == "西湖音乐喷泉 开放时间" and told["answers"]
    assert all("西湖音乐喷泉" in answer["title"] + answer["text"] for answer in told["answers"])
    for other in ("上海音乐喷泉", "西湖区音乐喷泉", "西湖 缆车", "学生票", "Shanghai fountain tickets"):
        assert read(ask("web_search", query=other))["answers"] == []


@pytest.mark.parametrize("tool", CACHED_ANSWERS)
def test_what_is_told_has_the_form_of_the_tool(ask: Ask, tool: str) -> None:
    """No field says that it was simulated: the event does."""
    variants: dict[str, dict[str, Any]] = {
        "maps_geo": {"address": "杭州市"},
        "get_poi_detail": {"id": "hz-a1 "},
        "maps_weather": {"location": "杭州市", "date": "2026-05-01"},
        "travel_search_trains": TRIP | {"sort_by": "price"},
        "travel_search_flights": TRIP | {"date": "2026-05-05"},
        "search_poi": {"keywords": "火锅", "city": "杭州", "page_size": 5},
        "plan_route": {"origin": "西湖", "destination": "120.1,30.2"},
        "compare_routes": {"origin": "120.2,30.2", "destination": "120.1,30.2"},
        "search_along_route": {"origin": "120.2,30.2", "destination": "120.1,30.2", "keywords": "火锅"},
        "web_search": {"query": "儿童票价格"},
    }
    outcome = ask(tool, **variants[tool])
    if outcome.source == "simulated":
        TOOLS[tool].result.model_validate(read(outcome))
    else:
        assert tool == "plan_route" and is_unknown(outcome), "西湖 without a city may be another one"
