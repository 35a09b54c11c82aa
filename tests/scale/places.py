"""Calls about places: search_poi, search_along_route, get_poi_detail, maps_geo."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from tests.scale.gazetteer import CATEGORIES, Entry, Gazetteer, Town, words
from tests.scale.routes import ends, route
from tests.scale.spelling import city, coordinate, option, spot, varied_spelling

DrawnCall = tuple[dict[str, Any], dict[str, Any]]
"""Arguments and result of a call."""

_CLUSTER = (1, 1, 2, 3, 5, 8, 13)
_BEFORE, _AFTER = ("", "", "", "特色", "网红", "附近"), ("", "", "", "推荐", " 人气", " 老字号", "店")
_REGIONS = ("高新区", "老城区", "城东区", "城西区", "江北区")
_SORTS = ("relevance", "rating", "price_low", "price_high")
_RADII = (0.5, 1, 1.5, 2, 3, 3, 5, 5, 8, 10, 20)
_DISHES = words("毛肚 鸭血 小笼包 牛肉面 烤鸭 东坡肉 水煮鱼 麻婆豆腐 虾饺 肠粉 热干面 排骨汤")
_ROOMS = (("标准双床房", 1.0, 2), ("大床房", 1.1, 2), ("家庭房", 1.6, 4))


def search_poi(known: Gazetteer, chance: random.Random) -> Iterator[DrawnCall]:
    """Clusters of calls that differ in spelling, radius, page or point alone."""
    while True:
        town, category = known.town(chance), chance.choice(CATEGORIES)
        word = chance.choice(_BEFORE) + category + chance.choice(_AFTER)
        if chance.random() < 0.2:
            word = chance.choice(town.places)["name"]
        anchor = chance.choice(town.places) if chance.random() < 0.6 else None
        for _ in range(chance.choice(_CLUSTER)):
            yield _search(chance, town, category, word, anchor)


def _search(chance: random.Random, town: Town, category: str, word: str, anchor: Entry | None) -> DrawnCall:
    arguments = {
        "keywords": varied_spelling(chance, word),
        "city": city(chance, town),
        **(
            _location_around(chance, anchor)
            if anchor
            else option(chance, 0.15, "region", chance.choice(_REGIONS))
        ),
        **option(chance, 0.12, "price_max", chance.randrange(50, 600, 50)),
        **option(chance, 0.25, "sort_by", chance.choice((*_SORTS, "distance") if anchor else _SORTS)),
    }
    if chance.random() < 0.35:
        arguments["page"] = chance.choice((1, 1, 2, 2, 3, 4))
    if chance.random() < 0.5:
        arguments["page_size"] = chance.choice((5, 10, 10, 10, 15, 20))
    return arguments, _search_result(chance, town, category, arguments)


def _location_around(chance: random.Random, anchor: Entry) -> dict[str, Any]:
    where = (
        coordinate(chance, anchor, 500) if chance.random() < 0.8 else varied_spelling(chance, anchor["name"])
    )
    return {"location": where} | option(chance, 0.8, "radius_km", chance.choice(_RADII))


def _search_result(
    chance: random.Random, town: Town, category: str, arguments: dict[str, Any]
) -> dict[str, Any]:
    page, size = arguments.get("page", 1), arguments.get("page_size", 10)
    total = chance.choice((0, 6, 24, 60, 90, 120, 150, 200, 200))
    places = town.page(chance, category, max(0, min(size, total - (page - 1) * size)))
    if "location" in arguments:
        away = sorted(chance.randrange(20, 5_000) for _ in places)
        places = [place | {"distance_m": metres} for place, metres in zip(places, away, strict=True)]
    return {"total": total, "page": page, "page_size": size, "pois": places}


def search_along_route(known: Gazetteer, chance: random.Random) -> Iterator[DrawnCall]:
    """The rarest of the tools."""
    while True:
        town, category = known.town(chance), chance.choice(CATEGORIES)
        origin, destination = ends(chance, town)
        mode = chance.choice(("driving", "driving", "transit", "walking"))
        arguments = {
            "origin": spot(chance, origin),
            "destination": spot(chance, destination),
            "keywords": varied_spelling(chance, category),
            **option(chance, 0.6, "mode", mode),
            **option(chance, 0.7, "city", city(chance, town)),
            **option(chance, 0.4, "route_range", chance.choice((300, 500, 1000, 2000, 3000))),
            **option(chance, 0.3, "poi_limit", chance.choice((5, 10, 20))),
        }
        count = min(10, arguments.get("poi_limit") or 20)
        places = [
            place | {"distance_m": metres, "detour_m": metres * 2}
            for place in town.page(chance, category, count)
            for metres in (chance.randrange(20, 900),)
        ]
        yield (
            arguments,
            {"route": route(arguments.get("mode") or "driving", origin, destination), "pois": places},
        )


def get_poi_detail(known: Gazetteer, chance: random.Random) -> Iterator[DrawnCall]:
    """Every place equally often."""
    while True:
        place = chance.choice(known.places)
        yield {"id": place["id"]}, _detail(chance, place)


def _detail(chance: random.Random, place: Entry) -> dict[str, Any]:
    kind, hours, opens = place["kind"], place["opening_hours"], f"{chance.randint(7, 11):02d}:00"
    rule = {"weekdays": [1, 2, 3, 4, 5, 6, 7], "time_windows": [{"open": opens, "close": "21:00"}]}
    return _with_phone(place) | {
        "opening_hours": {"rules": [rule]} if hours else None,
        "opening_text": hours,
        "categories": [place["category"], kind],
        "rooms": _rooms(place["price"]) if kind == "hotel" else [],
        "dishes": chance.sample(_DISHES, 4) if kind == "restaurant" else [],
        "description": f"{place['name']}位于{place['city']}{place['address']}，是当地口碑不错的{place['category']}，"
        f"近一年评价{chance.randrange(20, 9000)}条，节假日人流较多，建议提前预约并错峰前往。",
        "derived": [],
    }


def _with_phone(place: Entry) -> dict[str, Any]:
    """With the field that only details have, where they have it."""
    names = list(place)
    names.insert(names.index("review_count") + 1, "phone")
    return {name: place.get(name) for name in names}


def _rooms(price: float) -> list[dict[str, Any]]:
    """From the price of one of two people in a room."""
    return [
        {"name": name, "price": round(price * 2 * factor, 1), "capacity": holds}
        for name, factor, holds in _ROOMS
    ]


def maps_geo(known: Gazetteer, chance: random.Random) -> Iterator[DrawnCall]:
    """Names and addresses, with their city before them, in `city`, or nowhere."""
    while True:
        town = known.town(chance)
        place = chance.choice(town.places)
        address = chance.choice((place["name"], place["name"], place["address"]))
        before = chance.choice(("", "", town.name, f"{town.name}市"))
        arguments = {
            "address": varied_spelling(chance, before + address),
            **option(chance, 0.6, "city", city(chance, town)),
        }
        yield arguments, {name: place[name] for name in ("name", "city", "kind", "location")}
