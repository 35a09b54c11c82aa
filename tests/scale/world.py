"""A synthetic world of ten cities, the same on every machine.

Ten cities of more than 30,000 places are harder than any real one, as a search stays within a city.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from sandbox.worlds import PackBuilder
from sandbox.worlds.records import City, Place, PlaceKind

PLACES = 338_000
CITIES = ("北京", "上海", "广州", "深圳", "成都", "重庆", "杭州", "苏州", "南京", "武汉")
BRANDS = "老王小张福德兴隆聚宝海天龙凤云山水花春秋金银玉石东西南北中大和平安乐"
DISHES = (
    "毛肚",
    "鸭血",
    "小笼包",
    "牛肉面",
    "烤鸭",
    "东坡肉",
    "水煮鱼",
    "麻婆豆腐",
    "虾饺",
    "肠粉",
    "热干面",
    "排骨汤",
)
CATEGORIES: dict[PlaceKind, tuple[str, ...]] = {
    "restaurant": ("火锅", "川菜", "粤菜", "面馆", "小吃", "咖啡厅", "西餐", "日本料理", "烧烤", "海鲜"),
    "attraction": ("博物馆", "公园", "寺庙", "园林", "古镇", "动物园", "历史古迹"),
    "hotel": ("经济型", "豪华型", "民宿", "商务酒店", "快捷酒店", "公寓式酒店"),
    "landmark": ("广场", "商场"),
}
ROADS = ("人民路", "解放路", "中山路", "建设路", "和平路", "延安路", "文化路", "新华路")
WORDS = (
    "火锅",
    "川菜",
    "博物馆",
    "烤鸭",
    "老",
    "和平",
    "商务酒店",
    "景点",
    "餐厅",
    "毛肚",
    "中山路 面馆",
    "金玉龙",
    "公园 东",
)
_POI_TYPES = {"attraction": "attractions", "restaurant": "food", "hotel": "hotels"}


def places(count: int) -> Iterator[Place]:
    """`count` places spread around the ten centres, most of them restaurants."""
    chance = random.Random(20)
    for number in range(count):
        yield _place(chance, number)


def _place(chance: random.Random, number: int) -> Place:
    city = number % len(CITIES)
    kind: PlaceKind = chance.choices(("restaurant", "attraction", "hotel", "landmark"), (60, 15, 20, 5))[0]
    category = chance.choice(CATEGORIES[kind])
    return Place(
        id=f"p{number}",
        city=f"{CITIES[city]}市",
        kind=kind,
        name="".join(chance.choices(BRANDS, k=3)) + category + f"（{chance.choice(ROADS)}店）",
        category=category,
        longitude=round(100 + city * 2 + chance.gauss(0, 0.12), 6),
        latitude=round(30 + chance.gauss(0, 0.12), 6),
        address=f"{chance.choice(BRANDS)}{chance.choice(BRANDS)}区{chance.choice(ROADS)}{chance.randrange(900)}号",
        price=chance.randrange(10, 900),
        rating=round(chance.uniform(3, 5), 1),
        dishes=tuple(chance.sample(DISHES, 4)) if kind == "restaurant" else (),
        popularity=chance.randrange(100_000),
    )


def build(path: Path, count: int) -> None:
    """Write the synthetic world."""
    with PackBuilder(path, "bench", "synthetic") as builder:
        for at, name in enumerate(CITIES):
            builder.add(City(name=f"{name}市", longitude=100 + at * 2, latitude=30))
        builder.add_all(places(count))
        builder.finish({})


def catalogue(count: int) -> dict[str, list[dict[str, Any]]]:
    """The scoring catalogue of the first `count` places that belong in one, as `World.catalogue` gives it."""
    entries: dict[str, list[dict[str, Any]]] = {f"{name}市": [] for name in CITIES}
    counted = (place for place in places(2 * count) if place.kind in _POI_TYPES)
    for place in islice(counted, count):
        entries[place.city].append(
            {
                "name": place.name,
                "custom_category": place.category,
                "poi_type": _POI_TYPES[place.kind],
                "opening_hours": None,
            }
        )
    return entries
