"""Building: what is embedded, what is kept, and how a build goes on after it was ended."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from sandbox.calls import Call
from sandbox.retrieval import (
    EmbeddingFailed,
    FieldsEmbedder,
    IndexMissing,
    build_indexes,
    building,
    open_indexes,
)
from sandbox.retrieval.embedder import Vectors
from tests.sandbox.retrieval.conftest import MemoryCalls, embedder_at, quiet, searches
from tests.sandbox.retrieval.endpoint_server import DIMENSION, EmbeddingsServer, refuse


class CountingEmbedder(FieldsEmbedder):
    """The built-in one, counting what it embeds."""

    batch = 4

    def __init__(self) -> None:
        super().__init__()
        self.embedded = 0

    def embed(self, calls: Sequence[Call]) -> Vectors:
        self.embedded += len(calls)
        return super().embed(calls)


def test_every_call_is_indexed_and_progress_is_told(tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    pack = MemoryCalls({"search_poi": searches(10), "web_search": [{"query": "西湖"}], "maps_geo": []})
    report = build_indexes(pack, tmp_path, CountingEmbedder(), progress=lambda *each: told.append(each))
    assert told == [
        *(("search_poi", done, 10) for done in (0, 4, 8, 10)),
        *(("web_search", done, 1) for done in (0, 1)),
    ]
    assert (dict(report.entries), report.embedded) == ({"search_poi": 10, "web_search": 1}, 11)
    assert str(report) == "11 calls indexed (tools: 2), 11 of them newly embedded"


def test_a_second_build_embeds_nothing(tmp_path: Path) -> None:
    embedder, pack = CountingEmbedder(), MemoryCalls({"search_poi": searches(10)})
    build_indexes(pack, tmp_path, embedder, progress=quiet)
    assert build_indexes(pack, tmp_path, embedder, progress=quiet).embedded == 0
    assert build_indexes(pack, tmp_path, embedder, kind="approximate", progress=quiet).embedded == 0
    assert embedder.embedded == 10


def test_a_new_pack_embeds_only_calls_that_are_new(tmp_path: Path) -> None:
    embedder = CountingEmbedder()
    build_indexes(MemoryCalls({"search_poi": searches(10)}), tmp_path, embedder, progress=quiet)
    grown = MemoryCalls({"search_poi": [*searches(3, 100), *searches(10)][::-1]})
    assert build_indexes(grown, tmp_path, embedder, progress=quiet).embedded == 3
    for number, call in enumerate(grown.calls("search_poi")):
        assert open_indexes(tmp_path, grown.digest, embedder).search(call, 1)[0].number == number


def test_the_same_arguments_of_two_tools_are_kept_apart(tmp_path: Path) -> None:
    pack = MemoryCalls({"plan_route": [{"origin": "西湖"}], "compare_routes": [{"origin": "西湖"}]})
    assert build_indexes(pack, tmp_path, FieldsEmbedder(), progress=quiet).embedded == 2


def test_an_endpoint_that_fails_halfway_loses_nothing(tmp_path: Path, server: EmbeddingsServer) -> None:
    pack, embedder = (
        MemoryCalls({"search_poi": searches(50)}),
        embedder_at(server, dimension=DIMENSION, retries=0),
    )
    server.breaks_after, server.fault = 20, refuse(503)
    with pytest.raises(EmbeddingFailed) as failure:
        build_indexes(pack, tmp_path, embedder, progress=quiet)
    assert "answered 503" in str(failure.value)
    assert "20 calls were embedded in this run and are kept" in str(failure.value)
    assert "20 of 50" in str(failure.value)
    with pytest.raises(IndexMissing):
        open_indexes(tmp_path, pack.digest, embedder)
    server.breaks_after = None
    assert build_indexes(pack, tmp_path, embedder, progress=quiet).embedded == 30
    assert len(server.texts) == len(set(server.texts)) == 50
    call = next(pack.calls("search_poi", 33))
    assert open_indexes(tmp_path, pack.digest, embedder).search(call)[0].number == 33


def test_a_failure_later_on_counts_what_earlier_builds_did(tmp_path: Path, server: EmbeddingsServer) -> None:
    pack, embedder = (
        MemoryCalls({"search_poi": searches(50)}),
        embedder_at(server, dimension=DIMENSION, retries=0),
    )
    for breaks_after, words in ((20, "20 of 50"), (36, "36 of 50")):
        server.breaks_after = breaks_after
        with pytest.raises(EmbeddingFailed, match=words):
            build_indexes(pack, tmp_path, embedder, progress=quiet)


KILLED_BUILD = """
import os, signal, sys
from pathlib import Path
from sandbox.retrieval import FieldsEmbedder, build_indexes
from tests.sandbox.retrieval.conftest import MemoryCalls, quiet, searches

class Killed(FieldsEmbedder):
    batch, left = 4, 5
    def embed(self, calls):
        if not self.left:
            os.kill(os.getpid(), signal.SIGKILL)
        self.left -= 1
        return super().embed(calls)

build_indexes(MemoryCalls({"search_poi": searches(50)}), Path(sys.argv[1]), Killed(), progress=quiet)
"""


def test_a_killed_build_goes_on_where_it_was(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-c", KILLED_BUILD, str(tmp_path)], check=False, env={"PYTHONPATH": str(Path.cwd())}
    )
    assert run.returncode == -signal.SIGKILL
    pack, embedder = MemoryCalls({"search_poi": searches(50)}), CountingEmbedder()
    assert build_indexes(pack, tmp_path, embedder, progress=quiet).embedded == 30
    call = next(pack.calls("search_poi", 7))
    assert open_indexes(tmp_path, pack.digest, embedder).search(call)[0].number == 7


def test_two_builds_at_once_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "LOCK_WAIT_S", 0.05)
    pack, inside, go_on = MemoryCalls({"search_poi": searches(4)}), threading.Event(), threading.Event()

    def hold(tool: str, done: int, total: int) -> None:
        inside.set()
        go_on.wait(10)

    first = threading.Thread(
        target=build_indexes, args=(pack, tmp_path, FieldsEmbedder()), kwargs={"progress": hold}
    )
    first.start()
    try:
        assert inside.wait(10)
        with pytest.raises(IndexMissing, match="another process is building"):
            build_indexes(pack, tmp_path, FieldsEmbedder(), progress=quiet)
    finally:
        go_on.set()
        first.join()


def test_stored_vectors_that_are_damaged_are_named(tmp_path: Path) -> None:
    pack, embedder = MemoryCalls({"search_poi": searches(4)}), FieldsEmbedder()
    build_indexes(pack, tmp_path, embedder, progress=quiet)
    stored = tmp_path / "vectors" / f"{embedder.id}.sqlite3"
    stored.write_bytes(b"not a database" * 1000)
    with pytest.raises(IndexMissing, match=r"vectors/fields.*remove it and run manage.py cache index"):
        build_indexes(MemoryCalls({"search_poi": searches(5)}), tmp_path, embedder, progress=quiet)


def test_vectors_that_cannot_be_stored_are_no_damage(tmp_path: Path) -> None:
    stored = tmp_path / "vectors" / f"{FieldsEmbedder().id}.sqlite3"
    stored.mkdir(parents=True)
    with pytest.raises(IndexMissing, match="see to its disk and its permissions"):
        build_indexes(MemoryCalls({"search_poi": searches(4)}), tmp_path, FieldsEmbedder(), progress=quiet)


def test_a_pack_that_holds_less_than_it_says_is_refused(tmp_path: Path) -> None:
    pack = MemoryCalls({"search_poi": searches(4)})
    pack.counts["search_poi"] = 5
    with pytest.raises(IndexMissing, match="holds 4 calls of search_poi, not 5"):
        build_indexes(pack, tmp_path, FieldsEmbedder(), progress=quiet)


def test_rows_are_kept_to_half_precision(tmp_path: Path) -> None:
    pack, embedder = MemoryCalls({"search_poi": searches(30)}), FieldsEmbedder()
    build_indexes(pack, tmp_path, embedder, progress=quiet)
    vectors = embedder.embed(list(pack.calls("search_poi")))
    indexes = open_indexes(tmp_path, pack.digest, embedder)
    for near in indexes.search(next(pack.calls("search_poi")), 30):
        assert near.similarity == pytest.approx(float(np.dot(vectors[0], vectors[near.number])), abs=1e-3)
