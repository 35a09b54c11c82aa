"""Tool calls a task, over all runs and by run."""

from __future__ import annotations

import numpy as np

from benchmark.remarks import gettext_noop as _
from benchmark.reports.bins import distribution, even_bins
from benchmark.reports.report import Part, Report
from benchmark.reports.table import Chart, Table
from benchmark.reports.words import PartWords


def build(report: Report) -> Table:
    """The percentage of tasks by their mean number of tool calls over trials, in bins of one width for all runs."""
    calls = np.concatenate([np.empty(0), *(run.tasks.column("calls") for run in report.runs)])
    return distribution(report, "calls", *even_bins(calls))


CHART = Chart("bars", x="bin", y="share", facet="run")
PART = Part(
    "tool_calls",
    build,
    CHART,
    words=PartWords(
        _("Tool calls per task"),
        _("Percentage of tasks by their mean number of tool calls over trials."),
        axes={"bin": _("tool calls per task"), "share": _("% of tasks")},
    ),
)
