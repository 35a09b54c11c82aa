"""The world that ships with the product."""

from __future__ import annotations

import json
import shutil
from datetime import date, timedelta
from itertools import combinations, islice
from pathlib import Path
from typing import Any

import pytest

from sandbox.toolbox import world_tools
from sandbox.toolsets.grouptravel.poi import hours_text
from sandbox.worlds import World, open_world
from sandbox.worlds.check import check_world
from sandbox.worlds.records import HOTEL_CLASSES
from sandbox.worlds.starter import FOLDER, NOTE, StarterError, build_starter, load_city

WUHAN = FOLDER / "cities" / "wuhan.json"


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return open_world(build_starter(tmp_path_factory.mktemp("worlds") / "starter.pack").path)


def _problems_with(tmp_path: Path, **changes: Any) -> list[str]:
    """The problems of Wuhan's file with some top-level keys replaced."""
    file = tmp_path / "wuhan.json"
    file.write_text(json.dumps(json.loads(WUHAN.read_text("utf-8")) | changes, ensure_ascii=False), "utf-8")
    with pytest.raises(StarterError) as caught:
        load_city(file)
    return caught.value.problems


def _attraction(**changes: Any) -> dict[str, Any]:
    entry: dict[str, Any] = json.loads(WUHAN.read_text("utf-8"))["attractions"][0]
    return entry | changes


def test_the_shipped_world_has_no_findings(world: World) -> None:
    assert check_world(world) == []


def test_it_has_six_destinations_and_three_departure_cities(world: World) -> None:
    destinations = {city.name for city in world.cities() if city.destination}
    assert destinations == {"杭州市", "苏州市", "南京市", "广州市", "深圳市", "佛山市"}
    assert {city.name for city in world.cities() if not city.destination} == {"北京市", "上海市", "武汉市"}


def test_destinations_have_enough_to_choose_from(world: World) -> None:
    for city in (city.name for city in world.cities() if city.destination):
        hotels = list(world.places(city, "hotel"))
        assert len(list(world.places(city, "attraction"))) >= 25, city
        assert len(list(world.places(city, "restaurant"))) >= 20, city
        assert len(hotels) >= 12, city
        assert len({hotel.category for hotel in hotels} & set(HOTEL_CLASSES)) >= 6, city


def test_some_attractions_close_on_a_weekday(world: World) -> None:
    for city in (city.name for city in world.cities() if city.destination):
        hours = [place.opening_hours for place in world.places(city, "attraction") if place.opening_hours]
        assert any(len(rule.weekdays) < 7 for entry in hours for rule in entry.rules), city


def test_seasons_leave_no_day_of_any_year_out(world: World) -> None:
    days = [date(2028, 1, 1) + timedelta(days=after) for after in range(366)]
    for city in world.cities():
        for place in world.places(city.name):
            rules = place.opening_hours.rules if place.opening_hours else ()
            spans = [(rule.date_range.start, rule.date_range.end) for rule in rules if rule.date_range]
            if len(spans) < len(rules) or not rules:
                continue
            for day in (f"{day:%m-%d}" for day in days):
                inside = [a <= day <= b if a <= b else day >= a or day <= b for a, b in spans]
                assert inside.count(True) == 1, (place.name, day)


def test_a_closed_season_is_called_closed(world: World) -> None:
    park = world.place_named("长隆水上乐园", "广州市")
    assert park is not None
    assert "10-21~04-14 不开放" in str(hours_text(park.opening_hours, "zh"))
    assert any("10-21至04-14 不开放" in fact.text for fact in world.facts("长隆水上乐园开放时间"))


def test_what_cantonese_tea_houses_are_for_can_be_searched(world: World) -> None:
    assert world.search("广州", "早茶").total >= 5


def test_stations_can_be_found_as_places(world: World) -> None:
    station = world.place_named("杭州东站", "杭州市")
    assert station is not None
    assert (station.kind, station.category) == ("landmark", "火车站")


def test_it_says_what_is_indicative_and_generated(world: World) -> None:
    assert world.name == "starter"
    assert world.note == NOTE
    assert all(run.generated for run in world.services("北京市", "杭州市"))


def test_two_builds_are_equal(tmp_path: Path) -> None:
    first, second = build_starter(tmp_path / "a.pack"), build_starter(tmp_path / "b.pack")
    assert first.hash == second.hash
    assert first.counts == second.counts


def test_places_get_ids_from_file_and_position(world: World) -> None:
    place = world.place("wuhan-a-001")
    assert place is not None
    assert place.name == "黄鹤楼"


def test_a_misspelt_field_is_named_with_file_and_entry(tmp_path: Path) -> None:
    problems = _problems_with(tmp_path, attractions=[_attraction(), _attraction(name="东湖", prise=3)])
    assert problems == ["wuhan.json: attractions[1] 东湖: prise: Extra inputs are not permitted"]


def test_all_problems_of_a_file_are_listed(tmp_path: Path) -> None:
    problems = _problems_with(
        tmp_path, attractions=[_attraction(price=-1), _attraction(longitude=None)], climate=[]
    )
    assert len(problems) == 3
    assert any(problem.startswith("wuhan.json: climate") for problem in problems)


def test_a_bad_time_is_found_inside_its_rule(tmp_path: Path) -> None:
    hours = {"rules": [{"time_windows": [{"open": "9:00", "close": "17:00"}]}]}
    (problem,) = _problems_with(tmp_path, attractions=[_attraction(opening_hours=hours)])
    assert "attractions[0] 黄鹤楼: opening_hours.rules.0.time_windows.0.open" in problem


@pytest.mark.parametrize("content", ["", "{", "[]", "3", '{"city": {}}'])
def test_a_file_that_is_no_city_is_refused(tmp_path: Path, content: str) -> None:
    file = tmp_path / "x.json"
    file.write_text(content, "utf-8")
    with pytest.raises(StarterError, match=r"x\.json"):
        load_city(file)


def test_bad_files_are_all_named_and_leave_no_pack(tmp_path: Path) -> None:
    shutil.copytree(FOLDER, tmp_path / "starter")
    for slug in ("wuhan", "beijing"):
        (tmp_path / "starter" / "cities" / f"{slug}.json").write_text("{}", "utf-8")
    with pytest.raises(StarterError) as caught:
        build_starter(tmp_path / "out" / "starter.pack", tmp_path / "starter")
    assert {problem.split(":")[0] for problem in caught.value.problems} == {"wuhan.json", "beijing.json"}
    assert not (tmp_path / "out").exists()


def test_tools_tell_what_the_world_has(world: World) -> None:
    """Classes with prices, stops, numbers of reviews, wind: what the paper's appendix B.1 lists."""
    tools, trip = world_tools(world, "en"), {"origin": "北京", "destination": "杭州", "date": "2026-05-01"}
    trains = json.loads(tools.call("travel_search_trains", trip).result)["trains"]
    assert {fare["name"] for train in trains for fare in train["classes"]} == {
        *("second class", "first class", "business class", "hard seat", "hard sleeper", "soft sleeper"),
    }
    assert any("南京南站" in [stop["station"] for stop in train["stops"] or ()] for train in trains)
    flights = json.loads(tools.call("travel_search_flights", trip).result)["flights"]
    assert all(flight["aircraft"] and len(flight["classes"]) > 1 for flight in flights)
    day = json.loads(tools.call("maps_weather", {"location": "杭州", "date": "2026-05-01"}).result)["days"][0]
    assert day["wind"] == "wind from the south-east, force 2-3"
    (lake,) = json.loads(
        tools.call("search_poi", {"keywords": "西湖风景名胜区", "city": "杭州", "page_size": 1}).result
    )["pois"]
    assert lake["review_count"] > 1000
    detail = json.loads(tools.call("get_poi_detail", {"id": lake["id"]}).result)
    assert (detail["review_count"], detail["phone"]) == (lake["review_count"], None)
    assert "review_count" in detail["derived"]


def test_something_lies_along_most_ways_between_sights(world: World) -> None:
    """Streets bend: a meal is found within half a kilometre aside of four in five ways."""
    tools, found = world_tools(world), []
    for city in (city.name for city in world.cities() if city.destination):
        sights = [place.name for place in islice(world.places(city, "attraction"), 8)]
        for origin, destination in combinations(sights, 2):
            ends = {"origin": origin, "destination": destination, "city": city, "keywords": "美食"}
            found.append(bool(json.loads(tools.call("search_along_route", ends).result)["pois"]))
    assert sum(found) > 0.8 * len(found)
