"""What is for sale at an item of a world that keeps no products (docs/decisions/0085)."""

from __future__ import annotations

from collections.abc import Iterator

from sandbox.toolsets.tripbench.draws import Draws
from sandbox.toolsets.tripbench.records import Admission, Hours, Menu, Room, Ticket
from sandbox.worlds import records

_LARGEST_ROOM = 4
_ROOMS = {1: ("单人间", 0.85), 2: ("双床房", 1.0), 3: ("三人间", 1.35), 4: ("四人间", 1.7)}
"""The name of a room for so many, and its price by that of a room for two."""
_CANCEL_HOURS = (None, 6, 12, 24, 24, 48, 72)
_BREAKFASTS = (25, 38, 58, 78)
"""Their prices, of which dearer hotels have the dearer ones."""
_ADMISSION_LACKS = 0.1
_MENU_LACKS = 0.15
_MENU_SHARES = {1: 0.45, 2: 0.85, 3: 0.4, 4: 0.75, 5: 0.25, 6: 0.45}
"""How likely a restaurant has a menu for so many."""
_PLATFORMS = {
    False: ("铁路直售", "行旅通", "同路票务", "途易购"),
    True: ("航司直销", "行旅通", "云程订座", "途易购"),
}
"""Where tickets are sold, by whether one flies."""
_SEATS: dict[records.Mode, tuple[tuple[str, float], ...]] = {
    "高铁": (("二等座", 1.0), ("一等座", 1.6), ("商务座", 3.0)),
    "火车": (("硬座", 1.0), ("硬卧", 1.75), ("软卧", 2.7)),
    "飞机": (("经济舱", 1.0), ("公务舱", 2.6)),
}
"""Classes of a service of which one price alone is known, by that price."""
_FEES = (0, 0, 5, 10)


def rooms_of(hotel: records.Place) -> Iterator[Room]:
    """Rooms for one to four, each without and with breakfast."""
    draws = Draws(hotel.id)
    twin = _twin_price(hotel, draws)
    for name, occupancy, price in _room_types(hotel, twin):
        breakfast = _BREAKFASTS[min(3, int(twin // 300))] * occupancy
        for meals in (0, occupancy):
            key = f"{name}:{occupancy}:{meals}"
            yield Room(
                id=draws.product_id(key),
                room_type=name,
                occupancy=occupancy,
                breakfast=meals,
                cancel_hours=draws.choose(f"cancel:{key}", _CANCEL_HOURS),
                window=draws.happens(f"window:{key}", 0.9 if meals else 0.65),
                price=round(price + (breakfast if meals else 0), 2),
            )


def _twin_price(hotel: records.Place, draws: Draws) -> float:
    """A night in a room for two."""
    told = [room.price for room in hotel.rooms if room.capacity == 2 and room.price]
    if told:
        return min(told)
    return 2 * hotel.price if hotel.price else round(draws.figure("price", 180, 700))


def _room_types(hotel: records.Place, twin: float) -> Iterator[tuple[str, int, float]]:
    """Name, occupancy and price a night: those that the world tells, and what lacks of one to four."""
    known: set[int] = set()
    for room in hotel.rooms:
        if room.price and room.capacity <= _LARGEST_ROOM:
            known.add(room.capacity)
            yield room.name, room.capacity, room.price
    for occupancy in sorted({*_ROOMS} - known):
        name, share = _ROOMS[occupancy]
        yield name, occupancy, twin * share


def admissions_of(attraction: records.Place, price: float) -> Iterator[Admission]:
    """Tickets where one pays; sometimes none are sold ahead."""
    draws = Draws(attraction.id)
    if price <= 0 or draws.happens("no tickets", _ADMISSION_LACKS):
        return
    yield Admission(id=draws.product_id("成人票"), name="成人票", price=price)
    name, share = draws.choose("ticket", (("", 0.0), ("早鸟票", 0.9), ("联票", 1.4)))
    if name:
        yield Admission(id=draws.product_id(name), name=name, price=round(price * share, 2))


def menus_of(restaurant: records.Place, price: float, hours: Hours) -> Iterator[Menu]:
    """Menus for some of one to six people, a little below the average price a head; sometimes none."""
    draws = Draws(restaurant.id)
    if draws.happens("no menus", _MENU_LACKS):
        return
    for people, share in _MENU_SHARES.items():
        name = f"menu:{people}"
        if draws.happens(name, share):
            rebate = 1.01 - 0.015 * people - draws.figure(f"price:{name}", 0, 0.02)
            yield Menu(
                id=draws.product_id(name),
                people=people,
                price=round(price * people * rebate, 2),
                time_ranges=_menu_hours(draws, name, hours),
            )


def _menu_hours(draws: Draws, name: str, hours: Hours) -> Hours:
    """As long as the restaurant is open, or one of its windows, or always."""
    chance = draws.share(f"hours:{name}")
    if chance < 0.2:
        return ()
    return (draws.choose(f"window:{name}", hours),) if chance < 0.35 and hours else hours


def tickets_of(service: records.Service, id_: str) -> Iterator[Ticket]:
    """Each class on two to four platforms."""
    draws = Draws(id_)
    flies = service.mode == "飞机"
    sellers = _PLATFORMS[flies]
    first = int(draws.share("platform") * len(sellers))
    count = draws.choose("platforms", (2, 3, 4))
    for platform in (sellers[(first + step) % len(sellers)] for step in range(count)):
        for seat, fare in _fares(service):
            name = f"{platform}:{seat}"
            price = fare * draws.figure(name, 0.96, 1.06) if flies else fare + draws.choose(name, _FEES)
            yield Ticket(
                id=draws.product_id(name),
                platform=platform,
                seat_type=seat,
                price=round(price) if flies else round(price, 1),
            )


def _fares(service: records.Service) -> list[tuple[str, float]]:
    if service.classes:
        return [(fare.name, fare.price) for fare in service.classes]
    return [(seat, round(2 * service.price * share) / 2) for seat, share in _SEATS[service.mode]]
