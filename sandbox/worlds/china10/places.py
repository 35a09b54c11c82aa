"""attractions/CITY/attractions.csv and restaurants/CITY/restaurants_CITY.csv."""

from __future__ import annotations

import re
from statistics import median

from sandbox.worlds.china10.fields import Gaps, number, number_places, opening_hours, position, text
from sandbox.worlds.china10.knowledge import Knowledge, SourceCity
from sandbox.worlds.china10.reading import Problems, Row
from sandbox.worlds.records import Place

ATTRACTION_COLUMNS = frozenset(
    [
        "name",
        "type",
        "lat",
        "lon",
        "opentime",
        "endtime",
        "price",
        "recommendmintime",
        "recommendmaxtime",
        "star",
    ]
)
_PLAIN_SET = re.compile(r"\{[^{}\[\]]*[^{}\[\];]\}")


def read_attractions(
    rows: list[Row], city: SourceCity, knowledge: Knowledge, problems: Problems, gaps: Gaps
) -> list[Place]:
    """One place a row, best known first as in the file; missing stars become the city's median."""
    converted = problems.convert(rows, lambda row: _attraction(row, city, knowledge, gaps))
    return _with_stars(number_places([place for _, place in converted], f"{city.slug}-a", len(rows)), gaps)


def categories(value: str, knowledge: Knowledge, gaps: Gaps) -> tuple[str, ...]:
    """The parts of `{a;b}`, in order, each once. Braces that are absent or of another kind are counted.

    Raises:
        ValueError: nothing inside.
    """
    if not _PLAIN_SET.fullmatch(value):
        gaps["category_sets_malformed"] += 1
    parts = [part.strip() for part in value.strip("{}[]").split(";") if part.strip()]
    if not parts:
        raise ValueError("no type")
    gaps["categories_run_together"] += len(set(parts) & set(knowledge.run_together))
    return tuple(dict.fromkeys(name for part in parts for name in knowledge.run_together.get(part, (part,))))


def _attraction(row: Row, city: SourceCity, knowledge: Knowledge, gaps: Gaps) -> Place:
    cells = row.values
    name = text(cells["name"], "name")
    kinds = categories(cells["type"], knowledge, gaps)
    (longitude, latitude), moved = position(city, name, cells["lat"], cells["lon"], knowledge, gaps)
    stay = (
        number(cells["recommendmintime"], "recommendmintime"),
        number(cells["recommendmaxtime"], "recommendmaxtime"),
    )
    if not 0 <= stay[0] <= stay[1]:
        raise ValueError(f"a visit of {stay[0]:g} to {stay[1]:g} hours")
    return Place(
        id="?",
        city=city.name,
        kind="attraction",
        name=name,
        category=kinds[0],
        categories=kinds,
        longitude=longitude,
        latitude=latitude,
        price=number(cells["price"], "price"),
        rating=number(cells["star"], "star") if cells["star"] else None,
        stay_hours=stay,
        opening_hours=opening_hours(cells["opentime"], cells["endtime"]),
        derived=("longitude", "latitude") if moved else (),
    )


def _with_stars(places: list[Place], gaps: Gaps) -> list[Place]:
    stars = [place.rating for place in places if place.rating is not None]
    if not stars:
        return places
    usual = round(median(stars), 1)
    gaps["stars_missing"] += len(places) - len(stars)
    return [
        place
        if place.rating is not None
        else place.model_copy(update={"rating": usual, "derived": (*place.derived, "rating")})
        for place in places
    ]


RESTAURANT_COLUMNS = frozenset(
    ["name", "lat", "lon", "price", "cuisine", "opentime", "endtime", "recommendedfood"]
)
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
    return number_places([place for _, place in converted], f"{city.slug}-r", len(rows))


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
