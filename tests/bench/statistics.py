"""How long the statistics of 650 tasks take: `python -m tests.bench.statistics`.

From the lines of a file to everything that the page shows, tables and figures; and the same without reading the file.
The tasks are the shipped ones and the published sample, over and over, each with an id of its own.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmark.suites.grouptravel.statistics import statistics_json
from benchmark.suites.grouptravel.statistics.parts import STATISTICS
from benchmark.suites.grouptravel.tasks import STARTER, TASK_FILES
from tests.bench.data import reference_folder

TASKS = 650
LIMIT_S = 1.0
ROUNDS = 5


def lines() -> Iterator[str]:
    """The lines of a file of so many tasks."""
    sample = reference_folder() / "grouptravelbench" / "tasks_sample.jsonl"
    paths = [*STARTER, *([sample] if sample.exists() else [])]
    known = [json.loads(line) for path in paths for line in path.read_text("utf-8").splitlines()]
    for number, task in enumerate(islice(cycle(known), TASKS)):
        yield json.dumps(task | {"task_id": f"task_{number:06}"}, ensure_ascii=False)


def best_of(act: Callable[[], Any]) -> float:
    """Seconds of the quickest round."""
    spent = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        act()
        spent.append(time.perf_counter() - start)
    return min(spent)


def main() -> int:
    """Measure, print, and fail beyond the limit."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "tasks.jsonl"
        path.write_text("\n".join(lines()), encoding="utf-8")

        def whole() -> None:
            found = STATISTICS.of(read.task for read in TASK_FILES.whole(path))
            statistics_json(found)
            for part in STATISTICS.parts:
                part.build(found)

        tasks = [read.task for read in TASK_FILES.whole(path)]
        seconds = best_of(whole)
        counted = best_of(lambda: STATISTICS.of(tasks))
    print(
        f"statistics of {TASKS} tasks: {seconds:.2f} s from a file, {counted:.2f} s to count; limit {LIMIT_S:g} s"
    )
    return int(seconds > LIMIT_S)


if __name__ == "__main__":
    sys.exit(main())
