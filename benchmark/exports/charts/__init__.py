"""Charts in print as SVG, PNG and PDF, from the data that a browser draws; matplotlib, an extra, draws them."""

from benchmark.exports.charts.drawing import ENDINGS, NoMatplotlib, chart_files, matplotlib_is_here
from benchmark.exports.charts.reading import PrintChart, UnknownChartPart, read_chart
