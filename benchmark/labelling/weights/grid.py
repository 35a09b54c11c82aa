"""The weights among which a search chooses: declared lists, each combination of which is a point of the grid."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np

from benchmark.inputs import MB, MOST_LISTED
from benchmark.jsonlines import why_unstorable
from benchmark.labelling.weights.strict import parse_strictly, shorten, weight_problem
from benchmark.text.spelling import FieldSpellings

LARGEST_GRID = MB
"""Bytes of a grid's text."""

Axis = tuple[float, ...]


class GridError(ValueError):
    """The grid was refused; the message says field and remedy of each problem, in a line of its own."""

    def __init__(self, *problems: tuple[str, str]) -> None:
        """problems: fields, "" for the whole, and what is wrong with them."""
        told = [": ".join(filter(None, problem)) for problem in problems]
        super().__init__("\n".join(told[:MOST_LISTED]))


@dataclass(frozen=True, slots=True)
class WeightedGroup:
    """A group of metrics with one weight each. name: "" in a flat function."""

    name: str
    weight: float
    metrics: dict[str, float]


@dataclass(frozen=True, slots=True)
class Weights:
    """Of one scoring function: R = Σ weight of the group · (Σ w·m / Σ w), missing values left out of both sums.

    flat: one group, whose weight is 1, written as `{metric: weight}`.
    """

    groups: tuple[WeightedGroup, ...]
    flat: bool

    def as_json(self) -> dict[str, Any]:
        """In the shape of a grid, with a number for each list."""
        if self.flat:
            return dict(self.groups[0].metrics)
        return {"groups": [asdict(group) for group in self.groups]}


@dataclass(frozen=True, slots=True)
class Group:
    """Metrics whose weighted mean is one term of the score. weights: of the group. metrics: the weights of each."""

    name: str
    weights: Axis
    metrics: dict[str, Axis]


@dataclass(frozen=True)
class Grid:
    """All combinations of the lists. The order of points: the weights of the groups, then those of the metrics, group
    by group; the last list changes fastest.

    flat: one group with the weight 1. defaults: weights that need not lie on the grid; of equally good points the one
    nearest to them is taken.
    """

    groups: tuple[Group, ...]
    flat: bool = False
    defaults: Weights | None = None

    @property
    def metrics(self) -> list[str]:
        """The names of all, in their order."""
        return [metric for group in self.groups for metric in group.metrics]

    @cached_property
    def axes(self) -> list[Axis]:
        """The lists in the order of points."""
        return [group.weights for group in self.groups] + [
            weights for group in self.groups for weights in group.metrics.values()
        ]

    @cached_property
    def names(self) -> list[tuple[str | None, str | None]]:
        """Group and metric of each axis; no metric for the weight of a group, no group in a flat grid."""
        of_metrics = [
            (None if self.flat else group.name, metric) for group in self.groups for metric in group.metrics
        ]
        return [*((group.name, None) for group in self.groups), *of_metrics]

    @cached_property
    def parts(self) -> list[slice]:
        """Of the axes: those of groups, then those of the metrics of each group."""
        ends = np.cumsum([0, len(self.groups), *(len(group.metrics) for group in self.groups)]).tolist()
        return [slice(*bounds) for bounds in pairwise(ends)]

    @property
    def points(self) -> int:
        """How many combinations there are."""
        return prod(map(len, self.axes))

    def weights_at(self, index: int) -> Weights:
        """The point with this number in the order of points."""
        places = np.unravel_index(index, [len(axis) for axis in self.axes])
        return self.weights_of([axis[place] for axis, place in zip(self.axes, places, strict=True)])

    def weights_of(self, values: list[float]) -> Weights:
        """Weights of one value an axis."""
        rest = iter(values[len(self.groups) :])
        groups = tuple(
            WeightedGroup(group.name, weight, {metric: next(rest) for metric in group.metrics})
            for group, weight in zip(self.groups, values, strict=False)
        )
        return Weights(groups, self.flat)

    def values_of(self, weights: Weights) -> list[float]:
        """One value an axis of weights in this grid's shape."""
        of_metrics = [value for group in weights.groups for value in group.metrics.values()]
        return [*(group.weight for group in weights.groups), *of_metrics]

    def without_metrics(self, metrics: Collection[str]) -> Grid | None:
        """The grid without some metrics, and without groups that had no other; None if nothing is left."""
        kept = [
            replace(group, metrics={name: own for name, own in group.metrics.items() if name not in metrics})
            for group in self.groups
        ]
        if not any(group.metrics for group in kept):
            return None
        rest = Grid(tuple(group for group in kept if group.metrics), self.flat)
        if not self.defaults:
            return rest
        defaults = dict(zip(self.names, self.values_of(self.defaults), strict=True))
        return replace(rest, defaults=rest.weights_of([defaults[name] for name in rest.names]))

    def as_json(self) -> dict[str, Any]:
        """As `read_grid` reads it."""
        if self.flat:
            return {metric: list(weights) for metric, weights in self.groups[0].metrics.items()}
        groups = [
            {
                "name": group.name,
                "weights": list(group.weights),
                "metrics": {metric: list(weights) for metric, weights in group.metrics.items()},
            }
            for group in self.groups
        ]
        return {"groups": groups} | ({"defaults": self.defaults.as_json()} if self.defaults else {})


def read_grid(text: bytes | str, names: FieldSpellings | None = None) -> Grid:
    """The grid of a JSON text: `{metric: [weights]}`, or `{"groups": [{"name", "weights", "metrics"}]}`.

    The latter may name `defaults`, groups with one `weight` and one number a metric. names: gathers how names are
    written. Raises GridError.
    """
    if len(text) > LARGEST_GRID:
        raise GridError(("", f"larger than {LARGEST_GRID // MB} MB; a grid has a few lists of weights"))
    try:
        raw = parse_strictly(text, names)
    except ValueError as error:
        raise GridError(("", str(error))) from error
    return grid_of(raw)


def grid_of(raw: Any) -> Grid:
    """The grid of JSON that is parsed already. Raises GridError."""
    grouped = isinstance(raw, dict) and _is_list_of_objects(raw.get("groups"))
    wrong = list(_grouped_problems(raw) if grouped else _metrics_problems(raw, ""))
    if wrong:
        raise GridError(*wrong)
    grid = _grid_of_groups(raw) if grouped else Grid((Group("", (1.0,), _axes(raw)),), flat=True)
    if not any(_weighs(group) for group in grid.groups):
        raise GridError(("", "every weight is 0, so that all scores are equal; give a metric one above 0"))
    return grid


def _weighs(group: Group) -> bool:
    """Whether some point gives a metric of a group a weight."""
    return any(group.weights) and any(any(weights) for weights in group.metrics.values())


def _is_list_of_objects(value: Any) -> bool:
    """Whether "groups" is no metric of that name, whose weights are a list of numbers."""
    return isinstance(value, list) and any(isinstance(item, dict) for item in value)


def _grid_of_groups(raw: dict[str, Any]) -> Grid:
    groups = tuple(
        Group(group["name"], tuple(map(float, group["weights"])), _axes(group["metrics"]))
        for group in raw["groups"]
    )
    grid = Grid(groups)
    if "defaults" not in raw:
        return grid
    given = {group["name"]: group for group in raw["defaults"]["groups"]}
    of_metrics = [given[group.name]["metrics"][metric] for group in groups for metric in group.metrics]
    values = [*(given[group.name]["weight"] for group in groups), *of_metrics]
    return replace(grid, defaults=grid.weights_of(list(map(float, values))))


def _axes(raw: dict[str, Any]) -> dict[str, Axis]:
    return {metric: tuple(map(float, weights)) for metric, weights in raw.items()}


Wrong = Iterator[tuple[str, str]]
"""Fields and what is wrong with them."""


def _grouped_problems(raw: dict[str, Any]) -> Wrong:
    for extra in raw.keys() - {"groups", "defaults"}:
        yield extra, "is not read beside groups; put the metric into the metrics of a group"
    names: set[str] = set()
    metrics: set[str] = set()
    for number, group in enumerate(raw["groups"]):
        where = f"groups[{number}]"
        problems = list(_group_problems(group, where))
        yield from problems
        if not problems:
            yield from _refuse_repeated(group["name"], names, f"{where}.name")
            for metric in group["metrics"]:
                yield from _refuse_repeated(metric, metrics, f"{where}.metrics.{metric}")
    if "defaults" in raw and len(names) == len(raw["groups"]):
        yield from _defaults_problems(
            raw["defaults"], {group["name"]: group["metrics"] for group in raw["groups"]}
        )


def _refuse_repeated(name: str, seen: set[str], where: str) -> Wrong:
    if name in seen:
        yield where, f"{shorten(name)} stands in the grid twice; leave one out"
    seen.add(name)


def _group_problems(group: Any, where: str) -> Wrong:
    if not isinstance(group, dict):
        yield where, f"expected an object with name, weights, metrics, found {shorten(group)}"
        return
    name = group.get("name")
    if not isinstance(name, str) or not name:
        yield f"{where}.name", f"expected a name, found {shorten(name)}"
    elif wrong := why_unstorable(name):
        yield f"{where}.name", wrong
    yield from _axis_problems(group.get("weights"), f"{where}.weights")
    yield from _metrics_problems(group.get("metrics"), f"{where}.metrics")


def _metrics_problems(raw: Any, where: str) -> Wrong:
    if not isinstance(raw, dict) or not raw:
        yield where, f'expected metrics with weights, as {{"budget": [0.2, 0.6, 1]}}, found {shorten(raw)}'
        return
    for metric, weights in raw.items():
        field = f"{where}.{metric}" if where else metric
        if wrong := why_unstorable(metric):
            yield ascii(field), wrong
        yield from _axis_problems(weights, field)


def _axis_problems(weights: Any, where: str) -> Wrong:
    if not isinstance(weights, list) or not weights:
        yield where, f"expected a list of at least one weight, found {shorten(weights)}"
        return
    for number, weight in enumerate(weights):
        if wrong := weight_problem(weight):
            yield f"{where}[{number}]", wrong
        elif weight in weights[:number]:
            yield f"{where}[{number}]", f"{weight:g} stands in this list already; leave one out"


def _defaults_problems(raw: Any, groups: dict[str, dict[str, Any]]) -> Wrong:
    given = raw.get("groups") if isinstance(raw, dict) else None
    if not isinstance(given, list) or not all(isinstance(group, dict) for group in given):
        yield (
            "defaults.groups",
            f"expected a list of groups with name, weight, metrics, found {shorten(given)}",
        )
        return
    by_name = {group.get("name"): group for group in given if isinstance(group.get("name"), str)}
    if len(given) != len(by_name) or by_name.keys() != groups.keys():
        yield "defaults.groups", f"expected the groups {', '.join(groups)}, each once"
        return
    for name, metrics in groups.items():
        yield from _default_problems(by_name[name], metrics, f"defaults.{name}")


def _default_problems(group: dict[str, Any], metrics: dict[str, Any], where: str) -> Wrong:
    if wrong := weight_problem(group.get("weight")):
        yield f"{where}.weight", wrong
    given = group.get("metrics")
    if not isinstance(given, dict) or given.keys() != metrics.keys():
        yield f"{where}.metrics", f"expected one weight for each of {', '.join(metrics)}"
        return
    for metric, weight in given.items():
        if wrong := weight_problem(weight):
            yield f"{where}.metrics.{metric}", wrong
