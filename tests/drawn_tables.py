"""Tables for every chart that a report or a set of tasks can have, made of what the chart declares."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from benchmark.reports import Cell, Chart, Column, Estimate, Part, Table
from benchmark.reports.dataset import DatasetPart
from benchmark.suites import SUITES, first_profile, measures_of, reporting_of, suite_named
from webapp.reports.charts import Drawing, drawings
from webapp.reports.wording import Words, dataset_words

RUNS = ["good agent", "模型 甲 & co_1", "a_third $run$ of 50 % with a rather <long> name"]
_NAMES_BY_KEY: dict[str, list[Cell]] = {
    "run": [*RUNS],
    "against": [*RUNS],
    "rating": ["1", "2", "3", "4", "5"],
    "reason": ["plan_generated", "max_turn_reached", "context_overflow", "runtime_error", "odd"],
}


class DrawnPart(NamedTuple):
    """A part with a chart, and its words."""

    suite: str
    part: Part | DatasetPart
    words: Words

    @property
    def name(self) -> str:
        return f"{self.suite}-{self.part.name}"

    def drawings(self) -> list[Drawing]:
        """Its charts of a made table."""
        assert self.part.chart is not None
        return drawings(self.part, drawn_table(self.part.chart), RUNS, self.words.of(self.part))


def drawn_parts() -> Iterator[DrawnPart]:
    """Those of the reports and of the statistics of all benchmarks."""
    for suite in SUITES:
        parts: list[tuple[Part | DatasetPart, Words]] = [
            (part, Words(measures_of(suite, first_profile(suite)))) for part in reporting_of(suite).parts
        ]
        if make_statistics := suite_named(suite).tasks.statistics:
            told = make_statistics()
            more = (told.cache_part, told.comparison_part, told.world_part)
            parts += [(part, dataset_words(suite)) for part in (*told.parts, *more) if part]
        yield from (DrawnPart(suite, part, words) for part, words in parts if part.chart)


def drawn_table(chart: Chart) -> Table:
    """A row a facet, series and place, with intervals where the chart can show them."""
    names = [chart.facet, chart.series, chart.x, *([chart.y] if chart.kind == "matrix" else [])]
    named = list(dict.fromkeys(name for name in names if name))
    keys = list(dict.fromkeys([*named, chart.y, *filter(None, (chart.text, chart.value))]))
    rows = [
        [_cell(chart, key, number, dict(zip(named, combination, strict=True))) for key in keys]
        for number, combination in enumerate(product(*(_names(name) for name in named)))
    ]
    return Table([Column(key) for key in keys], rows)


def _names(key: str) -> list[Cell]:
    return _NAMES_BY_KEY.get(key, [f"{key} 0", f"{key} 1", f"{key} 2"])


def _cell(chart: Chart, key: str, number: int, names: dict[str, Cell]) -> Cell:
    value = float(number * 37 % 100)
    if key == chart.value:
        return value / 50 - 1
    if key == chart.x and chart.kind == "points":
        return value / 3
    if key in names:
        return names[key]
    if key == chart.text:
        return f"point {number}"
    plain = chart.log or chart.kind in ("stacked", "radar", "points")
    return int(value) if plain else Estimate(value, max(0.0, value - 9), value + 7)
