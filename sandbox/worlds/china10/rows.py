"""The rows of the source as they stand there, in the order of their files, kept as extras of the pack.

Records are mended: hotels that are listed twice are merged, missing stars filled, positions corrected, repeated
services dropped. A benchmark whose published program reads the source itself needs what it reads. Columns that no
program reads are left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, TypeAlias

from pydantic import BaseModel, ConfigDict

from sandbox.worlds.china10.reading import Problems, Row
from sandbox.worlds.extras import ExtraKind

Figure: TypeAlias = int | float | str
"""A number as the file has it, which may be in quotes."""


class SourceRow(BaseModel):
    """Fields are named as in the source. All cells of CSV files are text, with the spaces around them."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class AttractionRow(SourceRow):
    """A row of attractions.csv. type: such as `{公园;园林}`. star: "" where the source has none."""

    id: str = ""
    name: str
    type: str
    lat: str
    lon: str
    opentime: str
    endtime: str
    price: str
    recommendmintime: str
    recommendmaxtime: str
    star: str


class RestaurantRow(SourceRow):
    """A row of restaurants_CITY.csv."""

    id: str = ""
    name: str
    lat: str
    lon: str
    price: str
    cuisine: str
    opentime: str
    endtime: str
    recommendedfood: str


class HotelRow(SourceRow):
    """A row of accommodations.csv; prices are for a room and night."""

    id: str = ""
    name: str
    hotelname_en: str = ""
    featurehoteltype: str
    lat: str
    lon: str
    single_room_price: str
    single_room_stock: str
    king_room_price: str
    king_room_stock: str
    double_bed_price: str
    double_bed_stock: str
    family_room_price: str
    family_room_stock: str


class PointRow(SourceRow):
    """An object of poi.json. position: [latitude, longitude]."""

    name: str
    position: tuple[Figure, Figure]


class _ServiceRow(SourceRow):
    """Times are H:MM, the duration is in hours."""

    From: str
    To: str
    BeginTime: str
    EndTime: str
    Duration: Figure
    Cost: Figure


class TrainRow(_ServiceRow):
    """An object of from_A_to_B.json."""

    TrainID: str
    TrainType: str


class FlightRow(_ServiceRow):
    """A line of airplane.jsonl."""

    FlightID: str


class StopRow(SourceRow):
    """A station of a metro line. position: "longitude,latitude"."""

    name: str
    position: str


class LineRow(SourceRow):
    """A metro line of subways.json."""

    name: str
    stations: tuple[StopRow, ...]


_OWNER = "china10"
ATTRACTIONS = ExtraKind(_OWNER, "attractions", AttractionRow)
RESTAURANTS = ExtraKind(_OWNER, "restaurants", RestaurantRow)
HOTELS = ExtraKind(_OWNER, "hotels", HotelRow)
POINTS = ExtraKind(_OWNER, "points", PointRow)
METRO = ExtraKind(_OWNER, "metro", LineRow)
TRAINS = ExtraKind(_OWNER, "trains", TrainRow)
FLIGHTS = ExtraKind(_OWNER, "flights", FlightRow)
KINDS: tuple[ExtraKind[Any], ...] = (ATTRACTIONS, RESTAURANTS, HOTELS, POINTS, METRO, TRAINS, FLIGHTS)
"""Keys are names of cities (`City.name`); of trains `train_key`; of flights, which lie in one file, `ALL`."""

ALL = ""


def train_key(origin: str, destination: str) -> str:
    """The key of the trains from one city to another."""
    return f"{origin}→{destination}"


class KeptRow(NamedTuple):
    """What goes into the pack, checked by the model of its kind."""

    kind: ExtraKind[Any]
    key: str
    row: SourceRow


def keep(rows: Iterable[Row], kind: ExtraKind[Any], key: str, problems: Problems) -> list[KeptRow]:
    """The rows of a file that are of the kind's model; each other one is a problem, unless it is one already."""
    sound = (row for row in rows if not problems.concern(row))
    checked = problems.convert(sound, lambda row: kind.model.model_validate(row.source_values))
    return [KeptRow(kind, key, made) for _, made in checked]
