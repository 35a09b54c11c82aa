"""What a cache answers, now and in an earlier state."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from sandbox.cache import Cache, CacheError, CacheState, create, fold, import_published, prune
from sandbox.calls import Call
from tests.sandbox.cache.conftest import ENTRIES, Directory, key, quiet

HOTPOT = Call("search_poi", {"city": "北京", "keywords": "火锅"})
NOODLES = Call("search_poi", {"keywords": "面", "city": "北京"})


def test_a_hit_is_the_stored_text_and_a_miss_is_none(cache: Cache) -> None:
    assert cache.find(HOTPOT, "published") == '{"total":1}'
    duck = Call("search_poi", {"keywords": "烤鸭", "city": "北京", "page": 1})
    assert cache.find(duck, "published") == "not JSON, kept byte for byte \n"
    assert cache.find(NOODLES, "published") is None
    assert cache.find(Call("maps_geo", HOTPOT.arguments), "published") is None


def test_strict_semantic_hits_more_and_prefers_the_exact_key(cache: Cache) -> None:
    wide = Call("search_poi", {"keywords": "火锅 ", "city": "北京", "radius_km": 5.0})
    assert cache.find(wide, "published") is None
    assert cache.find(wide, "strict-semantic") == '{"total":1}'
    near = Call("search_poi", {"keywords": "火锅", "city": "北京", "radius_km": 3})
    assert cache.find(near, "strict-semantic") == '{"total":2}'
    duck = Call("search_poi", {"keywords": "烤鸭", "city": "北京"})
    assert cache.find(duck, "strict-semantic") == "not JSON, kept byte for byte \n"


def test_what_is_learned_is_hit_at_once_by_everybody(cache: Cache, cache_folder: Path) -> None:
    assert cache.learn(NOODLES, "{}") == "{}"
    assert Cache.open(cache_folder).find(NOODLES, "published") == "{}"
    spaced = Call("search_poi", {"keywords": " 面", "city": "北京"})
    assert cache.find(spaced, "published") is None
    assert cache.find(spaced, "strict-semantic") == "{}"
    assert cache.counts == {"maps_weather": 1, "search_poi": 4}


def test_the_first_answer_stands(cache: Cache) -> None:
    cache.learn(NOODLES, "first")
    assert cache.learn(NOODLES, "second") == "first"
    assert cache.find(NOODLES, "published") == "first"


def test_a_state_sees_nothing_later(cache: Cache, cache_folder: Path, directory: Directory) -> None:
    before = cache.state
    cache.learn(NOODLES, "{}")
    middle = cache.state
    fold(cache_folder, quiet)
    import_published(directory({"maps_geo": {'[["address","西湖"]]': "{}"}}), cache_folder, quiet)
    assert Cache.open(cache_folder, before).find(NOODLES, "published") is None
    assert Cache.open(cache_folder, before).find(HOTPOT, "published") == '{"total":1}'
    assert Cache.open(cache_folder, middle).find(NOODLES, "published") == "{}"
    now = Cache.open(cache_folder)
    assert (now.find(HOTPOT, "published"), now.find(NOODLES, "published")) == (None, None)
    assert now.counts == {"maps_geo": 1}
    assert Cache.open(cache_folder, now.state).state == now.state


def test_folding_brings_what_was_learned_into_the_pack(cache: Cache, cache_folder: Path) -> None:
    cache.learn(NOODLES, "{}")
    assert cache.pack.counts["search_poi"] == 3
    assert not cache.outdated
    assert fold(cache_folder, quiet)
    assert cache.outdated
    folded = Cache.open(cache_folder)
    assert folded.pack.counts == folded.counts == {"maps_weather": 1, "search_poi": 4}
    assert folded.learned_counts == {}
    assert folded.find(NOODLES, "published") == "{}"
    assert not fold(cache_folder, quiet), "there is nothing to fold"


def test_entries_are_numbered_in_order_of_keys(cache: Cache) -> None:
    keys = sorted(ENTRIES["search_poi"])
    assert [entry.key for entry in cache.pack.entries("search_poi", [2, 0, 1])] == [keys[2], keys[0], keys[1]]
    calls = list(cache.pack.calls("search_poi"))
    assert [call.arguments["keywords"] for call in calls] == ["火锅", "火锅", "烤鸭"]
    assert list(cache.pack.calls("search_poi", 2)) == calls[2:]
    assert list(cache.pack.calls("no_such_tool")) == []


def test_the_digest_is_of_the_content_alone(cache: Cache, directory: Directory, tmp_path: Path) -> None:
    turned = {tool: dict(reversed(pairs.items())) for tool, pairs in reversed(ENTRIES.items())}
    import_published(directory(turned), tmp_path / "turned", quiet)
    assert Cache.open(tmp_path / "turned").state.digest == cache.state.digest
    turned["maps_weather"] = dict.fromkeys(turned["maps_weather"], "{}")
    import_published(directory(turned), tmp_path / "other", quiet)
    assert Cache.open(tmp_path / "other").state.digest != cache.state.digest


def test_a_miss_is_logged_once_and_counted(cache: Cache) -> None:
    tea = Call("search_poi", {"keywords": "茶", "city": "杭州"})
    cache.log_miss(tea, None)
    cache.log_miss(tea, "first")
    cache.log_miss(tea, "second")
    logged = next(miss for miss in cache.misses() if miss.call == tea)
    assert (logged.simulated_result, logged.count) == ("first", 3)
    assert json.loads(logged.params) == tea.arguments
    assert cache.missed_counts() == {"search_poi": 3}
    cache.forget_missed(tea)
    assert cache.missed_counts() == {"search_poi": 2}


def test_an_empty_cache_is_one_that_can_learn(tmp_path: Path) -> None:
    create(tmp_path / "new")
    cache = Cache.open(tmp_path / "new")
    assert (cache.counts, cache.find(HOTPOT, "strict-semantic")) == ({}, None)
    cache.learn(HOTPOT, "{}")
    create(tmp_path / "new")
    assert Cache.open(tmp_path / "new").find(HOTPOT, "published") == "{}"


def test_a_damaged_cache_says_which_file(cache: Cache, cache_folder: Path, tmp_path: Path) -> None:
    pack = cache_folder / cache.state.pack
    with pytest.raises(CacheError, match="holds no cache"):
        Cache.open(tmp_path / "nowhere")
    whole = pack.read_bytes()
    pack.write_bytes(whole[:-100])
    with pytest.raises(CacheError, match=rf"{pack.name}: it is cut short"):
        Cache.open(cache_folder)
    pack.write_bytes(b"hello" + whole[5:])
    with pytest.raises(CacheError, match="no cache pack"):
        Cache.open(cache_folder)
    pack.unlink()
    with pytest.raises(CacheError, match="it is not there; import the cache again"):
        Cache.open(cache_folder)
    (cache_folder / "current.json").write_text("{")
    with pytest.raises(CacheError, match=r"current\.json is damaged"):
        Cache.open(cache_folder)


def test_damage_inside_a_pack_is_told_when_it_is_met(cache_folder: Path) -> None:
    pack = cache_folder / Cache.open(cache_folder).state.pack
    whole = bytearray(pack.read_bytes())
    whole[8192:] = b"\xff" * (len(whole) - 8192)
    pack.write_bytes(bytes(whole))
    with pytest.raises(CacheError, match=pack.name):
        Cache.open(cache_folder).find(HOTPOT, "published")


def test_an_exact_key_wins_wherever_it_is(cache: Cache, cache_folder: Path) -> None:
    first_page = Call("search_poi", {"keywords": "火锅", "city": "北京", "page": 1})
    assert cache.find(first_page, "strict-semantic") == '{"total":1}'
    cache.learn(first_page, "learned")
    assert cache.find(first_page, "strict-semantic") == "learned"
    fold(cache_folder, quiet)
    assert Cache.open(cache_folder).find(first_page, "strict-semantic") == "learned"


def test_of_several_equal_calls_the_one_with_the_lowest_number_answers(
    directory: Directory, tmp_path: Path
) -> None:
    pages = {key(keywords="面", city="北京", page=page): str(page) for page in (1, 1.0)}
    import_published(directory({"search_poi": pages}), tmp_path / "c", quiet)
    cache = Cache.open(tmp_path / "c")
    assert cache.find(NOODLES, "strict-semantic") == cache.pack.entries("search_poi", [0])[0].result


def test_what_the_pack_answers_is_not_learned(cache: Cache) -> None:
    assert cache.learn(HOTPOT, "another") == '{"total":1}'
    assert cache.learned_counts == {}


def test_a_call_that_an_outdated_handle_learned_is_counted_once(
    cache: Cache, cache_folder: Path, directory: Directory
) -> None:
    import_published(directory({"search_poi": {key(**NOODLES.arguments): "imported"}}), cache_folder, quiet)
    assert cache.learn(NOODLES, "learned") == "learned"
    now = Cache.open(cache_folder)
    assert now.find(NOODLES, "published") == "imported"
    assert (now.counts, now.learned_counts) == ({"search_poi": 1}, {})


def test_what_is_learned_while_a_pack_is_made_stays_beside_it(cache: Cache, cache_folder: Path) -> None:
    cache.learn(NOODLES, "{}")
    late = Call("maps_geo", {"address": "西湖"})

    def learn_late(tool: str, done: int, total: int) -> None:
        cache.learn(late, "late")

    fold(cache_folder, learn_late)
    folded = Cache.open(cache_folder)
    assert folded.learned_counts == {"maps_geo": 1}
    assert (folded.find(NOODLES, "published"), folded.find(late, "published")) == ("{}", "late")


def test_misses_may_be_asked_of_one_tool(cache: Cache) -> None:
    cache.log_miss(Call("maps_geo", {"address": "x"}), None)
    assert [miss.tool for miss in cache.misses()] == ["maps_geo", "search_poi", "search_poi"]
    assert [miss.tool for miss in cache.misses("maps_geo")] == ["maps_geo"]


def test_pruning_leaves_the_current_pack_and_those_to_keep(
    cache: Cache, cache_folder: Path, directory: Directory
) -> None:
    kept = cache.state
    cache.learn(NOODLES, "{}")
    fold(cache_folder, quiet)
    dropped = Cache.open(cache_folder).state
    import_published(directory({"maps_geo": {'[["address","西湖"]]': "{}"}}), cache_folder, quiet)
    assert prune(cache_folder, {kept.pack}) == [dropped.pack]
    assert Cache.open(cache_folder, kept).find(HOTPOT, "published") == '{"total":1}'
    assert Cache.open(cache_folder).counts == {"maps_geo": 1}
    with pytest.raises(CacheError, match="it is not there"):
        Cache.open(cache_folder, dropped)


def test_a_state_is_of_one_pack_only(cache: Cache, cache_folder: Path) -> None:
    with pytest.raises(
        CacheError, match=rf"{cache.state.pack} is not the pack 000000000000 that is asked for"
    ):
        Cache.open(cache_folder, CacheState(cache.state.pack, "0" * 64, 0))
    with pytest.raises(CacheError, match=r"'\.\./x' is no name of a cache pack"):
        Cache.open(cache_folder, CacheState("../x", "0" * 64, 0))


def test_a_pack_of_another_normaliser_is_made_anew(
    cache: Cache, cache_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spaced, before = Call("search_poi", {"keywords": " 面", "city": "北京"}), cache.state
    cache.learn(NOODLES, "{}")
    for module in ("pack", "learned_store"):
        monkeypatch.setattr(f"sandbox.cache.{module}.NORMALISER_VERSION", 99)
    monkeypatch.setattr("sandbox.cache.learned_store.semantic_key", lambda call: "another")
    later = Cache.open(cache_folder)
    assert later.find(HOTPOT, "published") == '{"total":1}', "published keys are of no version"
    with pytest.raises(CacheError, match=rf"{before.pack} has strict-semantic keys of another version; run"):
        later.find(spaced, "strict-semantic")
    assert later._learned_store.find(spaced, "strict-semantic", 0) is None, (
        "its hashes are those of version 99 now"
    )
    assert fold(cache_folder, quiet)
    folded = Cache.open(cache_folder)
    assert folded.find(spaced, "strict-semantic") == "{}"
    assert folded.state.pack != before.pack
    assert not fold(cache_folder, quiet)


def test_a_cache_goes_on_learning_when_its_append_area_was_lost(cache: Cache, cache_folder: Path) -> None:
    cache.learn(HOTPOT, "x")
    cache.learn(NOODLES, "{}")
    fold(cache_folder, quiet)
    cache.close()
    for path in cache_folder.glob("learned.sqlite3*"):
        path.unlink()
    tea = Call("search_poi", {"keywords": "茶", "city": "杭州"})
    assert Cache.open(cache_folder).learn(tea, "{}") == "{}"
    again = Cache.open(cache_folder)
    assert (again.find(tea, "published"), again.learned_counts) == ("{}", {"search_poi": 1})


def test_a_damaged_append_area_says_which_file(cache: Cache, cache_folder: Path) -> None:
    cache.close()
    (cache_folder / "learned.sqlite3").write_bytes(b"no database at all" * 100)
    with pytest.raises(
        CacheError, match=r"learned\.sqlite3: .*move it away: the pack beside it stays usable"
    ):
        Cache.open(cache_folder)


def test_what_is_no_text_is_not_stored(cache: Cache) -> None:
    with pytest.raises(CacheError, match="half of a surrogate pair"):
        cache.log_miss(NOODLES, "\ud800")
    with pytest.raises(CacheError, match="half of a surrogate pair"):
        cache.learn(NOODLES, "\ud800")
    assert cache.find(NOODLES, "published") is None


def test_a_foreign_database_is_no_pack(cache: Cache, cache_folder: Path) -> None:
    pack = cache_folder / cache.state.pack
    pack.unlink()
    with sqlite3.connect(pack) as database:
        database.execute("CREATE TABLE meta (key TEXT, value TEXT)")
    database.close()
    with pytest.raises(CacheError, match=rf"{pack.name}: its format is None, not caravan-cache-1; import"):
        Cache.open(cache_folder)


def test_a_file_that_may_not_be_read_says_so(
    cache: Cache, cache_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, *mode: str) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    name = cache.state.pack
    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(CacheError, match=rf"{name}: Permission denied; let this user read it"):
        Cache.open(cache_folder, cache.state)


def test_an_entry_that_changed_on_the_disk_is_never_an_answer(cache: Cache, cache_folder: Path) -> None:
    pack = cache_folder / cache.state.pack
    pack.write_bytes(pack.read_bytes().replace(b'{"total":1}', b'{"total":7}'))
    damaged = Cache.open(cache_folder)
    for look in (
        lambda: damaged.find(HOTPOT, "published"),
        lambda: damaged.pack.entries("search_poi", [0, 1, 2]),
        lambda: list(damaged.pack.pairs("search_poi")),
    ):
        with pytest.raises(
            CacheError, match=r'\["keywords","火锅"\]\] of search_poi was changed on the disk'
        ):
            look()
    assert damaged.find(Call("maps_weather", {"location": "杭州", "date": "2025-10-01"}), "published")


def test_an_old_state_sees_nothing_of_what_came_after_a_lost_append_area(
    cache: Cache, cache_folder: Path
) -> None:
    for page in range(5):
        cache.learn(Call("search_poi", {"keywords": "old", "page": page}), "{}")
    state = cache.state
    cache.close()
    for path in cache_folder.glob("learned.sqlite3*"):
        path.unlink()
    anew = Cache.open(cache_folder)
    anew.learn(NOODLES, "new")
    assert anew.find(NOODLES, "published") == Cache.open(cache_folder).find(NOODLES, "published") == "new"
    assert Cache.open(cache_folder, state).find(NOODLES, "published") is None
