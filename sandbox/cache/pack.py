"""The part of a cache that never changes: one SQLite file, named after its content."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import orjson

from sandbox.cache.keys import (
    NORMALISER_VERSION,
    CacheError,
    Entry,
    Normalisation,
    hash_of,
    key_of,
    semantic_key,
)
from sandbox.calls import Call
from sandbox.toolsets import listing_tools, sibling_name
from sandbox.worlds.text import normalise

FORMAT = "caravan-cache-1"
"""The layout of the tables, and what the digest is a hash of."""

_TABLES = """
PRAGMA page_size = 8192;
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE tools (name TEXT PRIMARY KEY, first INTEGER NOT NULL, count INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE entries (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL, result TEXT NOT NULL, checksum INTEGER NOT NULL
);
CREATE TABLE hashes (published INTEGER NOT NULL, semantic INTEGER NOT NULL, id INTEGER NOT NULL);
CREATE TABLE places (
    place TEXT PRIMARY KEY, city TEXT NOT NULL, name TEXT NOT NULL, category TEXT NOT NULL, kind TEXT NOT NULL,
    tool TEXT NOT NULL, id INTEGER NOT NULL
) WITHOUT ROWID;
"""
_INDEXES = """
CREATE INDEX hashes_published ON hashes (published, id);
CREATE INDEX hashes_semantic ON hashes (semantic, id);
CREATE INDEX places_name ON places (city, name);
CREATE INDEX places_category ON places (city, category);
CREATE INDEX places_kind ON places (city, kind);
"""
_BATCH = 2000
_SHOWN_LENGTH = 80
_MOST = 500
"""Numbers that one query asks for."""
_TERMS = ("name", "category", "kind")
_MOST_PLACES = 300
"""Places of one name, category or kind in a city that are looked at."""


class Listing(NamedTuple):
    """A place, and the entry that lists it."""

    entry: Entry
    place: ListedPlace


def write_pack(
    path: Path, tools: Iterable[tuple[str, Iterable[tuple[str, str]]]], *, learned_from: int = 0
) -> str:
    """Write a pack of tools in order of name, each with its (key, result) in order of key; returns its digest.

    learned_from: learned entries up to this id are in the pack, or were replaced by it.

    Raises:
        CacheError: the disk is full, or does not take the file.
    """
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as database:
            return _write(database, tools, learned_from)
    except sqlite3.OperationalError as error:
        raise CacheError(
            f"cache file {path} can't be written ({error}); nothing was changed, make room and try again"
        ) from error


def _write(
    database: sqlite3.Connection, tools: Iterable[tuple[str, Iterable[tuple[str, str]]]], learned_from: int
) -> str:
    database.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + _TABLES)
    database.execute("BEGIN")
    digest = _write_entries(database, tools)
    meta = {
        "format": FORMAT,
        "normaliser": NORMALISER_VERSION,
        "digest": digest,
        "learned_from": learned_from,
    }
    database.executemany("INSERT INTO meta VALUES (?, ?)", ((key, str(value)) for key, value in meta.items()))
    database.execute("COMMIT")
    database.executescript(_INDEXES)
    return digest


def _write_entries(
    database: sqlite3.Connection, tools: Iterable[tuple[str, Iterable[tuple[str, str]]]]
) -> str:
    digest, first = hashlib.sha256(f"{FORMAT}/{NORMALISER_VERSION}".encode()), 0
    seen: set[str] = set()
    listing = frozenset(listing_tools())
    for tool, pairs in tools:
        count = 0
        remaining = iter(pairs)
        while batch := list(islice(remaining, _BATCH)):
            for key, result in batch:
                _digest(digest, tool, key, result)
            _insert(database, tool, first + count, batch)
            if tool in listing:
                _insert_places(database, tool, first + count, batch, seen)
            count += len(batch)
        database.execute("INSERT INTO tools VALUES (?, ?, ?)", (tool, first, count))
        first += count
    return digest.hexdigest()


def _digest(digest: hashlib._Hash, *texts: str) -> None:
    """Each text with its length before it, so that no two contents read alike."""
    for text in texts:
        encoded = text.encode()
        digest.update(len(encoded).to_bytes(8, "big"))
        digest.update(encoded)


def _insert(database: sqlite3.Connection, tool: str, first: int, batch: Sequence[tuple[str, str]]) -> None:
    database.executemany(
        "INSERT INTO entries VALUES (?, ?, ?, ?)",
        ((first + i, key, result, _checksum(key, result)) for i, (key, result) in enumerate(batch)),
    )
    database.executemany(
        "INSERT INTO hashes VALUES (?, ?, ?)",
        ((*_hashes(Entry(tool, key, result)), first + i) for i, (key, result) in enumerate(batch)),
    )


def _insert_places(
    database: sqlite3.Connection, tool: str, first: int, batch: Sequence[tuple[str, str]], seen: set[str]
) -> None:
    """Each place once, in the first answer that lists it. seen: those of answers before, to which these are added."""
    rows = []
    for at, (key, result) in enumerate(batch):
        for place in places_in(Entry(tool, key, result)):
            name = sibling_name(tool, place.id)
            if name not in seen:
                seen.add(name)
                rows.append((name, *place.terms, tool, first + at))
    database.executemany("INSERT INTO places VALUES (?, ?, ?, ?, ?, ?, ?)", rows)


def _hashes(entry: Entry) -> tuple[int, int]:
    return hash_of(entry.tool, entry.key), hash_of(entry.tool, semantic_key(entry.call))


def _checksum(key: str, result: str) -> int:
    return crc32(result.encode(), crc32(key.encode()))


class Pack:
    """A pack opened for reading by any number of processes; a handle belongs to one thread.

    Entries of a tool are numbered from 0 in the order of their keys. It satisfies `sandbox.calls.CachedCalls`.
    is_current: it has the keys and tables of this version; `cache index` makes one of an older pack.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._database = _open(path)
        meta = self._meta()
        self.digest = meta["digest"]
        self.learned_from = int(meta["learned_from"])
        self._has_our_keys = meta["normaliser"] == str(NORMALISER_VERSION)
        self._knows_places = bool(self._rows("SELECT 1 FROM sqlite_master WHERE name = 'places'"))
        self.is_current = self._has_our_keys and self._knows_places
        rows = self._rows("SELECT name, first, count FROM tools ORDER BY name")
        self._first: dict[str, int] = {name: first for name, first, _ in rows}
        self.counts: Mapping[str, int] = {name: count for name, _, count in rows}

    def _meta(self) -> dict[str, str]:
        meta = dict(self._rows("SELECT key, value FROM meta"))
        if meta.get("format") != FORMAT:
            raise _damage_error(self._path, f"its format is {meta.get('format')}, not {FORMAT}")
        return meta

    def find(self, call: Call, normalisation: Normalisation) -> str | None:
        """The result of the same call, None where there is none.

        Raises:
            CacheError: the file is damaged, or was written by another version of `strict-semantic`.
        """
        exact = self._find("published", call, key_of(call, "published"))
        if exact is not None or normalisation == "published":
            return exact
        if not self._has_our_keys:
            raise CacheError(
                f"cache file {self._path} has strict-semantic keys of another version; run manage.py cache index on "
                "its cache and start anew, since that makes another pack"
            )
        return self._find("semantic", call, semantic_key(call))

    def _find(self, column: str, call: Call, key: str) -> str | None:
        normalisation: Normalisation = "published" if column == "published" else "strict-semantic"
        first = self._first.get(call.tool, 0)
        rows = self._rows(
            "SELECT key, result, checksum FROM entries WHERE id IN "
            f"(SELECT id FROM hashes WHERE {column} = ? AND id >= ? AND id < ?) ORDER BY id",
            (hash_of(call.tool, key), first, first + self.counts.get(call.tool, 0)),
        )
        for stored, result, checksum in rows:
            entry = self._verify(Entry(call.tool, stored, result), checksum)
            if stored == key if column == "published" else key_of(entry.call, normalisation) == key:
                return entry.result
        return None

    def entries(self, tool: str, numbers: Sequence[int]) -> list[Entry]:
        """The entries of those numbers, in their order."""
        entries_by_key: dict[int, Entry] = {}
        first = self._first[tool]
        for start in range(0, len(numbers), _MOST):
            ids = [first + number for number in numbers[start : start + _MOST]]
            marks = ",".join("?" * len(ids))
            rows = self._rows(f"SELECT id, key, result, checksum FROM entries WHERE id IN ({marks})", ids)
            for row_id, key, result, checksum in rows:
                entries_by_key[row_id - first] = self._verify(Entry(tool, key, result), checksum)
        return [entries_by_key[number] for number in numbers]

    def place(self, id_: str) -> Listing | None:
        """The first entry that lists the place of an id (see `Toolset.stored`), and how it does."""
        return next(iter(self._listings("place = ?", (id_,))), None)

    def places(self, cities: Sequence[str], term: str) -> list[Listing]:
        """The places of a name, a category or a kind in a city, by id, each with the first entry that lists it.

        cities: spellings of the city. All texts are normalised.
        """
        marks = ",".join("?" * len(cities))
        either = " OR ".join(f"(city IN ({marks}) AND {column} = ?)" for column in _TERMS)
        return self._listings(either, (*cities, term) * len(_TERMS)) if term else []

    def _listings(self, condition: str, values: Sequence[str]) -> list[Listing]:
        """A pack of an older version knows of no place."""
        if not self._knows_places:
            return []
        query = (
            "SELECT place, tool, key, result, checksum FROM places JOIN entries USING (id) "
            f"WHERE {condition} ORDER BY place LIMIT ?"
        )
        places_by_entry: dict[Entry, list[str]] = {}
        for place, tool, key, result, checksum in self._rows(query, (*values, _MOST_PLACES)):
            places_by_entry.setdefault(self._verify(Entry(tool, key, result), checksum), []).append(place)
        listings = (
            Listing(entry, place)
            for entry in places_by_entry
            for place in places_in(entry)
            if sibling_name(entry.tool, place.id) in places_by_entry[entry]
        )
        first = {
            sibling_name(listing.entry.tool, listing.place.id): listing for listing in reversed([*listings])
        }
        return [first[place] for place in sorted(first)]

    def holds(self, hashes: Sequence[int]) -> int:
        """How many of these hashes of published keys are in the pack."""
        held = 0
        for start in range(0, len(hashes), _MOST):
            some = hashes[start : start + _MOST]
            marks = ",".join("?" * len(some))
            query = f"SELECT count(DISTINCT published) FROM hashes WHERE published IN ({marks})"
            held += self._rows(query, some)[0][0]
        return held

    def calls(self, tool: str, start: int = 0) -> Iterator[Call]:
        """The tool's calls by number, from `start` on."""
        for (key,) in self._walk("key", tool, start):
            yield Entry(tool, key, "").call

    def pairs(self, tool: str) -> Iterator[tuple[str, str]]:
        """Key and result of each of the tool's entries by number."""
        for key, result, checksum in self._walk("key, result, checksum", tool, 0):
            self._verify(Entry(tool, key, result), checksum)
            yield key, result

    def _verify(self, entry: Entry, checksum: int) -> Entry:
        if _checksum(entry.key, entry.result) != checksum:
            raise _damage_error(
                self._path, f"the entry {entry.key[:_SHOWN_LENGTH]} of {entry.tool} was changed on the disk"
            )
        return entry

    def _walk(self, columns: str, tool: str, start: int) -> Iterator[tuple[Any, ...]]:
        """In portions, so that no query stays open while somebody works on its rows."""
        first, count = self._first.get(tool, 0), self.counts.get(tool, 0)
        for begin in range(first + start, first + count, _BATCH):
            end = min(begin + _BATCH, first + count)
            query = f"SELECT {columns} FROM entries WHERE id >= ? AND id < ? ORDER BY id"
            yield from self._rows(query, (begin, end))

    def _rows(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        try:
            return self._database.execute(query, values).fetchall()
        except sqlite3.DatabaseError as error:
            raise _damage_error(self._path, str(error)) from error

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()


def _open(path: Path) -> sqlite3.Connection:
    try:
        named, size = _size_in_header(path), path.stat().st_size
    except FileNotFoundError:
        raise _damage_error(path, "it is not there") from None
    except OSError as error:
        raise CacheError(f"cache file {path}: {error.strerror}; let this user read it") from error
    if named != size:
        raise _damage_error(path, "it is cut short, or no cache pack")
    return sqlite3.connect(
        f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False
    )


def _size_in_header(path: Path) -> int:
    """The size in bytes that an SQLite file's header tells (file format, section 1.3); 0 for no such file."""
    with path.open("rb") as file:
        header = file.read(100)
    if not header.startswith(b"SQLite format 3\0") or len(header) < 100:
        return 0
    page = int.from_bytes(header[16:18], "big")
    return (65536 if page == 1 else page) * int.from_bytes(header[28:32], "big")


def _damage_error(path: Path, why: str) -> CacheError:
    return CacheError(f"cache file {path}: {why}; import the cache again")


class ListedPlace(NamedTuple):
    """A place as an answer lists it. id: as text. record: all its fields. asked_city: what the call named."""

    id: str
    record: Mapping[str, Any]
    asked_city: object

    @property
    def terms(self) -> tuple[str, ...]:
        """Its own city, else the call's; name, category and kind: normalised, empty where they are not told."""
        own, *rest = (_key(self.record.get(field)) for field in ("city", "name", "category", "kind"))
        return own or _key(self.asked_city), *rest


def places_in(entry: Entry) -> Iterator[ListedPlace]:
    """The objects with an id in the lists of an answer, in its order; none where it is no JSON."""
    city = entry.call.arguments.get("city")
    for item in _items(entry.result):
        id_ = item.get("id")
        if isinstance(id_, str | int) and not isinstance(id_, bool) and str(id_).strip():
            yield ListedPlace(str(id_).strip(), item, city)


def _items(result: str) -> Iterator[Mapping[str, Any]]:
    """Every object within a list."""
    try:
        value = orjson.loads(result)
    except orjson.JSONDecodeError:
        return
    waiting: list[Any] = [value] if isinstance(value, dict | list) else []
    while waiting:
        value = waiting.pop()
        within = value.values() if isinstance(value, dict) else value
        if isinstance(value, list):
            yield from (item for item in value if isinstance(item, dict))
        waiting += [each for each in reversed(within) if isinstance(each, dict | list)]


def _key(value: object) -> str:
    return normalise(value) if isinstance(value, str) else ""
