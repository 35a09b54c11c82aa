"""accommodations/CITY/accommodations.csv."""

from __future__ import annotations

from itertools import groupby
from statistics import quantiles

from sandbox.worlds.china10.fields import Gaps, number, number_places, position, text
from sandbox.worlds.china10.knowledge import Knowledge, SourceCity
from sandbox.worlds.china10.reading import Problems, Row
from sandbox.worlds.geo import distance_m
from sandbox.worlds.records import Place, Room
from sandbox.worlds.text import normalise

_ROOMS = (
    ("single_room", "单人间", 1),
    ("king_room", "大床房", 2),
    ("double_bed", "双床房", 2),
    ("family_room", "家庭房", 3),
)
_TWIN = "双床房"
COLUMNS = frozenset(
    ["name", "featurehoteltype", "lat", "lon"]
    + [f"{room}_{what}" for room, _, _ in _ROOMS for what in ("price", "stock")]
)
SAME_HOTEL_M = 1000.0
"""Rows of one name that are this near are one hotel, listed twice."""

_PRICE_CLASSES = (
    "经济型",
    "经济型",
    "经济型",
    "舒适型",
    "舒适型",
    "舒适型",
    "舒适型",
    "高档型",
    "高档型",
    "豪华型",
)
"""The class of each tenth of a city's hotels by the price of a twin room, cheapest first."""


def read_hotels(
    rows: list[Row], city: SourceCity, knowledge: Knowledge, problems: Problems, gaps: Gaps
) -> list[Place]:
    """One place a hotel, best known first as in the file, each with a derived class.

    Rows of one name within `SAME_HOTEL_M` are merged: the first listing keeps its rooms and prices, features
    are joined. Hotels of one name farther apart get a number behind the name.
    """
    hotels = [place for _, place in problems.convert(rows, lambda row: _hotel(row, city, knowledge, gaps))]
    merged = _merge(hotels, gaps)
    classed = _classify(merged, knowledge, gaps)
    return number_places(classed, f"{city.slug}-h", len(classed))


def class_from_words(name: str, features: tuple[str, ...], knowledge: Knowledge) -> str | None:
    """The hotel class that a word of the name tells (the first class of the list), else one of its features."""
    for kind, words in knowledge.hotel_words.items():
        if any(word in name for word in words):
            return kind
    return next(
        (knowledge.hotel_features[item] for item in features if item in knowledge.hotel_features), None
    )


def _hotel(row: Row, city: SourceCity, knowledge: Knowledge, gaps: Gaps) -> Place:
    cells = row.values
    name = text(cells["name"], "name")
    (longitude, latitude), moved = position(city, name, cells["lat"], cells["lon"], knowledge, gaps)
    rooms = tuple(_room(cells, key, label, capacity) for key, label, capacity in _ROOMS)
    twin = next(room.price for room in rooms if room.name == _TWIN)
    return Place(
        id="?",
        city=city.name,
        kind="hotel",
        name=name,
        categories=(cells["featurehoteltype"],) if cells["featurehoteltype"] else (),
        longitude=longitude,
        latitude=latitude,
        price=float(int(twin / 2 + 0.5)),
        rooms=rooms,
        derived=("longitude", "latitude") if moved else (),
    )


def _room(cells: dict[str, str], key: str, label: str, capacity: int) -> Room:
    price = number(cells[f"{key}_price"], f"{key}_price")
    if price <= 0:
        raise ValueError(f"{key}_price is {price:g}")
    stock = number(cells[f"{key}_stock"], f"{key}_stock")
    if stock < 0 or stock != int(stock):
        raise ValueError(f"{key}_stock is {stock:g}")
    return Room(name=label, price=price, capacity=capacity, stock=int(stock))


def _merge(hotels: list[Place], gaps: Gaps) -> list[Place]:
    """Hotels with names that are theirs alone, in the order of their first listing."""
    order = {id(hotel): nth for nth, hotel in enumerate(hotels)}
    kept: list[tuple[int, Place]] = []
    for _, group in groupby(sorted(hotels, key=_key), key=_key):
        numbered_hotels: list[tuple[int, Place]] = []
        for hotel in group:
            _settle(numbered_hotels, order[id(hotel)], hotel, gaps)
        kept += numbered_hotels
    return [hotel for _, hotel in sorted(kept, key=lambda item: item[0])]


def _settle(hotels: list[tuple[int, Place]], nth: int, hotel: Place, gaps: Gaps) -> None:
    """Join a hotel to the one of its name that is near, else give it a name of its own."""
    for at, (first, known) in enumerate(hotels):
        if _metres(known, hotel) <= SAME_HOTEL_M:
            gaps["hotels_listed_again"] += 1
            features = tuple(dict.fromkeys((*known.categories, *hotel.categories)))
            hotels[at] = (first, known.model_copy(update={"categories": features}))
            return
    if hotels:
        gaps["hotels_renamed"] += 1
        hotel = hotel.model_copy(update={"name": f"{hotel.name}({len(hotels) + 1})"})
    hotels.append((nth, hotel))


def _classify(hotels: list[Place], knowledge: Knowledge, gaps: Gaps) -> list[Place]:
    """Give each hotel a class: by words, else by the tenth of the city's prices that its own is in."""
    prices = [hotel.price or 0.0 for hotel in hotels]
    cuts = quantiles(prices, n=len(_PRICE_CLASSES), method="inclusive") if len(prices) > 1 else []
    classed = []
    for hotel, price in zip(hotels, prices, strict=True):
        kind = class_from_words(hotel.name, hotel.categories, knowledge)
        gaps["hotel_classes_by_keyword" if kind else "hotel_classes_by_price"] += 1
        kind = kind or _PRICE_CLASSES[sum(price > cut for cut in cuts)]
        update = {"category": kind, "categories": tuple(dict.fromkeys((kind, *hotel.categories)))}
        classed.append(hotel.model_copy(update=update | {"derived": (*hotel.derived, "category")}))
    return classed


def _key(hotel: Place) -> str:
    """Names that differ only in brackets, spaces or case are one."""
    return normalise(hotel.name)


def _metres(a: Place, b: Place) -> float:
    return distance_m((a.longitude, a.latitude), (b.longitude, b.latitude))
