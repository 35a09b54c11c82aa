"""Opening the indexes of a pack, and searching them."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sandbox.calls import Call
from sandbox.retrieval.embedder import Embedder, Vectors
from sandbox.retrieval.errors import IndexMissing
from sandbox.retrieval.folders import Manifest, described, index_path, place_of, read_manifest
from sandbox.retrieval.kinds import IndexKind

if TYPE_CHECKING:
    import faiss

_DIGITS = 6
"""Of a similarity; further ones differ between processors."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A cached call: its number in the pack, and its cosine with the call that was searched for, −1 to 1."""

    number: int
    similarity: float


def open_indexes(folder: Path, digest: str, embedder: Embedder, kind: IndexKind = "exact") -> Indexes:
    """The indexes of a pack by an embedder. A tool's file is read when it is first searched.

    Raises:
        IndexMissing: they were not built to the end, a file is missing or cut short, or they are of another pack,
            embedder or dimension.
        EmbeddingFailed: the embedder cannot tell its dimension.
    """
    place = place_of(folder, digest, embedder.id)
    manifest = read_manifest(place, kind)
    if manifest is None:
        raise IndexMissing(_absent(folder, digest, embedder, kind))
    _check_manifest(folder, manifest, digest, embedder, kind)
    for tool, file in manifest.files.items():
        path = index_path(place, tool, kind)
        if not path.is_file() or path.stat().st_size != file.size:
            raise _damaged(folder, path, f"is missing or cut short; it should have {file.size:,} bytes")
    return Indexes(folder, manifest, embedder)


def _check_manifest(folder: Path, found: Manifest, digest: str, embedder: Embedder, kind: IndexKind) -> None:
    there = (found.digest, found.embedder, found.dimension, found.kind)
    wanted = (digest, embedder.id, embedder.dimension, kind)
    if there != wanted:
        raise IndexMissing(
            f"the indexes in {place_of(folder, digest, embedder.id)} are of {_told(*there)}; wanted is "
            f"{_told(*wanted)}. Remove that folder and run manage.py cache index {_cache(folder)}"
        )


def _told(digest: str, embedder: str, dimension: int, kind: str) -> str:
    return f"pack {digest[:12]}, embedder {embedder}, dimension {dimension}, kind {kind}"


def _absent(folder: Path, digest: str, embedder: Embedder, kind: IndexKind) -> str:
    built = [
        f"embedder {found.embedder}, dimension {found.dimension}, kind {found.kind}, of pack {found.digest[:12]}"
        for path in sorted(folder.glob("*/*/*.json"))
        if path.stem in ("exact", "approximate") and (found := read_manifest(path.parent, _kind(path.stem)))
    ]
    return (
        f"cache {_cache(folder)} has no finished index of {_told(digest, embedder.id, embedder.dimension, kind)}; "
        f"there is {'; '.join(built) or 'none at all'}. Run manage.py cache index {_cache(folder)} with this "
        "embedder and kind"
    )


def _kind(name: str) -> IndexKind:
    return "exact" if name == "exact" else "approximate"


def _cache(folder: Path) -> str:
    """The name of the cache: its folder is NAME/index."""
    return folder.resolve().parent.name


def _damaged(folder: Path, path: Path, why: str) -> IndexMissing:
    return IndexMissing(f"index file {path} {why}. Run manage.py cache index {_cache(folder)}")


class Indexes:
    """Finds similar calls. Threads may share it; open it after a fork."""

    def __init__(self, folder: Path, manifest: Manifest, embedder: Embedder) -> None:
        self._folder, self._manifest, self._embedder = folder, manifest, embedder
        self._loaded: dict[str, faiss.Index] = {}
        self._lock = threading.Lock()

    def search(self, call: Call, k: int = 8) -> list[Neighbour]:
        """The k cached calls of the same tool nearest to a call, best first, ties by number.

        Fewer where there are fewer; none for a tool without entries.

        Raises:
            EmbeddingFailed: the call could not be embedded.
            IndexMissing: the tool's file was damaged or replaced since it was built.
        """
        if call.tool not in self._manifest.files or k < 1:
            return []
        import faiss  # see kinds

        index, vector = self._index(call.tool), self._embedder.embed([call])
        faiss.omp_set_num_threads(1)  # of this thread: a pool for each of them costs more than it gains
        wanted = min(k, index.ntotal)
        fetched = 2 * wanted
        while True:
            near = _nearest(index, vector, fetched)
            if len(near) < fetched or near[-1].similarity < near[wanted - 1].similarity:
                return sorted(near, key=lambda each: (-each.similarity, each.number))[:wanted]
            fetched *= 4  # what ties with the last one wanted may have lower numbers

    def _index(self, tool: str) -> faiss.Index:
        with self._lock:
            if tool not in self._loaded:
                self._loaded[tool] = self._read(tool)
            return self._loaded[tool]

    def _read(self, tool: str) -> faiss.Index:
        """Mapped, not copied, so that processes share its memory."""
        import faiss

        manifest = self._manifest
        place = place_of(self._folder, manifest.digest, manifest.embedder)
        path, file = index_path(place, tool, manifest.kind), manifest.files[tool]
        if not path.is_file() or described(path) != (file.size, file.checksum):
            raise _damaged(self._folder, path, "is damaged: its checksum is not the one of the build")
        index = faiss.read_index(str(path), faiss.IO_FLAG_MMAP_IFC)
        if (index.ntotal, index.d) != (file.count, manifest.dimension):
            raise _damaged(self._folder, path, f"holds {index.ntotal:,} calls of dimension {index.d}")
        return index


def _nearest(index: faiss.Index, vector: Vectors, count: int) -> list[Neighbour]:
    """Best first; fewer than `count` where the index has, or looks at, no more."""
    similarities, numbers = index.search(vector, min(count, index.ntotal))
    return [
        Neighbour(int(number), round(float(similarity), _DIGITS))
        for number, similarity in zip(numbers[0], similarities[0], strict=True)
        if number >= 0
    ]
