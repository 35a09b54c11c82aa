"""How long the search for weights takes: 1,468 pairs and the 3,720,087 points of TripScore's grid.

`python -m tests.bench.weights`, with nested folds and 1,000 bootstrap samples; then with a search without each metric
too. Pairs are synthetic: strata as in the paper's appendix C.1, values by the rules of each metric (shares of a few
days, ratings in quarters, means), a sixth of them of real queries, labels by the weights of Table 5 with noise.
"""

from __future__ import annotations

import resource
import time

import numpy as np

from benchmark.labelling.weights import Grid, Label, Options, Pair, learn
from benchmark.labelling.weights.comparison import Comparison
from benchmark.labelling.weights.scoring import Scores
from benchmark.suites.tripscore.weights import paper_grid

STRATA = {"Qwen3-32B, DeepSeek-V3": 267, "Qwen3-32B, GPT-4o": 303, "GPT-4o, DeepSeek-V3": 898}
NOISE = 0.4
REAL = 6
"""Each so many-th pair is of a real query, whose only preference is the request."""
STEPS = {
    "iconic_landmarks": 4,
    "attraction_diversity": 4,
    "user": 5,
    "hotel_consistency": 3,
    "schedule_density": 5,
}
"""Values are multiples of a part of 1; those of other metrics are any."""
LABELS: tuple[Label, ...] = ("A", "B", "neither")


def main() -> None:
    """A line for the search with folds and samples, and one with the searches without a metric too."""
    grid = paper_grid()
    pairs = make_pairs(grid)
    for relearn in (False, True):
        began, busy = time.perf_counter(), _processor()
        found = learn(pairs, grid, Options(relearn=relearn))
        wall, busy = time.perf_counter() - began, _processor() - busy
        asked = "folds, samples" + (", a search without each metric" if relearn else "")
        resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        size = f"{grid.points:,} points ({found.landscape.distinct:,} searched) × {len(pairs):,} pairs"
        speed = (
            f"{wall:.0f} s, {busy:.0f} s of processor time, {grid.points / busy:,.0f} points a second of it"
        )
        best = f"accuracy {found.agreement.accuracy:.4f}, best points {found.landscape.best_points}"
        print(f"weights: {size}, {asked}: {speed}, at most {resident:.0f} MiB; {best}", flush=True)


def make_pairs(grid: Grid) -> list[Pair]:
    """Pairs of the paper's number."""
    rng = np.random.default_rng(0)
    strata = [name for name, count in STRATA.items() for _ in range(count)]
    blank = [
        Pair(str(n), stratum, "A", _side(grid, n % REAL == 0, rng), _side(grid, n % REAL == 0, rng))
        for n, stratum in enumerate(strata)
    ]
    assert grid.defaults is not None
    signs = Scores(Comparison(blank, grid), [grid.defaults]).signs[0]
    labels: dict[int, Label] = {1: "A", -1: "B", 0: "neither"}
    noisy = rng.random(len(blank)) < NOISE
    return [
        Pair(pair.id, pair.stratum, LABELS[rng.integers(3)] if noise else labels[int(sign)], pair.a, pair.b)
        for pair, sign, noise in zip(blank, signs, noisy, strict=True)
    ]


def _side(grid: Grid, real: bool, rng: np.random.Generator) -> dict[str, float]:
    """Values of a plan."""
    soft, wished = (list(group.metrics) for group in grid.groups)
    stated = ["user"] if real else [metric for metric in wished if metric != "user"]
    return {metric: _value(STEPS.get(metric, 0), rng) for metric in [*soft, *stated]}


def _value(steps: int, rng: np.random.Generator) -> float:
    return float(rng.integers(steps + 1) / steps) if steps else float(rng.random())


def _processor() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
