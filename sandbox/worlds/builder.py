"""Writing a world: records in, one pack out, whole or not at all."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from itertools import count, groupby
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from sandbox.worlds.answers import write_facts
from sandbox.worlds.extras import AnyKind, ExtraKind, ExtraWriter, M, declare
from sandbox.worlds.index import IndexWriter
from sandbox.worlds.pack import FORMAT, INDEXES, RECORDS_FORMAT, TABLES, WorldError
from sandbox.worlds.records import City, Climate, Fact, Place, Record, Service, Station
from sandbox.worlds.text import normalise

AnyRecord = City | Place | Station | Service | Climate | Fact

_LISTED_PROBLEMS = 20


class PackBuilder:
    """Collects records in a temporary file beside `path`; `finish` renames it there, `abandon` removes it.

    As a context manager it abandons what was not finished. Records may come in any order. One thread.
    extras: the kinds of extras that may be added.

    Raises:
        WorldError: from `add` for a repeated place id, city, or climate; from `add_extra` for another kind, and for
            an entry that is not of its kind's model; from `finish` for records of a city that was never added
            (all such cities are named).
    """

    def __init__(
        self, path: Path, name: str, source: str, note: str = "", extras: Iterable[AnyKind] = ()
    ) -> None:
        self._path = path
        self._meta = {"name": name, "source": source, "note": note, "format": FORMAT}
        self._seen_keys: set[tuple[str, ...]] = set()
        self._used_cities: set[str] = set()
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
        os.close(handle)
        self._temporary = Path(temporary)
        self._open = True
        self._database = sqlite3.connect(temporary, isolation_level=None)
        self._database.executescript(
            "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-65536;"
        )
        self._database.executescript("BEGIN;" + TABLES)
        self._extras = ExtraWriter(self._database, declare(extras))
        self._database.execute(
            "CREATE TEMP TABLE staged (kind TEXT NOT NULL, body TEXT NOT NULL, city TEXT, popularity INTEGER,"
            " rating REAL, name TEXT)"
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.abandon()

    def add(self, record: AnyRecord) -> None:
        """Stage one record."""
        self._refuse_repeats(record)
        self._used_cities.update(_cities_of(record))
        ranked = (
            (record.city, record.popularity, record.rating or 0.0, record.name)
            if isinstance(record, Place)
            else ()
        )
        self._database.execute(
            "INSERT INTO staged VALUES (?, ?, ?, ?, ?, ?)",
            (type(record).__name__, _body(record), *(ranked or (None, None, None, None))),
        )

    def add_all(self, records: Iterable[AnyRecord]) -> None:
        """Stage every record of an iterable."""
        for record in records:
            self.add(record)

    def add_extra(self, kind: ExtraKind[M], key: str, entry: M) -> None:
        """Keep something beside the records, behind what was added under this key before."""
        self._extras.add(kind, key, entry)

    def finish(self, report: dict[str, Any]) -> str:
        """Write the indexes, put the pack in its place, and return its hash.

        The hash is of the records, and of the extras where there are some: the same set of records gives the same
        hash, in whatever order and at whatever time they were added, under whatever name, source, note and report.
        Of extras the order under each key counts too.
        """
        try:
            pack_hash = self._write(report)
        except BaseException:
            self.abandon()
            raise
        self._database.close()
        _flush(self._temporary)
        self._temporary.replace(self._path)
        self._open = False
        return pack_hash

    def abandon(self) -> None:
        """Remove the unfinished file; does nothing after `finish`."""
        if self._open:
            self._open = False
            self._database.close()
            self._temporary.unlink(missing_ok=True)

    def _refuse_repeats(self, record: AnyRecord) -> None:
        identity = _identity(record)
        if identity is None:
            return
        if identity in self._seen_keys:
            raise WorldError(f"{' '.join(identity)} was added twice")
        self._seen_keys.add(identity)

    def _write(self, report: dict[str, Any]) -> str:
        cities = self._write_cities()
        self._refuse_unknown(cities)
        self._write_places(cities)
        self._write_stations(cities)
        self._write_services(cities)
        self._write_climates(cities)
        self._write_facts()
        pack_hash = self._hash()
        meta = self._meta | {"hash": pack_hash, "report": json.dumps(report, ensure_ascii=False)}
        meta["extras"] = json.dumps(self._extras.counts())
        self._database.executemany("INSERT INTO meta VALUES (?, ?)", sorted(meta.items()))
        self._database.execute("COMMIT")
        self._database.executescript("DROP TABLE temp.staged;" + INDEXES)
        return pack_hash

    def _refuse_unknown(self, cities: dict[str, int]) -> None:
        unknown = sorted(self._used_cities - set(cities))
        if unknown:
            raise WorldError(
                f"records of cities that were not added: {', '.join(unknown[:_LISTED_PROBLEMS])}"
            )

    def _bodies(self, kind: type[Record], order: str = "body") -> Iterator[str]:
        rows = self._database.execute(
            f"SELECT body FROM staged WHERE kind = ? ORDER BY {order}", (kind.__name__,)
        )
        return (body for (body,) in rows)

    def _write_cities(self) -> dict[str, int]:
        places: dict[str, int] = dict(
            self._database.execute("SELECT city, count(*) FROM staged WHERE kind = 'Place' GROUP BY city")
        )
        cities = [City.model_validate_json(body) for body in self._bodies(City)]
        cities.sort(key=lambda city: (not city.destination, -places.get(city.name, 0), city.name))
        numbered = list(enumerate(cities, start=1))
        self._database.executemany(
            "INSERT INTO cities VALUES (?, ?, ?)",
            ((number, city.name, _body(city)) for number, city in numbered),
        )
        return {city.name: number for number, city in numbered}

    def _write_places(self, cities: dict[str, int]) -> None:
        by_rank = "(SELECT id FROM cities c WHERE c.name = city), popularity DESC, rating DESC, name, body"
        places = ((Place.model_validate_json(body), body) for body in self._bodies(Place, by_rank))
        ranks = count(1)
        for city, of_city in groupby(places, key=lambda pair: cities[pair[0].city]):
            index = IndexWriter(self._database, city)
            for place, body in of_city:
                rank = next(ranks)
                index.add(rank, place)
                self._database.execute(
                    "INSERT INTO places VALUES (?, ?, ?, ?, ?)", (rank, place.id, city, place.kind, body)
                )
            index.finish()

    def _write_stations(self, cities: dict[str, int]) -> None:
        stations = map(Station.model_validate_json, self._bodies(Station))
        self._database.executemany(
            "INSERT INTO stations VALUES (?, ?, ?, ?, ?)",
            ((cities[s.city], s.kind, normalise(s.name), s.name, _body(s)) for s in stations),
        )

    def _write_services(self, cities: dict[str, int]) -> None:
        services = map(Service.model_validate_json, self._bodies(Service))
        self._database.executemany(
            "INSERT INTO services VALUES (?, ?, ?, ?, ?, ?)",
            (
                (cities[s.origin_city], cities[s.destination_city], s.mode, s.depart, s.number, _body(s))
                for s in services
            ),
        )

    def _write_climates(self, cities: dict[str, int]) -> None:
        climates = map(Climate.model_validate_json, self._bodies(Climate))
        self._database.executemany(
            "INSERT INTO climates VALUES (?, ?, ?)", ((cities[c.city], c.month, _body(c)) for c in climates)
        )

    def _write_facts(self) -> None:
        cities = map(City.model_validate_json, self._bodies(City))
        facts = ((Fact.model_validate_json(body), body) for body in self._bodies(Fact))
        write_facts(self._database, facts, cities)

    def _hash(self) -> str:
        digest = hashlib.sha256(RECORDS_FORMAT.encode())
        for kind, body in self._database.execute("SELECT kind, body FROM staged ORDER BY kind, body"):
            digest.update(f"\n{kind} {body}".encode())
        self._extras.hash_into(digest)
        return digest.hexdigest()


def _body(record: Record) -> str:
    return record.model_dump_json(exclude_defaults=True)


def _identity(record: AnyRecord) -> tuple[str, ...] | None:
    match record:
        case City():
            return ("city", record.name)
        case Place():
            return ("place", record.id)
        case Climate():
            return ("climate", record.city, str(record.month))
        case _:
            return None


def _cities_of(record: AnyRecord) -> tuple[str, ...]:
    match record:
        case City():
            return ()
        case Service():
            return (record.origin_city, record.destination_city)
        case Fact():
            return (record.city,) if record.city else ()
        case _:
            return (record.city,)


def _flush(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())
