"""Vectors that a published cache brings along."""

from __future__ import annotations

import json
import pickle
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sandbox.calls import Call
from sandbox.retrieval import build_indexes, open_indexes
from sandbox.retrieval.brought_vectors import PUBLISHED_MODEL, files_of_vectors, take_vectors
from tests.sandbox.retrieval.conftest import MemoryCalls, embedder_at, quiet, searches
from tests.sandbox.retrieval.endpoint_server import EmbeddingsServer

MODEL = f"Qwen/{PUBLISHED_MODEL}"
CALLS = searches(5)


def vectors_of(server: EmbeddingsServer, calls: list[dict[str, Any]]) -> np.ndarray[Any, Any]:
    """What the endpoint gives, three times as long."""
    embedder = embedder_at(server, model=MODEL)
    return 3 * embedder.embed([Call("search_poi", each) for each in calls])


def write_published(path: Path, calls: list[dict[str, Any]], rows: Any, **more: Any) -> Path:
    """The file as the published program writes it."""
    texts = [json.dumps(each, ensure_ascii=False) for each in calls]
    results = np.array(["{}"] * len(texts), dtype=object)
    np.savez_compressed(path, embeddings=rows, params=np.array(texts, dtype=object), results=results, **more)
    return path


@pytest.fixture
def file(server: EmbeddingsServer, tmp_path: Path) -> Path:
    path = write_published(tmp_path / "search_poi_embeddings.npz", CALLS, vectors_of(server, CALLS))
    server.texts.clear()
    return path


def test_an_index_over_published_vectors_asks_the_endpoint_for_none(
    server: EmbeddingsServer, file: Path, tmp_path: Path
) -> None:
    embedder, source, index = (
        embedder_at(server, model=MODEL),
        MemoryCalls({"search_poi": CALLS}),
        tmp_path / "i",
    )
    assert embedder.dimension
    server.texts.clear()
    told = take_vectors(files_of_vectors(file.parent, "grouptravel"), index, embedder)
    assert (told.counts, told.remarks) == ({"search_poi": 5}, [])
    report = build_indexes(source, index, embedder, progress=quiet)
    assert (report.embedded, server.texts) == (0, [])
    near = open_indexes(index, source.digest, embedder).search(Call("search_poi", CALLS[3]), 1)
    assert (near[0].number, round(near[0].similarity, 3)) == (3, 1.0)


def test_only_what_the_file_lacks_is_embedded(server: EmbeddingsServer, file: Path, tmp_path: Path) -> None:
    embedder = embedder_at(server, model=MODEL)
    take_vectors({"search_poi": file}, tmp_path / "i", embedder)
    source = MemoryCalls({"search_poi": searches(7)})
    assert build_indexes(source, tmp_path / "i", embedder, progress=quiet).embedded == 2


def test_the_texts_are_those_of_the_published_program(server: EmbeddingsServer) -> None:
    embedder_at(server).embed([Call("search_poi", {"page": 2, "keywords": "火锅", "city": None})])
    assert "city: None | keywords: 火锅 | page: 2" in server.texts


@pytest.mark.parametrize(
    ("model", "in_file", "said", "fits"),
    [
        (MODEL, None, "", True),
        (PUBLISHED_MODEL.lower(), None, "", True),
        ("Other/" + PUBLISHED_MODEL, MODEL, "", False),
        ("bge-m3", None, "", False),
        ("bge-m3", "bge-m3", "", True),
        ("bge-m3", None, "bge-m3", True),
        (MODEL, "bge-m3", MODEL, False),
    ],
)
def test_vectors_of_another_model_are_told_and_left(
    server: EmbeddingsServer, tmp_path: Path, model: str, in_file: str | None, said: str, fits: bool
) -> None:
    more = {} if in_file is None else {"model": np.array(in_file)}
    path = write_published(tmp_path / "t_embeddings.npz", CALLS, vectors_of(server, CALLS), **more)
    told = take_vectors({"search_poi": path}, tmp_path / "i", embedder_at(server, model=model), said)
    assert bool(told.counts) is fits and bool(told.remarks) is not fits
    for remark in told.remarks:
        assert model in remark and remark.endswith("its calls are embedded anew")


def test_without_an_endpoint_the_remark_says_what_to_set(file: Path, tmp_path: Path) -> None:
    told = take_vectors({"search_poi": file}, tmp_path / "i", None)
    assert told.counts == {} and PUBLISHED_MODEL in told.remarks[0]
    assert "CARAVAN_EMBEDDINGS_URL" in told.remarks[0]


def test_a_file_that_is_broken_is_told_and_changes_nothing(
    server: EmbeddingsServer, file: Path, tmp_path: Path
) -> None:
    whole = file.read_bytes()
    wide = np.ones((5, 9), dtype=np.float32)
    broken = {
        "cut": whole[: len(whole) // 2],
        "text": b"no archive",
        "other": write_published(tmp_path / "other.npz", CALLS, wide).read_bytes(),
        "short": write_published(tmp_path / "short.npz", CALLS, vectors_of(server, CALLS[:4])).read_bytes(),
    }
    for name, content in broken.items():
        path = tmp_path / f"{name}_embeddings.npz"
        path.write_bytes(content)
        told = take_vectors({"search_poi": path}, tmp_path / "i", embedder_at(server, model=MODEL))
        assert told.counts == {} and told.remarks[0].startswith(path.name), name


class Evil:
    """What would write a file if it were loaded."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return (Path.touch, (self.path,))


def test_nothing_in_a_file_is_ever_run(server: EmbeddingsServer, file: Path, tmp_path: Path) -> None:
    evil = tmp_path / "evil_embeddings.npz"
    with zipfile.ZipFile(file) as given, zipfile.ZipFile(evil, "w") as made:
        for name in given.namelist():
            raw = given.read(name)
            if name == "params.npy":
                raw = raw[: raw.index(b"\n") + 1] + pickle.dumps(Evil(tmp_path / "run"))
            made.writestr(name, raw)
    told = take_vectors({"search_poi": evil}, tmp_path / "i", embedder_at(server, model=MODEL))
    assert told.remarks and not (tmp_path / "run").exists()


def test_one_text_for_several_calls_and_rows_of_no_length(server: EmbeddingsServer, tmp_path: Path) -> None:
    text = json.dumps(CALLS[0])
    texts = np.array([text, text, json.dumps(CALLS[1])], dtype=object)
    rows = np.vstack(
        [vectors_of(server, [CALLS[0], CALLS[0]]), np.zeros((1, vectors_of(server, CALLS[:1]).shape[1]))]
    )
    path = tmp_path / "t_embeddings.npz"
    np.savez_compressed(path, embeddings=rows.astype(np.float32), params=texts, results=texts)
    told = take_vectors({"search_poi": path}, tmp_path / "i", embedder_at(server, model=MODEL))
    assert told.counts == {"search_poi": 1}
