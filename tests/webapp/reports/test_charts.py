"""Charts that Plotly's basic bundle does not know, counted by hand."""

from __future__ import annotations

from typing import Any

import pytest

from benchmark.reports import Chart, Column, Part, Table
from benchmark.suites import DEFAULT_SUITE, measures_of
from webapp.reports.charts import drawings
from webapp.reports.wording import Words

WORDS = Words(measures_of(DEFAULT_SUITE, "published"))
RADAR = Chart("radar", x="figure", y="score", series="run", facet="difficulty")
MATRIX = Chart("matrix", x="figure", y="other_figure", value="value")


def plots_of(chart: Chart, columns: str, *rows: list[Any]) -> list[dict[str, Any]]:
    table = Table(
        [Column(key, "number" if key in ("score", "value") else "name") for key in columns.split()], rows
    )
    return [
        one.plotly
        for one in drawings(Part("main_results", lambda report: table, chart), table, ["a", "b"], WORDS)
    ]


def test_a_radar_has_an_axis_for_each_figure_clockwise_from_the_top() -> None:
    rows = [
        ["a", "all", "pc", 100.0],
        ["a", "all", "gu", 50.0],
        ["a", "all", "gf", 0.0],
        ["a", "all", "pv", 20.0],
    ]
    [plot] = plots_of(RADAR, "run difficulty figure score", *rows)
    [line] = plot["data"]
    assert line["x"] == pytest.approx((0, 0.5, 0, -0.2, 0))
    assert line["y"] == pytest.approx((1, 0, 0, 0, 1))
    assert line["type"] == "scatter" and line["line"]["color"] == "var(--run1)"
    assert [label["text"] for label in plot["layout"]["annotations"]] == ["PC", "GU", "GF", "PV"]
    assert line["text"][1].endswith(": 50.0")


def test_a_series_without_a_figure_leaves_its_axis_out_and_each_facet_is_a_radar() -> None:
    rows = [
        *(["a", "easy", key, 100.0] for key in ("pc", "gu", "gf", "pv")),
        *(["b", "easy", key, None if key == "gu" else 50.0] for key in ("pc", "gu", "gf", "pv")),
        ["b", "hard", "pc", 0.0],
    ]
    easy, hard = plots_of(RADAR, "run difficulty figure score", *rows)
    assert [trace["name"] for trace in easy["data"]] == ["a", "b"]
    assert easy["data"][1]["x"] == pytest.approx((0, 0, -0.5, 0))
    assert len(hard["layout"]["annotations"]) == 1


def test_a_matrix_is_the_darker_the_stronger() -> None:
    rows = [["pc", "gu", -0.5], ["pc", "gf", 1.0], ["gu", "gf", None]]
    [plot] = plots_of(MATRIX, "figure other_figure value", *rows)
    squares = [
        (shape["x0"], shape["y0"], shape["fillcolor"], shape["opacity"]) for shape in plot["layout"]["shapes"]
    ]
    assert squares == [(-0.48, -0.48, "var(--opposed)", 0.5), (-0.48, 0.52, "var(--together)", 1.0)]
    assert plot["layout"]["xaxis"]["ticktext"] == ["PC", "GU"]
    assert plot["layout"]["yaxis"]["ticktext"] == ["GU", "GF"]
    assert plot["data"][0]["text"] == ["−0.50", "1.00", "–"]
