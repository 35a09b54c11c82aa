"""What a cache answers, now and in an earlier state."""

from __future__ import annotations

import json
import sqlite3
import sys
from pathlib import Path
from subprocess import PIPE, Popen

import pytest

from sandbox.cache import Cache, CacheError, create, fold, import_published
from sandbox.calls import Call
from tests.sandbox.cache.conftest import ENTRIES, Directory, quiet

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


WRITER = """
import sys
from pathlib import Path
from sandbox.cache import Cache
from sandbox.calls import Call
cache, name = Cache.open(Path(sys.argv[1])), sys.argv[2]
for number in range(int(sys.argv[3])):
    shared = Call("search_poi", {"keywords": f"shared {number}", "city": "x"})
    own = Call("search_poi", {"keywords": f"{name} {number}", "city": "x"})
    stands = cache.learn(shared, name * 200)
    cache.learn(own, name * 500)
    print(number, stands[:1], flush=True)
"""


def writer(folder: Path, name: str, count: int) -> Popen[str]:
    return Popen([sys.executable, "-c", WRITER, str(folder), name, str(count)], stdout=PIPE, text=True)


def test_concurrent_writers_agree(cache_folder: Path) -> None:
    writers = [writer(cache_folder, name, 40) for name in "abcd"]
    told = [process.communicate(timeout=60)[0].splitlines() for process in writers]
    assert told[0] == told[1] == told[2] == told[3], "every writer was told the answer that stands"
    assert len(told[0]) == 40
    assert Cache.open(cache_folder).learned_counts == {"search_poi": 40 * 5}


def test_nothing_acknowledged_is_lost_when_writers_are_killed(cache_folder: Path) -> None:
    writers = [writer(cache_folder, name, 100_000) for name in "abcd"]
    acknowledged = []
    for process in writers:
        assert process.stdout is not None
        acknowledged.append([process.stdout.readline() for _ in range(15)])
    for process in writers:
        process.kill()
    for process, lines in zip(writers, acknowledged, strict=True):
        lines.extend(process.communicate()[0].splitlines(keepends=True))
    cache = Cache.open(cache_folder)
    with sqlite3.connect(cache_folder / "learned.sqlite3") as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    for name, lines in zip("abcd", acknowledged, strict=True):
        for line in (line for line in lines if line.endswith("\n")):
            number, stands = line.split()
            own = cache.find(Call("search_poi", {"keywords": f"{name} {number}", "city": "x"}), "published")
            shared = cache.find(
                Call("search_poi", {"keywords": f"shared {number}", "city": "x"}), "published"
            )
            assert (own, shared) == (name * 500, stands * 200)
