"""The indexes of a pack: their kinds, where they lie on disk, opening and searching them.

DIGEST12/EMBEDDER/KIND.json        the manifest, written last
DIGEST12/EMBEDDER/TOOL.KIND.faiss  an index a tool
vectors/EMBEDDER.sqlite3           the vectors, for every pack
"""

from __future__ import annotations

import os
import re
import shutil
import threading
from collections.abc import Mapping, Set
from dataclasses import dataclass
from hashlib import blake2b
from math import isqrt
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, ValidationError

from sandbox.calls import Call
from sandbox.retrieval.embedder import Embedder, IndexMissing, Vectors

if TYPE_CHECKING:
    import faiss

IndexKind = Literal["exact", "approximate"]
"""exact: a call is compared with every entry. approximate: with those of the clusters nearest to it."""

CLUSTERS_SEARCHED = 16
EXACT_BELOW = 4_000
"""Entries up to which an approximate index is an exact one: there is nothing to gain."""

_PORTION = 20_000
"""Rows that are widened to 32 bits at a time."""


def make_index(kind: IndexKind, rows: NDArray[np.float16]) -> faiss.Index:
    """An index of rows of length 1, (n, dimension); n is at least 1.

    A clustered one is an inverted file with about √n clusters, learned from an even sample of the rows.
    """
    import faiss  # which takes a tenth of the start of a process, and few processes search

    faiss.omp_set_num_threads(1)  # of this thread; a build takes seconds, and gives the same on every machine
    count, dimension = rows.shape
    layout = (faiss.ScalarQuantizer.QT_fp16, faiss.METRIC_INNER_PRODUCT)
    index: faiss.Index = faiss.IndexScalarQuantizer(dimension, *layout)
    if kind == "approximate" and count >= EXACT_BELOW:
        clusters = isqrt(count)
        coarse = faiss.IndexFlatIP(dimension)
        index = clustered = faiss.IndexIVFScalarQuantizer(coarse, dimension, clusters, *layout, False)
        clustered.nprobe = CLUSTERS_SEARCHED
        clustered.train(rows[:: max(1, count // (100 * clusters))].astype(np.float32))
    for start in range(0, count, _PORTION):
        index.add(rows[start : start + _PORTION].astype(np.float32))
    return index


FORMAT: Literal["caravan-index-1"] = "caravan-index-1"
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]|^[.-]", re.ASCII)
_READ_BYTES = 1 << 20


class IndexFile(BaseModel):
    """A tool's index. size: bytes. checksum: CRC-32 of the file."""

    model_config = ConfigDict(frozen=True)
    count: int
    size: int
    checksum: int


class Manifest(BaseModel):
    """What a build made. digest: of the pack, in full."""

    model_config = ConfigDict(frozen=True)
    format: Literal["caravan-index-1"] = FORMAT
    digest: str
    embedder: str
    dimension: int
    kind: IndexKind
    files: Mapping[str, IndexFile]


def file_name(name: str) -> str:
    """A name as a part of a path; one that is no good for that is changed, and told from others by a hash."""
    plain = _UNSAFE.sub("_", name)[:80]
    if plain == name:
        return name
    return f"{plain}-{blake2b(name.encode('utf-8', 'replace'), digest_size=4).hexdigest()}"


def place_of(folder: Path, digest: str, embedder_id: str) -> Path:
    """Where the indexes of a pack by an embedder are."""
    return folder / digest[:12] / file_name(embedder_id)


def index_path(place: Path, tool: str, kind: IndexKind) -> Path:
    """A tool's index."""
    return place / f"{file_name(tool)}.{kind}.faiss"


def vectors_path(folder: Path, embedder_id: str) -> Path:
    """The vectors of an embedder."""
    return folder / "vectors" / f"{file_name(embedder_id)}.sqlite3"


def read_manifest(place: Path, kind: IndexKind) -> Manifest | None:
    """What was built there, None where there is none or it cannot be read."""
    try:
        return Manifest.model_validate_json((place / f"{kind}.json").read_bytes())
    except (OSError, ValidationError):
        return None


def write_manifest(place: Path, manifest: Manifest) -> None:
    """Make a build known, at once and for good."""
    draft = place / f"{manifest.kind}.json.draft"
    draft.write_text(manifest.model_dump_json(), encoding="utf-8")
    put_in_place(draft, place / f"{manifest.kind}.json")


def put_in_place(draft: Path, path: Path) -> None:
    """Rename a finished file, and see it to the disk."""
    for each, flags in ((draft, os.O_RDWR), (path.parent, os.O_RDONLY)):
        if each is not draft:
            draft.replace(path)
        handle = os.open(each, flags)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def describe_file(path: Path) -> tuple[int, int]:
    """Size and CRC-32 of a file."""
    size = checksum = 0
    with path.open("rb") as file:
        while portion := file.read(_READ_BYTES):
            size, checksum = size + len(portion), crc32(portion, checksum)
    return size, checksum


def keep_indexes(folder: Path, digests: Set[str]) -> None:
    """Remove the indexes of every pack but those whose digests begin with one of these twelve digits."""
    for place in folder.iterdir() if folder.is_dir() else ():
        if re.fullmatch("[0-9a-f]{12}", place.name) and place.name not in digests:
            shutil.rmtree(place)


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
            raise _damage_error(folder, path, f"is missing or cut short; it should have {file.size:,} bytes")
    return Indexes(folder, manifest, embedder)


def _check_manifest(
    folder: Path, manifest: Manifest, digest: str, embedder: Embedder, kind: IndexKind
) -> None:
    there = (manifest.digest, manifest.embedder, manifest.dimension, manifest.kind)
    wanted = (digest, embedder.id, embedder.dimension, kind)
    if there != wanted:
        raise IndexMissing(
            f"the indexes in {place_of(folder, digest, embedder.id)} are of {_describe_index(*there)}; wanted is "
            f"{_describe_index(*wanted)}. Remove that folder and run manage.py cache index {_cache(folder)}"
        )


def _describe_index(digest: str, embedder: str, dimension: int, kind: str) -> str:
    return f"pack {digest[:12]}, embedder {embedder}, dimension {dimension}, kind {kind}"


def _absent(folder: Path, digest: str, embedder: Embedder, kind: IndexKind) -> str:
    built = [
        f"embedder {manifest.embedder}, dimension {manifest.dimension}, kind {manifest.kind}, "
        f"of pack {manifest.digest[:12]}"
        for path in sorted(folder.glob("*/*/*.json"))
        if path.stem in ("exact", "approximate")
        and (manifest := read_manifest(path.parent, _kind(path.stem)))
    ]
    return (
        f"cache {_cache(folder)} has no finished index of "
        f"{_describe_index(digest, embedder.id, embedder.dimension, kind)}; "
        f"there is {'; '.join(built) or 'none at all'}. Run manage.py cache index {_cache(folder)} with this "
        "embedder and kind"
    )


def _kind(name: str) -> IndexKind:
    return "exact" if name == "exact" else "approximate"


def _cache(folder: Path) -> str:
    """The name of the cache: its folder is NAME/index."""
    return folder.resolve().parent.name


def _damage_error(folder: Path, path: Path, why: str) -> IndexMissing:
    return IndexMissing(f"index file {path} {why}. Run manage.py cache index {_cache(folder)}")


class Indexes:
    """Finds similar calls. Threads may share it; open it after a fork."""

    def __init__(self, folder: Path, manifest: Manifest, embedder: Embedder) -> None:
        self._folder, self._manifest, self._embedder = folder, manifest, embedder
        self._open_indexes: dict[str, faiss.Index] = {}
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
        import faiss  # see make_index

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
            if tool not in self._open_indexes:
                self._open_indexes[tool] = self._read(tool)
            return self._open_indexes[tool]

    def _read(self, tool: str) -> faiss.Index:
        """Mapped, not copied, so that processes share its memory."""
        import faiss

        manifest = self._manifest
        place = place_of(self._folder, manifest.digest, manifest.embedder)
        path, file = index_path(place, tool, manifest.kind), manifest.files[tool]
        if not path.is_file() or describe_file(path) != (file.size, file.checksum):
            raise _damage_error(self._folder, path, "is damaged: its checksum is not the one of the build")
        index = faiss.read_index(str(path), faiss.IO_FLAG_MMAP_IFC)
        if (index.ntotal, index.d) != (file.count, manifest.dimension):
            raise _damage_error(self._folder, path, f"holds {index.ntotal:,} calls of dimension {index.d}")
        return index


def _nearest(index: faiss.Index, vector: Vectors, count: int) -> list[Neighbour]:
    """Best first; fewer than `count` where the index has, or looks at, no more."""
    similarities, numbers = index.search(vector, min(count, index.ntotal))
    return [
        Neighbour(int(number), round(float(similarity), _DIGITS))
        for number, similarity in zip(numbers[0], similarities[0], strict=True)
        if number >= 0
    ]
