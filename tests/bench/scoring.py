"""How long one record takes to score, warm, loading excluded: `python -m tests.bench.scoring [GOLDEN_FOLDER]`."""

from __future__ import annotations

import os
import statistics
import sys
import time
from pathlib import Path
from typing import Any

from benchmark.scoring import Catalogue, RecordError, load_catalogue, read_records, score_record

REFERENCE = Path(os.environ.get("CARAVAN_REFERENCE", Path(__file__).resolve().parents[3] / "shared" / "data"))
ROUNDS = 10


def measure(records: list[dict[str, Any]], catalogue: Catalogue) -> tuple[list[float], list[float]]:
    """Milliseconds of every call of all rounds but the first, which warms up: on the wall, and of the processor."""
    wall, processor = [], []
    for turn in range(ROUNDS + 1):
        for record in records:
            start, busy = time.perf_counter(), time.thread_time()
            score_record(record, catalogue)
            if turn:
                processor.append((time.thread_time() - busy) * 1000)
                wall.append((time.perf_counter() - start) * 1000)
    return wall, processor


def summary(spent: list[float]) -> str:
    """The median, mean and slowest twentieth in words."""
    slow = statistics.quantiles(spent, n=20)[-1]
    return (
        f"median {statistics.median(spent):.2f} ms, mean {statistics.fmean(spent):.2f} ms, p95 {slow:.2f} ms"
    )


def main(folder: Path) -> None:
    """Print wall and processor time."""
    catalogue = load_catalogue(folder / "poi_catalog.json")
    records = [r for _, r in read_records(folder / "records.jsonl") if not isinstance(r, RecordError)]
    wall, processor = measure(records, catalogue)
    print(f"scoring: {len(records)} records, {summary(wall)} a record; processor time {summary(processor)}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else REFERENCE / "golden")
