"""How long the statistics of labels take: 10,000 items of three annotators.

`python -m tests.bench.labelling`. The first time includes what is imported for them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

ITEMS, ANNOTATORS = 10_000, 3
AGENTS = ("a", "b", "c", "d", "e")


def main() -> None:
    """A line a group of statistics, and the whole: the first time, and the second."""
    statistics()


def statistics() -> None:
    """Agreement on three scales, votes, errors, scores with intervals, a rater against the majority, quality."""
    parts = _parts()
    for turn in ("first", "second"):
        spent = {name: _seconds(part) for name, part in parts.items()}
        for name, seconds in spent.items():
            print(f"labelling: {name}: {seconds:.2f} s ({turn} time)")
        print(
            f"labelling: all statistics of {ITEMS} items × {ANNOTATORS}: {sum(spent.values()):.2f} s ({turn} time)"
        )


def _seconds(part: Callable[[], object]) -> float:
    began = time.perf_counter()
    part()
    return time.perf_counter() - began


def _parts() -> dict[str, Callable[[], object]]:
    from benchmark.labelling.agreement import agreement_of
    from benchmark.labelling.errors import human_error, judge_error
    from benchmark.labelling.preference import Comparison, bradley_terry
    from benchmark.labelling.quality import Answer, quality
    from benchmark.labelling.rater_accuracy import Opinion, compare_rater
    from benchmark.labelling.tables import Row, table_of
    from benchmark.labelling.votes import majorities, votes_of

    chance = np.random.default_rng(0)
    said, points = _labels(chance, ("A", "B", "neither")), _labels(chance, (1.0, 2.0, 3.0, 4.0, 5.0))
    names = [[str(name) for name in chance.choice(AGENTS, 2, replace=False)] for _ in range(ITEMS)]
    scores = chance.normal(size=ITEMS).tolist()

    def rows(labels: list[list[Any]]) -> list[Row]:
        return [Row(f"i{n}", f"r{m}", label) for n, row in enumerate(labels) for m, label in enumerate(row)]

    nominal, ordinal = table_of(rows(said), "nominal"), table_of(rows(points), "ordinal")

    def of_agents() -> object:
        pairs = zip(names, said, strict=True)
        return bradley_terry(
            [Comparison(f"i{n}", pair[0], pair[1], one) for n, (pair, row) in enumerate(pairs) for one in row]
        )

    def of_rater() -> object:
        labels = majorities(nominal)
        return compare_rater(
            Opinion(item, None if label is None else str(label), score, slices={"city": item[-1]})
            for (item, label), score in zip(labels.items(), scores, strict=True)
        )

    def of_annotators() -> object:
        return [
            quality([Answer(row[m], others=[*row[:m], *row[m + 1 :]], seconds=9.0) for row in said], 10.0)
            for m in range(ANNOTATORS)
        ]

    return {
        "a table from rows": lambda: table_of(rows(said), "nominal"),
        "agreement, nominal": lambda: agreement_of(nominal),
        "agreement, ordinal": lambda: agreement_of(ordinal),
        "votes": lambda: votes_of(nominal),
        "errors": lambda: (human_error(points), judge_error([(3.0, row) for row in points])),
        "Bradley-Terry, 1,000 resamples": of_agents,
        "a rater against the majority": of_rater,
        "three annotators": of_annotators,
    }


def _labels(chance: np.random.Generator, labels: tuple[Any, ...]) -> list[list[Any]]:
    """Items × annotators, who agree on most."""
    truth = chance.integers(len(labels), size=ITEMS)
    wrong = chance.random((ITEMS, ANNOTATORS)) < 0.3
    given = np.where(wrong, chance.integers(len(labels), size=wrong.shape), truth[:, None])
    return [[labels[at] for at in row] for row in given]


if __name__ == "__main__":
    main()
