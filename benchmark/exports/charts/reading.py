"""From the data that Plotly draws in a browser to what is drawn in print.

Whatever a chart says that is not read here is an error, so that no chart is printed without a part of it: what only
a screen needs (what one points at, sizes in pixels) is named below, and left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from math import nan
from typing import Any, Final, Literal

from benchmark.exports.charts.looks import LOOKS, Look

Place = str | float
Ends = tuple[float, float]


class UnknownChartPart(ValueError):
    """A chart says something that this module does not read; the message names it."""


@dataclass(frozen=True, slots=True)
class PrintAxis:
    """An axis.

    names: those at the places 0, 1, 2 … of one that has no numbers, else none. ticks: label by place; None for those
    that suit. ends: where it begins and ends, on a logarithmic one as powers of ten; None for where the values do.
    step: between ticks, 0 for any. shown: whether there is a line, ticks and a title. as_long: whether a unit has the
    length of one of the other axis.
    """

    title: str = ""
    names: Sequence[str] = ()
    ticks: Sequence[tuple[float, str]] | None = None
    ends: Ends | None = None
    step: float = 0
    is_log: bool = False
    is_reversed: bool = False
    shown: bool = True
    as_long: bool = False


@dataclass(frozen=True, slots=True)
class Series:
    """Bars, or points that may be joined; NaN where there is nothing.

    lengths_below, lengths_above: of error bars, () for none. texts: beside each point, () for none; side: on which
    one. is_hv: points are joined by steps.
    """

    kind: Literal["bars", "points"]
    name: str
    look: Look
    x: Sequence[float]
    y: Sequence[float]
    across: bool = False
    lengths_below: Sequence[float] = ()
    lengths_above: Sequence[float] = ()
    texts: Sequence[str] = ()
    side: Literal["left", "right", "center"] = "center"
    joined: bool = False
    marked: bool = True
    is_hv: bool = False
    is_named: bool = False


@dataclass(frozen=True, slots=True)
class Shape:
    """A filled or empty polygon, or a line, below everything else."""

    points: Sequence[tuple[float, float]]
    closed: bool
    line: Look | None
    fill: Look | None
    opacity: float


@dataclass(frozen=True, slots=True)
class Label:
    """A text at a place of the chart, on this side of it."""

    text: str
    x: float
    y: float
    horizontal: Literal["left", "center", "right"]
    vertical: Literal["top", "center", "bottom"]


@dataclass(frozen=True, slots=True)
class PrintChart:
    """A chart as it is drawn in print.

    stacked: bars stand on top of each other; side_by_side: points of several
    series at one place stand beside each other.
    """

    series: Sequence[Series]
    x: PrintAxis
    y: PrintAxis
    stacked: bool = False
    side_by_side: bool = False
    shapes: Sequence[Shape] = ()
    labels: Sequence[Label] = ()


_ON_SCREEN: Final = {"height", "hovermode", "template", "showlegend"}
_LAYOUT: Final = {"barmode", "scattermode", "scattergap", "xaxis", "yaxis", "shapes", "annotations"}
_AXIS_ON_SCREEN: Final = {"showgrid", "zeroline", "tickangle", "tickfont", "rangemode"}
_AXIS: Final = {
    *("title", "type", "categoryarray", "tickvals", "ticktext", "range", "autorange", "dtick"),
    *("visible", "scaleanchor"),
}
_TRACE_ON_SCREEN: Final = {"hoverinfo", "hovertext", "hovertemplate", "cliponaxis", "offsetgroup"}
_TRACE: Final = {
    *("type", "x", "y", "name", "showlegend", "orientation", "mode", "text", "textposition"),
    *("marker", "line", "error_x", "error_y"),
}
_MODES: Final = ("markers", "lines", "lines+markers", "markers+text")


def read_chart(plotly: Mapping[str, Any]) -> PrintChart:
    """A chart from the `data` and `layout` that Plotly draws. Raises UnknownChartPart."""
    _check("a chart", plotly, {"data", "layout"})
    layout = plotly["layout"]
    _check("a layout", layout, _LAYOUT | _ON_SCREEN)
    _check_one_of("barmode", layout.get("barmode", "group"), ("group", "stack"))
    x, y = _axis(layout.get("xaxis", {})), _axis(layout.get("yaxis", {}))
    return PrintChart(
        [_series(trace, x, y) for trace in plotly["data"]],
        x,
        y,
        stacked=layout.get("barmode") == "stack",
        side_by_side=layout.get("scattermode") == "group",
        shapes=[_shape(shape) for shape in layout.get("shapes", ())],
        labels=[_label(told) for told in layout.get("annotations", ())],
    )


def _check(what: str, told: Mapping[str, Any], known: set[str]) -> None:
    if unknown := told.keys() - known:
        raise UnknownChartPart(f"{what} in print can't have {', '.join(sorted(unknown))}")


def _check_one_of(what: str, value: object, known: Sequence[object]) -> None:
    if value not in known:
        raise UnknownChartPart(
            f"{what} in print can't be {value!r}; it is one of {', '.join(map(str, known))}"
        )


def _axis(told: Mapping[str, Any]) -> PrintAxis:
    _check("an axis", told, _AXIS | _AXIS_ON_SCREEN)
    _check_one_of("the type of an axis", told.get("type", "linear"), ("linear", "category", "log"))
    _check_one_of("autorange", told.get("autorange", True), (True, "reversed"))
    names = [_text(name) for name in told.get("categoryarray", ())]
    first, last = told.get("range", (0, 0))
    return PrintAxis(
        _text((told.get("title") or {}).get("text", "")),
        names,
        _ticks(told, names),
        (min(first, last), max(first, last)) if "range" in told else None,
        told.get("dtick", 0),
        told.get("type") == "log",
        told.get("autorange") == "reversed" or first > last,
        told.get("visible", True),
        "scaleanchor" in told,
    )


def _ticks(told: Mapping[str, Any], names: Sequence[str]) -> list[tuple[float, str]] | None:
    if "tickvals" not in told:
        return [(float(place), name) for place, name in enumerate(names)] if names else None
    places = (names.index(_text(value)) if names else value for value in told["tickvals"])
    return [(float(place), _text(text)) for place, text in zip(places, told["ticktext"], strict=True)]


def _series(told: Mapping[str, Any], x: PrintAxis, y: PrintAxis) -> Series:
    _check("a series", told, _TRACE | _TRACE_ON_SCREEN)
    kind = told.get("type", "scatter")
    _check_one_of("the kind of a series", kind, ("bar", "scatter"))
    across = told.get("orientation") == "h"
    error = told.get("error_x") or told.get("error_y") or {}
    _check("an error bar", error, {"type", "symmetric", "array", "arrayminus"})
    common: dict[str, Any] = {
        "name": _text(told.get("name", "")),
        "look": _look(_colour(told)),
        "x": _places(told["x"], x),
        "y": _places(told["y"], y),
        "across": across or "error_x" in told,
        "lengths_below": [_number(length) for length in error.get("arrayminus", ())],
        "lengths_above": [_number(length) for length in error.get("array", ())],
        "is_named": bool(told.get("showlegend", False)),
    }
    if kind == "bar":
        return Series("bars", **common)
    return Series("points", **common, **_points(told))


def _points(told: Mapping[str, Any]) -> dict[str, Any]:
    mode = told.get("mode", "lines+markers")
    _check_one_of("the mode of a series", mode, _MODES)
    marker, line = told.get("marker", {}), told.get("line", {})
    _check("a marker", marker, {"color", "size", "opacity"})
    _check("a line", line, {"color", "dash", "shape"})
    _check_one_of("the dashes of a line", line.get("dash", "solid"), ("solid", "dot"))
    _check_one_of("the shape of a line", line.get("shape", "linear"), ("linear", "hv"))
    return {
        "texts": [_text(str(text)) for text in told["text"]] if "text" in mode else (),
        "side": _side(told.get("textposition", "middle center")),
        "joined": "lines" in mode,
        "marked": "markers" in mode and marker.get("opacity", 1) > 0,
        "is_hv": line.get("shape") == "hv",
    }


def _side(position: str) -> str:
    _check_one_of("the side of a text", position, ("middle center", "middle left", "middle right"))
    return position.removeprefix("middle ")


def _colour(told: Mapping[str, Any]) -> str:
    return str(told.get("marker", {}).get("color") or told.get("line", {}).get("color") or "var(--muted)")


def _look(colour: str) -> Look:
    look = LOOKS.get(colour.removeprefix("var(--").removesuffix(")"))
    if look is None:
        raise UnknownChartPart(f"print has no look for the colour {colour}; add it to LOOKS")
    return look


def _places(values: Sequence[Any], axis: PrintAxis) -> list[float]:
    """Where values lie: names at the places of their axis, numbers as they are."""
    return [
        float(axis.names.index(_text(value))) if isinstance(value, str) and axis.names else _number(value)
        for value in values
    ]


def _number(value: Any) -> float:
    if isinstance(value, str):
        raise UnknownChartPart(f"an axis in print needs a categoryarray to have a place for {value!r}")
    return nan if value is None else float(value)


def _shape(told: Mapping[str, Any]) -> Shape:
    _check("a shape", told, {"type", "path", "layer", "line", "fillcolor", "opacity", "x0", "x1", "y0", "y1"})
    _check_one_of("the kind of a shape", told["type"], ("path", "line", "rect"))
    line = told.get("line", {})
    return Shape(
        _outline(told),
        told["type"] != "line",
        _look(line["color"]) if "color" in line else None,
        _look(told["fillcolor"]) if "fillcolor" in told else None,
        told.get("opacity", 1.0),
    )


def _outline(told: Mapping[str, Any]) -> list[tuple[float, float]]:
    if told["type"] == "path":
        steps = told["path"].removeprefix("M").removesuffix("Z").split("L")
        return [(float(x), float(y)) for x, _comma, y in (step.partition(",") for step in steps)]
    x0, y0, x1, y1 = (float(told[key]) for key in ("x0", "y0", "x1", "y1"))
    return [(x0, y0), (x1, y1)] if told["type"] == "line" else [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def _label(told: Mapping[str, Any]) -> Label:
    _check("a label", told, {"text", "showarrow", "font", "x", "y", "xanchor", "yanchor"})
    _check_one_of("the arrow of a label", told.get("showarrow"), (False,))
    vertical = {"middle": "center"}.get(told["yanchor"], told["yanchor"])
    return Label(_text(told["text"]), told["x"], told["y"], told["xanchor"], vertical)


def _text(text: str) -> str:
    """Without the marks that Plotly reads in texts (`webapp.reports.lettering`)."""
    return unescape(text.replace("<br>", "\n"))
