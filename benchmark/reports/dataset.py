"""Tables and figures of a set of tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from benchmark.reports.table import Chart, Table
from benchmark.reports.words import NO_WORDS, PartWords


@dataclass(frozen=True, slots=True)
class DatasetPart:
    """One table or figure, made of what `DatasetStatistics.of` gives.

    chart_table: the table that the chart is drawn from, None where it is the one that is shown. counterpart: what the
    benchmark's paper calls its like, "" for what it does not have. words: its own, beside those that all parts have.
    """

    name: str
    build: Callable[[Any], Table]
    chart: Chart | None = None
    chart_table: Callable[[Any], Table] | None = None
    counterpart: str = ""
    words: PartWords = NO_WORDS


@dataclass(frozen=True)
class DatasetStatistics:
    """What a benchmark tells of any set of its tasks.

    of: the statistics of tasks as its `TaskFiles` reads them. as_json: the same as an object of JSON. parts: in the
    order in which they are read. cache_part: of the calls in tool caches by tool, in place of tasks, where the paper
    tells of its own. comparison_part: of several sets of tasks side by side, made of what `of` gave of each, by name.
    world_part: of the worlds that the tasks were made for, made of what scores need of each, by name.
    words: those that several parts have in common. counterparts: what `Table 1` beside a heading refers to.
    """

    of: Callable[[Iterable[Any]], Any]
    as_json: Callable[[Any], Mapping[str, Any]]
    parts: tuple[DatasetPart, ...]
    cache_part: DatasetPart | None = None
    comparison_part: DatasetPart | None = None
    world_part: DatasetPart | None = None
    words: PartWords = NO_WORDS
    counterparts: str = ""
