"""How long 650 tasks take, and their proofs: `python -m tests.bench.synthesis`.

Over the starter world. The tasks are made by all processors; of the proofs a share is made by one, and what all would
take is reckoned from its processor time.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmark.suites.grouptravel.synthesis.production import produce
from benchmark.suites.grouptravel.synthesis.proof import prove
from benchmark.suites.grouptravel.synthesis.resources import Resources
from benchmark.suites.grouptravel.tasks import TASK_FILES
from benchmark.synthesis import Order
from sandbox.worlds import open_world
from sandbox.worlds.starter import build_starter

TASKS, PROVED, PROCESSES = 650, 65, 2
LIMIT_S, PROOFS_LIMIT_S = 60.0, 360.0


def main() -> int:
    """Measure, print, and fail beyond the limits."""
    with TemporaryDirectory() as folder:
        pack, out = Path(folder) / "starter.sqlite3", Path(folder) / "tasks.jsonl"
        build_starter(pack)
        begun = time.perf_counter()
        produce(Order(pack, TASKS, 1, prove=False), out, workers=min(PROCESSES, os.cpu_count() or 1))
        made_s = time.perf_counter() - begun
        resources = Resources(open_world(pack))
        tasks = [read.task for read in TASK_FILES.whole(out)][:PROVED]
        begun = time.process_time()
        solved = sum(prove(task, resources.world, resources.catalogue).solved for task in tasks)
        proved_s = (time.process_time() - begun) * TASKS / PROVED / PROCESSES
    print(f"{TASKS} tasks in {made_s:.1f} s (limit {LIMIT_S:.0f})")
    print(f"their proofs by {PROCESSES} processes: about {proved_s:.0f} s (limit {PROOFS_LIMIT_S:.0f})")
    print(f"{solved} of {PROVED} solved at the first attempt")
    return 0 if made_s <= LIMIT_S and proved_s <= PROOFS_LIMIT_S else 1


if __name__ == "__main__":
    sys.exit(main())
