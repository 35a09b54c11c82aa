"""Places, services and their products, as the tools tell of them and plans name them."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Generic, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from benchmark.plans.hours import Window, read_window
from benchmark.plans.ways import great_circle_km
from sandbox.worlds.geo import Point

Figure = Annotated[float, Field(allow_inf_nan=False)]
Nothing = BeforeValidator(lambda value: () if value is None else value)
Hours = Annotated[tuple[tuple[str, str], ...], Nothing]


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True)


class _Position(_Row):
    lat: Figure
    lng: Figure

    @cached_property
    def point(self) -> Point:
        """Longitude and latitude."""
        return (self.lng, self.lat)


class City(_Position):
    """The centre of a city."""


class Hub(_Position):
    """An airport or a station."""

    name: str = ""


class Product(_Row):
    """Something to buy. price: in the world's currency."""

    id: str
    price: Figure | None = None


class Room(Product):
    """price: a night. cancel_hours: until how long before the check-in it can be cancelled freely; None: never."""

    room_type: str | None = None
    occupancy: int = 0
    breakfast: int | None = None
    cancel_hours: Figure | None = None
    window: bool | None = None


class Menu(Product):
    """A set menu. people: whom it serves. time_ranges: when, always where there are none."""

    people: int = 0
    time_ranges: Hours = ()


class Ticket(Product):
    """Of a flight or a train."""

    platform: str | None = None
    seat_type: str | None = None


P = TypeVar("P", bound=Product)


class _Item(_Row, Generic[P]):
    id: str
    products: Annotated[tuple[P, ...], Nothing] = ()

    def product(self, id_: str) -> P | None:
        """The product of an id; None where there is none."""
        return next((product for product in self.products if product.id == id_), None)


class _Place(_Item[P], _Position, Generic[P]):
    name: str = ""
    city: str


class _ReviewedPlace(_Place[P], Generic[P]):
    stars: Figure | None = None
    review_count: Figure | None = None
    product_rating: Figure | None = None
    environment_rating: Figure | None = None
    service_rating: Figure | None = None


class Attraction(_Place[Product]):
    """price: of a ticket, 0 where it is free. visit_hours: the least and most that are recommended."""

    categories: Annotated[tuple[str, ...], Nothing] = ()
    rating: Figure | None = None
    comment_count: Figure | None = None
    heat: Figure | None = None
    sight_level: str | None = None
    price: Figure | None = None
    open_hours: Hours = ()
    visit_hours: tuple[Figure, Figure] | None = None


class Hotel(_ReviewedPlace[Room]):
    """good_rate: a share from 0 to 1."""

    type: str | None = None
    good_rate: Figure | None = None
    pet_friendly: bool | None = None


class Restaurant(_ReviewedPlace[Menu]):
    """avg_price: a person's."""

    category: str | None = None
    avg_price: Figure | None = None
    reservable: bool | None = None
    must_reserve: bool | None = None
    open_hours: Hours = ()


class Service(_Item[Ticket]):
    """A flight or a train of every day. day_offset: nights that it travels. avg_delay: in minutes."""

    kind: str
    number: str = ""
    from_city: str
    to_city: str
    from_place: Hub
    to_place: Hub
    depart: str
    arrive: str
    day_offset: int = 0
    airline: str | None = None
    ontime_rate: Figure | None = None
    avg_delay: Figure | None = None

    @property
    def is_flight(self) -> bool:
        """Whether one flies."""
        return self.kind == "flight"


class World(_Row):
    """All of them."""

    cities: dict[str, City] = {}
    attractions: Annotated[tuple[Attraction, ...], Nothing] = ()
    hotels: Annotated[tuple[Hotel, ...], Nothing] = ()
    restaurants: Annotated[tuple[Restaurant, ...], Nothing] = ()
    services: Annotated[tuple[Service, ...], Nothing] = ()

    @cached_property
    def attractions_by_id(self) -> dict[str, Attraction]:
        """Attractions by id."""
        return {place.id: place for place in self.attractions}

    @cached_property
    def hotels_by_id(self) -> dict[str, Hotel]:
        """Hotels by id."""
        return {place.id: place for place in self.hotels}

    @cached_property
    def restaurants_by_id(self) -> dict[str, Restaurant]:
        """Restaurants by id."""
        return {place.id: place for place in self.restaurants}

    @cached_property
    def services_by_id(self) -> dict[str, Service]:
        """Flights and trains by id."""
        return {service.id: service for service in self.services}

    def km_from_centre(self, place: Attraction | Hotel | Restaurant) -> float | None:
        """Kilometres from the centre of a place's city; None where the city is not known."""
        centre = self.cities.get(place.city)
        return None if centre is None else great_circle_km(centre.point, place.point)


def holds_visit(hours: Hours, start: int, end: int, slack: float) -> bool:
    """Whether hours of every day hold a visit, those of the evening before too; hours that nobody knows always do.

    start, end: minutes of a day.
    """
    windows = [window for opens, closes in hours if (window := read_window(opens, closes)) is not None]
    return not windows or any(_holds(window, start, end, slack) for window in windows)


def _holds(window: Window, start: int, end: int, slack: float) -> bool:
    return window.holds(start, end, slack) or window.evening_before.holds(start, end, slack)
