"""restaurants/CITY/restaurants_CITY.csv."""

from __future__ import annotations

import re

from sandbox.worlds.china10.fields import Gaps, number, opening_hours, position, text
from sandbox.worlds.china10.knowledge import Knowledge, SourceCity
from sandbox.worlds.china10.problems import Problems, Row
from sandbox.worlds.records import Place

COLUMNS = frozenset(["name", "lat", "lon", "price", "cuisine", "opentime", "endtime", "recommendedfood"])
_SEPARATORS = re.compile(r"[,，、;；]")
_CUISINE_WORDS = (
    ("咖啡", "咖啡店"),
    ("茶", "茶馆/茶室"),
    ("餐吧", "酒吧/酒馆"),
    ("酒馆", "酒吧/酒馆"),
    ("BAR", "酒吧/酒馆"),
    ("自助", "自助餐"),
    ("烧烤", "烧烤"),
    ("何师烧", "烧烤"),
    ("火锅", "火锅"),
    ("小吃", "小吃"),
    ("素", "素食"),
    ("西餐", "西餐"),
    ("日本料理", "日本料理"),
)
_OTHER = "其他"


def read_restaurants(
    rows: list[Row], city: SourceCity, knowledge: Knowledge, problems: Problems, gaps: Gaps
) -> list[Place]:
    """One place a row, best known first as in the file."""
    converted = problems.convert(rows, lambda row: _restaurant(row, city, knowledge, gaps))
    return [
        place.model_copy(update={"id": f"{city.slug}-r-{nth:04d}", "popularity": len(rows) - nth})
        for nth, (_, place) in enumerate(converted, start=1)
    ]


def dishes(value: str) -> tuple[str, ...]:
    """The recommended dishes of a cell, each once."""
    return tuple(dict.fromkeys(part.strip() for part in _SEPARATORS.split(value) if part.strip()))


def _restaurant(row: Row, city: SourceCity, knowledge: Knowledge, gaps: Gaps) -> Place:
    cells = row.values
    name = text(cells["name"], "name")
    (longitude, latitude), moved = position(city, name, cells["lat"], cells["lon"], knowledge, gaps)
    cuisine = cells["cuisine"] or _cuisine_from(name)
    gaps["cuisines_missing"] += not cells["cuisine"]
    gaps["dishes_missing"] += not dishes(cells["recommendedfood"])
    derived = (("longitude", "latitude") if moved else ()) + (() if cells["cuisine"] else ("category",))
    return Place(
        id="?",
        city=city.name,
        kind="restaurant",
        name=name,
        category=cuisine,
        categories=(cuisine,),
        longitude=longitude,
        latitude=latitude,
        price=number(cells["price"], "price"),
        opening_hours=opening_hours(cells["opentime"], cells["endtime"]),
        dishes=dishes(cells["recommendedfood"]),
        derived=derived,
    )


def _cuisine_from(name: str) -> str:
    """The cuisine that a word of the name tells, else 其他."""
    return next((cuisine for word, cuisine in _CUISINE_WORDS if word in name.upper()), _OTHER)
