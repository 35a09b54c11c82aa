"""The tables as they stand in the source: its rows are extras of a pack that was imported from it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations

from benchmark.suites.traveleval.world.tables import City, Hotel, MetroLine, Ride, Room, Sight, Tables, Tavern
from sandbox.worlds import World
from sandbox.worlds.china10 import rows
from sandbox.worlds.geo import Point

_PLANE = "飞机"


def holds_rows(pack: World) -> bool:
    """Whether a pack was imported from the source, with its rows."""
    return any(count.owner == rows.ATTRACTIONS.owner for count in pack.extra_counts())


def tables_of_rows(pack: World) -> Tables:
    """The tables of a pack that holds rows. Raises WorldError."""
    short = {city.name: city.aliases[0] for city in pack.cities()}
    pairs = {pair: pack.extra(rows.TRAINS, rows.train_key(*pair)) for pair in permutations(short, 2)}
    return Tables(
        cities={name: _city(pack, full, name) for full, name in short.items()},
        trains={(short[a], short[b]): [*map(_train, found)] for (a, b), found in pairs.items()},
        flights=[*map(_flight, pack.extra(rows.FLIGHTS, rows.ALL))],
        other_names=_slugs(short.values()),
    )


def _slugs(names: Iterable[str]) -> dict[str, str]:
    from sandbox.worlds.china10.knowledge import load_knowledge

    known = load_knowledge().by_alias
    return {known[name].slug: name for name in names if name in known}


def _city(pack: World, full: str, name: str) -> City:
    return City(
        name,
        sights=[*map(_sight, pack.extra(rows.ATTRACTIONS, full))],
        taverns=[*map(_tavern, pack.extra(rows.RESTAURANTS, full))],
        hotels=[*map(_hotel, pack.extra(rows.HOTELS, full))],
        points={row.name: _point(*row.position) for row in pack.extra(rows.POINTS, full)},
        metro=[*map(_line, pack.extra(rows.METRO, full))],
    )


def _point(latitude: rows.Figure, longitude: rows.Figure) -> Point:
    return float(longitude), float(latitude)


def _sight(row: rows.AttractionRow) -> Sight:
    return Sight(
        name=row.name,
        point=_point(row.lat, row.lon),
        types=row.type,
        opens=row.opentime,
        closes=row.endtime,
        price=float(row.price),
        least=float(row.recommendmintime),
        most=float(row.recommendmaxtime),
        star=float(row.star.strip() or "nan"),
    )


def _tavern(row: rows.RestaurantRow) -> Tavern:
    point = _point(row.lat, row.lon)
    return Tavern(row.name, point, row.cuisine, float(row.price), row.opentime, row.endtime)


def _hotel(row: rows.HotelRow) -> Hotel:
    rooms = {
        "单人房": Room(float(row.single_room_price), int(float(row.single_room_stock))),
        "大床房": Room(float(row.king_room_price), int(float(row.king_room_stock))),
        "双人房": Room(float(row.double_bed_price), int(float(row.double_bed_stock))),
        "家庭房": Room(float(row.family_room_price), int(float(row.family_room_stock))),
    }
    return Hotel(row.name, _point(row.lat, row.lon), row.featurehoteltype, rooms)


def _train(row: rows.TrainRow) -> Ride:
    return Ride(
        row.TrainID,
        row.TrainType,
        row.From,
        row.To,
        row.BeginTime,
        row.EndTime,
        float(row.Duration),
        float(row.Cost),
    )


def _flight(row: rows.FlightRow) -> Ride:
    return Ride(
        row.FlightID,
        _PLANE,
        row.From,
        row.To,
        row.BeginTime,
        row.EndTime,
        float(row.Duration),
        float(row.Cost),
    )


def _line(row: rows.LineRow) -> MetroLine:
    stops = []
    for stop in row.stations:
        longitude, _, latitude = stop.position.partition(",")
        stops.append((stop.name, (float(longitude), float(latitude))))
    return MetroLine(row.name, tuple(stops))
