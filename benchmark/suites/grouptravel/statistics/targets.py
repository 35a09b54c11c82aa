"""A set of tasks beside the figures of the paper."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import ceil, floor
from pathlib import Path
from typing import Any, Literal

import orjson

import benchmark.suites.grouptravel.synthesis as synthesis
from benchmark.suites.grouptravel.statistics.dataset import Dataset, mean, middle, share, spread
from benchmark.suites.grouptravel.synthesis.difficulty import LEVELS

_FILE = Path(synthesis.__path__[0]) / "data" / "targets.json"
TARGETS: Mapping[str, Any] = orjson.loads(_FILE.read_bytes())
"""Figures of the paper for its 650 tasks, each with its table or section and our tolerance."""
PAPER_TASKS: int = TARGETS["tasks"]["value"]["all"]
PAPER_USERS: int = TARGETS["users"]["value"]["with_table"]
ARCHETYPES: Mapping[str, int] = TARGETS["archetype_counts"]["value"]
"""Tasks of the paper by the id of their archetype, in the order of Table 5."""

Per = Literal["task", "user", ""]
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Comparison:
    """One figure of a set of tasks, and that of the paper.

    figure: dotted, as in `targets.json`. ours: None where these tasks have none. theirs: of the paper's 650 tasks.
    expectation: the same for as many tasks or users as these, where it is a count; else as theirs. tolerance: how far
    the ratio may be from 1; 0: a count is the expected one, rounded up or down. None: no tolerance is set.
    ref: the paper's table or section.
    """

    figure: str
    ours: float | None
    theirs: float
    expectation: float
    tolerance: float | None
    ref: str

    @property
    def ratio(self) -> float | None:
        """Ours to what is expected; None where one of them is missing or nothing is expected."""
        return None if self.ours is None or not self.expectation else self.ours / self.expectation

    @property
    def is_within(self) -> bool | None:
        """Whether it is within the tolerance; None where there is none, or nothing to compare."""
        if self.ours is None or self.tolerance is None:
            return None
        if self.tolerance == 0:
            return floor(self.expectation + _ROUNDING) <= self.ours <= ceil(self.expectation - _ROUNDING)
        return abs(self.ours - self.expectation) <= self.tolerance * self.expectation + _ROUNDING


def comparisons(data: Dataset) -> list[Comparison]:
    """Every figure that the paper gives a number of, in the order of its tables."""
    return [
        *_sizes(data),
        *archetypes(data),
        *size_comparisons(data),
        *items(data),
        *budgets(data),
        *conflicts(data),
    ]


class _Scale:
    """Makes comparisons of a set of tasks with one target."""

    def __init__(self, data: Dataset, target: str) -> None:
        entry = TARGETS[target]
        self._factors = {
            "task": len(data.tasks) / PAPER_TASKS,
            "user": data.tables / PAPER_USERS,
            "": 1.0,
        }
        self.value, self._ref, self._tolerance = entry["value"], entry["ref"], entry["tolerance"]

    def __call__(self, figure: str, ours: float | None, theirs: float, per: Per = "") -> Comparison:
        """per: what a count grows with, "" for what is no count."""
        return Comparison(figure, ours, theirs, theirs * self._factors[per], self._tolerance, self._ref)


def _sizes(data: Dataset) -> Iterator[Comparison]:
    scale = _Scale(data, "tasks")
    counts = {"all": data, **data.by_difficulty}
    for name, theirs in scale.value.items():
        yield scale(f"tasks.{name}", len(counts[name].tasks), theirs, "task")
    scale = _Scale(data, "users")
    yield scale("users.with_table", data.tables, scale.value["with_table"], "task")


def archetypes(data: Dataset) -> Iterator[Comparison]:
    """Table 5, by id; archetypes that the paper has none of are left out."""
    scale = _Scale(data, "archetype_counts")
    for name, theirs in scale.value.items():
        yield scale(f"archetype_counts.{name}", data.archetypes[name], theirs, "task")


def size_comparisons(data: Dataset) -> Iterator[Comparison]:
    """Table 8, by difficulty, dimension and value."""
    scale, our_counts = _Scale(data, "cross_tabulation"), data.counts_by_size
    for difficulty, dimensions in scale.value.items():
        for dimension, counts in dimensions.items():
            for value, theirs in counts.items():
                ours = our_counts.get((dimension, value, difficulty), 0)
                yield scale(f"cross_tabulation.{difficulty}.{dimension}.{value}", ours, theirs, "task")


def items(data: Dataset) -> Iterator[Comparison]:
    """Table 9 without budgets: items in all, by field, who may yield, who has what everybody should have."""
    scale = _Scale(data, "items")
    yield scale("items.total", data.items, scale.value["total"], "user")
    yield scale("items.per_user", share(data.items, data.tables), scale.value["per_user"])
    scale = _Scale(data, "fields")
    for group, fields in scale.value.items():
        for name, theirs in fields.items():
            yield scale(f"fields.{group}.{name}", data.fields[f"{group}.{name}"], theirs, "user")
    scale = _Scale(data, "compromisable")
    yield scale("compromisable.users", data.compromisable, scale.value["users"], "user")
    yield scale("compromisable.share", share(data.compromisable, data.tables), scale.value["share"])
    scale = _Scale(data, "coverage")
    for name, theirs in scale.value.items():
        yield scale(f"coverage.{name}", data.coverage[name], theirs)


def budgets(data: Dataset) -> Iterator[Comparison]:
    """Budgets of Table 9, CNY."""
    scale, our_figures = _Scale(data, "budget"), spread(data.budgets)
    for name, ours in our_figures.items():
        yield scale(f"budget.{name}", ours, scale.value[name])


def conflicts(data: Dataset) -> Iterator[Comparison]:
    """Appendix A.9.3."""
    scale = _Scale(data, "conflicts")
    paper, counts = scale.value, data.conflicts
    some = paper["tasks_with_any"]
    yield scale("conflicts.tasks_with_any.count", data.with_conflict, some["count"], "task")
    yield scale("conflicts.tasks_with_any.share", share(data.with_conflict, len(counts)), some["share"])
    yield scale("conflicts.mean", mean(counts), paper["mean"])
    yield scale("conflicts.median", middle(counts), paper["median"])
    yield scale("conflicts.max", max(counts, default=None), paper["max"])
    for name in LEVELS:
        level, theirs = data.by_difficulty[name], paper["by_difficulty"][name]
        yield scale(f"conflicts.by_difficulty.{name}.mean", mean(level.conflicts), theirs["mean"])
        ours = share(level.with_conflict, len(level.tasks))
        yield scale(f"conflicts.by_difficulty.{name}.share", ours, theirs["share"])
    for source, theirs in paper["tasks_by_source"].items():
        yield scale(f"conflicts.tasks_by_source.{source}", data.tasks_by_source[source], theirs, "task")
    theirs = paper["transport_must_vs_reject_tasks"]
    yield scale("conflicts.transport_must_vs_reject_tasks", data.insisted, theirs, "task")
