"""Vectors that were paid for once, kept between builds and packs: one SQLite file an embedder."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sandbox.cache import published_key
from sandbox.calls import Call
from sandbox.retrieval.errors import IndexMissing

Halves = NDArray[np.float16]

_TABLE = "CREATE TABLE IF NOT EXISTS vectors (name BLOB PRIMARY KEY, row BLOB NOT NULL) WITHOUT ROWID"
_MOST = 500
"""Names that one query asks for."""


class Vectors16:
    """Rows of 16-bit floats by call. What `keep` was given is there for good, whatever ends the process."""

    def __init__(self, path: Path, dimension: int) -> None:
        self._path, self._dimension = path, dimension
        self._database = sqlite3.connect(path, timeout=30.0, isolation_level=None)
        self._run("PRAGMA journal_mode = WAL")
        self._run("PRAGMA synchronous = NORMAL")
        self._run(_TABLE)

    def find(self, names: Sequence[bytes]) -> dict[bytes, Halves]:
        """The rows that are kept, by name."""
        found: dict[bytes, Halves] = {}
        for start in range(0, len(names), _MOST):
            some = names[start : start + _MOST]
            marks = ",".join("?" * len(some))
            rows = self._run(f"SELECT name, row FROM vectors WHERE name IN ({marks})", some)
            found |= {name: np.frombuffer(row, dtype="<f2") for name, row in rows}
        if any(len(row) != self._dimension for row in found.values()):
            raise self._damaged(f"not all its rows have {self._dimension} numbers")
        return found

    def keep(self, names: Sequence[bytes], rows: Halves) -> None:
        """Add rows, all of them or none."""
        self._run("BEGIN IMMEDIATE")
        self._database.executemany(
            "INSERT OR IGNORE INTO vectors VALUES (?, ?)",
            ((name, row.astype("<f2").tobytes()) for name, row in zip(names, rows, strict=True)),
        )
        self._run("COMMIT")

    def _run(self, query: str, values: Sequence[bytes] = ()) -> list[tuple[bytes, bytes]]:
        try:
            return self._database.execute(query, values).fetchall()
        except sqlite3.DatabaseError as error:
            raise self._damaged(str(error)) from error

    def _damaged(self, why: str) -> IndexMissing:
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
