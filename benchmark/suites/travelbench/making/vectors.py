"""The vectors of texts, kept in a file that a build which was broken off goes on with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np

from benchmark.making import Progress, Vectors

BATCH = 64
_HEADER = 64
Embed = Callable[[Sequence[str]], Vectors]


def vectors_at(path: Path, texts: Sequence[str], embed: Embed, progress: Progress, embedder: str) -> Vectors:
    """A row a text: from the file as far as it holds them, else embedded and kept there, batch by batch.

    An .npy file is taken as it is. Any other begins with a digest of embedder and texts, then 32-bit floats.

    Raises:
        ValueError: the file is of other texts or another embedder, or has another number of rows.
        OSError: it can't be read or written.
    """
    if path.suffix == ".npy":
        return _given_vectors(path, len(texts))
    digest = sha256("\0".join([embedder, *texts]).encode("utf-8", "surrogatepass")).hexdigest().encode()
    rows = _kept_vectors(path, digest)
    if rows is None or len(rows) < len(texts):
        rows = _more(path, digest, texts, rows, embed, progress)
    return rows


def _given_vectors(path: Path, wanted: int) -> Vectors:
    array = np.load(path, allow_pickle=False)
    if array.ndim != 2 or len(array) != wanted or array.dtype.kind != "f" or not np.isfinite(array).all():
        raise ValueError(
            f"{path}: {array.dtype} of shape {array.shape}; expected {wanted} rows of finite floats"
        )
    vectors: Vectors = array.astype(np.float32)
    return vectors


def _kept_vectors(path: Path, digest: bytes) -> Vectors | None:
    """What a build has left: whole rows alone; None where there is nothing."""
    if not path.exists():
        return None
    data = path.read_bytes()
    head, width = data[:_HEADER], int.from_bytes(data[_HEADER : _HEADER + 4], "little")
    if head != digest:
        raise ValueError(f"{path}: these are vectors of other texts or another embedder; name another file")
    if not width:
        return None
    body = data[_HEADER + 4 :]
    rows = len(body) // (4 * width)
    return np.frombuffer(body[: rows * 4 * width], dtype="<f4").reshape(rows, width)


def _more(
    path: Path, digest: bytes, texts: Sequence[str], rows: Vectors | None, embed: Embed, progress: Progress
) -> Vectors:
    done = 0 if rows is None else len(rows)
    parts = [] if rows is None else [rows]
    if rows is not None:
        with path.open("rb+") as file:  # a row may have been cut off
            file.truncate(_HEADER + 4 + rows.nbytes)
    for begin in range(done, len(texts), BATCH):
        progress(begin, len(texts), "embedded")
        vectors = embed(texts[begin : begin + BATCH])
        with path.open("ab") as file:
            if not parts:
                file.truncate(0)
                file.write(digest + vectors.shape[1].to_bytes(4, "little"))
            file.write(vectors.astype("<f4").tobytes())
        parts.append(vectors)
    progress(len(texts), len(texts), "embedded")
    whole: Vectors = np.concatenate(parts)
    return whole
