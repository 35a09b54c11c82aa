"""The world of TRIP-Bench over the pack of any world."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from threading import Lock
from typing import Any, Generic, TypeVar

from sandbox.toolsets.tripbench.extras import ADMISSIONS, MENUS, ROOMS, TICKETS, kept_products
from sandbox.toolsets.tripbench.figures import attraction_of, hotel_of, restaurant_of, service_id, service_of
from sandbox.toolsets.tripbench.records import (
    Attraction,
    City,
    Hotel,
    Hub,
    Item,
    Restaurant,
    Service,
    km_from_centre,
)
from sandbox.worlds import ExtraKind, World, records

_WORLDS_KEPT = 2
_recent_worlds: dict[str, PackWorld] = {}
_lock = Lock()
K = TypeVar("K")
R = TypeVar("R")
T = TypeVar("T", bound=Item[Any])


class _Items(Mapping[str, T], Generic[K, R, T]):
    """Items by id. Those of a city, or of two, are made of their records when one of them is first asked for.

    kept: products by id, of a world that keeps them.
    """

    def __init__(
        self,
        records: Mapping[K, Sequence[R]],
        id_of: Callable[[R], str],
        make: Callable[[R], T],
        kept: Mapping[str, tuple[Any, ...]] | None,
    ) -> None:
        self._records, self._make, self._products = records, make, kept
        self._keys = {id_of(record): key for key, listed in records.items() for record in listed}
        self._items: dict[K, dict[str, T]] = {}

    def under(self, key: K) -> Mapping[str, T]:
        """Those of a city, or from one to another."""
        if key not in self._items:
            made = map(self._item, self._records.get(key, ()))
            self._items[key] = {item.id: item for item in made}
        return self._items[key]

    def _item(self, record: R) -> T:
        item = self._make(record)
        if self._products is None:
            return item
        return item.model_copy(update={"products": self._products.get(item.id, ())})

    def __getitem__(self, id_: str) -> T:
        return self.under(self._keys[id_])[id_]

    def __contains__(self, id_: object) -> bool:
        return id_ in self._keys

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)


class PackWorld:
    """What a pack holds, as TRIP-Bench sees it (`TripWorld`). Its cities have the names of the pack's."""

    def __init__(self, pack: World) -> None:
        names = [city.name for city in pack.cities()]
        self.cities: Mapping[str, City] = {
            city.name: City(lat=city.latitude, lng=city.longitude) for city in pack.cities()
        }
        self.hubs: Mapping[str, Mapping[str, Hub]] = {
            kind: {hub.name: hub for name in names for hub in _hubs(pack, name, kind)}
            for kind in ("train", "airport")
        }
        self._attractions = _place_items(pack, "attraction", attraction_of, ADMISSIONS)
        self._hotels = _place_items(pack, "hotel", hotel_of, ROOMS)
        self._restaurants = _place_items(pack, "restaurant", restaurant_of, MENUS)
        pairs = {(start, end): pack.services(start, end) for start in names for end in names if start != end}
        ids = [service_id(service) for services in pairs.values() for service in services]
        self._services = _Items(pairs, service_id, self._service, kept_products(pack, TICKETS, ids))

    @property
    def attractions_by_id(self) -> Mapping[str, Attraction]:
        """Attractions by id."""
        return self._attractions

    @property
    def hotels_by_id(self) -> Mapping[str, Hotel]:
        """Hotels by id."""
        return self._hotels

    @property
    def restaurants_by_id(self) -> Mapping[str, Restaurant]:
        """Restaurants by id."""
        return self._restaurants

    @property
    def services_by_id(self) -> Mapping[str, Service]:
        """Flights and trains by id."""
        return self._services

    def attractions_in(self, city: str) -> tuple[Attraction, ...]:
        """The attractions of a city, best known first."""
        return tuple(self._attractions.under(city).values())

    def hotels_in(self, city: str) -> tuple[Hotel, ...]:
        """The hotels of a city, best known first."""
        return tuple(self._hotels.under(city).values())

    def restaurants_in(self, city: str) -> tuple[Restaurant, ...]:
        """The restaurants of a city, best known first."""
        return tuple(self._restaurants.under(city).values())

    def services_between(self, start: str, end: str) -> tuple[Service, ...]:
        """The flights and trains from one city to another, by time of departure."""
        return tuple(self._services.under((start, end)).values())

    def km_from_centre(self, place: Attraction | Hotel | Restaurant) -> float | None:
        """Kilometres from the centre of a place's city; None where the city is not known."""
        return km_from_centre(self, place)

    def _service(self, service: records.Service) -> Service:
        hubs = self.hubs["airport" if service.mode == "飞机" else "train"]
        ends = (
            (service.origin_station, service.origin_city),
            (service.destination_station, service.destination_city),
        )
        start, end = (hubs.get(name) or self._centre(name, city) for name, city in ends)
        return service_of(service, (start, end))

    def _centre(self, name: str, city: str) -> Hub:
        """Where a station is that the pack does not know."""
        return Hub(name=name, **self.cities[city].model_dump())


def _hubs(pack: World, city: str, kind: str) -> Iterator[Hub]:
    for station in pack.stations(city, kind):
        yield Hub(name=station.name, lat=station.latitude, lng=station.longitude)


def _place_items(
    pack: World, kind: records.PlaceKind, make: Callable[[records.Place], T], products: ExtraKind[Any]
) -> _Items[str, records.Place, T]:
    places = {city.name: [*pack.places(city.name, kind)] for city in pack.cities()}
    ids = [place.id for listed in places.values() for place in listed]
    return _Items(places, _place_id, make, kept_products(pack, products, ids))


def _place_id(place: records.Place) -> str:
    return place.id


def trip_world(pack: World) -> PackWorld:
    """TRIP-Bench's view of a pack: what its records say, products that it keeps as extras, all else drawn by id.

    Any thread may use it, whatever becomes of the pack's handle. The last two packs' are kept.
    """
    with _lock:
        known = _recent_worlds.pop(pack.pack_hash, None) or PackWorld(pack)
        _recent_worlds[pack.pack_hash] = known
        if len(_recent_worlds) > _WORLDS_KEPT:
            del _recent_worlds[next(iter(_recent_worlds))]
    return known
