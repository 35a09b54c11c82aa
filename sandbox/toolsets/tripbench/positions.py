"""Where things are, and how far from each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from rapidfuzz import process

from sandbox.tools.language import Language, Says
from sandbox.tools.tool import AnyTool, Tool
from sandbox.toolsets.tripbench.arguments import Latitude, Longitude, TripArguments
from sandbox.toolsets.tripbench.attractions import AttractionArguments
from sandbox.toolsets.tripbench.estimates import way_minutes
from sandbox.toolsets.tripbench.records import Hub
from sandbox.toolsets.tripbench.restaurants import RestaurantArguments
from sandbox.toolsets.tripbench.texts import Text, join_fields, position
from sandbox.toolsets.tripbench.world import trip_world
from sandbox.worlds import World
from sandbox.worlds.geo import Point, great_circle_km
from sandbox.worlds.text import normalise

_LATITUDE, _LONGITUDE = Says("纬度", "Latitude"), Says("经度", "Longitude")
_LEAST_LIKENESS = 60
"""Of a name to the one that is meant, out of 100."""


class HotelArguments(TripArguments):
    """A hotel."""

    hotel_id: Annotated[str, Says("酒店编号", "Id of the hotel")]


class AirportArguments(TripArguments):
    """An airport; a name that is nearly right will do."""

    airport_name: Annotated[str, Says("机场名称", "Name of the airport")]


class StationArguments(TripArguments):
    """A station; a name that is nearly right will do."""

    station_name: Annotated[str, Says("火车站名称", "Name of the station")]


class CityArguments(TripArguments):
    """A city."""

    city_name: Annotated[str, Says("城市", "City")]


class RouteArguments(TripArguments):
    """From one point to another, in degrees."""

    origin_lat: Annotated[Latitude, _LATITUDE]
    origin_lng: Annotated[Longitude, _LONGITUDE]
    destination_lat: Annotated[Latitude, _LATITUDE]
    destination_lng: Annotated[Longitude, _LONGITUDE]


def _tell(name: str, point: Point) -> Text:
    return Text(text=join_fields(name, position(point)))


def _lack(what: str, argument: str, given: str) -> Text:
    return Text(text=f"No {what} coordinates found for the given {argument}: {given}.")


def _tell_place(places: Mapping[str, Any], what: str, argument: str, id_: str) -> Text:
    place = places.get(id_)
    return _lack(what, argument, id_) if place is None else _tell(place.name, place.point)


def _attraction(arguments: AttractionArguments, pack: World, language: Language) -> Text:
    return _tell_place(trip_world(pack).attractions_by_id, "attraction", "poi_id", arguments.poi_id)


def _hotel(arguments: HotelArguments, pack: World, language: Language) -> Text:
    return _tell_place(trip_world(pack).hotels_by_id, "hotel", "hotel_id", arguments.hotel_id)


def _restaurant(arguments: RestaurantArguments, pack: World, language: Language) -> Text:
    restaurants = trip_world(pack).restaurants_by_id
    return _tell_place(restaurants, "restaurant", "restaurant_id", arguments.restaurant_id)


def _airport(arguments: AirportArguments, pack: World, language: Language) -> Text:
    hub = find_hub(trip_world(pack).hubs["airport"], arguments.airport_name)
    return _tell(hub.name, hub.point) if hub else _lack("airport", "airport name", arguments.airport_name)


def _station(arguments: StationArguments, pack: World, language: Language) -> Text:
    hub = find_hub(trip_world(pack).hubs["train"], arguments.station_name)
    return _tell(hub.name, hub.point) if hub else _lack("station", "station name", arguments.station_name)


def find_hub(hubs: Mapping[str, Hub], name: str) -> Hub | None:
    """The one of exactly that name; else the shortest name that holds it or lies in it; else the one most alike."""
    if name in hubs:
        return hubs[name]
    key = normalise(name)
    keys = {known: normalise(known) for known in hubs}
    within = [known for known, each in keys.items() if key and (key in each or each in key)]
    if within:
        return hubs[min(within, key=lambda known: (len(known), known))]
    alike = process.extractOne(key, keys, score_cutoff=_LEAST_LIKENESS) if key else None
    return hubs[alike[2]] if alike else None


def _city(arguments: CityArguments, pack: World, language: Language) -> Text:
    city = pack.city(arguments.city_name)
    if city is None:
        return Text(text=f"No city center coordinates found for the given city name: {arguments.city_name}.")
    return _tell(city.name, (city.longitude, city.latitude))


def _route(arguments: RouteArguments, pack: World, language: Language) -> Text:
    return estimate_route(arguments)


def estimate_route(arguments: RouteArguments) -> Text:
    """Kilometres and minutes."""
    start = (arguments.origin_lng, arguments.origin_lat)
    km = great_circle_km(start, (arguments.destination_lng, arguments.destination_lat))
    return Text(text=f"distance: {km:.2f} km, estimated travel time: {way_minutes(km)} min")


ATTRACTION: AnyTool = Tool(
    "get_attraction_coordinates",
    Says("景点坐标", "Coordinates of an attraction"),
    AttractionArguments,
    Text,
    _attraction,
)
HOTEL: AnyTool = Tool(
    "get_hotel_coordinates", Says("酒店坐标", "Coordinates of a hotel"), HotelArguments, Text, _hotel
)
RESTAURANT: AnyTool = Tool(
    "get_restaurant_coordinates",
    Says("餐厅坐标", "Coordinates of a restaurant"),
    RestaurantArguments,
    Text,
    _restaurant,
)
AIRPORT: AnyTool = Tool(
    "get_airport_coordinates",
    Says("机场坐标", "Coordinates of an airport"),
    AirportArguments,
    Text,
    _airport,
)
STATION: AnyTool = Tool(
    "get_station_coordinates",
    Says("火车站坐标", "Coordinates of a station"),
    StationArguments,
    Text,
    _station,
)
CITY: AnyTool = Tool(
    "get_city_center_coords",
    Says("城市中心坐标", "Coordinates of the centre of a city"),
    CityArguments,
    Text,
    _city,
)
ROUTE: AnyTool = Tool(
    "get_route_estimate",
    Says("两点之间的直线距离与估计用时", "Straight distance between two points, and an estimate of the time"),
    RouteArguments,
    Text,
    _route,
)
