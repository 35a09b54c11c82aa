"""The main results by subset: raw scores, tool errors, final scores, accuracy, overall."""

from __future__ import annotations

from benchmark.remarks import gettext_noop as _
from benchmark.reports import Cell, Column, Note, Part, PartWords, Report, RunFigures, Table
from benchmark.reports.verdicts import how_much_was_judged, who_judged
from benchmark.suites.travelbench.report.figures import SOLVABLE, SubsetFigures, subsets_of

COLUMNS = (
    Column("run", "name"),
    *(Column(f"{subset}_{figure}") for subset in SOLVABLE for figure in ("raw", "errors", "final")),
    *(Column("accuracy"), Column("overall")),
    *(Column(f"{subset}_judged", "count") for subset in SOLVABLE),
)


def build(report: Report) -> Table:
    """A row a run, each figure 0 to 100; empty where nothing was judged, or a subset was not played."""
    rows = [_row(run) for run in report.runs]
    return Table(COLUMNS, rows, [Note("subsets"), *who_judged(report), *how_much_was_judged(report)])


def _row(run: RunFigures) -> list[Cell]:
    subsets_of_run = subsets_of(run)
    solved = (subsets_of_run.multi, subsets_of_run.single)
    figures = [cell for subset in solved for cell in _figures(subset)]
    return [
        run.label,
        *figures,
        subsets_of_run.accuracy,
        subsets_of_run.overall,
        *(subset.judged for subset in solved),
    ]


def _figures(figures: SubsetFigures) -> list[Cell]:
    return [figures.raw, figures.errors, figures.final]


PART = Part(
    "subsets",
    build,
    words=PartWords(
        _("Main results by subset"),
        _(
            "Raw: the judge's ratings alone. Errors: tool errors per call. Final: less tool errors, calibrated "
            "by the meta-judge. All figures are 0 to 100."
        ),
        columns={
            "multi_raw": _("multi-turn: raw"),
            "multi_errors": _("multi-turn: errors %"),
            "single_raw": _("single-turn: raw"),
            "single_errors": _("single-turn: errors %"),
            "multi_judged": _("multi-turn: sessions judged"),
            "single_judged": _("single-turn: sessions judged"),
        },
        notes={
            "subsets": _(
                "The overall score is the mean of the multi-turn final score, the single-turn final "
                "score and the accuracy. It is empty where one of the three is."
            )
        },
    ),
)
