"""Cache and retrieval over 470,000 entries: `python -m tests.bench.cache [FOLDER [TOTAL [PLACES]]]`.

Hits, misses and memory, and two processes at once against one, those over PLACES of a world too. FOLDER keeps the
generated data for another run; packs and indexes are made anew each time.
"""

from __future__ import annotations

import os
import random
import shutil
import statistics
import tempfile
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from sandbox.cache import Cache, import_published
from sandbox.retrieval import FieldsEmbedder, IndexKind, build_indexes, open_indexes
from tests.bench import lookups
from tests.bench.processes import Prepare, each, once, two_against_one
from tests.bench.sandbox_data import Sandbox, searches_only
from tests.bench.search import by_keyword, by_radius
from tests.scale.cache import TOTAL
from tests.scale.world import PLACES

HITS, MISSES, SEARCHES, OPENINGS = 20_000, 400, 400, 50
WARM_UP = 20
_MEBI = 2**20


def row(what: str, aim: str, measured: object) -> None:
    """One line of the table."""
    print(f"{what:<58} {aim:<10} {measured}", flush=True)


def make_cache(sandbox: Sandbox) -> float:
    """Import the published layout; the size of the pack in MiB."""
    shutil.rmtree(sandbox.cache, ignore_errors=True)
    import_published(sandbox.source, sandbox.cache, lambda label, done, total: None)
    return _size(sandbox.cache)


def make_indexes(sandbox: Sandbox, kind: IndexKind) -> tuple[dict[str, float], float]:
    """Build all indexes; elapsed seconds until each tool was finished, by tool, and their size in MiB."""
    finished: dict[str, float] = {}
    began, before = time.perf_counter(), _size(sandbox.indexes)
    cache = Cache.open(sandbox.cache)

    def note(label: str, done: int, total: int) -> None:
        finished[label] = time.perf_counter() - began

    build_indexes(cache.pack, sandbox.indexes, FieldsEmbedder(), kind=kind, progress=note)
    return _differences(finished), _size(sandbox.indexes) - before


def _differences(finished: dict[str, float]) -> dict[str, float]:
    spent, last = {}, 0.0
    for label, at in sorted(finished.items(), key=lambda pair: pair[1]):
        spent[label], last = at - last, at
    return spent


def _size(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / _MEBI


def openings(sandbox: Sandbox) -> list[float]:
    """Milliseconds of opening the cache, again and again in a fresh process."""
    spent = []
    for _ in range(OPENINGS):
        began = time.perf_counter()
        Cache.open(sandbox.cache).close()
        spent.append((time.perf_counter() - began) * 1000)
    return spent


def recall(sandbox: Sandbox, calls: list[Any]) -> float:
    """The share of the eight nearest that the approximate index finds."""
    cache = Cache.open(sandbox.cache)
    exact, rough = (
        open_indexes(sandbox.indexes, cache.pack.digest, FieldsEmbedder(), kind)
        for kind in ("exact", "approximate")
    )
    shared = [
        len(
            {near.number for near in exact.search(call, lookups.TOP)}
            & {near.number for near in rough.search(call, lookups.TOP)}
        )
        for call in calls
    ]
    return statistics.fmean(shared) / lookups.TOP


def memory(sandbox: Sandbox, calls: list[Any]) -> list[dict[str, float]]:
    """MiB resident of a worker process: started, and with cache and all indexes open and used once."""
    data = sandbox.folder / "data"
    os.environ |= {"CARAVAN_DATA": str(data), "DJANGO_SETTINGS_MODULE": "webapp.settings"}
    import worker.app  # sets Django up, as a worker does
    import worker.tasks  # noqa: F401  # and all that a worker holds

    started = _resident()
    cache = Cache.open(sandbox.cache)
    indexes = open_indexes(sandbox.indexes, cache.pack.digest, FieldsEmbedder())
    for call in calls:
        cache.find(call, "strict-semantic")
        cache.pack.entries(call.tool, [near.number for near in indexes.search(call, lookups.TOP)])
    return [started, _resident()]


def _resident() -> dict[str, float]:
    """The resident parts in MiB (proc(5)): all, the process's own, and of files, which processes share."""
    lines = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return {name: int(lines[name].split()[0]) / 1024 for name in ("VmRSS", "RssAnon", "RssFile")}


def measure_building(sandbox: Sandbox, small: Sandbox) -> None:
    """Import and indexes."""
    size, job = once(make_cache, sandbox)
    row(f"import of {sandbox.total:,} entries", "", f"{job}; {size:.0f} MiB on disk")
    once(make_cache, small)
    kinds: tuple[IndexKind, ...] = ("exact", "approximate")
    for kind in kinds:
        (by_tool, size), job = once(make_indexes, sandbox, kind)
        row(
            f"all indexes, {kind}" + (" (vectors kept)" if kind != "exact" else ""),
            "≤ 5 min",
            f"{job}; {size:.0f} MiB on disk",
        )
        row("  by tool, in seconds", "", ", ".join(f"{tool} {spent:.1f}" for tool, spent in by_tool.items()))
        once(make_indexes, small, kind)


def measure_finding(sandbox: Sandbox, small: Sandbox) -> None:
    """Opening, hits, misses."""
    spent, _ = once(openings, sandbox)
    row("opening the pack", "≤ 1 s", f"first {spent[0]:.2f} ms, median {statistics.median(spent):.2f} ms")
    calls = lookups.cached_calls(sandbox.cache, HITS)
    row("exact hit", "≤ 0.2 ms", each(lookups.published_hits, sandbox, calls, 0))
    respelled = list(map(lookups.respelled_call, calls))
    row(
        "hit of a call written differently (strict-semantic)",
        "",
        each(lookups.semantic_hits, sandbox, respelled, 0),
    )
    for where, aim in ((small, "≤ 10 ms"), (sandbox, "")):
        entries, missed = Cache.open(where.cache).counts["search_poi"], _uncached_calls(where)
        for name, work in (("exact", lookups.misses), ("approximate", lookups.approximate_misses)):
            row(f"miss to top 8 of {entries:,}, {name} index", aim, each(work, where, missed, WARM_UP))
        found, _ = once(recall, where, missed)
        row("  share of the exact top 8 in the approximate", "", f"{found:.3f}")


def _uncached_calls(sandbox: Sandbox) -> list[Any]:
    return list(
        map(lookups.altered_search, lookups.cached_calls(sandbox.cache, MISSES + WARM_UP, "search_poi"))
    )


def measure_memory(sandbox: Sandbox) -> None:
    """A worker with everything open."""
    tools = Cache.open(sandbox.cache).counts
    calls = [call for tool in tools for call in lookups.cached_calls(sandbox.cache, 1, tool)]
    (started, full), _ = once(memory, sandbox, calls)
    row("resident worker process, nothing open", "", _memory_text(started))
    row("resident with cache and all indexes open", "≤ 700 MB", _memory_text(full))


def _memory_text(at: dict[str, float]) -> str:
    return f"{at['VmRSS']:.0f} MiB: {at['RssAnon']:.0f} its own, {at['RssFile']:.0f} of files"


def measure_two(sandbox: Sandbox) -> None:
    """Two processes against one."""
    chance = random.Random(7)
    keywords, radii = ([make(chance) for _ in range(SEARCHES + WARM_UP)] for make in (by_keyword, by_radius))
    works: tuple[tuple[str, Prepare, list[Any]], ...] = (
        ("exact hit", lookups.published_hits, lookups.cached_calls(sandbox.cache, HITS)),
        ("miss to top 8", lookups.misses, _uncached_calls(sandbox)),
        (f"search_poi by keyword over {sandbox.places:,} places", lookups.place_searches, keywords),
        (f"search_poi by radius over {sandbox.places:,} places", lookups.place_searches, radii),
    )
    for name, prepare, items in works:
        row(f"two at once: {name}", "≤ 1.5 ×", two_against_one(prepare, sandbox, items, WARM_UP))


def measure(sandbox: Sandbox) -> None:
    """Every row."""
    sandbox.generate()
    small = searches_only(sandbox)
    measure_building(sandbox, small)
    measure_finding(sandbox, small)
    measure_memory(sandbox)
    measure_two(sandbox)


def main() -> None:
    """In the folder given, else in one that is removed."""
    parser = ArgumentParser(prog="python -m tests.bench.cache", description="Measure cache and retrieval.")
    parser.add_argument("folder", type=Path, nargs="?", help="keeps the generated data")
    parser.add_argument("total", type=int, nargs="?", default=TOTAL, help="entries of the cache")
    parser.add_argument("places", type=int, nargs="?", default=PLACES, help="places of the world")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="caravan-bench-") as scratch:
        measure(Sandbox(given.folder or Path(scratch), given.total, given.places))


if __name__ == "__main__":
    main()
