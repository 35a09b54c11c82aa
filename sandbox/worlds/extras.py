"""Extras: what a pack holds beside its records, for those who declare it.

Records are what the tools and pages of every benchmark read. What one source or one toolset knows beyond them, such
as rows as they stood in a file or what is for sale at a place, lies in a table of its own. Whoever does not ask for
extras reads none of it.
"""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from pydantic import BaseModel, ValidationError

from sandbox.worlds.pack import WorldError

M = TypeVar("M", bound=BaseModel)
_NAME = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True, slots=True)
class ExtraKind(Generic[M]):
    """A kind of extras. owner: the source or the toolset that declares it. model: what each entry is.

    Raises:
        ValueError: a name is not of small letters, digits and underscores.
    """

    owner: str
    kind: str
    model: type[M]

    def __post_init__(self) -> None:
        for name in (self.owner, self.kind):
            if not _NAME.fullmatch(name):
                raise ValueError(f"{name!r} is no name: use small letters, digits and underscores")

    def __str__(self) -> str:
        return f"{self.owner}.{self.kind}"

    def write(self, entry: M) -> str:
        """An entry as the pack stores it. Raises ValueError for one that would not come back as it is."""
        if not isinstance(entry, self.model):
            raise ValueError(f"it is {type(entry).__name__}, not {self.model.__name__}")
        try:
            body = entry.model_dump_json(exclude_defaults=True)
            kept = self.read(body) == entry
        except (ValueError, RecursionError) as error:
            raise ValueError(f"it can't be stored: {error}") from error
        if not kept:
            raise ValueError("it would not come back as it is; store no infinite number and no private field")
        return body

    def read(self, body: str) -> M:
        """The entry that was stored so. Raises ValueError, by field, for one that the model does not take."""
        try:
            return self.model.model_validate_json(body)
        except ValidationError as error:
            raise ValueError(_in_words(error)) from error


AnyKind: TypeAlias = ExtraKind[Any]
ExtraKinds: TypeAlias = Mapping[tuple[str, str], AnyKind]
"""Kinds by owner and kind."""


class ExtraCount(NamedTuple):
    """How much a pack holds of a kind. keys: under how many keys its entries lie."""

    owner: str
    kind: str
    keys: int
    entries: int


class WrongExtra(NamedTuple):
    """An entry that is not of the model of its kind. seq: its place under its key, from 0."""

    key: str
    seq: int
    problem: str


def declare(kinds: Iterable[AnyKind]) -> ExtraKinds:
    """The kinds by owner and kind. Raises ValueError where two models go by the same names."""
    declared: dict[tuple[str, str], AnyKind] = {}
    for kind in kinds:
        if declared.setdefault((kind.owner, kind.kind), kind) != kind:
            raise ValueError(f"{kind} is declared with two models; give one of them another name")
    return declared


class ExtraWriter:
    """Puts entries into the table of a pack, in the order in which they come for each key."""

    def __init__(self, database: sqlite3.Connection, declared: ExtraKinds) -> None:
        self._database, self._kinds = database, declared
        self._next: Counter[tuple[str, str, str]] = Counter()
        """How many entries there are, by owner, kind and key."""

    def add(self, kind: ExtraKind[M], key: str, entry: M) -> None:
        """Raises WorldError for a kind that was not declared, and an entry that is not of its model."""
        if self._kinds.get((kind.owner, kind.kind)) != kind:
            known = ", ".join(map(str, self._kinds.values())) or "none"
            raise WorldError(f"{kind} is no kind of extras of this pack: declare it (declared: {known})")
        place = (kind.owner, kind.kind, key)
        try:
            row = (*place, self._next[place], kind.write(entry))
            self._database.execute("INSERT INTO extra VALUES (?, ?, ?, ?, ?)", row)
        except ValueError as error:
            raise WorldError(f"{kind} of {key!a}, entry {self._next[place]}: {error}") from error
        self._next[place] += 1

    def counts(self) -> tuple[ExtraCount, ...]:
        """What was added, by owner and kind."""
        kinds = sorted({(owner, kind) for owner, kind, _ in self._next})
        by_kind = {kind: [n for place, n in self._next.items() if place[:2] == kind] for kind in kinds}
        return tuple(ExtraCount(*kind, len(keys), sum(keys)) for kind, keys in by_kind.items())

    def hash_into(self, digest: hashlib._Hash) -> None:
        """Nothing where there are no extras, so that the hash of a pack without them is that of its records."""
        rows = self._database.execute("SELECT * FROM extra ORDER BY owner, kind, key, seq")
        for row in rows:
            digest.update(f"\nextra {json.dumps(row, ensure_ascii=False)}".encode())


def entries_of(database: sqlite3.Connection, kind: ExtraKind[M], key: str) -> Iterator[M]:
    """The entries under a key, in their order. Raises WorldError for one that is not of the model."""
    rows = database.execute(
        "SELECT seq, body FROM extra WHERE owner = ? AND kind = ? AND key = ? ORDER BY seq",
        (kind.owner, kind.kind, key),
    )
    for seq, body in rows:
        try:
            yield kind.read(body)
        except ValueError as error:
            raise WorldError(f"{kind} of {key!r}, entry {seq}: {error}; import the world again") from error


def wrong_entries(database: sqlite3.Connection, kind: AnyKind) -> Iterator[WrongExtra]:
    """The entries of a kind that are not of its model, by key and place."""
    rows = database.execute(
        "SELECT key, seq, body FROM extra WHERE owner = ? AND kind = ? ORDER BY key, seq",
        (kind.owner, kind.kind),
    )
    for key, seq, body in rows:
        try:
            kind.read(body)
        except ValueError as error:
            yield WrongExtra(key, seq, str(error))


def _in_words(error: ValidationError) -> str:
    return "; ".join(
        f"{'.'.join(map(str, item['loc'])) or 'entry'}: {item['msg']}" for item in error.errors()
    )
