"""Processes that write one cache, together and until they are killed."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import sys
import time
from itertools import islice
from pathlib import Path
from subprocess import PIPE, Popen

import pytest

from sandbox.cache import Cache, import_published
from sandbox.calls import Call
from tests.sandbox.cache.conftest import ENTRIES, Directory, key, quiet

HOTPOT = Call("search_poi", {"city": "北京", "keywords": "火锅"})

# One interpreter starts, four processes write; a line that was told is a call that was acknowledged.
WRITERS = """
import os, sys
from pathlib import Path
from sandbox.cache import Cache
from sandbox.calls import Call
for name in "abcd":
    if os.fork() == 0:
        break
else:
    for _ in "abcd":
        os.wait()
    sys.exit()
cache = Cache.open(Path(sys.argv[1]))
for number in range(int(sys.argv[2])):
    stands = cache.learn(Call("search_poi", {"keywords": f"shared {number}", "city": "x"}), name * 2000)
    cache.learn(Call("search_poi", {"keywords": f"{name} {number}", "city": "x"}), name * 9000)
    os.write(1, f"{name} {number} {stands[0]}\\n".encode())
os._exit(0)
"""


def writers(folder: Path, count: int) -> Popen[str]:
    command = [sys.executable, "-c", WRITERS, str(folder), str(count)]
    return Popen(command, stdout=PIPE, text=True, start_new_session=True)


def check_acknowledged(cache: Cache, lines: list[str]) -> None:
    """Every call that a writer was told to be kept is there, with the whole answer."""
    for line in lines:
        name, number, stands = line.split()
        own = cache.find(Call("search_poi", {"keywords": f"{name} {number}", "city": "x"}), "published")
        shared = cache.find(Call("search_poi", {"keywords": f"shared {number}", "city": "x"}), "published")
        assert (own, shared) == (name * 9000, stands * 2000)


def test_concurrent_writers_agree(cache_folder: Path) -> None:
    process = writers(cache_folder, 25)
    lines = process.communicate(timeout=60)[0].splitlines()
    told = [sorted(line.split()[1:] for line in lines if line[0] == name) for name in "abcd"]
    assert told[0] == told[1] == told[2] == told[3], "every writer was told the answer that stands"
    assert len(told[0]) == 25
    cache = Cache.open(cache_folder)
    check_acknowledged(cache, lines)
    assert cache.learned_counts == {"search_poi": 25 * 5}


def test_nothing_acknowledged_is_lost_when_writers_are_killed(cache_folder: Path) -> None:
    process = writers(cache_folder, 100_000)
    assert process.stdout is not None
    lines: list[str] = []
    while {line[0] for line in lines} != set("abcd"):
        lines.append(process.stdout.readline())
    time.sleep(random.uniform(0, 0.2))
    os.killpg(process.pid, signal.SIGKILL)
    lines += process.communicate()[0].splitlines(keepends=True)
    cache = Cache.open(cache_folder)
    with sqlite3.connect(cache_folder / "learned.sqlite3") as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    check_acknowledged(cache, [line for line in lines if line.endswith("\n")])


IMPORTER = """
import sys
from pathlib import Path
from sandbox.cache import import_published
def tell(label, done, total):
    print(label, done, flush=True)
import_published(Path(sys.argv[1]), Path(sys.argv[2]), tell)
"""
LARGE = {f"tool_{n}": {key(n=i): "y" * 2000 for i in range(4000)} for n in range(3)}
STEPS = 3 * 6
"""How often the import of LARGE tells its progress: as a tool begins, each thousand, and at the end."""


@pytest.mark.parametrize(("steps", "wait_s"), [(1, 0), (9, 0), (STEPS, 0), (STEPS, 0.03), (STEPS, 0.1)])
def test_a_killed_import_leaves_the_old_or_the_new_cache(
    steps: int, wait_s: float, cache: Cache, cache_folder: Path, directory: Directory
) -> None:
    """Killed before the pack is written, in the midst of it, and around its end and the switch."""
    source, before = directory(LARGE), cache.state
    process = Popen([sys.executable, "-c", IMPORTER, str(source), str(cache_folder)], stdout=PIPE)
    assert process.stdout is not None
    assert len(list(islice(process.stdout, steps))) == steps
    time.sleep(wait_s)
    process.kill()
    process.communicate()
    after = Cache.open(cache_folder)
    if after.state == before:
        assert after.find(HOTPOT, "published") == '{"total":1}'
    else:
        assert steps == STEPS
        assert after.counts == dict.fromkeys(LARGE, 4000)
    for tool, count in after.pack.counts.items():
        assert len(list(after.pack.pairs(tool))) == count
    import_published(directory(ENTRIES), cache_folder, quiet)
    assert Cache.open(cache_folder).counts == {"maps_weather": 1, "search_poi": 3}
    assert not list(cache_folder.glob(".*")), "what the killed one left is gone"
