"""Charts of figures from −1 to 1 by two names, such as correlations of squares: the basic Plotly has no heat maps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Any

from benchmark.reports import Cell, Chart, Table
from webapp.reports.lettering import lines_of, safe
from webapp.reports.wording import Words
from webapp.wording.numbers import number_words

CELL_HEIGHT = 22
MANY = 12
"""From here on, labels are small and cells bear no numbers."""
WIDEST = 24
"""Letters of a name before it breaks."""
_EDGES, _LETTER = 40, 6.5
"""Pixels: above and below the squares and their names, and of a letter of a name, which stands upright."""
_PLACES = 2
_GAP = 0.48


def matrix_figure(chart: Chart, table: Table, words: Words) -> dict[str, Any]:
    """A square a row of the table, the stronger the fuller its colour; what one points at is told in words."""
    across, down = matrix_names(chart, table)
    cells = [(across.index(str(x)), down.index(str(y)), value) for x, y, value in _cells(chart, table)]
    several = len(across) < MANY
    told = {
        "type": "scatter",
        "x": [x for x, _, _ in cells],
        "y": [y for _, y, _ in cells],
        "mode": "markers+text" if several else "markers",
        "marker": {"opacity": 0, "size": 14},
        "text": [number_words(value, _PLACES) if several else "" for *_, value in cells],
        "hovertext": [
            safe(
                f"{words.value(chart.x, across[x])} – {words.value(chart.y, down[y])}: {number_words(value, _PLACES)}"
            )
            for x, y, value in cells
        ],
        "hoverinfo": "text",
    }
    layout = {
        "height": _EDGES + _LETTER * _longest_line(chart.x, across, words) + CELL_HEIGHT * len(down),
        "hovermode": "closest",
        "shapes": [_square(x, y, value) for x, y, value in cells if value is not None],
        "xaxis": {**_axis(across, chart.x, words), "tickangle": -90},
        "yaxis": {**_axis(down, chart.y, words), "range": [len(down) - 0.5, -0.5]},
    }
    return {"data": [told], "layout": layout}


def matrix_names(chart: Chart, table: Table) -> tuple[list[str], list[str]]:
    """The names from left to right and from top to bottom."""
    across, down = table.cells(chart.x), table.cells(chart.y)
    if chart.mirrored:
        return _distinct([*down, *across]), _distinct([*down, *across])
    return _distinct(across), _distinct(down)


def _longest_line(key: str, names: Sequence[str], words: Words) -> int:
    """Letters."""
    return max((len(line) for name in names for line in wrap(words.tick(key, name), WIDEST)), default=0)


def _distinct(cells: Sequence[Cell]) -> list[str]:
    return list(dict.fromkeys(map(str, cells)))


def _cells(chart: Chart, table: Table) -> Iterator[tuple[Cell, Cell, float | None]]:
    for x, y, value in zip(*(table.cells(key) for key in (chart.x, chart.y, chart.value)), strict=True):
        known = float(value) if isinstance(value, int | float) else None
        yield x, y, known
        if chart.mirrored:
            yield y, x, None if known is None else -known


def _square(x: int, y: int, value: float) -> dict[str, Any]:
    return {
        "type": "rect",
        "layer": "below",
        "x0": x - _GAP,
        "x1": x + _GAP,
        "y0": y - _GAP,
        "y1": y + _GAP,
        "line": {"width": 0},
        "fillcolor": "var(--together)" if value >= 0 else "var(--opposed)",
        "opacity": min(1.0, abs(value)),
    }


def _axis(names: Sequence[str], key: str, words: Words) -> dict[str, Any]:
    return {
        "range": [-0.5, len(names) - 0.5],
        "tickvals": list(range(len(names))),
        "ticktext": [lines_of(words.tick(key, name), WIDEST) for name in names],
        "tickfont": {"size": 9 if len(names) >= MANY else 12},
        "showgrid": False,
        "zeroline": False,
        "title": {},
    }
