"""The part of a cache that grows: what `online` learned, and the log of misses."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sandbox.cache.keys import (
    NORMALISER_VERSION,
    CacheError,
    Entry,
    MissedCall,
    Normalisation,
    call_of,
    hash_of,
    key_of,
    pairs_of,
    semantic_key,
)
from sandbox.calls import Call

FILE = "learned.sqlite3"
WAIT_S = 30.0
"""How long a writer waits for another one."""

# A missed call's row keeps its id when it is missed again, so that the log stays in order of first misses.
_TABLES = """
CREATE TABLE IF NOT EXISTS learned (
    id INTEGER PRIMARY KEY, tool TEXT NOT NULL, key TEXT NOT NULL, result TEXT NOT NULL,
    published INTEGER NOT NULL, semantic INTEGER NOT NULL, at TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS beginning (id INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS learned_published ON learned (published);
CREATE INDEX IF NOT EXISTS learned_semantic ON learned (semantic);
CREATE TABLE IF NOT EXISTS missed (
    id INTEGER PRIMARY KEY, tool TEXT NOT NULL, key TEXT NOT NULL, params TEXT NOT NULL, simulated_result TEXT,
    timestamp NOT NULL, count INTEGER NOT NULL, UNIQUE (tool, key)
);
"""
_LEARN = """
INSERT INTO learned (id, tool, key, result, published, semantic, at)
VALUES (
    1 + max(?, (SELECT coalesce(max(id), 0) FROM learned), (SELECT coalesce(max(id), 0) FROM beginning)),
    ?, ?, ?, ?, ?, ?
)
"""
_MISS = """
INSERT INTO missed (tool, key, params, simulated_result, timestamp, count) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (tool, key) DO UPDATE SET
    count = count + excluded.count, simulated_result = coalesce(simulated_result, excluded.simulated_result)
"""


class LearnedStore:
    """The append area of a cache, opened by any number of processes; a handle belongs to one thread.

    SQLite in WAL mode with full synchronisation: what was acknowledged outlives a kill, writers wait for each other.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        with self._telling():
            self._database = sqlite3.connect(
                self._path, timeout=WAIT_S, isolation_level=None, check_same_thread=False
            )
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = FULL")
            self._database.executescript(_TABLES)
            if not self._normaliser() and any(folder.glob("pack-*.sqlite3")):
                self._begin_anew()
            if self._normaliser() != NORMALISER_VERSION:
                self._hash_again()

    def _begin_anew(self) -> None:
        """A lost file: the ids of its successor lie beyond all that states of the cache remember."""
        with self._writing():
            self._database.execute("INSERT INTO beginning VALUES (?)", (time.time_ns() // 1_000_000,))

    def _normaliser(self) -> int:
        """Whose strict-semantic hashes the file holds; 0 in a new one."""
        return int(self._database.execute("PRAGMA user_version").fetchone()[0])

    def _hash_again(self) -> None:
        with self._writing():
            rows = self._database.execute("SELECT id, tool, key FROM learned").fetchall()
            hashes = [(hash_of(tool, semantic_key(call_of(tool, key))), id_) for id_, tool, key in rows]
            self._database.executemany("UPDATE learned SET semantic = ? WHERE id = ?", hashes)
            self._database.execute(f"PRAGMA user_version = {NORMALISER_VERSION}")

    def last_id(self) -> int:
        """The id of the entry learned last, 0 before the first."""
        with self._telling():
            return int(self._database.execute("SELECT coalesce(max(id), 0) FROM learned").fetchone()[0])

    def find(
        self, call: Call, normalisation: Normalisation, after: int, upto: int | None = None
    ) -> str | None:
        """The first result learned of the same call with after < id ≤ upto; an exact key comes before others."""
        exact = self._find("published", call, "published", after, upto)
        if exact is not None or normalisation == "published":
            return exact
        return self._find("semantic", call, normalisation, after, upto)

    def _find(
        self, column: str, call: Call, normalisation: Normalisation, after: int, upto: int | None
    ) -> str | None:
        key = key_of(call, normalisation)
        with self._telling():
            rows = self._database.execute(
                f"SELECT key, result FROM learned WHERE {column} = ? AND tool = ? AND id > ? AND id <= ? ORDER BY id",
                (hash_of(call.tool, key), call.tool, after, _end(upto)),
            ).fetchall()
        for stored, result in rows:
            if key == key_of(Entry(call.tool, stored, "").call, normalisation):
                return str(result)
        return None

    def learn(self, call: Call, result: str, after: int) -> str:
        """Keep an answer for good, unless one was learned after the id `after`; returns the one that stands.

        Ids grow beyond `after` even where the file was lost and begun anew beside a pack that remembers it.
        """
        key = key_of(call, "published")
        with self._telling(), self._writing():
            standing = self._find("published", call, "published", after, None)
            if standing is not None:
                return standing
            hashes = hash_of(call.tool, key), hash_of(call.tool, semantic_key(call))
            self._database.execute(_LEARN, (after, call.tool, key, result, *hashes, _now()))
            return result

    def pairs(self, tool: str, after: int, upto: int | None = None) -> dict[str, str]:
        """Key and result of what was learned of a tool with after < id ≤ upto; of two answers the first."""
        query = "SELECT key, result FROM learned WHERE tool = ? AND id > ? AND id <= ? ORDER BY id DESC"
        with self._telling():
            return dict(self._database.execute(query, (tool, after, _end(upto))))

    def hashes(self, after: int, upto: int | None = None) -> dict[str, list[int]]:
        """By tool, the hash of each published key that was learned with after < id ≤ upto."""
        query = "SELECT DISTINCT tool, published FROM learned WHERE id > ? AND id <= ? ORDER BY tool"
        hashes: dict[str, list[int]] = {}
        with self._telling():
            for tool, published in self._database.execute(query, (after, _end(upto))):
                hashes.setdefault(tool, []).append(published)
        return hashes

    def log_miss(self, call: Call, simulated_result: str | None) -> None:
        """Log a missed call; missed again, it is counted and keeps the first result."""
        key = key_of(call, "published")
        row = (call.tool, key, _params(call), _as_json(simulated_result), _now(), 1)
        with self._telling():
            self._database.execute(_MISS, row)

    def take_misses(self, misses: Iterable[MissedCall]) -> None:
        """Take in a log of misses, all of it or nothing; of two counts of a call the larger one stands."""
        rows = [
            (
                *(m.tool, key_of(m.call, "published"), m.params),
                *(_as_json(m.simulated_result), m.timestamp, m.count),
            )
            for m in misses
        ]
        with self._telling(), self._writing():
            self._database.executemany(
                _MISS.replace("count + excluded.count", "max(count, excluded.count)"), rows
            )

    def misses(self, tool: str | None = None) -> list[MissedCall]:
        """The log of misses, of one tool or by tool, in order of first misses."""
        chosen, values = ("", ()) if tool is None else ("WHERE tool = ?", (tool,))
        return self._misses(f"{chosen} ORDER BY tool, id", values)

    def last_misses(self, count: int) -> list[MissedCall]:
        """The newest of the log, the newest first."""
        return self._misses("ORDER BY id DESC LIMIT ?", (count,))

    def _misses(self, chosen: str, values: tuple[object, ...]) -> list[MissedCall]:
        query = "SELECT tool, params, simulated_result, timestamp, count, key FROM missed"
        with self._telling():
            rows = self._database.execute(f"{query} {chosen}", values).fetchall()
        return [
            MissedCall(tool, params, _read(simulated), timestamp, count, call_of(tool, key))
            for tool, params, simulated, timestamp, count, key in rows
        ]

    def missed_counts(self) -> dict[str, int]:
        """How many calls of each tool are in the log."""
        with self._telling():
            return dict(self._database.execute("SELECT tool, count(*) FROM missed GROUP BY tool"))

    def forget_missed(self, call: Call) -> None:
        """Take a call out of the log."""
        key = key_of(call, "published")
        with self._telling():
            self._database.execute("DELETE FROM missed WHERE tool = ? AND key = ?", (call.tool, key))

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """A transaction that is the only writer from its begin."""
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._database.execute("ROLLBACK")
            raise
        self._database.execute("COMMIT")

    @contextmanager
    def _telling(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            raise CacheError(
                f"cache file {self._path}: {error}; when it is damaged, move it away: the pack beside it stays usable"
            ) from error
        except UnicodeEncodeError as error:
            raise CacheError(
                f"cache file {self._path}: a call or an answer with half of a surrogate pair is not text and "
                "can't be stored"
            ) from error

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()


def _as_json(simulated: Any) -> str | None:
    """A simulated result as JSON: logs of others hold more than texts."""
    return None if simulated is None else json.dumps(simulated, ensure_ascii=False)


def _read(stored: str | None) -> Any:
    return None if stored is None else json.loads(stored)


def _end(upto: int | None) -> int:
    return 2**62 if upto is None else upto


def _params(call: Call) -> str:
    return json.dumps(dict(pairs_of(call)), ensure_ascii=False, separators=(",", ":"))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
