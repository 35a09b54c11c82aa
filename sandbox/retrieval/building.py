"""Building the indexes of a pack; a build that was ended goes on where it was."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
from filelock import FileLock, Timeout

from sandbox.calls import CachedCalls, Call
from sandbox.retrieval.embedder import Embedder, EmbeddingFailed, IndexMissing
from sandbox.retrieval.indexes import (
    IndexFile,
    IndexKind,
    Manifest,
    describe_file,
    index_path,
    make_index,
    place_of,
    put_in_place,
    read_manifest,
    vectors_path,
    write_manifest,
)
from sandbox.retrieval.vectors import Halves, Vectors16, name_of

Progress = Callable[[str, int, int], None]
"""Told of a tool, how many of its calls have a vector, and how many it has."""

LOCK_WAIT_S = 5.0
_LOOKED_UP = 2000


@dataclass(frozen=True, slots=True)
class BuildReport:
    """entries: calls in the index by tool. embedded: calls that had no vector yet."""

    entries: Mapping[str, int]
    embedded: int

    def __str__(self) -> str:
        total = sum(self.entries.values())
        return (
            f"{total:,} calls indexed (tools: {len(self.entries)}), {self.embedded:,} of them newly embedded"
        )


def build_indexes(
    source: CachedCalls, folder: Path, embedder: Embedder, *, kind: IndexKind = "exact", progress: Progress
) -> BuildReport:
    """Index the calls of every tool, embedding only those that this embedder has never embedded in this folder.

    Raises:
        EmbeddingFailed: the embedder gave up; every batch before that is kept.
        IndexMissing: another process is building, or the stored vectors are damaged.
    """
    with only_builder(folder), closing(open_vectors(folder, embedder)) as vectors:
        build = _Build(source, folder, embedder, kind, vectors, progress)
        return build.run()


@contextmanager
def only_builder(folder: Path) -> Iterator[None]:
    """Hold a folder of indexes alone.

    Raises:
        IndexMissing: another process holds it for longer than `LOCK_WAIT_S`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(folder / "building.lock", timeout=LOCK_WAIT_S):
            yield
    except Timeout:
        raise IndexMissing(
            f"another process is building indexes in {folder}; wait until it is done"
        ) from None


def open_vectors(folder: Path, embedder: Embedder) -> Vectors16:
    """The vectors of an embedder that a folder of indexes keeps."""
    path = vectors_path(folder, embedder.id)
    path.parent.mkdir(exist_ok=True)
    return Vectors16(path, embedder.dimension)


class _Build:
    """One run of `build_indexes`."""

    def __init__(
        self,
        source: CachedCalls,
        folder: Path,
        embedder: Embedder,
        kind: IndexKind,
        vectors: Vectors16,
        progress: Progress,
    ) -> None:
        self._source, self._embedder, self._kind = source, embedder, kind
        self._vectors, self._progress = vectors, progress
        self._place = place_of(folder, source.digest, embedder.id)
        self._counts = {tool: count for tool, count in sorted(source.counts.items()) if count}
        self._done_count = self._embedded = 0

    def run(self) -> BuildReport:
        """Every tool in turn, and the manifest at the end."""
        self._place.mkdir(parents=True, exist_ok=True)
        known = read_manifest(self._place, self._kind)
        files = {tool: self._tool(tool, known) for tool in self._counts}
        write_manifest(
            self._place,
            Manifest(
                digest=self._source.digest,
                embedder=self._embedder.id,
                dimension=self._embedder.dimension,
                kind=self._kind,
                files=files,
            ),
        )
        return BuildReport(self._counts, self._embedded)

    def _tool(self, tool: str, known: Manifest | None) -> IndexFile:
        """Index a tool, unless the last build did and its file is whole."""
        count, path = self._counts[tool], index_path(self._place, tool, self._kind)
        if file := self._whole(tool, path, known):
            self._tell(tool, count, count)
            return file
        import faiss  # see make_index

        draft = path.with_suffix(".draft")
        faiss.write_index(make_index(self._kind, self._rows(tool)), str(draft))
        put_in_place(draft, path)
        size, checksum = describe_file(path)
        return IndexFile(count=count, size=size, checksum=checksum)

    def _whole(self, tool: str, path: Path, known: Manifest | None) -> IndexFile | None:
        """What the last build of this very index says of a tool, if its file still is so."""
        embedder = (self._embedder.id, self._embedder.dimension)
        if (
            known is None
            or known.digest != self._source.digest
            or (known.embedder, known.dimension) != embedder
        ):
            return None
        file = known.files.get(tool)
        if file is None or not path.is_file() or describe_file(path) != (file.size, file.checksum):
            return None
        return file

    def _rows(self, tool: str) -> Halves:
        """The vectors of a tool's calls in the pack's order."""
        rows = np.empty((self._counts[tool], self._embedder.dimension), dtype=np.float16)
        calls, at = islice(self._source.calls(tool), len(rows)), 0
        while portion := list(islice(calls, max(_LOOKED_UP, self._embedder.batch))):
            names = [name_of(call) for call in portion]
            known_vectors = self._vectors.find(names)
            self._tell(tool, at + len(known_vectors), len(known_vectors))
            missing = {
                name: call for name, call in zip(names, portion, strict=True) if name not in known_vectors
            }
            known_vectors |= self._embed(missing, tool, at + len(known_vectors))
            rows[at : at + len(portion)] = [known_vectors[name] for name in names]
            at += len(portion)
        if at < len(rows):
            raise IndexMissing(
                f"the pack holds {at:,} calls of {tool}, not {len(rows):,}; import the cache again"
            )
        return rows

    def _embed(self, missing: Mapping[bytes, Call], tool: str, done: int) -> dict[bytes, Halves]:
        """Embed what is missing, and keep each batch at once. done: the tool's calls that have rows already."""
        fresh: dict[bytes, Halves] = {}
        names = iter(missing)
        while some := list(islice(names, self._embedder.batch)):
            try:
                rows = self._embedder.embed([missing[name] for name in some]).astype(np.float16)
            except EmbeddingFailed as error:
                raise self._with_progress(error) from error
            self._vectors.keep(some, rows)
            self._embedded += len(some)
            fresh |= dict(zip(some, rows, strict=True))
            self._tell(tool, done + len(fresh), len(some))
        return fresh

    def _tell(self, tool: str, done: int, more: int) -> None:
        self._done_count += more
        self._progress(tool, done, self._counts[tool])

    def _with_progress(self, error: EmbeddingFailed) -> EmbeddingFailed:
        total = sum(self._counts.values())
        return EmbeddingFailed(
            f"{error}. {self._embedded:,} calls were embedded in this run and are kept; at least "
            f"{self._done_count:,} of {total:,} are done. Run manage.py cache index again to go on from there"
        )
