"""get_poi_detail: everything the world knows of one place."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from sandbox.tools.errors import BadArgument
from sandbox.tools.language import Language, Says
from sandbox.tools.tool import Arguments, Result, Tool
from sandbox.toolsets.grouptravel.arguments import shorten
from sandbox.toolsets.grouptravel.poi import PartialPlace, hours_text, poi_fields
from sandbox.worlds import Hit, World
from sandbox.worlds.reader import published_hours
from sandbox.worlds.records import PlaceKind


class GetPoiDetailArguments(Arguments):
    id: Annotated[str, Says("search_poi 返回的地点 id", "The id of a place that search_poi returned")]


_FIELDS = {"reviews": "review_count"}
"""What this tool calls a field of a place, where the two differ."""


class RoomDetail(Result):
    """A room type: CNY per room and night."""

    name: str
    price: float
    capacity: int


class GetPoiDetailResult(Result):
    """A place in full."""

    id: str
    name: str
    kind: PlaceKind
    category: str
    city: str
    address: str
    location: str = Field(description="lon,lat")
    distance_m: int | None
    rating: float | None
    review_count: int | None = Field(default=None, description="How many people rated it")
    phone: str | None = None
    price: float | None = Field(
        description="CNY per person; for a hotel, per person and night when two share a twin room"
    )
    opening_hours: dict[str, Any] | None = Field(description="The published catalogue's structure")
    stay_hours: tuple[float, float] | None
    opening_text: str | None
    categories: tuple[str, ...]
    rooms: tuple[RoomDetail, ...]
    dishes: tuple[str, ...]
    description: str
    derived: tuple[str, ...] = Field(description="Names of fields that a rule filled, not the source")


def run(arguments: GetPoiDetailArguments, world: World, language: Language) -> GetPoiDetailResult:
    """The place with that id."""
    place = world.place(arguments.id)
    if place is None:
        raise unknown_id(arguments.id)
    fields = poi_fields(Hit(place), language) | {"opening_hours": published_hours(place.opening_hours)}
    return GetPoiDetailResult(
        **fields,
        phone=place.phone or None,
        opening_text=hours_text(place.opening_hours, language),
        categories=place.categories or ((place.category,) if place.category else ()),
        rooms=tuple(
            RoomDetail(name=room.name, price=room.price, capacity=room.capacity) for room in place.rooms
        ),
        dishes=place.dishes,
        description=place.description,
        derived=tuple(_FIELDS.get(name, name) for name in place.derived),
    )


def unknown_id(id: str) -> BadArgument:
    """What the tool says of an id that no place has."""
    return BadArgument(
        "id",
        Says(
            f"没有 id 为「{shorten(id)}」的地点；请使用 search_poi 返回的 id",
            f'there is no place with the id "{shorten(id)}"; use an id that search_poi returned',
        ),
    )


TOOL = Tool(
    "get_poi_detail",
    Says(
        "按 id 查询地点详情：完整营业时间、全部类别、电话、房型、菜品、简介。price 为人均（元）；"
        "酒店为两人合住双床房时每人每晚，房型价格为每间每晚",
        "Details of a place by id: full opening hours, all categories, phone, rooms, dishes, description. price is "
        "CNY per person; of a hotel, per person and night when two share a twin room; rooms are per room and night",
    ),
    GetPoiDetailArguments,
    GetPoiDetailResult,
    run,
    PartialPlace,
)
