"""Every chart of every part of every benchmark can be drawn in print, which needs no matplotlib to be told."""

from __future__ import annotations

import pytest

from benchmark.exports.charts import UnknownChartPart, read_chart
from tests.drawn_tables import RUNS, DrawnPart, drawn_parts


@pytest.mark.parametrize("drawn", [pytest.param(drawn, id=drawn.name) for drawn in drawn_parts()])
def test_a_chart_is_read_whole(drawn: DrawnPart) -> None:
    plots = drawn.drawings()
    assert plots
    for drawing in plots:
        chart = read_chart(drawing.plotly)
        assert len(chart.series) == len(drawing.plotly["data"])
        assert len(chart.shapes) == len(drawing.plotly["layout"].get("shapes", ()))
        for series, trace in zip(chart.series, drawing.plotly["data"], strict=True):
            assert len(series.x) == len(series.y) == len(trace["x"])


def test_every_kind_of_chart_is_among_them() -> None:
    kinds = {drawn.part.chart.kind for drawn in drawn_parts() if drawn.part.chart}
    assert kinds == {"bars", "stacked", "lines", "points", "radar", "matrix"}


def test_names_are_plain_text_again() -> None:
    [drawn] = [one for one in drawn_parts() if one.name == "grouptravel-judge_dimensions"]
    [drawing] = drawn.drawings()
    names = [series.name.replace("\n", " ") for series in read_chart(drawing.plotly).series]
    assert names == RUNS


def test_intervals_become_error_bars_of_the_same_lengths() -> None:
    [drawn] = [one for one in drawn_parts() if one.name == "grouptravel-group_size"]
    chart = read_chart(drawn.drawings()[0].plotly)
    assert (
        chart.series[0].lengths_above == [7.0] * 3
        and chart.series[0].lengths_below[0] == 0.0
        and chart.side_by_side
    )


def test_a_chart_that_says_more_than_print_knows_is_refused() -> None:
    bar = {"type": "bar", "x": [1], "y": [1], "marker": {"color": "var(--run1)"}}
    read_chart({"data": [bar], "layout": {}})
    for told, problem in (
        ({"data": [bar | {"type": "violin"}], "layout": {}}, "kind of a series in print can't be 'violin'"),
        ({"data": [bar | {"opacity": 0.5}], "layout": {}}, "a series in print can't have opacity"),
        ({"data": [bar | {"x": ["a"]}], "layout": {}}, "needs a categoryarray"),
        ({"data": [bar], "layout": {"polar": {}}}, "a layout in print can't have polar"),
        ({"data": [bar], "layout": {"xaxis": {"type": "date"}}}, "type of an axis in print can't be 'date'"),
        (
            {"data": [bar | {"marker": {"color": "red"}}], "layout": {}},
            "no look for the colour red; add it to LOOKS",
        ),
    ):
        with pytest.raises(UnknownChartPart, match=problem):
            read_chart(told)
