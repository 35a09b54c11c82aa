"""Tables and figures of a set of tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from benchmark.reports.table import Chart, Table


@dataclass(frozen=True, slots=True)
class DatasetPart:
    """One table or figure, made of what `DatasetStatistics.of` gives.

    drawn: the table that the chart is drawn from, None where it is the one that is shown. counterpart: what the
    benchmark's paper calls its like, "" for what it does not have.
    """

    name: str
    build: Callable[[Any], Table]
    chart: Chart | None = None
    drawn: Callable[[Any], Table] | None = None
    counterpart: str = ""


@dataclass(frozen=True)
class DatasetStatistics:
    """What a benchmark tells of any set of its tasks.

    of: the statistics of tasks as its `TaskFiles` reads them. told: the same as an object of JSON. parts: in the
    order in which they are read. cached: of the calls in tool caches by tool, in place of tasks, where the paper
    tells of its own. beside: of several sets of tasks side by side, made of what `of` gave of each, by name.
    """

    of: Callable[[Iterable[Any]], Any]
    told: Callable[[Any], Mapping[str, Any]]
    parts: tuple[DatasetPart, ...]
    cached: DatasetPart | None = None
    beside: DatasetPart | None = None
