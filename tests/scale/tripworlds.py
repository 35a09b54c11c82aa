"""Worlds of TRIP-Bench drawn at random: some cities, all of whose pairs are served."""

from __future__ import annotations

from itertools import permutations
from random import Random
from typing import Any

from benchmark.suites.tripbench.frame import Frame
from sandbox.toolsets.tripbench.records import World

CITIES = {"Northwick": (33.0, 111.0), "Lakeside": (30.0, 110.0), "Eastmere": (30.5, 113.0)}
FRAME = Frame.model_validate(
    {
        "origin": "Northwick",
        "stays": [["Lakeside", 2], ["Eastmere", 2]],
        "start_date": "2026-05-01",
        "end_date": "2026-05-05",
        "people": 3,
    }
)


def draw_world(seed: int, places: int = 12) -> World:
    """So many places of each kind a city, some of whose figures nobody knows."""
    random = Random(seed)
    world: dict[str, Any] = {
        "cities": {name: {"lat": lat, "lng": lng} for name, (lat, lng) in CITIES.items()}
    }
    draws = {"attractions": _attraction, "hotels": _hotel, "restaurants": _restaurant}
    for kind, draw in draws.items():
        world[kind] = [
            {**_where(random, kind[0], city, n), **draw(random)} for city in CITIES for n in range(places)
        ]
    world["services"] = [
        _service(random, f"{start[0]}{end[0]}{n}", start, end)
        for start, end in permutations(CITIES, 2)
        for n in range(4)
    ]
    return World.model_validate(world)


def _where(random: Random, kind: str, city: str, number: int) -> dict[str, Any]:
    lat, lng = CITIES[city]
    return {
        "id": f"{kind}-{city}-{number}",
        "name": f"{city} {kind.upper()}{number}",
        "city": city,
        "lat": lat + random.uniform(-0.1, 0.1),
        "lng": lng + random.uniform(-0.1, 0.1),
    }


def _maybe(random: Random, value: Any) -> Any:
    return None if random.random() < 0.05 else value


def _attraction(random: Random) -> dict[str, Any]:
    price = random.choice((0, 0, 20, 45.5, 80, 180))
    categories = random.sample(("Museums", "Parks", "Old Streets", "Temples & Shrines"), random.randint(1, 2))
    return {
        "categories": categories,
        "rating": _maybe(random, round(random.uniform(3.5, 5), 1)),
        "comment_count": random.randint(10, 5000),
        "heat": _maybe(random, round(random.uniform(1, 10), 1)),
        "sight_level": random.choice((None, "3A", "4A", "5A")),
        "price": _maybe(random, price),
        "products": [{"id": "ticket", "price": price}] if price else [],
    }


def _ratings(random: Random) -> dict[str, Any]:
    aspects = ("product_rating", "environment_rating", "service_rating")
    return {
        "stars": _maybe(random, random.choice((3, 3.5, 4, 4.5, 5))),
        "review_count": random.randint(5, 3000),
        **{name: _maybe(random, round(random.uniform(6, 10), 1)) for name in aspects},
    }


def _hotel(random: Random) -> dict[str, Any]:
    rooms = [
        {
            "id": f"room-{n}",
            "occupancy": random.choice((1, 2, 2, 3)),
            "breakfast": random.choice((0, 1, 2, None)),
            "cancel_hours": random.choice((None, 6, 24, 48)),
            "window": random.choice((True, True, False, None)),
            "price": _maybe(random, round(random.uniform(150, 900), 2)),
        }
        for n in range(3)
    ]
    return {
        "type": random.choice(("Economy", "Midscale", "Luxury")),
        "good_rate": round(random.uniform(0.7, 1), 2),
        "pet_friendly": random.random() < 0.5,
        **_ratings(random),
        "products": rooms,
    }


def _restaurant(random: Random) -> dict[str, Any]:
    menus = [
        {"id": f"menu-{n}", "people": random.choice((1, 2, 3, 4)), "price": random.randint(40, 500)}
        for n in range(random.choice((0, 1, 2)))
    ]
    return {
        "category": random.choice(("Grill", "Noodles", "Seafood", "Tea, Cakes")),
        "avg_price": _maybe(random, random.randint(20, 300)),
        "reservable": random.random() < 0.6,
        "must_reserve": random.random() < 0.3,
        **_ratings(random),
        "products": menus,
    }


def _service(random: Random, id_: str, start: str, end: str) -> dict[str, Any]:
    flies, departs = random.random() < 0.5, random.randint(5, 20) * 60 + random.choice((0, 5, 30))
    arrives = departs + random.randint(60, 180)
    flight = {
        "airline": random.choice(("Kestrel", "Blue Kite")),
        "ontime_rate": round(random.uniform(0.6, 1), 2),
        "avg_delay": random.randint(0, 60),
    }
    hubs = {
        side: {"name": f"{city} Hub", "lat": CITIES[city][0] + 0.05, "lng": CITIES[city][1] + 0.05}
        for side, city in (("from_place", start), ("to_place", end))
    }
    return {
        "id": id_,
        "kind": "flight" if flies else "train",
        "from_city": start,
        "to_city": end,
        **hubs,
        "depart": f"{departs // 60:02d}:{departs % 60:02d}",
        "arrive": f"{arrives // 60 % 24:02d}:{arrives % 60:02d}",
        **(flight if flies else {}),
        "products": [
            {
                "id": f"seat-{n}",
                "platform": random.choice(("RailWeb", "TripGo")),
                "price": random.randint(90, 900),
            }
            for n in range(2)
        ],
    }
