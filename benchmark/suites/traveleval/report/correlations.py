"""How metrics go together: Pearson's coefficients of each pair (Figure 5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from benchmark.remarks import gettext_noop as _
from benchmark.reports import Cell, Chart, Column, Note, Part, PartWords, Report, Table
from benchmark.reports.statistics import correlation
from benchmark.suites.traveleval.report.means import FIGURES, METRIC, mean_of

LEAST = 3
"""Two points always lie on a line."""
COLUMNS = (
    *(Column("figure", "name"), Column("other_figure", "name")),
    *(Column("correlation", signed=True), Column("pairs", "count")),
)
Matrix = NDArray[np.float64]


def over_runs(report: Report) -> Table:
    """A row a pair of metrics, over the means of the runs."""
    means = [[_number(mean_of(run.sessions, key).value) for key in FIGURES] for run in report.runs]
    return _table(means, Note("few_runs"))


def over_plans(report: Report) -> Table:
    """The same over all plans of all runs."""
    plans = [
        [_number(session.values.get(key)) for key in FIGURES]
        for run in report.runs
        for session in run.sessions
    ]
    return _table(plans, Note("few_plans"))


def _number(value: float | None) -> float:
    return float("nan") if value is None else value


def _table(rows: Sequence[Sequence[float]], why_empty: Note) -> Table:
    values = np.array(rows, dtype=float).reshape(len(rows), len(FIGURES))
    cells = list(_cells(values))
    constant = [
        METRIC[key].label for key, column in zip(FIGURES, values.T, strict=True) if _is_constant(column)
    ]
    left_out = [Note("constant_figures", {"names": ", ".join(constant)})] if cells and constant else []
    return Table(COLUMNS, cells, left_out if cells else [why_empty])


def _is_constant(column: Matrix) -> bool:
    known = column[~np.isnan(column)]
    return known.size < LEAST or bool(np.ptp(known) == 0)


def _cells(values: Matrix) -> Iterator[list[Cell]]:
    """Of the metrics that differ, each pair once; pairs of which less than three rows have both are left empty."""
    varying = [at for at in range(len(FIGURES)) if not _is_constant(values[:, at])]
    for one, other in combinations(varying, 2):
        both = values[~np.isnan(values[:, [one, other]]).any(axis=1)][:, [one, other]]
        yield [FIGURES[one], FIGURES[other], correlation(both[:, 0], both[:, 1]), len(both)]


CHART = Chart("matrix", x="figure", y="other_figure", value="correlation")
_COLUMN_WORDS = {
    "other_figure": _("other metric"),
    "correlation": _("Pearson's r"),
    "pairs": _("pairs"),
}
_NOTE_WORDS = {
    "few_runs": _("Correlations need three runs or more whose figures differ."),
    "few_plans": _("Correlations need three plans or more whose figures differ."),
    "constant_figures": _("Left out, since they do not vary: %(names)s."),
}
OVER_RUNS = Part(
    "correlations",
    over_runs,
    CHART,
    words=PartWords(
        _("Correlations over runs"),
        _(
            "Pearson's coefficients of the means of the runs. Blue squares: both rise together. Orange: "
            "one rises where the other falls. The stronger, the fuller the colour."
        ),
        columns=_COLUMN_WORDS,
        notes=_NOTE_WORDS,
    ),
)
OVER_PLANS = Part(
    "plan_correlations",
    over_plans,
    CHART,
    words=PartWords(
        _("Correlations over plans"),
        _("The same over all plans of all runs."),
        columns=_COLUMN_WORDS,
        notes=_NOTE_WORDS,
    ),
)
