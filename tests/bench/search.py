"""How long `search_poi` takes over a synthetic world of 338,000 places: `python -m tests.bench.search [PLACES]`."""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path
from statistics import quantiles
from typing import Any

from sandbox.toolbox import Toolbox, world_tools
from sandbox.worlds import open_world
from tests.scale.world import CITIES, PLACES, WORDS, build

WARM_UP, QUERIES = 20, 400


def by_keyword(chance: random.Random) -> dict[str, Any]:
    """A keyword and a city, sometimes another page or order."""
    return {
        "keywords": chance.choice(WORDS),
        "city": chance.choice(CITIES),
        "page": chance.choice((1, 1, 1, 2, 5)),
        "sort_by": chance.choice((None, None, "rating", "price_low")),
    }


def by_radius(chance: random.Random) -> dict[str, Any]:
    """The same around a point of the city."""
    at = chance.randrange(len(CITIES))
    point = f"{100 + at * 2 + chance.gauss(0, 0.08):.6f},{30 + chance.gauss(0, 0.08):.6f}"
    radius = chance.choice((1, 3, 5, 10))
    return {"keywords": chance.choice(WORDS), "city": CITIES[at], "location": point, "radius_km": radius}


def measure(toolbox: Toolbox, arguments: dict[str, Any]) -> tuple[float, float]:
    """Milliseconds of a call: elapsed, and of processor time, which a busy machine stretches less."""
    before = time.thread_time()
    outcome = toolbox.call("search_poi", arguments)
    return outcome.latency_ms, (time.thread_time() - before) * 1000


def main() -> None:
    """Build, measure, print."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else PLACES
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.pack"
        started = time.perf_counter()
        build(path, count)
        seconds, size = time.perf_counter() - started, path.stat().st_size / 2**20
        print(f"{count} places built in {seconds:.0f} s, {size:.0f} MiB")
        started = time.perf_counter()
        toolbox = world_tools(open_world(path))
        print(f"opened in {(time.perf_counter() - started) * 1000:.1f} ms")
        for name, make in (("keyword and city", by_keyword), ("radius", by_radius)):
            chance = random.Random(7)
            times = [measure(toolbox, make(chance)) for _ in range(WARM_UP + QUERIES)][WARM_UP:]
            for clock, values in zip(("elapsed", "processor"), zip(*times, strict=True), strict=True):
                cuts = quantiles(values, n=100)
                print(f"search_poi by {name}: p50 {cuts[49]:.1f} ms, p95 {cuts[94]:.1f} ms ({clock} time)")


if __name__ == "__main__":
    main()
