"""What TRIP-Bench's tools answer over the starter world, as answers.txt has it.

`python -m tests.sandbox.toolsets.tripbench.answers` writes the file again, and a person reads through what changed.
"""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sandbox.toolbox import world_tools
from sandbox.toolsets import toolset_named
from sandbox.worlds import World, open_world

FILE = Path(__file__).with_name("answers.txt")
_STAY = {"check_in_date": "2025-10-24", "check_out_date": "2025-10-27"}
_DAY = {"date_str": "2025-10-24"}
_BOTH = {"departure_city": "北京", "arrival_city": "杭州"}
CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("search_attractions", {"city": "杭州", "page_size": "3"}),
    (
        "search_attractions",
        {"city": "杭州市", "categories": "博物馆, 寺庙", "rating": "4.6", "sort_key": "distance"},
    ),
    ("search_attractions", {"city": "Yixing", "attraction_name": "pottery"}),
    ("search_attractions", {"city": "杭州", "attraction_name": "pottery", "rating": "4.0"}),
    ("get_attraction_detail_with_products", {"poi_id": "hangzhou-a-010"}),
    ("get_attraction_detail_with_products", {"poi_id": "hangzhou-a-001"}),
    ("get_attraction_detail_with_products", {"poi_id": "hangzhou-r-001"}),
    ("get_attraction_coordinates", {"poi_id": "hangzhou-a-001"}),
    (
        "search_hotels",
        {
            "city": "杭州",
            **_STAY,
            "longitude": "120.16",
            "latitude": "30.26",
            "distance_threshold": "3",
            "sort_key": "stars",
            "sort_order": "desc",
            "page_size": "5",
        },
    ),
    ("search_hotels", {"city": "杭州", **_STAY, "stars": "5"}),
    ("get_hotel_detail_with_products", {"hotel_id": "hangzhou-h-001", **_STAY, "person_num": "3"}),
    ("get_hotel_detail_with_products", {"hotel_id": "hangzhou-h-018", **_STAY, "room_type": "湖景"}),
    ("get_hotel_detail_with_products", {"hotel_id": "0", **_STAY}),
    ("get_hotel_coordinates", {"hotel_id": "hangzhou-h-001"}),
    ("search_flights", {**_BOTH, **_DAY, "dep_period": "evening"}),
    ("search_flights", {"departure_city": "杭州", "arrival_city": "苏州", **_DAY}),
    ("get_flight_detail_with_products", {"flight_id": "Flight_c46fbbbb0b", "date": "2025-10-24"}),
    ("get_airport_coordinates", {"airport_name": "萧山机场"}),
    ("search_trains", {**_BOTH, **_DAY, "sort_key": "price", "page_size": 3}),
    ("get_train_detail_with_products", {"train_id": "Train_52159f5213", **_DAY, "seat_type": "硬座"}),
    ("get_train_detail_with_products", {"train_id": "Train_52159f5213", **_DAY, "seat_type": "商务座"}),
    ("get_train_detail_with_products", {"train_id": "Flight_c46fbbbb0b", **_DAY}),
    ("get_station_coordinates", {"station_name": "杭州东"}),
    ("get_station_coordinates", {"station_name": "Mars"}),
    ("search_restaurants", {"city": "杭州", "categories": ["火锅", "素食"]}),
    ("get_restaurant_detail_with_products", {"restaurant_id": "hangzhou-r-001"}),
    ("get_restaurant_detail_with_products", {"restaurant_id": "guangzhou-r-017"}),
    ("get_restaurant_coordinates", {"restaurant_id": "nowhere"}),
    (
        "get_route_estimate",
        {
            "origin_lat": "31.489489",
            "origin_lng": "120.266144",
            "destination_lat": "31.499521",
            "destination_lng": "120.284699",
        },
    ),
    ("get_city_center_coords", {"city_name": "杭州"}),
    ("get_city_center_coords", {"city_name": "Yixing"}),
    ("get_date_after", {"date_str": "2025-10-24", "days": "3"}),
)


def read_answers(world: World) -> str:
    """Each call, and what it is answered."""
    tools = world_tools(world, "en", toolset_named("tripbench"))
    calls = ((name, arguments, tools.call(name, arguments)) for name, arguments in CALLS)
    return "".join(
        f"# {name} {json.dumps(arguments, ensure_ascii=False)}\n{outcome.result}\n\n"
        for name, arguments, outcome in calls
    )


def _record() -> None:
    from sandbox.worlds.starter import build_starter

    with TemporaryDirectory() as folder:
        path = Path(folder) / "starter.pack"
        build_starter(path)
        FILE.write_text(read_answers(open_world(path)), encoding="utf-8")


if __name__ == "__main__":
    _record()
