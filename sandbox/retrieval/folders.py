"""Where indexes lie on disk, and the manifest that says what is there.

DIGEST12/EMBEDDER/KIND.json        the manifest, written last
DIGEST12/EMBEDDER/TOOL.KIND.faiss  an index a tool
vectors/EMBEDDER.sqlite3           the vectors, for every pack
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping, Set
from hashlib import blake2b
from pathlib import Path
from typing import Literal
from zlib import crc32

from pydantic import BaseModel, ConfigDict, ValidationError

from sandbox.retrieval.kinds import IndexKind

FORMAT: Literal["caravan-index-1"] = "caravan-index-1"
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]|^[.-]", re.ASCII)
_PORTION = 1 << 20


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


def described(path: Path) -> tuple[int, int]:
    """Size and CRC-32 of a file."""
    size = checksum = 0
    with path.open("rb") as file:
        while portion := file.read(_PORTION):
            size, checksum = size + len(portion), crc32(portion, checksum)
    return size, checksum


def keep_indexes(folder: Path, digests: Set[str]) -> None:
    """Remove the indexes of every pack but those whose digests begin with one of these twelve digits."""
    for place in folder.iterdir() if folder.is_dir() else ():
        if re.fullmatch("[0-9a-f]{12}", place.name) and place.name not in digests:
            shutil.rmtree(place)
