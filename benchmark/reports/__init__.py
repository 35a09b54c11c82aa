"""Reports over runs: the tables and figures of the paper, with intervals, from rows of session figures."""

from benchmark.reports.agreement import Agreement, Labelled, Unmatched, agreement
from benchmark.reports.registry import PARTS
from benchmark.reports.report import Pair, Part, Report, prompts_told
from benchmark.reports.session import RunFigures, SessionFigures, Verdict
from benchmark.reports.statistics import LEVEL, Estimate, Paired, Resampler, correlation, paired
from benchmark.reports.table import Cell, Chart, Column, Note, Spread, Table
from benchmark.reports.tasks import mean_score

__all__ = [
    "LEVEL",
    "PARTS",
    "Agreement",
    "Cell",
    "Chart",
    "Column",
    "Estimate",
    "Labelled",
    "Note",
    "Pair",
    "Paired",
    "Part",
    "Report",
    "Resampler",
    "RunFigures",
    "SessionFigures",
    "Spread",
    "Table",
    "Unmatched",
    "Verdict",
    "agreement",
    "correlation",
    "mean_score",
    "paired",
    "prompts_told",
]
