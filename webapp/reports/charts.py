"""From tables to Plotly figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil, log10
from typing import Any

import plotly.graph_objects as go

from benchmark.reports import Cell, Chart, Estimate, Figure, Part, Table
from benchmark.reports.dataset import DatasetPart
from benchmark.reports.parts.completion import REASONS
from webapp.reports.lettering import lines_of, safe
from webapp.reports.matrix import matrix_figure, matrix_names
from webapp.reports.radar import radar_layout, radar_trace
from webapp.reports.wording import Words

RUN_COLOURS = 12
"""That `reports.css` has."""
WIDEST = 22
"""Letters of a label on an axis before it breaks."""
MOST_TICKS = 6
WIDEST_ENTRY = 36
"""Letters of an entry of a legend, which a phone still has room for."""
LEAST = 0.5
"""Where a logarithmic axis begins: below the smallest number that it shows, which is 1."""
_SIDE_BY_SIDE = {"scattermode": "group", "scattergap": 0.75}
"""Points and error bars of several runs at one place stand beside each other, so that none hides another."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """One chart. title: what tells it from others of its part, "" if it is the only one; plotly: data and layout."""

    id: str
    title: str
    plotly: dict[str, Any]


def drawings(part: Part | DatasetPart, table: Table, runs: Sequence[str], words: Words) -> list[Drawing]:
    """The charts of a part; runs: the labels of all runs, which decide their colours."""
    chart = part.chart
    if chart is None or not table.rows or _says_no_more(chart, table):
        return []
    table = replace(table, rows=[[_number(cell) for cell in row] for row in table.rows])
    if not chart.facet:
        return [Drawing(part.name, "", _figure(part, chart, table, runs, "", words))]
    chart = replace(chart, most=chart.most or _common_end(table, chart))
    facets = [str(value) for value in dict.fromkeys(table.cells(chart.facet))]
    return [
        Drawing(
            f"{part.name}-{number}",
            words.value(chart.facet, value),
            _figure(part, chart, table.where(chart.facet, value), runs, value, words),
        )
        for number, value in enumerate(facets)
    ]


def _says_no_more(chart: Chart, table: Table) -> bool:
    """Whether a line of the table says all that the chart does: a matrix of two names that each has the opposite."""
    return chart.mirrored and len(matrix_names(chart, table)[0]) < 3


def _number(cell: Cell) -> Cell:
    """A figure as a plain number; any other cell as it is."""
    return cell.value if isinstance(cell, Figure) else cell


def _common_end(table: Table, chart: Chart) -> float | None:
    """Where value axes end alike, so that charts of runs or panels can be compared; None where figures differ."""
    if chart.facet not in ("run", "panel", "group"):
        return None
    heights: dict[tuple[Cell, ...], float] = {}
    places = zip(*(table.cells(key) for key in (chart.facet, chart.x, chart.y)), strict=True)
    for number, (*place, cell) in enumerate(places):
        if isinstance(cell, int | float):  # bars that stand on top of each other have one height
            bar = (*place, None if chart.kind == "stacked" else number)
            heights[bar] = heights.get(bar, 0.0) + cell
    return 5.0 * ceil(max(heights.values(), default=0.0) / 5 + 0.2)


def _figure(
    part: Part | DatasetPart, chart: Chart, table: Table, runs: Sequence[str], facet: str, words: Words
) -> dict[str, Any]:
    if chart.kind == "matrix":
        return matrix_figure(chart, table, words)
    colours = _colours([name or facet for name, _rows in _series(table, chart)], chart, runs, words)
    traces = [
        _trace(rows, table, chart, name, colours[name or facet], words)
        for name, rows in _series(table, chart)
        if not chart.log or any(rows.cells(chart.y))
    ]
    radar = chart.kind == "radar"
    decided = radar_layout(chart, table, words) if radar else _layout(part, chart, table, facet, words)
    layout = go.Layout(template="none", **decided)
    return {"data": [trace.to_plotly_json() for trace in traces], "layout": layout.to_plotly_json()}


def _colours(names: Sequence[str], chart: Chart, runs: Sequence[str], words: Words) -> dict[str, str]:
    """The colour of each series: its own, else, where nothing told several apart, one of the runs' in their order."""
    colours = {
        name: f"var(--{chart.colours[name]})"
        if name in chart.colours
        else colour_of(chart.series or chart.facet, name, runs, words.measures.endings)
        for name in names
    }
    if len(colours) > 1 and set(colours.values()) == {MUTED_COLOUR}:
        return {name: f"var(--run{place % RUN_COLOURS + 1})" for place, name in enumerate(colours)}
    return colours


def _series(table: Table, chart: Chart) -> Iterator[tuple[str, Table]]:
    if not chart.series:
        yield "", table
        return
    for name in dict.fromkeys(table.cells(chart.series)):
        yield str(name), table.where(chart.series, name)


def _trace(rows: Table, table: Table, chart: Chart, name: str, colour: str, words: Words) -> Any:
    """One series. table: with all of them."""
    named = {"name": lines_of(words.value(chart.series, name), WIDEST_ENTRY), "showlegend": True}
    drawn = {"line": {"color": colour}, "marker": {"color": colour}}
    if chart.kind == "radar":
        return go.Scatter(
            **radar_trace(chart, rows, table, words), **drawn, **(named if chart.series else {})
        )
    places = [safe(value) if isinstance(value, str) else value for value in rows.cells(chart.x)]
    values, errors = _values(rows.cells(chart.y), chart)
    along, over = ("y", "x") if chart.across else ("x", "y")
    given: dict[str, Any] = {along: places, over: values, **(named if chart.series else {})}
    if errors:
        given[f"error_{over}"] = errors
    match chart.kind:
        case "bars" | "stacked":
            orientation = "h" if chart.across else "v"
            return go.Bar(**given, marker={"color": colour}, orientation=orientation)
        case "lines":
            return go.Scatter(**given, **drawn, mode="lines+markers", offsetgroup=name)
    texts = [safe(str(text)) for text in rows.cells(chart.text)]
    return go.Scatter(**given, mode="markers", text=texts, marker={"color": colour})


def _values(cells: Sequence[Cell], chart: Chart) -> tuple[list[Any], dict[str, Any]]:
    """Values, and their error bars as far as there are intervals; nothing has no place on a logarithmic axis."""
    if not any(isinstance(cell, Estimate) for cell in cells):
        return [None if chart.log and not cell else cell for cell in cells], {}
    known = [cell for cell in cells if isinstance(cell, Estimate)]
    above = [_length(cell.high, cell.value) for cell in known]
    below = [_length(cell.value, cell.low) for cell in known]
    errors = {"type": "data", "symmetric": False, "array": above, "arrayminus": below}
    return [cell.value for cell in known], errors


def _length(high: float | None, low: float | None) -> float | None:
    return None if high is None or low is None else max(0.0, high - low)


def _layout(part: Part | DatasetPart, chart: Chart, table: Table, facet: str, words: Words) -> dict[str, Any]:
    """What the table decides; fonts, colours and margins are the theme's (static/js/charts.js)."""
    places = list(dict.fromkeys(table.cells(chart.x)))
    series = len(set(table.cells(chart.series))) if chart.series else 1
    along = _place_axis(places, chart, words.axis(chart.x, facet), words)
    over = _value_axis(table.cells(chart.y), chart, words.axis(chart.y, facet))
    return {
        "height": _height(len(places), series, chart),
        "barmode": "stack" if chart.kind == "stacked" else "group",
        **(_SIDE_BY_SIDE if chart.kind == "lines" else {}),
        "xaxis": over if chart.across else along,
        "yaxis": along if chart.across else over,
    }


def _place_axis(places: Sequence[Cell], chart: Chart, title: str, words: Words) -> dict[str, Any]:
    axis = _axis(title)
    if chart.kind == "points":
        return axis
    if all(isinstance(place, int) for place in places):
        return axis | {"dtick": 1}
    names = [safe(str(place)) for place in places]
    labels = [lines_of(words.value(chart.x, str(place)), WIDEST) for place in places]
    step = 1 if chart.across else 1 + (len(places) - 1) // MOST_TICKS
    ticks = {"tickvals": names[::step], "ticktext": labels[::step]}
    order = {"autorange": "reversed", "title": {}} if chart.across else {}
    return axis | {"type": "category", "categoryarray": names, "showgrid": False} | ticks | order


def _value_axis(values: Sequence[Cell], chart: Chart, title: str) -> dict[str, Any]:
    axis = _axis(title)
    if chart.log:
        largest = max([cell for cell in values if isinstance(cell, int | float)], default=1)
        return axis | {"type": "log", "dtick": 1, "range": [log10(LEAST), log10(1.3 * max(1, largest))]}
    if chart.kind in ("bars", "stacked"):
        axis |= {"rangemode": "tozero"}
    return axis | ({"range": [0, chart.most]} if chart.most else {})


def _axis(title: str) -> dict[str, Any]:
    return {"title": {"text": title}}


def _height(places: int, series: int, chart: Chart) -> int:
    """Pixels: bars that lie need a line each."""
    if not chart.across:
        return 300
    return 110 + places * (34 if chart.kind == "stacked" else max(36, 14 * series + 10))


# Steady colours: names of CSS variables, which each theme fills.


MUTED_COLOUR = "var(--muted)"


OWN = 2
"""Colours for the endings that a benchmark has of its own; more have none."""


def colour_of(column: str, value: str, runs: Sequence[str], endings: Sequence[str]) -> str:
    """The colour of a run, a rating or a reason, the same in every chart of a report.

    endings: the reasons that the benchmark has of its own.
    """
    if column == "run" and value in runs:
        return f"var(--run{runs.index(value) + 1})"
    if column == "rating":
        return f"var(--rating{value})"
    if column == "reason" and value in endings[:OWN]:
        return f"var(--reason{endings.index(value) + 1})"
    if column == "reason" and value in REASONS:
        return f"var(--reason{REASONS.index(value) + OWN + 1})"
    return MUTED_COLOUR
