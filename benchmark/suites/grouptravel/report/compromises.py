"""Compromises a task, over all runs and by run."""

from __future__ import annotations

from benchmark.remarks import gettext_noop as _
from benchmark.reports.bins import distribution
from benchmark.reports.report import Part, Report
from benchmark.reports.table import Chart, Table
from benchmark.reports.words import PartWords

EDGES = (0.0, 1e-9, 1.0, 2.0, 3.0)
NAMES = ("0", "> 0 to < 1", "1 to < 2", "2 to < 3", "≥ 3")


def build(report: Report) -> Table:
    """The percentage of tasks by their mean number of applied compromises over trials."""
    return distribution(report, "counted", EDGES, NAMES)


CHART = Chart("bars", x="bin", y="share", facet="run", most=100)
PART = Part(
    "compromises",
    build,
    CHART,
    words=PartWords(
        _("Compromises per task"),
        _("Percentage of tasks by their mean number of applied compromises over trials."),
        axes={"bin": _("compromises per task"), "share": _("% of tasks")},
    ),
)
