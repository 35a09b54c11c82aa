"""TRIP-Bench's view of a world: what its records say, and products that are always the same."""

from __future__ import annotations

from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from sandbox.toolsets.tripbench.extras import KINDS, ROOMS, TICKETS
from sandbox.toolsets.tripbench.hours import daily_hours
from sandbox.toolsets.tripbench.records import Hotel, Item, Room, Ticket, TripWorld, World
from sandbox.toolsets.tripbench.world import PackWorld, trip_world
from sandbox.worlds import PackBuilder, open_world
from sandbox.worlds import World as Pack
from sandbox.worlds.records import DateRange, OpeningHours, OpeningRule, Place, TimeWindow
from tests.sandbox.conftest import MEAL_HOURS, MUSEUM_HOURS, RECORDS


@pytest.fixture
def trip(tiny_world: Pack) -> TripWorld:
    return trip_world(tiny_world)


def test_what_the_records_say_is_so(trip: TripWorld) -> None:
    lake = trip.attractions_by_id["hz-a1"]
    assert (lake.name, lake.city, lake.price, lake.rating) == ("西湖", "杭州市", 0, 4.9)
    assert (lake.categories, lake.visit_hours) == (("自然风光", "网红打卡点"), (2, 4))
    assert lake.open_hours == (("00:00", "23:59"),)
    assert trip.attractions_in("杭州市")[0] == lake
    dear = trip.hotels_by_id["hz-h1"]
    assert {("双床房", 2, 1800), ("家庭房", 4, 2600)} <= {
        (room.room_type, room.occupancy, room.price) for room in dear.products
    }
    assert trip.restaurants_by_id["hz-r1"].open_hours == (("11:00", "14:00"), ("17:00", "21:30"))
    assert trip.cities["苏州市"].point == (120.585, 31.299)


def test_all_else_is_the_same_in_another_pack(trip: TripWorld, tmp_path: Path) -> None:
    path = tmp_path / "other.pack"
    with PackBuilder(path, "other", "", "") as builder:
        builder.add_all(record for record in RECORDS if getattr(record, "id", "") != "hz-a1")
        builder.finish({})
    other = trip_world(open_world(path))
    assert "hz-a1" not in other.attractions_by_id
    for ours, theirs in (
        (trip.attractions_by_id, other.attractions_by_id),
        (trip.hotels_by_id, other.hotels_by_id),
        (trip.restaurants_by_id, other.restaurants_by_id),
        (trip.services_by_id, other.services_by_id),
    ):
        assert theirs and all(ours[id_] == item for id_, item in theirs.items())


def test_no_figure_lacks_that_constraints_ask_for(trip: TripWorld) -> None:
    may_lack = {"sight_level", "open_hours", "products", "categories"}
    items: list[Item[Any]] = [
        *trip.attractions_by_id.values(),
        *trip.hotels_by_id.values(),
        *trip.restaurants_by_id.values(),
    ]
    for item in items:
        told = item.model_dump()
        assert not {name for name in told if told[name] is None} - may_lack, item


def test_parties_of_one_to_six_find_rooms_and_menus(trip: TripWorld) -> None:
    for hotel in trip.hotels_by_id.values():
        assert {room.occupancy for room in hotel.products} == {1, 2, 3, 4}
        assert {bool(room.breakfast) for room in hotel.products} == {True, False}
    for restaurant in trip.restaurants_by_id.values():
        for menu in restaurant.products:
            assert menu.price is not None and restaurant.avg_price is not None
            assert 0.85 <= menu.price / (restaurant.avg_price * menu.people) <= 1
            assert not menu.time_ranges or {*menu.time_ranges} <= {*restaurant.open_hours}


def test_tickets_to_attractions_are_sold_only_where_one_pays(trip: TripWorld) -> None:
    assert not trip.attractions_by_id["hz-a1"].products
    assert {75.0} <= {each.price for each in trip.attractions_by_id["hz-a4"].products}


def test_services_have_tickets_on_several_platforms(trip: TripWorld) -> None:
    services = trip.services_between("上海市", "杭州市")
    assert [service.number for service in services] == ["G7301", "D5581", "CA1701", "K75"]
    for service in services:
        assert 2 <= len({ticket.platform for ticket in service.products}) <= 4
        assert trip.services_by_id[service.id] == service
        assert service.is_flight == (service.airline is not None) == (service.ontime_rate is not None)
    assert services[0].from_place.name == "上海虹桥站"
    assert services[3].from_place.point == trip.cities["上海市"].point  # the pack knows no such station
    assert not trip.services_between("杭州市", "上海市")


def test_ids_of_products_are_their_own(trip: TripWorld) -> None:
    items: list[Item[Any]] = [
        *trip.hotels_by_id.values(),
        *trip.services_by_id.values(),
        *trip.restaurants_by_id.values(),
    ]
    ids = [product.id for item in items for product in item.products]
    assert len({*ids}) == len(ids)


def test_any_thread_may_use_it_when_the_pack_is_closed(tiny_pack: Path) -> None:
    pack = open_world(tiny_pack)
    world, found = PackWorld(pack), list[Hotel]()
    pack.close()
    thread = Thread(target=lambda: found.extend(world.hotels_in("杭州市")))
    thread.start()
    thread.join()
    assert len(found) == 2


def test_a_pack_s_view_is_made_once(tiny_pack: Path) -> None:
    assert trip_world(open_world(tiny_pack)) is trip_world(open_world(tiny_pack))


def test_products_that_a_world_keeps_are_the_only_ones_of_their_kind(tmp_path: Path) -> None:
    path, room = tmp_path / "kept.pack", Room(id="r1", price=80.5, occupancy=2, cancel_hours=None)
    with PackBuilder(path, "kept", "", "", extras=KINDS) as builder:
        builder.add_all(RECORDS)
        builder.add_extra(ROOMS, "hz-h1", room)
        builder.finish({})
    world = trip_world(open_world(path))
    assert world.hotels_by_id["hz-h1"].products == (room,)
    assert world.hotels_by_id["hz-h2"].products == ()
    assert world.services_between("上海市", "杭州市")[0].products
    assert TICKETS.model is Ticket


def test_a_world_of_a_case_lists_the_same(trip: TripWorld) -> None:
    listed = World(
        cities=dict(trip.cities),
        attractions=tuple(trip.attractions_by_id.values()),
        hotels=tuple(trip.hotels_by_id.values()),
        restaurants=tuple(trip.restaurants_by_id.values()),
        services=tuple(trip.services_by_id.values()),
    )
    for city in trip.cities:
        assert listed.attractions_in(city) == trip.attractions_in(city)
        assert listed.hotels_in(city) == trip.hotels_in(city)
        assert listed.restaurants_in(city) == trip.restaurants_in(city)
        assert listed.services_between("上海市", city) == trip.services_between("上海市", city)
    lake = trip.attractions_by_id["hz-a1"]
    assert listed.km_from_centre(lake) == trip.km_from_centre(lake) == pytest.approx(3.08, abs=0.01)


def _rule(windows: str, dates: str = "", weekdays: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7)) -> OpeningRule:
    opens, closes = windows.split("-")
    start, _, end = dates.partition("/")
    return OpeningRule(
        date_range=DateRange(start=start, end=end) if dates else None,
        weekdays=weekdays,
        time_windows=(TimeWindow(open=opens, close=closes),),
    )


@pytest.mark.parametrize(
    ("hours", "expected"),
    [
        (None, ()),
        (OpeningHours(), ()),
        (MUSEUM_HOURS, (("09:00", "17:00"),)),
        (MEAL_HOURS, (("11:00", "14:00"), ("17:00", "21:30"))),
        (OpeningHours(rules=(_rule("09:00-16:00", "11-01/03-31"), _rule("08:00-18:00"))), (("08:00", "18:00"),)),
        (OpeningHours(rules=(_rule("10:00-22:00", weekdays=(6, 7)), _rule("18:00-02:00"))), (("18:00", "02:00"),)),
    ],
)  # fmt: skip
def test_hours_of_every_day_are_those_of_most(
    hours: OpeningHours | None, expected: tuple[tuple[str, str], ...]
) -> None:
    assert daily_hours(hours) == expected


def test_a_hotel_of_which_little_is_known_is_priced_by_it(tmp_path: Path) -> None:
    path = tmp_path / "bare.pack"
    with PackBuilder(path, "bare", "", "") as builder:
        builder.add_all(record for record in RECORDS if not isinstance(record, Place))
        bare = {"city": "杭州市", "kind": "hotel", "longitude": 120.1, "latitude": 30.2}
        builder.add(Place(id="priced", name="a", price=150, **bare))
        builder.add(Place(id="bare", name="b", **bare))
        builder.finish({})
    hotels = trip_world(open_world(path)).hotels_by_id
    assert {room.price for room in hotels["priced"].products if room.occupancy == 2} == {300, 376}
    assert all(room.price and room.price > 100 for room in hotels["bare"].products)
