"""TRIP-Bench's 18 tools: what they take, and that they answer in the words of the paper's conversation."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from sandbox.cache import Cache, create, fold
from sandbox.calls import Call
from sandbox.simulation import NearestSimulator
from sandbox.toolbox import Toolbox, world_tools
from sandbox.toolsets import toolset_named
from sandbox.toolsets.tripbench.extras import KINDS, ROOMS, TICKETS
from sandbox.toolsets.tripbench.records import Room, Ticket
from sandbox.toolsets.tripbench.world import trip_world
from sandbox.worlds import PackBuilder, World, open_world
from sandbox.worlds.records import City, OpeningHours, OpeningRule, Place, Service, TimeWindow
from tests.prepared_data import starter_pack
from tests.sandbox.toolbox.test_modes import quiet
from tests.sandbox.toolsets.test_two_toolsets import isolated_answers
from tests.sandbox.toolsets.tripbench.answers import FILE, read_answers

TRIPBENCH = toolset_named("tripbench")
STAY = {"check_in_date": "2025-10-24", "check_out_date": "2025-10-27"}
_P = ("sort_key", "sort_order", "page", "page_size")
_NEAR = ("city", "longitude", "latitude", "distance_threshold")
_ASPECTS = ("product_rating", "environment_rating", "service_rating")
_TRIP = ("departure_city", "arrival_city", "date_str", "dep_period", "arr_period", *_P)
ARGUMENTS: dict[str, tuple[tuple[str, ...], int]] = {
    "search_attractions": (
        (*_NEAR, "attraction_name", "categories", "rating", "sight_level", "comment_count", "free_only", *_P),
        1,
    ),
    "get_attraction_detail_with_products": (("poi_id",), 1),
    "get_attraction_coordinates": (("poi_id",), 1),
    "search_hotels": (
        (
            *(*_NEAR, *STAY, "price_min", "price_max", "hotel_type", "stars", "review_count"),
            *("good_remarks_rate", *_ASPECTS, "room_types", "cancel_policy", "is_pet_friendly"),
            *("has_breakfast", *_P),
        ),
        3,
    ),
    "get_hotel_detail_with_products": (
        (
            *("hotel_id", *STAY, "room_num", "person_num", "room_type", "min_breakfast_per_room"),
            *("cancel_policy", "has_window", "page", "page_size"),
        ),
        3,
    ),
    "get_hotel_coordinates": (("hotel_id",), 1),
    "search_flights": (_TRIP, 3),
    "get_flight_detail_with_products": (("flight_id", "date_str", "source_platform", "seat_type"), 2),
    "get_airport_coordinates": (("airport_name",), 1),
    "search_trains": (_TRIP, 3),
    "get_train_detail_with_products": (("train_id", "date_str", "source_platform", "seat_type"), 2),
    "get_station_coordinates": (("station_name",), 1),
    "search_restaurants": (
        (
            *(*_NEAR, "price_min", "price_max", "stars", "review_count", *_ASPECTS),
            *("categories", "reservable", *_P),
        ),
        1,
    ),
    "get_restaurant_detail_with_products": (("restaurant_id",), 1),
    "get_restaurant_coordinates": (("restaurant_id",), 1),
    "get_route_estimate": (("origin_lat", "origin_lng", "destination_lat", "destination_lng"), 4),
    "get_city_center_coords": (("city_name",), 1),
    "get_date_after": (("date_str", "days"), 2),
}
"""The arguments of each tool, and how many of them it needs."""


@pytest.fixture(scope="module")
def starter() -> Iterator[World]:
    world = open_world(starter_pack())
    yield world
    world.close()


@pytest.fixture
def tools(tiny_world: World) -> Toolbox:
    return world_tools(tiny_world, "en", TRIPBENCH)


def answer(tools: Toolbox, name: str, **arguments: Any) -> str:
    outcome = tools.call(name, arguments)
    assert (outcome.error_kind, outcome.source) == ("", "world")
    return outcome.result


def ids(tools: Toolbox, name: str, **arguments: Any) -> list[str]:
    """Of the hits, in their order."""
    lines = answer(tools, name, **arguments).splitlines()
    return [line.split(" | ")[0].split(": ")[1] for line in lines if "id: " in line.lower().split(" | ")[0]]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_tools_take_the_paper_s_arguments_and_describe_them(language: Any) -> None:
    described = {each["function"]["name"]: each["function"] for each in TRIPBENCH.definitions(language)}
    assert {*described} == {*ARGUMENTS}
    for name, (arguments, needed) in ARGUMENTS.items():
        parameters = described[name]["parameters"]
        assert {*parameters["properties"]} == {*arguments}
        assert len(parameters["required"]) == needed
        assert all(each["description"] for each in parameters["properties"].values())


def test_answers_over_the_starter_world_are_the_recorded_ones(starter: World) -> None:
    assert read_answers(starter) == FILE.read_text(encoding="utf-8")


def test_texts_are_those_of_the_paper_s_conversation(tmp_path: Path) -> None:
    """Appendix G; its kilometres are along a geodesic."""
    wuxi = {"city": "Wuxi", "derived": ()}
    hours = OpeningHours(rules=(OpeningRule(time_windows=(TimeWindow(open="09:00", close="17:00"),)),))
    train = Service(
        number="D3142/D3143", mode="高铁", type="动车", origin_city="Fuzhou", destination_city="Wuxi",
        origin_station="Fuzhou South Railway Station", destination_station="Wuxi Station", depart="09:48",
        arrive="16:54", duration_minutes=426, price=337,
    )  # fmt: skip
    with PackBuilder(tmp_path / "g.pack", "g", "", "", extras=KINDS) as pack:
        pack.add(City(name="Wuxi", longitude=120.311889, latitude=31.491064))
        pack.add(City(name="Fuzhou", longitude=119.3, latitude=26.08))
        pack.add(
            Place(
                id="86783", kind="attraction", name="Wuxi Museum", longitude=120.305988, latitude=31.54976,
                categories=("4A",), rating=4.5, reviews=145, price=0, stay_hours=(1, 2), opening_hours=hours, **wuxi,
            )
        )  # fmt: skip
        pack.add(
            Place(
                id="Hotel_00040914", kind="hotel", name="Hanjin Hotel", longitude=120.284699, latitude=31.499521,
                category="Midscale", rating=4.5, reviews=200, **wuxi,
            )
        )  # fmt: skip
        pack.add(train)
        pack.add_extra(ROOMS, "Hotel_00040914", Room(id="P", price=367.47, occupancy=2))
        pack.finish({})
    world = open_world(tmp_path / "g.pack")
    tools = world_tools(world, "en", TRIPBENCH)
    assert answer(tools, "search_attractions", city="Wuxi", rating="4.0", page_size="20") == (
        "Showing 1-1 of 1 results.\n"
        "POI ID: 86783 | Wuxi | Wuxi Museum | level: 4A | longitude: 120.305988, latitude: 31.54976 | "
        "distance: 6.55km\n"
        "rating: 4.5 (145 comments) | popularity Score: 4.0 | opening hours: 09:00 – 17:00 | "
        "reference visit time: 1-2 hours | ticket price: Free"
    )
    assert answer(tools, "search_hotels", city="Wuxi", **STAY, distance_threshold="3").splitlines()[1] == (
        "Hotel_id: Hotel_00040914 | Hanjin Hotel | type: Midscale | price: 367.47+ | stars: 4.5/5 | "
        "review_count: 200 | longitude: 120.284699, latitude: 31.499521 | distance: 2.74km"
    )
    (service,) = trip_world(world).services_between("Fuzhou", "Wuxi")
    found = answer(
        tools, "search_trains", departure_city="Fuzhou", arrival_city="Wuxi", date_str="2025-10-24"
    )
    assert found.startswith("Showing 1-1 of 1 results.\n" + _train_line(service.id))
    world.close()


def _train_line(id_: str) -> str:
    ends = "Fuzhou South Railway Station → Wuxi Station"
    return f"Train_id: {id_} | D3142/D3143 | 9:48-16:54 | {ends} | minimum price: 33"


@pytest.mark.parametrize(
    ("ends", "expected"),
    [
        ((31.555366, 120.302786, 31.512471, 120.281905), 20),
        ((31.54976, 120.305988, 31.512471, 120.281905), 19),
        ((31.499521, 120.284699, 31.584891, 120.235333), 31),
        ((31.489489, 120.266144, 31.499521, 120.284699), 14),
    ],
)
def test_estimates_are_those_of_the_paper_s_conversation(
    tools: Toolbox, ends: tuple[float, ...], expected: int
) -> None:
    names = ("origin_lat", "origin_lng", "destination_lat", "destination_lng")
    told = answer(tools, "get_route_estimate", **dict(zip(names, map(str, ends), strict=True)))
    assert told.endswith(f" km, estimated travel time: {expected} min")


def test_numbers_and_flags_may_come_as_text(tools: Toolbox) -> None:
    given = {"city": "杭州", "rating": 4.7, "comment_count": 0, "free_only": True, "page": 1, "page_size": 2}
    as_text = {name: json.dumps(value) if name != "city" else value for name, value in given.items()}
    assert answer(tools, "search_attractions", **given) == answer(tools, "search_attractions", **as_text)
    listed = answer(
        tools, "search_attractions", city="杭州", categories=["博物馆", "寺庙"], sight_level="", page=" "
    )
    for text in ("博物馆, 寺庙", "博物馆，寺庙", '["博物馆", "寺庙"]'):
        assert answer(tools, "search_attractions", city="杭州", categories=text) == listed
    day = answer(tools, "get_date_after", date_str="2025-10-24", days="3.0")
    assert day == answer(tools, "get_date_after", date="2025-10-24", days=3) == "2025-10-27"


@pytest.mark.parametrize(
    ("name", "arguments", "wrong"),
    [
        ("search_attractions", {"city": "杭州", "rating": "high"}, "rating"),
        (
            "search_attractions",
            {"city": "杭州", "page_size": "51"},
            "page_size: must be an integer ≥ 1, ≤ 50",
        ),
        ("search_attractions", {"city": "杭州", "page": 0}, "page"),
        ("search_attractions", {"city": "杭州", "rating": "inf"}, "rating"),
        ("search_attractions", {"city": "杭州", "page": "inf"}, "page"),
        ("search_attractions", {"city": "杭州", "categories": "[" * 5000}, "categories"),
        ("search_attractions", {"city": "杭州", "sort_key": "beauty"}, "must be one of heat"),
        ("search_attractions", {"city": ""}, "city is required"),
        ("search_trains", {"departure_city": "上海", "arrival_city": "杭州"}, "date_str is required"),
        ("search_hotels", {"city": "杭州", **STAY, "check_in_date": "2025-02-30"}, "a real date"),
        ("get_date_after", {"date_str": "2025-10-24", "days": "2.5"}, "days"),
        ("get_route_estimate", dict.fromkeys(("origin_lat", "origin_lng"), "91"), "origin_lat"),
    ],
)
def test_wrong_arguments_are_named(tools: Toolbox, name: str, arguments: dict[str, Any], wrong: str) -> None:
    outcome = tools.call(name, arguments)
    assert outcome.error_kind == "arguments"
    assert wrong in json.loads(outcome.result)["error"]


def test_minima_are_included_and_bounds_too(tools: Toolbox) -> None:
    good = ids(tools, "search_attractions", city="杭州", rating=4.8, sort_key="rating")
    assert good == ["hz-a1", "hz-a4"]
    assert ids(tools, "search_restaurants", city="杭州", price_min=95, price_max=110, sort_key="price") == [
        *("hz-r2", "hz-r3"),
    ]
    assert ids(tools, "search_attractions", city="杭州", free_only=False, attraction_name="西湖")
    assert "hz-a4" not in ids(tools, "search_attractions", city="杭州", free_only=True)


def test_hits_are_sorted_with_ties_by_id(tools: Toolbox) -> None:
    def search(**order: str) -> list[str]:
        return ids(tools, "search_attractions", city="杭州", **order)

    assert search(sort_key="price") == ["hz-a1", "hz-a2", "hz-a3", "hz-a4"]
    assert search(sort_key="price", sort_order="desc") == ["hz-a4", "hz-a1", "hz-a2", "hz-a3"]
    assert search(sort_key="rating") == ["hz-a1", "hz-a4", "hz-a2", "hz-a3"]
    assert search(sort_key="rating", sort_order="asc") == ["hz-a3", "hz-a2", "hz-a4", "hz-a1"]


def test_pages_follow_each_other(tools: Toolbox) -> None:
    pages = [
        ids(tools, "search_attractions", city="杭州", sort_key="rating", page=page, page_size=3)
        for page in (1, 2)
    ]
    assert [len(page) for page in pages] == [3, 1]
    assert [*pages[0], *pages[1]] == ids(tools, "search_attractions", city="杭州", sort_key="rating")
    beyond = answer(tools, "search_attractions", city="杭州", page=9)
    assert beyond == "No results on page 9; there are 4 results."


def test_distances_are_from_the_centre_unless_a_point_is_given(tools: Toolbox) -> None:
    assert "distance: 3.08km" in answer(tools, "search_attractions", city="杭州", attraction_name="西湖")
    lake = {"longitude": "120.1446", "latitude": "30.2478"}
    near = ids(tools, "search_attractions", city="杭州", **lake, distance_threshold="1", sort_key="distance")
    assert near == ["hz-a1", "hz-a2"]


def test_periods_are_half_open(tools: Toolbox) -> None:
    ends = {"departure_city": "上海", "arrival_city": "杭州", "date_str": "2025-10-24"}
    trains, flights = answer(tools, "search_trains", **ends), answer(tools, "search_flights", **ends)
    assert ("G7301" in trains, "K75" in trains, "CA1701" in trains) == (True, True, False)
    assert "CA1701 | airline: 中国国际航空 | 12:00-12:50" in flights
    assert answer(tools, "search_flights", **ends, dep_period="morning") == "No matching flights found."
    assert "CA1701" in answer(tools, "search_flights", **ends, dep_period="afternoon")
    night = answer(tools, "search_trains", **ends, arr_period="early morning")
    assert "K75 | 23:10-1:40 (+1)" in night and "G7301" not in night


def test_rooms_too_small_for_a_party_come_apart(tools: Toolbox) -> None:
    def rooms(**party: int) -> tuple[str, str]:
        told = answer(
            tools, "get_hotel_detail_with_products", hotel_id="hz-h1", **STAY, page_size=50, **party
        )
        large, _, small = told.partition("Too small for")
        return large, small

    for party, small_ones in (({"person_num": 4}, {1, 2, 3}), ({"person_num": 4, "room_num": 2}, {1})):
        large, small = rooms(**party)
        for occupancy in range(1, 5):
            assert (f"occupancy: {occupancy} " in small) == (occupancy in small_ones)
            assert (f"occupancy: {occupancy} " in large) == (occupancy not in small_ones)
    assert rooms()[1] == ""


def test_rooms_and_hotels_are_chosen_by_what_they_offer(tools: Toolbox, tiny_world: World) -> None:
    hotels = trip_world(tiny_world).hotels_by_id
    choices: list[tuple[dict[str, str], Callable[[Room], object]]] = [
        ({"min_breakfast_per_room": "2"}, lambda room: (room.breakfast or 0) >= 2),
        ({"cancel_policy": "24"}, lambda room: room.cancel_hours is not None and room.cancel_hours <= 24),
        ({"has_window": "true"}, lambda room: room.window),
        ({"room_type": "家庭房"}, lambda room: room.room_type == "家庭房"),
    ]
    for wanted, fits in choices:
        told = answer(tools, "get_hotel_detail_with_products", hotel_id="hz-h1", **STAY, **wanted)
        expected = [room for room in hotels["hz-h1"].products if fits(room)]
        assert told.count("product_id: ") == len(expected) > 0
        assert all(room.id in told for room in expected)
    pets = ids(tools, "search_hotels", city="杭州", **STAY, is_pet_friendly="true")
    assert pets == [hotel.id for hotel in hotels.values() if hotel.pet_friendly]
    indifferent = dict.fromkeys(("is_pet_friendly", "has_breakfast"), "false")
    assert len(ids(tools, "search_hotels", city="杭州", **STAY, **indifferent)) == 2
    assert ids(tools, "search_hotels", city="杭州", **STAY, hotel_type="豪华型", room_types="家庭房") == [
        "hz-h1"
    ]
    assert ids(tools, "search_hotels", city="杭州", **STAY, price_max="300") == ["hz-h2"]
    turned = {"check_in_date": STAY["check_out_date"], "check_out_date": STAY["check_in_date"]}
    assert "must be after" in answer(tools, "search_hotels", city="杭州", **turned)


def test_tickets_are_chosen_by_platform_and_seat(tools: Toolbox, tiny_world: World) -> None:
    train = trip_world(tiny_world).services_between("上海市", "杭州市")[0]
    ticket = train.products[0]
    told = answer(
        tools, "get_train_detail_with_products", train_id=train.id, date="2025-10-24",
        source_platform=ticket.platform, seat_type=ticket.seat_type,
    )  # fmt: skip
    assert told.count("product_id: ") == 1
    assert f"{ticket.id} | seat_type: {ticket.seat_type} | platform: {ticket.platform} | price: " in told
    assert TICKETS.read(TICKETS.write(ticket)) == Ticket.model_validate(ticket.model_dump())


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("杭州东站", "杭州东站"),
        ("杭州东", "杭州东站"),
        ("杭州东火车站站", "杭州东站"),
        ("Mars", "No station coordinates found"),
    ],
)
def test_stations_are_found_by_names_that_are_nearly_right(tools: Toolbox, name: str, expected: str) -> None:
    assert answer(tools, "get_station_coordinates", station_name=name).startswith(expected)


def test_days_beyond_the_calendar_are_no_days(tools: Toolbox) -> None:
    assert answer(tools, "get_date_after", date_str="2025-01-01", days="-1") == "2024-12-31"
    assert answer(tools, "get_date_after", date_str="9999-12-31", days=1).startswith("No such day")
    assert answer(tools, "get_date_after", date_str="9999-12-31", days=10**12).startswith("No such day")


def test_the_built_in_simulator_answers_what_needs_no_world(tmp_path: Path) -> None:
    create(tmp_path / "cache")
    known: dict[str, dict[str, Any]] = {
        "get_date_after": {"date_str": "2025-10-24", "days": 1},
        "get_city_center_coords": {"city_name": "杭州"},
    }
    with closing(Cache.open(tmp_path / "cache")) as first:
        for name, arguments in known.items():
            first.learn(Call(TRIPBENCH.stored_name(name), arguments), "as it was learned")
    fold(tmp_path / "cache", quiet)
    with closing(Cache.open(tmp_path / "cache")) as cache:
        tools = Toolbox(isolated_answers(cache, NearestSimulator()), toolset=TRIPBENCH)
        assert tools.call("get_date_after", known["get_date_after"]).result == "as it was learned"
        assert tools.call("get_date_after", {"date_str": "2025-10-24", "days": 7}).result == "2025-10-31"
        assert tools.call("get_city_center_coords", {"city_name": "苏州"}).error_kind == "simulator"
