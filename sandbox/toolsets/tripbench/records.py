"""Places, services and their products, as the tools tell of them and plans name them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Generic, Protocol, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from sandbox.worlds.geo import Point, great_circle_km

Figure = Annotated[float, Field(allow_inf_nan=False)]
Nothing = BeforeValidator(lambda value: () if value is None else value)
Hours = Annotated[tuple[tuple[str, str], ...], Nothing]
Count = Annotated[int, BeforeValidator(lambda value: 0 if value is None else value)]
Text = Annotated[str, BeforeValidator(lambda value: "" if value is None else value)]


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

    name: Text = ""


class Product(_Row):
    """Something to buy. price: in the world's currency."""

    id: str
    price: Figure | None = None


class Room(Product):
    """price: a night. cancel_hours: until how long before the check-in it can be cancelled freely; None: never."""

    room_type: str | None = None
    occupancy: Count = 0
    breakfast: int | None = None
    cancel_hours: Figure | None = None
    window: bool | None = None


class Admission(Product):
    """To an attraction. name: what the ticket is for."""

    name: Text = ""


class Menu(Product):
    """A set menu. people: whom it serves. time_ranges: when, always where there are none."""

    people: Count = 0
    time_ranges: Hours = ()


class Ticket(Product):
    """Of a flight or a train."""

    platform: str | None = None
    seat_type: str | None = None


P = TypeVar("P", bound=Product)


class Item(_Row, Generic[P]):
    """Something with products."""

    id: str
    products: Annotated[tuple[P, ...], Nothing] = ()

    def product(self, id_: str) -> P | None:
        """The product of an id; None where there is none."""
        return next((product for product in self.products if product.id == id_), None)


class _Place(Item[P], _Position, Generic[P]):
    name: Text = ""
    city: str


class _ReviewedPlace(_Place[P], Generic[P]):
    stars: Figure | None = None
    review_count: Figure | None = None
    product_rating: Figure | None = None
    environment_rating: Figure | None = None
    service_rating: Figure | None = None


class Attraction(_Place[Admission]):
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


class Service(Item[Ticket]):
    """A flight or a train of every day. day_offset: nights that it travels. avg_delay: in minutes."""

    kind: str
    number: Text = ""
    from_city: str
    to_city: str
    from_place: Hub
    to_place: Hub
    depart: str
    arrive: str
    day_offset: Count = 0
    airline: str | None = None
    ontime_rate: Figure | None = None
    avg_delay: Figure | None = None

    @property
    def is_flight(self) -> bool:
        """Whether one flies."""
        return self.kind == "flight"


class TripWorld(Protocol):
    """All of them, however they are kept."""

    @property
    def cities(self) -> Mapping[str, City]:
        """Cities by name."""
        ...

    @property
    def attractions_by_id(self) -> Mapping[str, Attraction]:
        """Attractions by id."""
        ...

    @property
    def hotels_by_id(self) -> Mapping[str, Hotel]:
        """Hotels by id."""
        ...

    @property
    def restaurants_by_id(self) -> Mapping[str, Restaurant]:
        """Restaurants by id."""
        ...

    @property
    def services_by_id(self) -> Mapping[str, Service]:
        """Flights and trains by id."""
        ...

    def attractions_in(self, city: str) -> tuple[Attraction, ...]:
        """The attractions of a city; none where the city is not known."""
        ...

    def hotels_in(self, city: str) -> tuple[Hotel, ...]:
        """The hotels of a city."""
        ...

    def restaurants_in(self, city: str) -> tuple[Restaurant, ...]:
        """The restaurants of a city."""
        ...

    def services_between(self, start: str, end: str) -> tuple[Service, ...]:
        """The flights and trains from one city to another."""
        ...

    def km_from_centre(self, place: Attraction | Hotel | Restaurant) -> float | None:
        """Kilometres from the centre of a place's city; None where the city is not known."""
        ...


def km_from_centre(world: TripWorld, place: Attraction | Hotel | Restaurant) -> float | None:
    """Kilometres from the centre of a place's city; None where the city is not known."""
    centre = world.cities.get(place.city)
    return None if centre is None else great_circle_km(centre.point, place.point)


class World(_Row):
    """A world as cases list it."""

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

    def attractions_in(self, city: str) -> tuple[Attraction, ...]:
        """The attractions of a city."""
        return tuple(place for place in self.attractions if place.city == city)

    def hotels_in(self, city: str) -> tuple[Hotel, ...]:
        """The hotels of a city."""
        return tuple(place for place in self.hotels if place.city == city)

    def restaurants_in(self, city: str) -> tuple[Restaurant, ...]:
        """The restaurants of a city."""
        return tuple(place for place in self.restaurants if place.city == city)

    def services_between(self, start: str, end: str) -> tuple[Service, ...]:
        """The flights and trains from one city to another."""
        return tuple(each for each in self.services if (each.from_city, each.to_city) == (start, end))

    def km_from_centre(self, place: Attraction | Hotel | Restaurant) -> float | None:
        """Kilometres from the centre of a place's city; None where the city is not known."""
        return km_from_centre(self, place)
