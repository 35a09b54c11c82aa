"""The world that ships with the product: city files and a network, made into a pack."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from sandbox.worlds.builder import PackBuilder
from sandbox.worlds.records import (
    City,
    Climate,
    Fact,
    Force,
    OpeningHours,
    Place,
    PlaceKind,
    Record,
    Room,
    Service,
    Station,
    WindDirection,
    station_landmarks,
)
from sandbox.worlds.sentences import attraction_fact, journey_facts, overview_facts, restaurant_fact
from sandbox.worlds.timetable import Network, draw, generate, load_network

FOLDER = Path(__file__).parent / "data" / "starter"
SOURCE = "shipped with the product"
NOTE = (
    "General knowledge, for demonstration: prices and hours are indicative, "
    "numbers of reviews are made up, and the timetable is generated over the real network."
)
_REVIEWS_LEAST, _REVIEWS_A_POINT = 60, 1.5
_LETTERS: dict[PlaceKind, str] = {"attraction": "a", "restaurant": "r", "hotel": "h", "landmark": "l"}

Degrees = Annotated[float, Field(allow_inf_nan=False)]
Money = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class StarterError(ValueError):
    """City files that can't be used. `problems` has a line each, naming file, entry and field."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class _Month(Record):
    month: int = Field(ge=1, le=12)
    low: float
    high: float
    rainy_days: float = Field(ge=0, le=31)
    text: str
    wind: WindDirection = ""
    wind_force: tuple[Force, Force] | None = None


class _Stop(Record):
    name: str = Field(min_length=1)
    kind: Literal["train", "airport", "metro"]
    longitude: Degrees
    latitude: Degrees
    lines: tuple[str, ...] = ()


class _FactEntry(Record):
    title: str
    text: str
    keywords: tuple[str, ...] = ()


class _Entry(Record):
    """What every place of a city file must say."""

    id: str | None = None
    name: str = Field(min_length=1)
    category: str = Field(min_length=1)
    categories: tuple[str, ...] = ()
    longitude: Degrees
    latitude: Degrees
    address: str = ""
    price: Money
    rating: float | None = Field(default=None, ge=0, le=5)
    description: str = ""
    popularity: int = 0


class _Attraction(_Entry):
    stay_hours: tuple[Annotated[float, Field(gt=0)], Annotated[float, Field(gt=0)]]
    opening_hours: OpeningHours


class _Restaurant(_Entry):
    opening_hours: OpeningHours
    dishes: tuple[str, ...] = ()


class _Hotel(_Entry):
    rooms: tuple[Room, ...] = Field(min_length=1)


class CityFile(Record):
    """One file of data/starter/cities. Its places get ids from the file's name and their position."""

    city: City
    note: str = ""
    climate: tuple[_Month, ...] = Field(min_length=12, max_length=12)
    stations: tuple[_Stop, ...] = ()
    facts: tuple[_FactEntry, ...] = ()
    attractions: tuple[_Attraction, ...] = ()
    restaurants: tuple[_Restaurant, ...] = ()
    hotels: tuple[_Hotel, ...] = ()


@dataclass(frozen=True)
class BuildReport:
    """What a pack was made of. counts: records by kind, places by `kind`; seconds: wall time."""

    path: Path
    hash: str
    counts: dict[str, int]
    seconds: float


def build_starter(target: Path, folder: Path = FOLDER) -> BuildReport:
    """Make the pack `starter` at `target` from the shipped files.

    Raises:
        StarterError: with every problem of every city file; no pack is left then.
        pydantic.ValidationError: for a bad network file.
    """
    begun = perf_counter()
    cities = load_cities(folder / "cities")
    network = load_network(folder / "network.json")
    names = {file.city.name for file in cities.values()}
    services = [run for run in generate(network) if {run.origin_city, run.destination_city} <= names]
    counts: Counter[str] = Counter()
    with PackBuilder(target, "starter", SOURCE, NOTE) as pack:
        for record in _records(cities, network, services):
            counts[record.kind if isinstance(record, Place) else type(record).__name__.lower()] += 1
            pack.add(record)
        pack_hash = pack.finish({"counts": dict(counts)})
    return BuildReport(target, pack_hash, dict(counts), perf_counter() - begun)


def load_cities(folder: Path) -> dict[str, CityFile]:
    """City files by slug, in the order of their names. Raises StarterError with all problems of all files."""
    problems: list[str] = []
    cities: dict[str, CityFile] = {}
    for path in sorted(folder.glob("*.json")):
        try:
            cities[path.stem] = load_city(path)
        except StarterError as error:
            problems += error.problems
    if problems or not cities:
        raise StarterError(problems or [f"{folder}: no city files"])
    return cities


def load_city(path: Path) -> CityFile:
    """Read one city file. Raises StarterError naming file, entry and field of each problem."""
    try:
        data = json.loads(path.read_bytes())
    except ValueError as error:
        raise StarterError([f"{path.name}: not JSON: {error}"]) from error
    try:
        return CityFile.model_validate(data)
    except ValidationError as error:
        raise StarterError(
            [_complaint(path.name, data, item["loc"], item["msg"]) for item in error.errors()]
        ) from error


def _complaint(file: str, data: Any, location: tuple[int | str, ...], message: str) -> str:
    """file: attractions[3] 西湖: price: message."""
    if len(location) >= 2 and isinstance(location[1], int):
        entry = data[location[0]][location[1]]
        name = (entry.get("name") or entry.get("title") or "") if isinstance(entry, dict) else ""
        head, rest = f"{location[0]}[{location[1]}] {name}".rstrip(), location[2:]
    else:
        head, rest = str(location[0]) if location else "top level", location[1:]
    return ": ".join(part for part in (file, head, ".".join(map(str, rest)), message) if part)


def _records(
    cities: dict[str, CityFile], network: Network, services: list[Service]
) -> Iterator[City | Place | Station | Service | Climate | Fact]:
    for slug, file in cities.items():
        yield from _city_records(slug, file, network)
    yield from services
    yield from journey_facts(services)


def _city_records(
    slug: str, file: CityFile, network: Network
) -> Iterator[City | Place | Station | Climate | Fact]:
    city = file.city.name
    places = list(_places(slug, file))
    stations = _stations(file, network)
    yield file.city
    yield from (Climate(city=city, **month.model_dump()) for month in file.climate)
    yield from places
    yield from stations
    yield from station_landmarks(slug, stations, {place.name for place in places})
    yield from (Fact(city=city, **fact.model_dump()) for fact in file.facts)
    yield from (attraction_fact(place) for place in places if place.kind == "attraction")
    yield from (restaurant_fact(place) for place in places if place.kind == "restaurant")
    yield from overview_facts(city, places)


def _places(slug: str, file: CityFile) -> Iterator[Place]:
    groups: tuple[tuple[PlaceKind, tuple[_Entry, ...]], ...] = (
        ("attraction", file.attractions),
        ("restaurant", file.restaurants),
        ("hotel", file.hotels),
    )
    for kind, entries in groups:
        for position, entry in enumerate(entries, start=1):
            given = entry.model_dump(exclude_unset=True, exclude={"id"})
            own_id = entry.id or f"{slug}-{_LETTERS[kind]}-{position:03d}"
            given["categories"] = entry.categories or (entry.category,)
            given["reviews"] = _reviews(own_id, entry.popularity)
            yield Place(id=own_id, city=file.city.name, kind=kind, derived=("reviews",), **given)


def _reviews(id: str, popularity: int) -> int:
    """A made-up number: the better known a place, the more people rated it."""
    return round((_REVIEWS_LEAST + _REVIEWS_A_POINT * popularity**2) * (0.7 + 0.6 * draw("reviews", id)))


def _stations(file: CityFile, network: Network) -> list[Station]:
    """The network's stations of the city, and those of its file that the network does not know."""
    named = [station for station in network.stations if station.city == file.city.name]
    known = {(station.name, station.kind) for station in named}
    own = (Station(city=file.city.name, **stop.model_dump()) for stop in file.stations)
    return named + [station for station in own if (station.name, station.kind) not in known]
