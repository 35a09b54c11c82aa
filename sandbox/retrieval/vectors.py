"""Vectors that were paid for once, kept between builds and packs: one SQLite file an embedder."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sandbox.cache.keys import published_key
from sandbox.calls import Call
from sandbox.retrieval.embedder import IndexMissing

Halves = NDArray[np.float16]

_TABLES = (
    "CREATE TABLE IF NOT EXISTS names (id INTEGER PRIMARY KEY, name BLOB NOT NULL)",
    "CREATE TABLE IF NOT EXISTS vectors (id INTEGER PRIMARY KEY, row BLOB NOT NULL)",
)
# Names are looked up in memory: an index over hashes would be rewritten all over with every batch.
_MOST = 500
"""Rows that one query asks for."""


class Vectors16:
    """Rows of 16-bit floats by name. What `keep` was given is there for good, whatever ends the process.

    One process at a time may keep.
    """

    def __init__(self, path: Path, dimension: int) -> None:
        self._path, self._dimension = path, dimension
        with self._told_apart():
            self._database = sqlite3.connect(path, timeout=30.0, isolation_level=None)
        self._run("PRAGMA journal_mode = WAL")
        self._run("PRAGMA synchronous = NORMAL")
        for table in _TABLES:
            self._run(table)
        self._ids: dict[bytes, int] = {name: id_ for id_, name in self._run("SELECT id, name FROM names")}

    def find(self, names: Sequence[bytes]) -> dict[bytes, Halves]:
        """The rows that are kept, by name."""
        wanted = {self._ids[name]: name for name in names if name in self._ids}
        ids, halves_by_name = sorted(wanted), dict[bytes, Halves]()
        for start in range(0, len(ids), _MOST):
            some = ids[start : start + _MOST]
            marks = ",".join("?" * len(some))
            rows = self._run(f"SELECT id, row FROM vectors WHERE id IN ({marks})", some)
            halves_by_name |= {wanted[id_]: np.frombuffer(row, dtype="<f2") for id_, row in rows}
        if len(halves_by_name) != len(wanted):
            raise self._damage_error("rows that it names are missing")
        if any(len(row) != self._dimension for row in halves_by_name.values()):
            raise self._damage_error(f"not all its rows have {self._dimension} numbers")
        return halves_by_name

    def keep(self, names: Sequence[bytes], rows: Halves) -> None:
        """Add rows under names that are new, all of them or none."""
        ids = range(len(self._ids) + 1, len(self._ids) + 1 + len(names))
        blobs = (row.astype("<f2").tobytes() for row in rows)
        with self._told_apart():
            self._database.execute("BEGIN IMMEDIATE")
            self._database.executemany("INSERT INTO names VALUES (?, ?)", zip(ids, names, strict=True))
            self._database.executemany("INSERT INTO vectors VALUES (?, ?)", zip(ids, blobs, strict=True))
            self._database.execute("COMMIT")
        self._ids |= zip(names, ids, strict=True)

    def _run(self, query: str, values: Sequence[int] = ()) -> list[tuple[int, bytes]]:
        with self._told_apart():
            return self._database.execute(query, values).fetchall()

    @contextmanager
    def _told_apart(self) -> Iterator[None]:
        """What is wrong with the disk is another matter than what is wrong with the file."""
        try:
            yield
        except sqlite3.OperationalError as error:
            raise IndexMissing(
                f"{self._path} cannot be used ({error}); see to its disk and its permissions, and run again"
            ) from error
        except sqlite3.DatabaseError as error:
            raise self._damage_error(str(error)) from error

    def _damage_error(self, why: str) -> IndexMissing:
        return IndexMissing(
            f"{self._path}: {why}; remove it and run manage.py cache index, which embeds every call again"
        )

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()


def name_of(call: Call) -> bytes:
    """128 bits of what is embedded: the tool and the published key of the arguments."""
    text = f"{call.tool}\0{published_key(call.arguments)}"
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
