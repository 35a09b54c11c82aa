"""The import as a whole: read everything, stop at the first stage that found problems, write one pack."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import permutations
from pathlib import Path
from time import perf_counter

from sandbox.worlds.builder import AnyRecord, PackBuilder
from sandbox.worlds.china10 import hotels, places, services, stops
from sandbox.worlds.china10.fields import Gaps
from sandbox.worlds.china10.knowledge import Knowledge, SourceCity, climates, load_knowledge
from sandbox.worlds.china10.reading import Problems, Row, Source
from sandbox.worlds.china10.rows import (
    ALL,
    ATTRACTIONS,
    FLIGHTS,
    HOTELS,
    KINDS,
    METRO,
    POINTS,
    RESTAURANTS,
    TRAINS,
    KeptRow,
    keep,
    train_key,
)
from sandbox.worlds.extras import AnyKind
from sandbox.worlds.geo import Point
from sandbox.worlds.records import Place, Service, Station, station_landmarks
from sandbox.worlds.sentences import attraction_fact, journey_facts, overview_facts, restaurant_fact

NOTE = (
    "Ten Chinese cities from the TravelEval sandbox; no licence is stated, so for local use only. Hotel classes are "
    "derived from names and prices."
)
_ENDS = ("From", "To")
Progress = Callable[[int, int, str], None]
"""Called with (done, total, label) after each file, and when the pack is written."""


@dataclass(frozen=True)
class ImportReport:
    """What an import made.

    counts: records by kind; rows: those of the source that were kept as they stand, by kind; gaps: known gaps of the
    data that were filled; seconds: wall.
    """

    path: Path
    hash: str
    counts: dict[str, int]
    rows: dict[str, int]
    gaps: dict[str, int]
    seconds: float


@dataclass
class _World:
    """What has been read so far. points: named positions by city. rows: what is kept as it stands in the files."""

    places: dict[str, list[Place]] = field(default_factory=dict)
    points: dict[str, dict[str, Point]] = field(default_factory=dict)
    services: list[Service] = field(default_factory=list)
    metro: list[Station] = field(default_factory=list)
    rows: list[KeptRow] = field(default_factory=list)


def import_china10(source: Path, target: Path, name: str, progress: Progress | None = None) -> ImportReport:
    """Make a pack `name` at `target` from the ten-city data at `source` (any subset of its cities).

    Raises:
        ImportAborted: with every row that can't be parsed, has no name or lies elsewhere. No pack is left, and
            one that was at `target` stays.
    """
    begun = perf_counter()
    knowledge, problems, gaps = load_knowledge(), Problems(), Gaps()
    reading = _Reading(source, knowledge, problems, gaps, progress or _silent)
    world = reading.read()
    problems.raise_any()
    counts: Counter[str] = Counter()
    with PackBuilder(target, name, "TravelEval ten-city sandbox", NOTE, KINDS) as pack:
        for record in _records(world, knowledge, gaps):
            counts[record.kind if isinstance(record, Place) else type(record).__name__.lower()] += 1
            pack.add(record)
        for kept in world.rows:
            pack.add_extra(*kept)
        kept_rows = dict(Counter(kept.kind.kind for kept in world.rows))
        filled = {gap: count for gap, count in sorted(gaps.items()) if count}
        pack_hash = pack.finish({"counts": dict(counts), "rows": kept_rows, "gaps": filled})
    reading.step(name)
    return ImportReport(target, pack_hash, dict(counts), kept_rows, filled, perf_counter() - begun)


class _Reading:
    """One pass over the files of a source."""

    def __init__(
        self, folder: Path, knowledge: Knowledge, problems: Problems, gaps: Gaps, progress: Progress
    ) -> None:
        self._source = Source(folder, problems)
        self._knowledge, self._problems, self._gaps, self._progress = knowledge, problems, gaps, progress
        self._cities = self._find_cities(folder / "attractions")
        trains = (path.name for path in (folder / services.TRAINS).glob("*.json"))
        self._trains = sorted(name for name in trains if not name.startswith("."))
        self._find_missing_trains()
        self._total = 4 * len(self._cities) + len(self._trains) + 3
        self._done_count = 0
        self._world = _World()

    def read(self) -> _World:
        world = self._world
        for city in self._cities:
            world.places[city.name] = self._places(city)
            world.points[city.name] = self._points(city)
        for file in self._trains:
            world.services += self._train_file(f"{services.TRAINS}/{file}")
        world.services += self._flights()
        world.metro = self._metro()
        return world

    def _find_cities(self, folder: Path) -> list[SourceCity]:
        cities = []
        for path in sorted(folder.glob("[!.]*/")):
            city = self._knowledge.by_slug.get(path.name)
            if city:
                cities.append(city)
            else:
                self._problems.add(f"attractions/{path.name}", 1, "not one of the ten cities")
        if not cities:
            self._problems.add("attractions", 1, "no folder of a known city")
        return cities

    def _find_missing_trains(self) -> None:
        """Each city has a file to each other one, be it an empty array."""
        for origin, destination in permutations(self._cities, 2):
            file = services.file_of(origin, destination)
            if file not in self._trains:
                self._problems.add(f"{services.TRAINS}/{file}", 1, "the file is missing")

    def _places(self, city: SourceCity) -> list[Place]:
        files = (
            (
                f"attractions/{city.slug}/attractions.csv",
                places.ATTRACTION_COLUMNS,
                places.read_attractions,
                ATTRACTIONS,
            ),
            (
                f"restaurants/{city.slug}/restaurants_{city.slug}.csv",
                places.RESTAURANT_COLUMNS,
                places.read_restaurants,
                RESTAURANTS,
            ),
            (f"accommodations/{city.slug}/accommodations.csv", hotels.COLUMNS, hotels.read_hotels, HOTELS),
        )
        read_places: list[Place] = []
        for file, columns, read, kind in files:
            rows = list(self._source.csv(file, columns))
            read_places += read(rows, city, self._knowledge, self._problems, self._gaps)
            self._keep(rows, kind, city.name)
            self.step(file)
        return read_places

    def _points(self, city: SourceCity) -> dict[str, Point]:
        file = f"poi/{city.slug}/poi.json"
        rows = list(self._source.json_array(file))
        points = stops.read_points(rows, city, self._knowledge, self._problems, self._gaps)
        self._keep(rows, POINTS, city.name)
        self.step(file)
        return points

    def _train_file(self, file: str) -> list[Service]:
        trains: list[Service] = []
        try:
            pair = services.pair_of(file, self._knowledge)
        except ValueError as error:
            self._problems.add(file, 1, str(error))
        else:
            rows = list(self._source.json_array(file))
            trains = services.read_trains(rows, pair, self._problems, self._gaps)
            if set(pair) <= set(self._cities):
                self._keep(rows, TRAINS, train_key(*(city.name for city in pair)))
        self.step(file)
        return self._between_cities(trains)

    def _flights(self) -> list[Service]:
        rows = list(self._source.json_lines(services.FLIGHTS))
        flights = services.read_flights(rows, self._knowledge, self._problems, self._gaps)
        aliases = tuple(city.alias for city in self._cities)
        between = [
            row for row in rows if all(str(row.source_values.get(e)).startswith(aliases) for e in _ENDS)
        ]
        self._keep(between, FLIGHTS, ALL)
        self.step(services.FLIGHTS)
        return self._between_cities(flights)

    def _between_cities(self, runs: list[Service]) -> list[Service]:
        """A subset of the cities leaves out services to the others."""
        names = {city.name for city in self._cities}
        return [run for run in runs if {run.origin_city, run.destination_city} <= names]

    def _metro(self) -> list[Station]:
        lines: dict[str, list[Row]] = {}
        for slug, row in self._source.json_arrays(stops.METRO):
            lines.setdefault(slug, []).append(row)
        for slug in lines.keys() - self._knowledge.by_slug.keys():
            self._problems.add(stops.METRO, lines[slug][0].line, f"{slug} is not one of the ten cities")
        stations: list[Station] = []
        for city in self._cities:
            rows = lines.get(city.slug, [])
            stations += stops.read_metro(rows, city, self._knowledge, self._problems, self._gaps)
            self._keep(rows, METRO, city.name)
        self.step(stops.METRO)
        return stations

    def _keep(self, rows: list[Row], kind: AnyKind, key: str) -> None:
        self._world.rows += keep(rows, kind, key, self._problems)

    def step(self, label: str) -> None:
        """Tell that one more file, or at last the pack, is done."""
        self._done_count += 1
        self._progress(self._done_count, self._total, label)


def _silent(done: int, total: int, label: str) -> None:
    pass


def _records(world: _World, knowledge: Knowledge, gaps: Gaps) -> Iterator[AnyRecord]:
    cities = {city.name: city for city in knowledge.cities if city.name in world.places}
    stations = stops.rail_and_air(cities, world.points, world.services, knowledge, gaps)
    for name, city in cities.items():
        yield city.record
        yield from _city_places(city, world, [station for station in stations if station.city == name])
    yield from climates(set(cities))
    yield from stations
    yield from world.metro
    yield from world.services
    yield from journey_facts(world.services)


def _city_places(city: SourceCity, world: _World, stations: list[Station]) -> Iterator[AnyRecord]:
    places = world.places[city.name]
    taken = {place.name for place in places}
    yield from places
    yield from stops.landmarks(city, world.points[city.name], taken)
    yield from station_landmarks(city.slug, stations, taken)
    yield from (attraction_fact(place) for place in places if place.kind == "attraction")
    yield from (restaurant_fact(place) for place in places if place.kind == "restaurant" and place.dishes)
    yield from overview_facts(city.name, places)
