"""Draws charts by matplotlib, which Caravan does not need but for this."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from io import BytesIO
from logging import WARNING, getLogger
from math import ceil, isnan
from threading import Lock
from typing import Any, Final, NamedTuple

from benchmark.exports.charts.fonts import families, lacking_letters
from benchmark.exports.charts.looks import LOOKS
from benchmark.exports.charts.reading import PrintAxis, PrintChart, Series

ENDINGS: Final = ("svg", "png", "pdf")
COLUMN, PAGE = 3.35, 6.9
"""Inches: the width of a column of a paper with two, and of both together."""
MOST_IN_COLUMN = 8
"""Names from left to right that a column has room for."""
_POINTS = 7.5
_LETTER = 0.062
"""Inches that a letter takes on average."""
_BAR_SHARE, _POINT_SHARE = 0.85, 0.3
"""Which share of a place bars fill together, and points beside each other."""
_MANY_POINTS = 2000
"""From here on, points are drawn as a picture within the file, which would otherwise have megabytes."""
_STYLE: Final[Mapping[str, Any]] = {
    "font.size": _POINTS,
    "axes.titlesize": _POINTS,
    "axes.labelsize": _POINTS,
    "xtick.labelsize": _POINTS - 0.5,
    "ytick.labelsize": _POINTS - 0.5,
    "legend.fontsize": _POINTS - 0.5,
    "axes.linewidth": 0.6,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "lines.linewidth": 1.2,
    "lines.markersize": 4,
    "hatch.linewidth": 0.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "text.parse_math": False,
    "axes.unicode_minus": True,
    "pdf.fonttype": 42,
    "svg.fonttype": "path",
    "svg.hashsalt": "caravan",
    "savefig.dpi": 300,
    "figure.dpi": 100,
}
_METADATA: Final = {"svg": {"Date": None}, "png": {}, "pdf": {"CreationDate": None}}
"""So that the same chart is the same file."""
_ONE_AT_A_TIME = Lock()  # the style is one of the whole process


class NoMatplotlib(RuntimeError):
    """matplotlib is not installed."""

    def __init__(self) -> None:
        super().__init__(
            "figures need matplotlib, which is not installed here: "
            ".venv/bin/python -m pip install -r requirements-figures.txt"
        )


class ChartFiles(NamedTuple):
    """A chart by ending. lacking: the letters that no font of this machine has, drawn as empty boxes."""

    files: Mapping[str, bytes]
    lacking: str


def matplotlib_is_here() -> bool:
    """Whether charts can be drawn here."""
    return find_spec("matplotlib") is not None


def chart_files(chart: PrintChart, endings: Sequence[str] = ENDINGS) -> ChartFiles:
    """Draw a chart; the same chart gives the same bytes with the same matplotlib and fonts. Raises NoMatplotlib."""
    try:
        from matplotlib import rc_context, rcdefaults
    except ImportError as error:
        raise NoMatplotlib from error
    getLogger("fontTools").setLevel(WARNING)  # it tells of each table of each font
    with _ONE_AT_A_TIME, rc_context():
        rcdefaults()  # whatever a matplotlibrc of this machine says
        with rc_context({**_STYLE, "font.family": families()}):
            figure = _figure(chart)
            files = {ending: _file(figure, ending) for ending in endings}
            return ChartFiles(files, lacking_letters(_texts(chart)))


def _file(figure: Any, ending: str) -> bytes:
    file = BytesIO()
    figure.savefig(file, format=ending, metadata=_METADATA[ending])
    return file.getvalue()


def _texts(chart: PrintChart) -> Iterator[str]:
    for axis in (chart.x, chart.y):
        yield axis.title
        yield from (label for _place, label in axis.ticks or ())
    for series in chart.series:
        yield series.name
        yield from series.texts
    yield from (label.text for label in chart.labels)


def _figure(chart: PrintChart) -> Any:
    from matplotlib.figure import Figure

    named = [series for series in chart.series if series.is_named]
    width = PAGE if len(chart.x.ticks or ()) > MOST_IN_COLUMN and chart.x.shown else COLUMN
    columns = _legend_columns(named, width)
    height = _height(chart, width) + (0.17 * ceil(len(named) / columns) if named else 0)
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.add_subplot()
    _draw_shapes(axes, chart)
    drawn = [*_draw_bars(axes, chart), *_draw_points(axes, chart)]
    for label in chart.labels:
        axes.text(label.x, label.y, label.text, ha=label.horizontal, va=label.vertical)
    _set_axes(axes, chart, width)
    if named:
        _draw_legend(figure, named, dict(drawn), columns)
    return figure


def _height(chart: PrintChart, width: float) -> float:
    """Inches without the legend."""
    if chart.x.as_long or chart.y.as_long:
        return width * 0.92
    if chart.y.ticks is not None:  # names from top to bottom, a line each, or a line a bar
        bars = [series for series in chart.series if series.kind == "bars"]
        a_line = 0.2 if chart.stacked or not bars else max(0.2, 0.1 * len(bars) + 0.06)
        lines = sum(max(a_line, 0.13 * (1 + label.count("\n"))) for _place, label in chart.y.ticks)
        below = max((len(_longest(label)) for _place, label in chart.x.ticks or ()), default=0)
        return 0.55 + lines + below * _LETTER
    return 2.2


def _longest(label: str) -> str:
    return max(label.split("\n"), key=len)


def _legend_columns(named: Sequence[Series], width: float) -> int:
    widest = max((len(_longest(series.name)) for series in named), default=0)
    return max(1, min(len(named), int(width / (0.45 + widest * _LETTER))))


def _draw_legend(figure: Any, named: Sequence[Series], drawn: Mapping[int, Any], columns: int) -> None:
    """Names are set afterwards: matplotlib leaves out those that begin with an underscore."""
    handles = [drawn[id(series)] for series in named]
    legend = figure.legend(
        handles,
        [str(place) for place in range(len(named))],
        loc="outside upper left",
        ncols=columns,
        frameon=False,
        borderpad=0,
        handlelength=2.2,
        columnspacing=1.2,
        labelspacing=0.35,
    )
    for text, series in zip(legend.get_texts(), named, strict=True):
        text.set_text(series.name)


def _draw_shapes(axes: Any, chart: PrintChart) -> None:
    from matplotlib.patches import Polygon

    for shape in chart.shapes:
        look = shape.fill
        axes.add_patch(
            Polygon(
                shape.points,
                closed=shape.closed,
                fill=look is not None,
                facecolor=(look.colour, shape.opacity) if look else "none",
                edgecolor=shape.line.colour if shape.line else "none",
                hatch=look.hatch or None if look else None,
                hatchcolor="white" if look and look.hatch else None,
                linewidth=0.6,
                zorder=0.5,
            )
        )


def _draw_bars(axes: Any, chart: PrintChart) -> Iterator[tuple[int, Any]]:
    """Each series' id with what stands for it in the legend."""
    bars = [series for series in chart.series if series.kind == "bars"]
    width = _BAR_SHARE if chart.stacked else _BAR_SHARE / max(1, len(bars))
    heights: dict[float, float] = {}
    for number, series in enumerate(bars):
        places, values = (series.y, series.x) if series.across else (series.x, series.y)
        shift = 0.0 if chart.stacked else (number - (len(bars) - 1) / 2) * width
        at = [place + shift for place in places]
        starts = [heights.get(place, 0.0) for place in places] if chart.stacked else [0.0] * len(at)
        look = series.look
        kind, across, thick, start = (
            (axes.barh, "y", "height", "left") if series.across else (axes.bar, "x", "width", "bottom")
        )
        lengths = [0.0 if isnan(value) else value for value in values]
        drawn = kind(
            at,
            lengths,
            **{thick: width, start: starts},
            facecolor=look.colour,
            edgecolor="black",
            linewidth=0.4,
            hatch=look.hatch or None,
            hatchcolor=look.hatch_colour,
            log=False,
        )
        for place, length in zip(places, lengths, strict=True):
            heights[place] = heights.get(place, 0.0) + length
        ends = [begin + value for begin, value in zip(starts, values, strict=True)]
        _draw_errors(axes, series, *((ends, at) if across == "y" else (at, ends)), colour="black")
        yield id(series), drawn


def _draw_points(axes: Any, chart: PrintChart) -> Iterator[tuple[int, Any]]:
    every = [series for series in chart.series if series.kind == "points"]
    for number, series in enumerate(every):
        shift = (number - (len(every) - 1) / 2) * _POINT_SHARE / len(every) if chart.side_by_side else 0.0
        x = [place + (0.0 if series.across else shift) for place in series.x]
        y = [place + (shift if series.across else 0.0) for place in series.y]
        look = series.look
        [line] = axes.plot(
            x,
            y,
            color=look.colour,
            linestyle=look.dash if series.joined else "none",
            marker=look.marker if series.marked else "none",
            drawstyle="steps-post" if series.is_hv else "default",
            markeredgecolor="white" if series.joined else look.colour,
            markeredgewidth=0.3,
            alpha=1.0 if series.joined else 0.75,
            rasterized=len(x) > _MANY_POINTS,
            clip_on=False,
            zorder=2.5,
        )
        _draw_errors(axes, series, x, y, colour=look.colour)
        if series.texts:
            _draw_texts(axes, series, x, y)
        yield id(series), line


def _draw_errors(axes: Any, series: Series, x: Sequence[float], y: Sequence[float], *, colour: str) -> None:
    if not series.lengths_above:
        return
    lengths = [series.lengths_below, series.lengths_above]
    along = {"xerr" if series.across else "yerr": lengths}
    axes.errorbar(x, y, **along, fmt="none", ecolor=colour, elinewidth=0.7, capsize=1.5, capthick=0.7)


def _draw_texts(axes: Any, series: Series, x: Sequence[float], y: Sequence[float]) -> None:
    """side: that of the point on which the text is."""
    anchor, shift = {"right": ("left", 4), "left": ("right", -4), "center": ("center", 0)}[series.side]
    for text, *place in zip(series.texts, x, y, strict=True):
        axes.annotate(
            text,
            place,
            xytext=(shift, 0),
            textcoords="offset points",
            ha=anchor,
            va="center",
            fontsize=_POINTS - 1,
        )


def _set_axes(axes: Any, chart: PrintChart, width: float) -> None:
    if not (chart.x.shown or chart.y.shown):
        axes.set_axis_off()
    if chart.x.as_long or chart.y.as_long:
        axes.set_aspect("equal")
    values = [value for value in (chart.x, chart.y) if value.ticks is None and value.shown]
    for side, axis in (("x", chart.x), ("y", chart.y)):
        _set_axis(axes, side, axis)
        if axis in values and len(values) < 2:
            axes.grid(axis=side, color=LOOKS["line"].colour, linewidth=0.4)
            axes.set_axisbelow(True)
    _turn_labels(axes, chart.x, width)


def _set_axis(axes: Any, side: str, axis: PrintAxis) -> None:
    from matplotlib.ticker import MultipleLocator

    one = getattr(axes, f"{side}axis")
    set_limits = getattr(axes, f"set_{side}lim")
    getattr(axes, f"set_{side}label")(axis.title)
    if axis.is_log:
        getattr(axes, f"set_{side}scale")("log")
        one.set_major_formatter("{x:g}")
    elif axis.step:
        one.set_major_locator(MultipleLocator(axis.step))
    if axis.ticks is not None:
        one.set_ticks([place for place, _label in axis.ticks], [label for _place, label in axis.ticks])
    if axis.ends:
        set_limits(*(10**end if axis.is_log else end for end in axis.ends))
    elif axis.names:
        set_limits(-0.5, len(axis.names) - 0.5)
    if axis.is_reversed:
        one.set_inverted(True)


def _turn_labels(axes: Any, axis: PrintAxis, width: float) -> None:
    """Names from left to right stand aslant, or upright in a matrix, where they would run into each other."""
    if not axis.ticks or not axis.shown:
        return
    letters = sum(len(_longest(label)) + 2 for _place, label in axis.ticks)
    if letters * _LETTER > width * 0.8:
        upright = len(axis.ticks) > MOST_IN_COLUMN or axis.ends is not None
        axes.tick_params(axis="x", rotation=90 if upright else 30)
        for label in axes.get_xticklabels():
            label.set_horizontalalignment("center" if upright else "right")
            label.set_rotation_mode("default" if upright else "anchor")
