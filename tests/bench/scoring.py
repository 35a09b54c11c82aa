"""How long one record takes to score, warm, loading excluded: `python -m tests.bench.scoring [GOLDEN_FOLDER]`.

Its figures with all their evidence, with the golden catalogue and with 300,000 synthetic places beside it, record by
record in turn; by the paper profile; and the figures alone.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from benchmark.inputs import LineProblem
from benchmark.suites.grouptravel.scoring import (
    Catalogue,
    figures_of,
    load_catalogue,
    read_records,
    score_record,
)
from tests.scale.world import catalogue

REFERENCE = Path(os.environ.get("CARAVAN_REFERENCE", Path(__file__).resolve().parents[3] / "shared" / "data"))
ROUNDS = 10
PLACES = 300_000

CallTimes = tuple[list[float], list[float]]
"""Milliseconds of every call: on the wall, and of the processor."""


def measure(records: list[dict[str, Any]], catalogues: list[Catalogue]) -> list[CallTimes]:
    """What every call took, by catalogue; a first round warms up and is not counted."""
    spent: list[CallTimes] = [([], []) for _ in catalogues]
    for turn in range(ROUNDS + 1):
        for record in records:
            for known, (wall, processor) in zip(catalogues, spent, strict=True):
                elapsed, busy = _time_scoring(record, known)
                if turn:
                    wall.append(elapsed)
                    processor.append(busy)
    return spent


def _time_scoring(record: dict[str, Any], known: Catalogue) -> tuple[float, float]:
    start, busy = time.perf_counter(), time.thread_time()
    score_record(record, known)
    return (time.perf_counter() - start) * 1000, (time.thread_time() - busy) * 1000


def enlarged_catalogue(path: Path) -> Catalogue:
    """The catalogue of a file, with synthetic places in its cities and in others."""
    raw: dict[str, list[Any]] = json.loads(path.read_text(encoding="utf-8"))
    for city, entries in catalogue(PLACES).items():
        raw[city] = raw.get(city, []) + entries
    return Catalogue(raw)


def summary(spent: list[float]) -> str:
    """The median, mean and slowest twentieth in words."""
    slow = statistics.quantiles(spent, n=20)[-1]
    return (
        f"median {statistics.median(spent):.2f} ms, mean {statistics.fmean(spent):.2f} ms, p95 {slow:.2f} ms"
    )


def main(folder: Path) -> None:
    """Print wall and processor time with each catalogue, and the ratios of the processor times."""
    golden = load_catalogue(folder / "poi_catalog.json")
    large = enlarged_catalogue(folder / "poi_catalog.json")
    records = [r for _, r in read_records(folder / "records.jsonl") if not isinstance(r, LineProblem)]
    spent = measure(records, [golden, large])
    for known, (wall, processor) in zip((golden, large), spent, strict=True):
        print(
            f"scoring: {len(records)} records with {len(known)} places, {summary(wall)} a record; "
            f"processor time {summary(processor)}"
        )
    _print_others(records, golden)
    (_, small), (_, big) = spent
    medians, means = (average(big) / average(small) for average in (statistics.median, statistics.fmean))
    print(f"scoring: {PLACES} places more take {medians:.2f} times the median, {means:.2f} times the mean")


def _print_others(records: list[dict[str, Any]], known: Catalogue) -> None:
    paper = [_lasts(partial(score_record, record, known, "paper")) for record in records]
    alone = [_lasts(partial(figures_of, record, known)) for record in records]
    print(f"scoring: by the paper profile {summary(paper)} of processor time a record")
    print(f"scoring: figures without evidence {summary(alone)} of processor time a record")


def _lasts(call: Callable[[], Any]) -> float:
    """Milliseconds of the processor, the mean of several."""
    call()
    begun = time.thread_time()
    for _ in range(ROUNDS):
        call()
    return (time.thread_time() - begun) * 1000 / ROUNDS


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else REFERENCE / "golden")
