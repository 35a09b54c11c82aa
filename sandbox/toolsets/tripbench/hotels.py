"""search_hotels and get_hotel_detail_with_products."""

from __future__ import annotations

from typing import Annotated, Literal

from sandbox.tools.language import Language, Says
from sandbox.tools.tool import AnyTool, Tool
from sandbox.toolsets.tripbench.arguments import (
    CancelHours,
    CheckIn,
    CheckOut,
    Count,
    Flag,
    Minimum,
    Names,
    NearArguments,
    NearPageArguments,
    OptionalNumber,
    PageArguments,
    TripArguments,
    split_names,
)
from sandbox.toolsets.tripbench.records import Hotel, Room
from sandbox.toolsets.tripbench.searching import (
    TINY,
    Search,
    lies_within,
    names_fit,
    reaches,
    sort_hits,
)
from sandbox.toolsets.tripbench.texts import Text, decimal, join_fields, position, stars, whole, write_page
from sandbox.toolsets.tripbench.world import trip_world
from sandbox.worlds import World


class _HotelFilters(NearArguments):
    """Prices are of the cheapest room a night. Minima are included; stars are out of 5, the ratings of aspects out
    of 10, good_remarks_rate is a share from 0 to 1.
    """

    check_in_date: CheckIn
    check_out_date: CheckOut
    price_min: Annotated[OptionalNumber, Says("每晚最低价", "Lowest price a night")] = None
    price_max: Annotated[OptionalNumber, Says("每晚最高价", "Highest price a night")] = None
    hotel_type: Annotated[str | None, Says("酒店类型", "Type of the hotel")] = None
    stars: Minimum = None
    review_count: Minimum = None
    good_remarks_rate: Minimum = None
    product_rating: Minimum = None
    environment_rating: Minimum = None
    service_rating: Minimum = None
    room_types: Annotated[Names, Says("房型，有其一即可", "Types of rooms, one of which is enough")] = None
    cancel_policy: CancelHours = None
    is_pet_friendly: Annotated[Flag, Says("只要可带宠物的", "Only those that take pets")] = None
    has_breakfast: Annotated[Flag, Says("只要有含早餐的房的", "Only those with breakfast in some room")] = (
        None
    )


class SearchHotelsArguments(NearPageArguments, _HotelFilters):
    """Which of them are shown, in what order."""

    sort_key: Annotated[
        Literal[
            "stars", "price", "distance", "review_count", "good_remarks_rate", "product_rating",
            "environment_rating", "service_rating",
        ]
        | None,
        Says("排序依据，缺省为星级", "What to sort by; the stars"),
    ] = None  # fmt: skip


class _StayArguments(TripArguments):
    """A hotel, for a stay."""

    hotel_id: Annotated[str, Says("酒店编号", "Id of the hotel")]
    check_in_date: CheckIn
    check_out_date: CheckOut
    room_num: Annotated[Count | None, Says("几间房", "Number of rooms")] = None
    person_num: Annotated[Count | None, Says("几人入住", "Number of people")] = None
    room_type: Annotated[str | None, Says("房型", "Type of the room")] = None
    min_breakfast_per_room: Annotated[
        OptionalNumber, Says("每间房至少含几份早餐", "Breakfasts a room at least")
    ] = None
    cancel_policy: CancelHours = None
    has_window: Annotated[Flag, Says("只要有窗的", "Only rooms with a window")] = None


class HotelDetailArguments(PageArguments, _StayArguments):
    """Which of its rooms are shown; they are sorted by price."""


def _search(arguments: SearchHotelsArguments, pack: World, language: Language) -> Text:
    if arguments.check_out_date <= arguments.check_in_date:
        return _WRONG_DATES

    def room_fits(room: Room) -> bool:
        return names_fit(arguments.room_types, [room.room_type]) and _cancels(room, arguments.cancel_policy)

    def fits(hotel: Hotel) -> bool:
        wants_room = arguments.room_types is not None or arguments.cancel_policy is not None
        breakfast = any(room.breakfast for room in hotel.products)
        return bool(
            lies_within(_cheapest(hotel), arguments.price_min, arguments.price_max)
            and names_fit(split_names(arguments.hotel_type), [hotel.type])
            and reaches(hotel.stars, arguments.stars)
            and reaches(hotel.review_count, arguments.review_count)
            and reaches(hotel.good_rate, arguments.good_remarks_rate)
            and reaches(hotel.product_rating, arguments.product_rating)
            and reaches(hotel.environment_rating, arguments.environment_rating)
            and reaches(hotel.service_rating, arguments.service_rating)
            and (not wants_room or any(map(room_fits, hotel.products)))
            and (hotel.pet_friendly or not arguments.is_pet_friendly)
            and (breakfast or not arguments.has_breakfast)
        )

    search = Search[Hotel](
        lambda trip, city: trip.hotels_in(city),
        fits,
        lambda hit: f"{_head(hit.place)} | distance: {decimal(hit.km)}km",
        {
            "stars": lambda hit: hit.place.stars,
            "price": lambda hit: _cheapest(hit.place),
            "distance": lambda hit: hit.km,
            "review_count": lambda hit: hit.place.review_count,
            "good_remarks_rate": lambda hit: hit.place.good_rate,
            "product_rating": lambda hit: hit.place.product_rating,
            "environment_rating": lambda hit: hit.place.environment_rating,
            "service_rating": lambda hit: hit.place.service_rating,
        },
        "No hotels found.",
    )
    return search.answer(arguments, arguments.sort_key, pack)


def _cheapest(hotel: Hotel) -> float | None:
    """A night in the cheapest room."""
    return min((room.price for room in hotel.products if room.price is not None), default=None)


def _cancels(room: Room, hours: float | None) -> bool:
    return hours is None or (room.cancel_hours is not None and room.cancel_hours <= hours + TINY)


def _head(hotel: Hotel) -> str:
    price = _cheapest(hotel)
    return join_fields(
        f"Hotel_id: {hotel.id}",
        hotel.name,
        f"type: {hotel.type}",
        f"price: {decimal(price)}{'' if price is None else '+'}",
        stars(hotel.stars),
        f"review_count: {whole(hotel.review_count)}",
        position(hotel.point),
    )


def _tell(arguments: HotelDetailArguments, pack: World, language: Language) -> Text:
    if arguments.check_out_date <= arguments.check_in_date:
        return _WRONG_DATES
    hotel = trip_world(pack).hotels_by_id.get(arguments.hotel_id)
    if hotel is None:
        return Text(text=f"No hotel found for the given hotel_id: {arguments.hotel_id}.")
    told = join_fields(
        _head(hotel),
        f"good_remarks_rate: {decimal(hotel.good_rate)}",
        f"product_rating: {decimal(hotel.product_rating)}",
        f"environment_rating: {decimal(hotel.environment_rating)}",
        f"service_rating: {decimal(hotel.service_rating)}",
        f"pet_friendly: {hotel.pet_friendly}",
    )
    return Text(text=f"{told}\n{_room_lines(hotel, arguments).text}")


def _room_lines(hotel: Hotel, arguments: HotelDetailArguments) -> Text:
    """Those that hold the party, the cheapest first; then, apart, those that are too small for it."""
    rooms = sort_hits(
        (room for room in hotel.products if _room_fits(room, arguments)), lambda room: room.price, True
    )
    people, count = arguments.person_num or 1, arguments.room_num or 1
    large = [_room_line(room) for room in rooms if room.occupancy * count >= people]
    small = [_room_line(room) for room in rooms if room.occupancy * count < people]
    if small:
        small[0] = (
            f"Too small for {people} people in {count} {'room' if count == 1 else 'rooms'}:\n{small[0]}"
        )
    return write_page([*large, *small], arguments, "No matching rooms found.")


def _room_fits(room: Room, arguments: HotelDetailArguments) -> bool:
    return bool(
        names_fit(split_names(arguments.room_type), [room.room_type])
        and reaches(room.breakfast, arguments.min_breakfast_per_room)
        and _cancels(room, arguments.cancel_policy)
        and (room.window or not arguments.has_window)
    )


def _room_line(room: Room) -> str:
    hours = room.cancel_hours
    until = "never free" if hours is None else f"free until {whole(hours)} hours before check-in"
    return join_fields(
        f"product_id: {room.id}",
        f"room_type: {room.room_type}",
        f"occupancy: {room.occupancy}",
        f"breakfast: {room.breakfast}",
        f"cancellation: {until}",
        f"window: {room.window}",
        f"price per night: {decimal(room.price)}",
    )


_WRONG_DATES = Text(text="The check-out date must be after the check-in date.")
SEARCH: AnyTool = Tool(
    "search_hotels",
    Says("在城市里查找酒店，可筛选、排序、翻页", "Hotels of a city, with filters, order and pages"),
    SearchHotelsArguments,
    Text,
    _search,
)
DETAIL: AnyTool = Tool(
    "get_hotel_detail_with_products",
    Says("酒店详情与可订的房", "A hotel, and the rooms that can be booked"),
    HotelDetailArguments,
    Text,
    _tell,
)
