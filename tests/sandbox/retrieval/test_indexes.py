"""Searching, and indexes that are missing, damaged, or of something else."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sandbox.calls import Call
from sandbox.retrieval import FieldsEmbedder, Indexes, IndexMissing, build_indexes, open_indexes
from sandbox.retrieval.embedder import Vectors
from sandbox.retrieval.indexes import EXACT_BELOW, file_name, place_of
from tests.sandbox.retrieval.conftest import MemoryCalls, quiet, searches

PACK = MemoryCalls({"search_poi": searches(40), "web_search": [{"query": "西湖 门票"}]})
EMBEDDER = FieldsEmbedder()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The index folder of a cache called hangzhou."""
    folder = tmp_path / "hangzhou" / "index"
    build_indexes(PACK, folder, EMBEDDER, progress=quiet)
    return folder


def indexes_in(folder: Path) -> Indexes:
    return open_indexes(folder, PACK.digest, EMBEDDER)


def test_the_nearest_come_first(folder: Path) -> None:
    near = indexes_in(folder).search(Call("search_poi", {"keywords": "火锅17店", "city": "杭州市"}))
    assert len(near) == 8
    assert near[0].number == 17
    assert [each.similarity for each in near] == sorted((each.similarity for each in near), reverse=True)
    assert all(-1 <= each.similarity <= 1 for each in near)


@pytest.mark.parametrize(
    ("tool", "k", "found"), [("search_poi", 3, 3), ("search_poi", 99, 40), ("web_search", 8, 1)]
)
def test_k_are_found_where_there_are_k(folder: Path, tool: str, k: int, found: int) -> None:
    near = indexes_in(folder).search(Call(tool, {"keywords": "火锅"}), k)
    assert len({each.number for each in near}) == found


@pytest.mark.parametrize(("tool", "k"), [("maps_geo", 8), ("../search_poi", 8), ("search_poi", 0)])
def test_nothing_is_found_where_there_is_nothing(folder: Path, tool: str, k: int) -> None:
    assert indexes_in(folder).search(Call(tool, {}), k) == []


def test_ties_go_by_number_even_where_they_are_many(tmp_path: Path) -> None:
    same = [{"city": city, "keywords": "火锅"} for city in ("杭州", "杭州 ", " 杭州", "·杭州")]
    pack = MemoryCalls({"search_poi": [each | {f"x{n}": None} for n in range(30) for each in same]})
    build_indexes(pack, tmp_path, EMBEDDER, progress=quiet)
    near = open_indexes(tmp_path, pack.digest, EMBEDDER).search(Call("search_poi", {"keywords": "火锅"}), 5)
    assert [each.number for each in near] == [0, 1, 2, 3, 4]


def test_any_name_of_a_tool_or_embedder_will_do(tmp_path: Path) -> None:
    names = ["a/b", "a_b", "../x", "地图", ".hidden", "x" * 300]
    assert len({file_name(name) for name in names}) == len(names)
    pack = MemoryCalls({name: [{"q": name}] for name in names})
    build_indexes(pack, tmp_path / "index", EMBEDDER, progress=quiet)
    indexes = open_indexes(tmp_path / "index", pack.digest, EMBEDDER)
    assert all(indexes.search(Call(name, {"q": name}))[0].number == 0 for name in names)
    assert [path.name for path in tmp_path.iterdir()] == ["index"]


def test_threads_share_an_index(folder: Path) -> None:
    indexes, found = indexes_in(folder), []
    calls = list(PACK.calls("search_poi"))

    def look() -> None:
        found.append([indexes.search(call)[0].number for call in calls])

    threads = [threading.Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [list(range(40))] * 4


class OtherEmbedder(FieldsEmbedder):
    """Another method that claims an id and a dimension."""

    def __init__(self, id_: str, dimension: int) -> None:
        super().__init__(dimension)
        self.id = id_

    def embed(self, calls: Sequence[Call]) -> Vectors:
        return np.eye(1, self.dimension, dtype=np.float32).repeat(len(calls), axis=0)


def test_an_index_of_another_pack_embedder_or_kind_is_not_taken(folder: Path) -> None:
    attempts: list[Callable[[], Any]] = [
        lambda: open_indexes(folder, "f" * 64, EMBEDDER),
        lambda: open_indexes(folder, PACK.digest, FieldsEmbedder(64)),
        lambda: open_indexes(folder, PACK.digest, EMBEDDER, "approximate"),
    ]
    for attempt in attempts:
        with pytest.raises(IndexMissing) as missing:
            attempt()
        assert f"embedder fields-1-128, dimension 128, kind exact, of pack {PACK.digest[:12]}" in str(
            missing.value
        )
        assert "manage.py cache index hangzhou" in str(missing.value)


def test_the_same_id_with_another_dimension_is_not_mixed(folder: Path) -> None:
    with pytest.raises(IndexMissing, match=r"dimension 128.*wanted.*dimension 64"):
        open_indexes(folder, PACK.digest, OtherEmbedder(EMBEDDER.id, 64))
    with pytest.raises(IndexMissing, match="not all its rows have 64 numbers"):
        build_indexes(PACK, folder, OtherEmbedder(EMBEDDER.id, 64), progress=quiet)


def test_a_pack_whose_digest_only_begins_alike_is_another(folder: Path) -> None:
    with pytest.raises(IndexMissing, match="Remove that folder"):
        open_indexes(folder, PACK.digest[:12] + "0" * 52, EMBEDDER)


def index_file(folder: Path) -> Path:
    return place_of(folder, PACK.digest, EMBEDDER.id) / "search_poi.exact.faiss"


def cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


@pytest.mark.parametrize("damage", [cut_short, Path.unlink])
def test_a_file_that_is_not_whole_is_noticed_at_opening(folder: Path, damage: Callable[[Path], None]) -> None:
    damage(index_file(folder))
    with pytest.raises(
        IndexMissing, match=r"search_poi.exact.faiss is missing or cut short.*cache index hangzhou"
    ):
        indexes_in(folder)
    build_indexes(PACK, folder, EMBEDDER, progress=quiet)
    assert indexes_in(folder).search(next(PACK.calls("search_poi")))


def test_a_file_with_other_content_is_noticed_before_it_is_searched(folder: Path) -> None:
    content = bytearray(index_file(folder).read_bytes())
    content[len(content) // 2] ^= 1
    index_file(folder).write_bytes(content)
    indexes = indexes_in(folder)
    with pytest.raises(IndexMissing, match="is damaged"):
        indexes.search(next(PACK.calls("search_poi")))


def test_a_manifest_that_is_no_manifest_is_none(folder: Path) -> None:
    (index_file(folder).parent / "exact.json").write_text('{"format": "caravan-index-0"}')
    with pytest.raises(IndexMissing, match="there is none at all"):
        indexes_in(folder)


def test_an_approximate_index_finds_nearly_all_that_the_exact_one_does(tmp_path: Path) -> None:
    chance = random.Random(3)
    words, cities = ("火锅", "公园", "博物馆", "酒店", "茶馆"), ("杭州", "苏州", "南京", "武汉")
    calls = [
        {
            "keywords": chance.choice(words),
            "city": chance.choice(cities),
            "location": f"{120 + chance.random():.6f},{30 + chance.random():.6f}",
        }
        for _ in range(EXACT_BELOW + 1000)
    ]
    pack = MemoryCalls({"search_poi": calls})
    results = []
    for kind in ("exact", "approximate"):
        build_indexes(pack, tmp_path, EMBEDDER, kind=kind, progress=quiet)
        indexes = open_indexes(tmp_path, pack.digest, EMBEDDER, kind)
        found = [indexes.search(Call("search_poi", each | {"radius_km": 3.0})) for each in calls[:100]]
        results.append([{near.number for near in each} for each in found])
    shared = [len(exact & near) / 8 for exact, near in zip(*results, strict=True)]
    assert sum(shared) / len(shared) > 0.95
