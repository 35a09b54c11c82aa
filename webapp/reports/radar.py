"""Charts of several axes around one middle, drawn of lines: the basic Plotly that is shipped has no polar axes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import cos, pi, sin
from typing import Any

from benchmark.reports import Chart, Table
from webapp.reports.lettering import lines_of, safe
from webapp.reports.wording import Words
from webapp.wording.numbers import number_words

RINGS = 4
HEIGHT = 380
WIDEST_LABEL = 14
"""Letters."""
MANY_AXES = 12
"""From here on, labels are small."""
_NO_AXIS: Mapping[str, Any] = {"visible": False, "showgrid": False, "zeroline": False}
_FRAME = 1.3
"""How far the chart goes from its middle, for axes of the length 1 with their labels."""
_LABEL_AT = 1.1
_PLACES = 1
_EDGE = 0.2
"""A label whose axis is this near to the vertical is centred."""


def radar_layout(chart: Chart, table: Table, words: Words) -> dict[str, Any]:
    """Rings, axes and labels. The whole of an axis is `chart.most`, else 100."""
    names = _axes(table, chart)
    edges = [_at(place, len(names), 1.0) for place in range(len(names))]
    rings = [
        {"type": "path", "path": _ring(edges, ring / RINGS), **_line_style(ring == RINGS)}
        for ring in range(1, RINGS + 1)
    ]
    spokes = [{"type": "line", "x0": 0, "y0": 0, "x1": x, "y1": y, **_line_style(False)} for x, y in edges]
    size = 10 if len(names) >= MANY_AXES else 12
    return {
        "height": HEIGHT,
        "hovermode": "closest",
        "shapes": [*rings, *spokes],
        "annotations": [
            _label(lines_of(words.tick(chart.x, name), WIDEST_LABEL), edge, size)
            for name, edge in zip(names, edges, strict=True)
        ],
        "xaxis": {**_NO_AXIS, "range": [-_FRAME, _FRAME]},
        "yaxis": {**_NO_AXIS, "range": [-_FRAME, _FRAME], "scaleanchor": "x"},
    }


def radar_trace(chart: Chart, rows: Table, every: Table, words: Words) -> dict[str, Any]:
    """The line of one series around the middle; an axis without a figure is left out.

    every: the table with all series, which decides the axes.
    """
    names, whole = _axes(every, chart), chart.most or 100
    cells = dict(zip(map(str, rows.cells(chart.x)), rows.cells(chart.y), strict=True))
    known = [
        (place, name, value)
        for place, name in enumerate(names)
        if isinstance(value := cells.get(name), int | float)
    ]
    points = [_at(place, len(names), value / whole) for place, _, value in known]
    texts = [
        safe(f"{words.value(chart.x, name)}: {number_words(value, _PLACES)}") for _, name, value in known
    ]
    return {
        "x": [x for x, _ in _close_ring(points)],
        "y": [y for _, y in _close_ring(points)],
        "text": list(_close_ring(texts)),
        "hovertemplate": "%{text}",
        "mode": "lines+markers",
    }


def _axes(table: Table, chart: Chart) -> list[str]:
    return list(dict.fromkeys(map(str, table.cells(chart.x))))


def _at(place: int, of: int, length: float) -> tuple[float, float]:
    """Clockwise from the top."""
    angle = pi / 2 - 2 * pi * place / of
    return round(length * cos(angle), 6), round(length * sin(angle), 6)


def _ring(edges: Sequence[tuple[float, float]], length: float) -> str:
    return "M" + "L".join(f"{length * x:.6g},{length * y:.6g}" for x, y in edges) + "Z"


def _line_style(outermost: bool) -> dict[str, Any]:
    return {"layer": "below", "line": {"color": "var(--line)", "width": 1.5 if outermost else 1}}


def _label(text: str, edge: tuple[float, float], size: int) -> dict[str, Any]:
    x, y = edge
    side = "center" if abs(x) < _EDGE else "left" if x > 0 else "right"
    height = "middle" if abs(y) < 1 - _EDGE else "bottom" if y > 0 else "top"
    place = {"x": _LABEL_AT * x, "y": _LABEL_AT * y, "xanchor": side, "yanchor": height}
    return {"text": text, "showarrow": False, "font": {"size": size}, **place}


def _close_ring(values: Sequence[Any]) -> Iterator[Any]:
    """The values, and the first once more."""
    yield from values
    yield from values[:1]
