"""The published layout, in and out; a directory that is wrong changes nothing."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from filelock import FileLock
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sandbox.cache import Cache, CacheError, export_published, fold, import_published, published_key
from sandbox.cache.cache import pointer
from sandbox.cache.keys import hash_of
from sandbox.calls import Call
from tests.properties import examples
from tests.sandbox.cache.conftest import ENTRIES, MISSED_CALLS, Directory, key, quiet

HOTPOT = Call("search_poi", {"city": "北京", "keywords": "火锅"})
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


def test_an_import_tells_what_came_in(directory: Directory, tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    report = import_published(
        directory(ENTRIES, MISSED_CALLS), tmp_path / "c", lambda *step: told.append(step)
    )
    assert report.entries == {"maps_weather": 1, "search_poi": 3}
    assert report.misses_by_tool == {"search_poi": 2}
    assert ("search_poi", 3, 3) in told
    logged = Cache.open(tmp_path / "c").misses()
    assert [miss.call.arguments["keywords"] for miss in logged] == ["面", "粥"]


def test_what_is_exported_is_what_was_imported(cache: Cache, tmp_path: Path) -> None:
    cache.learn(Call("maps_geo", {"address": "西湖"}), '{"lon":1}')
    export_published(cache, tmp_path / "out", quiet)
    written = {path.name: json.loads(path.read_text("utf-8")) for path in (tmp_path / "out").iterdir()}
    assert written["search_poi_cache.json"] == ENTRIES["search_poi"]
    assert written["maps_geo_cache.json"] == {key(address="西湖"): '{"lon":1}'}
    assert written["search_poi_missed.json"] == MISSED_CALLS["search_poi"]
    assert len(written) == 4
    import_published(tmp_path / "out", tmp_path / "again", quiet)
    again = Cache.open(tmp_path / "again")
    export_published(again, tmp_path / "out2", quiet)
    for path in (tmp_path / "out").iterdir():
        assert (tmp_path / "out2" / path.name).read_bytes() == path.read_bytes()
    assert again.counts == cache.counts


@settings(max_examples=examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    pairs=st.dictionaries(st.dictionaries(TEXT, TEXT | st.integers(), max_size=3).map(published_key), TEXT)
)
def test_any_texts_survive(pairs: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("layout")
    (folder / "search_poi_cache.json").write_text(json.dumps(pairs), encoding="utf-8")
    import_published(folder, folder / "c", quiet)
    export_published(Cache.open(folder / "c"), folder / "out", quiet)
    out = folder / "out" / "search_poi_cache.json"
    assert json.loads(out.read_text("utf-8")) == pairs


def test_of_a_key_that_stands_twice_the_last_counts(tmp_path: Path) -> None:
    twice = json.dumps(key(address="x"))
    (tmp_path / "maps_geo_cache.json").write_text(f'{{{twice}: "first", {twice}: "last"}}')
    import_published(tmp_path, tmp_path / "c", quiet)
    assert Cache.open(tmp_path / "c").find(Call("maps_geo", {"address": "x"}), "published") == "last"


def test_a_byte_order_mark_and_what_macos_keeps_beside_files_do_no_harm(tmp_path: Path) -> None:
    pairs = json.dumps({key(address="x"): "there"}).encode()
    (tmp_path / "maps_geo_cache.json").write_bytes(b"\xef\xbb\xbf" + pairs)
    (tmp_path / "maps_geo_missed.json").write_bytes(b"\xef\xbb\xbf[]")
    for name in ("._maps_geo_cache.json", "._maps_geo_missed.json", "._._cache.json"):
        (tmp_path / name).write_bytes(b"\0\5\x16\7Mac OS X")
    report = import_published(tmp_path, tmp_path / "c", quiet)
    assert report.entries == {"maps_geo": 1}


def test_merge_adds_and_the_imported_answer_wins(
    cache: Cache, cache_folder: Path, directory: Directory
) -> None:
    geo = Call("maps_geo", {"address": "西湖"})
    cache.learn(geo, "learned")
    changed = {"search_poi": {published_key(HOTPOT.arguments): "new"}, "web_search": {key(query="a"): "{}"}}
    import_published(directory(changed), cache_folder, quiet, merge=True)
    merged = Cache.open(cache_folder)
    assert merged.pack.counts == {"maps_geo": 1, "maps_weather": 1, "search_poi": 3, "web_search": 1}
    assert (merged.find(HOTPOT, "published"), merged.find(geo, "published")) == ("new", "learned")
    import_published(directory(changed), cache_folder, quiet)
    assert Cache.open(cache_folder).counts == {"search_poi": 1, "web_search": 1}, "without merge it replaces"


def spoil_file(text: str, name: str = "search_poi_cache.json") -> Callable[[Path], None]:
    """Write that file, in Latin-1 so that a text can hold any bytes."""

    def write(folder: Path) -> None:
        (folder / name).write_text(text, encoding="latin-1")

    return write


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (spoil_file('{\n"a": "b",\n"c" "d"}'), r"search_poi_cache\.json, line 3, column \d+: no valid JSON"),
        (spoil_file(""), r"search_poi_cache\.json, line 1, column 1: no valid JSON"),
        (spoil_file("[]"), "one object from key to result is expected, and this is a list"),
        (
            spoil_file('{"[[\\"a\\",1]]": {"b": 1}}'),
            r'entry 1 \(\[\["a",1\]\]\): the result is an object, not a string',
        ),
        (spoil_file('{"[]": "ok", "keywords": "x"}'), "entry 2: the key keywords is no JSON"),
        (spoil_file('{"{}": "x"}'), r"entry 1: the key \{\} is not a list of \[name, value\] pairs"),
        (spoil_file('{"[]": "\\ud800"}'), r"line 1, column \d+: no valid JSON \(no low surrogate"),
        (
            spoil_file('{\n"[]": "\xe7\x81\xab\xff"}'),
            r"line 2, column 9: no UTF-8 \(invalid start byte, byte 12\)",
        ),
        (
            spoil_file('{"[[\\"a\\",\\"\\\\ud800\\"]]": ""}'),
            "entry 1: the key .* holds half of a surrogate pair",
        ),
        (
            spoil_file('{"[[\\"a\\",' + "[" * 60 + "]" * 60 + ']]": ""}'),
            r"entry 1: .*… is nested more than 50 deep",
        ),
        (spoil_file('{"[[\\"a\\",1],[\\"a\\",2]]": ""}'), "names an argument twice"),
        (spoil_file("{}", "bad tool_cache.json"), "'bad tool' is no name of a tool"),
        (spoil_file("{}", "search_poi_missed.json"), "a list is expected, and this is an object"),
        (spoil_file("[1]", "search_poi_missed.json"), "entry 1: an object is expected, and this is a number"),
        (spoil_file('[{"params": {}}]', "search_poi_missed.json"), "entry 1: params must be a string"),
        (
            spoil_file('[{"params": "x", "timestamp": ""}]', "x_missed.json"),
            "entry 1: params x is not a JSON object",
        ),
        (
            spoil_file('[{"params": "{}"}]', "x_missed.json"),
            "entry 1: timestamp must be a string or a number",
        ),
        (
            spoil_file('[{"params": "{\\"a\\":\\"\\\\udc00\\"}", "timestamp": ""}]', "x_missed.json"),
            "entry 1: params .* half of a surrogate pair",
        ),
        (lambda folder: (folder / "x_cache.json").mkdir(), r"x_cache\.json can't be read \(Is a directory\)"),
    ],
)
def test_a_wrong_file_is_named_and_nothing_changes(
    spoil: Callable[[Path], None], message: str, directory: Directory, cache: Cache, cache_folder: Path
) -> None:
    source = directory({"web_search": {key(query="a"): "{}"}})
    spoil(source)
    before, misses = cache.state, cache.misses()
    with pytest.raises(CacheError, match=message):
        import_published(source, cache_folder, quiet)
    now = Cache.open(cache_folder)
    assert (now.state, now.misses()) == (before, misses)
    assert not list(cache_folder.glob(".*"))


def test_a_directory_without_caches_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CacheError, match=r"holds no TOOL_cache\.json"):
        import_published(tmp_path, tmp_path / "c", quiet)
    with pytest.raises(CacheError, match=r"nowhere can't be read .*name a directory"):
        import_published(tmp_path / "nowhere", tmp_path / "c", quiet)


def test_an_export_does_not_mix_with_another(cache: Cache, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "old_tool_cache.json").write_text("{}")
    (out / "notes.txt").write_text("mine")
    with pytest.raises(CacheError, match=r"holds old_tool_cache\.json already"):
        export_published(cache, out, quiet)
    assert len(list(out.iterdir())) == 2
    export_published(cache, out, quiet, overwrite=True)
    names = {path.name for path in out.iterdir()}
    assert names == {
        "notes.txt",
        "search_poi_cache.json",
        "maps_weather_cache.json",
        "search_poi_missed.json",
    }


def test_only_one_builds_at_a_time(
    cache_folder: Path, directory: Directory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sandbox.cache.building.LOCK_WAIT_S", 0.05)
    source = directory(ENTRIES)
    with (
        FileLock(cache_folder / "building.lock"),
        pytest.raises(CacheError, match="by another process; try again"),
    ):
        import_published(source, cache_folder, quiet)


def test_the_index_of_a_key_is_the_same_on_every_machine() -> None:
    assert hash_of("search_poi", '[["city","北京"]]') == 2041187104945101253


@pytest.mark.parametrize("method", ["iterdir", "read_bytes"])
def test_what_may_not_be_read_is_named(
    method: str, directory: Directory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    source = directory({"web_search": {key(query="a"): "{}"}})
    monkeypatch.setattr(Path, method, refuse)
    with pytest.raises(
        CacheError, match=rf"{source.name}.* can't be read \(Permission denied\); let this user"
    ):
        import_published(source, tmp_path / "c", quiet)


def test_a_file_in_the_place_of_the_directory_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("{}")
    with pytest.raises(
        CacheError, match=r"file can't be read \(Not a directory\); name a directory of TOOL_cache"
    ):
        import_published(tmp_path / "file", tmp_path / "c", quiet)


def test_a_refused_first_import_leaves_no_cache(directory: Directory, tmp_path: Path) -> None:
    source = directory({"web_search": {key(query="a"): "{}"}, "search_poi": {"no key": "{}"}})
    with pytest.raises(CacheError, match="entry 1: the key no key is no JSON"):
        import_published(source, tmp_path / "c", quiet)
    assert not (tmp_path / "c").exists()


def test_a_full_disk_is_told_and_changes_nothing(
    cache: Cache, cache_folder: Path, directory: Directory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    before, source = cache.state, directory(ENTRIES)
    monkeypatch.setattr("sandbox.cache.pack._insert", full)
    with pytest.raises(CacheError, match=r"database or disk is full.*nothing was changed, make room"):
        import_published(source, cache_folder, quiet)
    assert Cache.open(cache_folder).state == before


def test_a_call_that_is_logged_twice_is_missed_twice(directory: Directory, tmp_path: Path) -> None:
    """The published code adds a line each time; importing the same log again counts nothing anew."""
    lines = [
        {"params": '{"b": 1, "a": 2}', "simulated_result": None, "timestamp": "first"},
        {"params": '[["a",2],["b",1]]', "simulated_result": "{}", "timestamp": 2},
    ]
    source = directory({"t": {}}, {"t": lines})
    for _ in range(2):
        assert import_published(source, tmp_path / "c", quiet).misses_by_tool == {"t": 1}
        (miss,) = Cache.open(tmp_path / "c").misses()
        assert (miss.count, miss.simulated_result, miss.timestamp) == (2, "{}", "first")


def test_a_directory_again_is_the_same_pack(cache: Cache, cache_folder: Path, tmp_path: Path) -> None:
    export_published(cache, tmp_path / "out", quiet)
    import_published(tmp_path / "out", cache_folder, quiet)
    assert Cache.open(cache_folder).state == cache.state


def test_an_earlier_state_can_be_exported(cache: Cache, cache_folder: Path, tmp_path: Path) -> None:
    before = cache.state
    cache.learn(Call("maps_geo", {"address": "西湖"}), "{}")
    assert export_published(cache, tmp_path / "now", quiet) == {
        "maps_geo": 1,
        "maps_weather": 1,
        "search_poi": 3,
    }
    earlier = Cache.open(cache_folder, before)
    assert export_published(earlier, tmp_path / "then", quiet) == {"maps_weather": 1, "search_poi": 3}


LAKE = {"id": "a1", "name": "西湖", "category": "公园", "city": "杭州市"}
NAMESAKE = {"id": "b1", "name": "西湖", "category": "公园"}


def listing(*pois: object) -> str:
    return json.dumps({"total": len(pois), "pois": pois}, ensure_ascii=False)


def imported_cache(directory: Directory, tmp_path: Path) -> Cache:
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
    pack = imported_cache(directory, tmp_path).pack
    found = pack.place("a1")
    assert found and found.place.record == LAKE and found.entry.tool == "search_poi"
    numbered = pack.place("12")
    assert numbered and numbered.entry.tool == "search_along_route"
    assert [pack.place(other) for other in ("a", "A1", "a11", "", "True", "c1", "d1")] == [None] * 7


def test_a_place_is_found_by_name_and_category_in_its_own_city_else_the_searchs(
    directory: Directory, tmp_path: Path
) -> None:
    pack = imported_cache(directory, tmp_path).pack
    for term in ("西湖", "公园"):
        assert [one.place.id for one in pack.places(("杭州", "杭州市"), term)] == ["a1"]
        assert [one.place.id for one in pack.places(("福州", "福州市"), term)] == ["b1"]
    assert pack.places(("杭州", "杭州市"), "西") == pack.places(("杭州", "杭州市"), "") == []


def test_a_pack_of_an_older_version_knows_no_places_until_it_is_indexed(
    directory: Directory, tmp_path: Path
) -> None:
    cache = imported_cache(directory, tmp_path)
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
