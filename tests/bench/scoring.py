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


def measure(records: list[dict[str, Any]], catalogue: Catalogue) -> list[float]:
    """Milliseconds of every call of all rounds but the first, which warms up."""
    spent = []
    for turn in range(ROUNDS + 1):
        for record in records:
            start = time.perf_counter()
            score_record(record, catalogue)
            if turn:
                spent.append((time.perf_counter() - start) * 1000)
    return spent


def main(folder: Path) -> None:
    """Print the median, mean and slowest twentieth."""
    catalogue = load_catalogue(folder / "poi_catalog.json")
    records = [r for _, r in read_records(folder / "records.jsonl") if not isinstance(r, RecordError)]
    spent = measure(records, catalogue)
    median, mean, slow = (
        statistics.median(spent),
        statistics.fmean(spent),
        statistics.quantiles(spent, n=20)[-1],
    )
    print(
        f"scoring: {len(records)} records, median {median:.2f} ms, mean {mean:.2f} ms, p95 {slow:.2f} ms a record"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else REFERENCE / "golden")
