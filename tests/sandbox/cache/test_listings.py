"""The places that a pack can look up: those that its searches list, and no others."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from sandbox.cache import Cache, fold, import_published
from sandbox.cache.cache import pointer
from tests.sandbox.cache.conftest import Directory, key, quiet

LAKE = {"id": "a1", "name": "西湖", "category": "公园", "city": "杭州市"}
NAMESAKE = {"id": "b1", "name": "西湖", "category": "公园"}


def listing(*pois: object) -> str:
    return json.dumps({"total": len(pois), "pois": pois}, ensure_ascii=False)


def imported(directory: Directory, tmp_path: Path) -> Cache:
    entries = {
        "search_poi": {
            key(keywords="西湖", city="杭州市"): listing(LAKE, {"name": "no id"}, {"id": True}, "西湖", 7),
            key(keywords="西湖", city="福州"): listing(NAMESAKE, LAKE | {"name": "told later"}),
            key(keywords="公园", city="杭州市"): "not JSON",
        },
        "search_along_route": {key(origin="a", destination="b"): listing({"id": 12, "name": " 断桥 "})},
        "get_poi_detail": {key(id="c1"): json.dumps([{"id": "c1", "name": "x"}])},
        "web_search": {key(query="q"): json.dumps([{"id": "d1"}])},
    }
    import_published(directory(entries), tmp_path / "cache", quiet)
    return Cache.open(tmp_path / "cache")


def test_a_place_is_found_by_its_very_id(directory: Directory, tmp_path: Path) -> None:
    pack = imported(directory, tmp_path).pack
    found = pack.place("a1")
    assert found and found.place.record == LAKE and found.entry.tool == "search_poi"
    numbered = pack.place("12")
    assert numbered and numbered.entry.tool == "search_along_route"
    assert [pack.place(other) for other in ("a", "A1", "a11", "", "True", "c1", "d1")] == [None] * 7


def test_a_place_is_found_by_name_and_category_in_its_own_city_else_the_searchs(
    directory: Directory, tmp_path: Path
) -> None:
    pack = imported(directory, tmp_path).pack
    for term in ("西湖", "公园"):
        assert [one.place.id for one in pack.places(("杭州", "杭州市"), term)] == ["a1"]
        assert [one.place.id for one in pack.places(("福州", "福州市"), term)] == ["b1"]
    assert pack.places(("杭州", "杭州市"), "西") == pack.places(("杭州", "杭州市"), "") == []


def test_a_pack_of_an_older_version_knows_no_places_until_it_is_indexed(
    directory: Directory, tmp_path: Path
) -> None:
    cache = imported(directory, tmp_path)
    state, folder = cache.state, cache.folder
    cache.close()
    with closing(sqlite3.connect(folder / pointer(folder))) as database:
        database.executescript("DROP TABLE places; VACUUM")
    old = Cache.open(folder, state)
    assert (old.pack.place("a1"), old.pack.places(("杭州",), "西湖"), old.pack.is_current) == (
        None,
        [],
        False,
    )
    assert old.pack.counts and fold(folder, quiet)
    assert Cache.open(folder, state).pack.place("a1")
    assert not fold(folder, quiet)
