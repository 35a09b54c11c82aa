"""Vectors that a published cache brings along: `TOOL_embeddings.npz` beside `TOOL_cache.json` (appendices B.3, C.1).

Such a file holds `embeddings`, a row a call, and `params`, the calls' arguments as JSON texts, in an array of
objects. Those are a pickle: its texts are read one by one, and nothing in it is ever run.
"""

from __future__ import annotations

import json
import pickletools
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from sandbox.calls import Call
from sandbox.retrieval.building import only_builder, open_vectors
from sandbox.retrieval.embedder import EmbeddingFailed
from sandbox.retrieval.vectors import Vectors16, name_of
from sandbox.toolsets import TOOLSETS, toolset_named

if TYPE_CHECKING:
    from sandbox.retrieval.endpoint import EndpointEmbedder

PUBLISHED_MODEL = "Qwen3-Embedding-8B"
"""Of published caches, which do not name it in the file (appendix C.1)."""
ENDING = "_embeddings.npz"

_ROWS = 1_000
"""Read and kept at a time."""
_MOST_BYTES = 1 << 20
"""Of the array that names the model."""
_DAMAGE = (zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, KeyError, RecursionError)


class UnfitVectors(Exception):
    """A file whose vectors can't be taken; the message says why."""


@dataclass
class TakenVectors:
    """What was read of the files. counts: vectors by tool. remarks: a sentence for each file that was not read."""

    counts: dict[str, int] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)


def files_of_vectors(source: Path, toolset: str) -> dict[str, Path]:
    """The files by tool, its name in caches; files of other toolsets are in folders of their names."""
    folders = {toolset: source} | {name: source / name for name in TOOLSETS if (source / name).is_dir()}
    return {
        toolset_named(name).stored_name(path.name.removesuffix(ENDING)): path
        for name, folder in folders.items()
        for path in sorted(folder.glob(f"*{ENDING}"))
        if not path.name.startswith(".")
    }


def take_vectors(
    files: Mapping[str, Path], folder: Path, embedder: EndpointEmbedder | None, model: str = ""
) -> TakenVectors:
    """Keep the vectors of the files among those of `embedder`, where they are its model's; those known stay.

    folder: of the indexes. embedder: None where no endpoint is set up, and nothing is read. model: of the files, for
    those that do not name theirs; "" for the published one.

    Raises:
        IndexMissing: another process is building, or the stored vectors are damaged.
    """
    told = TakenVectors()
    for tool, path in files.items():
        try:
            told.counts[tool] = _take(tool, path, folder, embedder, model or PUBLISHED_MODEL)
        except (UnfitVectors, EmbeddingFailed) as error:
            told.remarks.append(f"{path.name} was not read: {error}; its calls are embedded anew")
    return told


def _take(tool: str, path: Path, folder: Path, embedder: EndpointEmbedder | None, model: str) -> int:
    try:
        with zipfile.ZipFile(path) as packed:
            model = _model_in(packed) or model
            if embedder is None:
                raise UnfitVectors(
                    f"its vectors are of {model}, and no endpoint for embeddings is set up "
                    "(CARAVAN_EMBEDDINGS_URL, CARAVAN_EMBEDDINGS_MODEL)"
                )
            _check_model(model, embedder)
            calls = [Call(tool, arguments) for arguments in _params_in(packed)]
            with packed.open("embeddings.npy") as rows:
                return _keep(calls, rows, folder, embedder)
    except _DAMAGE as error:
        raise UnfitVectors(f"it is no whole file of vectors ({str(error)[:200]})") from error


def _model_in(packed: zipfile.ZipFile) -> str:
    """The model that a file names; published ones name none."""
    for name in ("model.npy", "model_name.npy"):
        if name in packed.namelist() and packed.getinfo(name).file_size < _MOST_BYTES:
            with packed.open(name) as file:
                return str(npy.read_array(file, allow_pickle=False))
    return ""


def _check_model(model: str, embedder: EndpointEmbedder) -> None:
    """One of the two names may lack the maker that stands before the slash."""
    names = [name.casefold().split("/") for name in (model, embedder.model)]
    shortest = min(map(len, names))
    if names[0][-shortest:] != names[1][-shortest:]:
        raise UnfitVectors(f"its vectors are of {model}, and the endpoint's model is {embedder.model}")


def _params_in(packed: zipfile.ZipFile) -> Iterator[dict[str, Any]]:
    with packed.open("params.npy") as file:
        for text in _texts_in(file):
            arguments = json.loads(text)
            if not isinstance(arguments, dict):
                raise ValueError("params hold what is not an object")
            yield arguments


def _texts_in(file: IO[bytes]) -> list[str]:
    """The JSON texts of an array of objects in their order; plain arrays of text are read as such."""
    shape, dtype = _header(file)
    if dtype.hasobject:
        texts = [text for text in _pickled_texts(file) if text.startswith("{")]
    else:
        texts = [str(text) for text in np.frombuffer(file.read(), dtype=dtype)]
    if shape != (len(texts),):
        raise ValueError(f"params hold {len(texts):,} texts, not {shape}")
    return texts


def _pickled_texts(file: IO[bytes]) -> Iterator[str]:
    """Every text of a pickle, which is looked at and never loaded; a text that stands twice is there twice."""
    memo: dict[int, Any] = {}
    last: Any = None
    for code, given, _ in pickletools.genops(file):
        if code.name == "MEMOIZE":
            memo[len(memo)] = last
            continue
        if code.name in ("BINPUT", "LONG_BINPUT", "PUT"):
            memo[int(given or 0)] = last
            continue
        last = memo.get(int(given or 0)) if code.name in ("BINGET", "LONG_BINGET", "GET") else given
        if isinstance(last, str) and code.name.endswith(("UNICODE", "UNICODE8", "GET")):
            yield last


class _Header(NamedTuple):
    shape: tuple[int, ...]
    dtype: np.dtype[Any]


def _header(file: IO[bytes]) -> _Header:
    version = npy.read_magic(file)
    read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
    shape, by_columns, dtype = read(file)
    if by_columns and len(shape) > 1:
        raise ValueError("an array is stored by columns")
    return _Header(shape, dtype)


def _keep(calls: Sequence[Call], rows: IO[bytes], folder: Path, embedder: EndpointEmbedder) -> int:
    shape, dtype = _header(rows)
    if dtype.hasobject or dtype.kind != "f" or len(shape) != 2 or shape[0] != len(calls):
        raise ValueError(f"embeddings are {shape} of {dtype} for {len(calls):,} calls")
    if shape[1] != embedder.dimension:
        raise UnfitVectors(
            f"its vectors have {shape[1]:,} numbers, and the endpoint's {embedder.dimension:,}"
        )
    with only_builder(folder), closing(open_vectors(folder, embedder)) as vectors:
        return sum(
            _keep_some(some, _read_rows(rows, dtype, (len(some), shape[1])), vectors)
            for some in _portions(calls)
        )


def _portions(calls: Sequence[Call]) -> Iterator[Sequence[Call]]:
    for start in range(0, len(calls), _ROWS):
        yield calls[start : start + _ROWS]


def _read_rows(file: IO[bytes], dtype: np.dtype[Any], shape: tuple[int, int]) -> NDArray[np.float64]:
    raw = file.read(shape[0] * shape[1] * dtype.itemsize)
    return np.frombuffer(raw, dtype=dtype).reshape(shape).astype(np.float64)


def _keep_some(calls: Sequence[Call], rows: NDArray[np.float64], vectors: Vectors16) -> int:
    """Rows of length 1, but those of no length and those that are known."""
    lengths = np.linalg.norm(rows, axis=1)
    fit = {
        name_of(call): row / length
        for call, row, length in zip(calls, rows, lengths, strict=True)
        if np.isfinite(length) and length
    }
    known = vectors.find(list(fit))
    fresh = [name for name in fit if name not in known]
    if fresh:
        vectors.keep(fresh, np.array([fit[name] for name in fresh]).astype(np.float16))
    return len(fit)
