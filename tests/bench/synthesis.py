"""How long 650 tasks take, and their proofs: `python -m tests.bench.synthesis [PACK]`.

Over the starter world, or over a pack (worlds/NAME-….sqlite3 of a data folder). The tasks are made by all processors;
every tenth proof is made by one, and what two would take is reckoned from its processor time, which others on the
machine move little.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from pathlib import Path
from statistics import fmean, stdev
from tempfile import TemporaryDirectory

from benchmark.suites.grouptravel.synthesis.production import produce
from benchmark.suites.grouptravel.synthesis.proof import prove
from benchmark.suites.grouptravel.synthesis.resources import Resources
from benchmark.suites.grouptravel.tasks import TASK_FILES
from benchmark.synthesis import Order
from sandbox.worlds import open_world
from sandbox.worlds.starter import build_starter

TASKS, EVERY, PROCESSES = 650, 10, 2
LIMIT_S, PROOFS_LIMIT_S = 60.0, 360.0


def main() -> int:
    """Measure, print, and fail beyond the limits."""
    with TemporaryDirectory() as folder:
        out = Path(folder) / "tasks.jsonl"
        pack = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(folder) / "starter.sqlite3"
        if not pack.exists():
            build_starter(pack)
        begun = time.perf_counter()
        produce(Order(pack, TASKS, 1, prove=False), out, workers=min(PROCESSES, os.cpu_count() or 1))
        made_s = time.perf_counter() - begun
        resources = Resources(open_world(pack))
        assert resources.catalogue, "read before the clock starts"
        tasks = [read.task for read in TASK_FILES.whole(out)][::EVERY]
        solved, times = 0, list[float]()
        for task in tasks:
            begun = _processor()
            solved += prove(task, resources.world, resources.catalogue).solved
            times.append(_processor() - begun)
    scale = TASKS / PROCESSES
    proved_s, error_s = fmean(times) * scale, stdev(times) / len(times) ** 0.5 * scale
    print(f"{TASKS} tasks in {made_s:.1f} s (limit {LIMIT_S:.0f})")
    print(
        f"their proofs by {PROCESSES} processes: {proved_s:.0f} ± {error_s:.0f} s (limit {PROOFS_LIMIT_S:.0f}), "
        f"reckoned from {len(times)}, {fmean(times):.2f} s of processor each"
    )
    print(f"{solved} of {len(times)} solved at the first attempt")
    return 0 if made_s <= LIMIT_S and proved_s <= PROOFS_LIMIT_S else 1


def _processor() -> float:
    """Seconds of processor that this process has taken."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    sys.exit(main())
