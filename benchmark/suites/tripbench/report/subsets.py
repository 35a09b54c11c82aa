"""Verdicts by subset (Tables 2, 3 and 5): of the plans in the end, and of those of every turn."""

from __future__ import annotations

from benchmark.remarks import gettext_noop as _
from benchmark.reports import Cell, Column, Note, Part, PartWords, Report, RunFigures, Table
from benchmark.reports.table import NO_SESSIONS
from benchmark.suites.tripbench.metrics import LOOSE, LOOSE_TURNS, STRICT, STRICT_TURNS
from benchmark.suites.tripbench.report.sessions import mode_of, share_of, subset_of, subsets_in

OVERALL = "overall"
FIGURES = {LOOSE: "loose", STRICT: "strict"}
FIGURES_BY_TURN = {LOOSE_TURNS: "loose", STRICT_TURNS: "strict"}


def _table(report: Report, figures: dict[str, str]) -> Table:
    subsets = subsets_in(report.runs)
    columns = [
        *(Column(key, "name") for key in ("run", "agent", "model", "mode")),
        *(
            Column(f"{subset}_{name}", places=1)
            for subset in [*subsets, OVERALL]
            for name in figures.values()
        ),
        Column("sessions", "count"),
    ]
    rows = [_row(run, subsets, figures) for run in report.runs if run.sessions]
    return Table(columns, rows, [Note("overall")] if rows else [NO_SESSIONS])


def _row(run: RunFigures, subsets: list[str], figures: dict[str, str]) -> list[Cell]:
    groups = [[own for own in run.sessions if subset_of(own) == subset] for subset in subsets]
    shares = [share_of(sessions, key) for sessions in [*groups, [*run.sessions]] for key in figures]
    cast = run.cast
    return [
        *(run.label, cast.get("agent", ""), cast.get("agent_model", ""), mode_of(run)),
        *shares,
        len(run.sessions),
    ]


def _in_the_end(report: Report) -> Table:
    """A row a run: verdicts on the last plan, in per cent of the tasks."""
    return _table(report, FIGURES)


def _by_turn(report: Report) -> Table:
    """A row a run: the mean over tasks of the share of turns that pass."""
    return _table(report, FIGURES_BY_TURN)


_COLUMNS = {
    "mode": _("conversation"),
    "agent": _("agent"),
    "model": _("model"),
    "easy_loose": _("easy, loose"),
    "easy_strict": _("easy, strict"),
    "mid_loose": _("mid, loose"),
    "mid_strict": _("mid, strict"),
    "hard_loose": _("hard, loose"),
    "hard_strict": _("hard, strict"),
    "lit_loose": _("LIT, loose"),
    "lit_strict": _("LIT, strict"),
    "fit_loose": _("FIT, loose"),
    "fit_strict": _("FIT, strict"),
    "ais_loose": _("AIS, loose"),
    "ais_strict": _("AIS, strict"),
    "pmr_loose": _("PMR, loose"),
    "pmr_strict": _("PMR, strict"),
    "overall_loose": _("overall, loose"),
    "overall_strict": _("overall, strict"),
}
_NOTES = {
    "overall": _(
        "Per cent of the tasks. Every task weighs the same in the overall figure, as in the paper, whose subsets "
        "weigh 100, 100 and four times 50. Several trials of a task count as their mean."
    )
}
IN_THE_END = Part(
    "subsets",
    _in_the_end,
    own_tasks=True,
    words=PartWords(
        _("Verdicts by subset"),
        _(
            "Of the plan after the last turn. Strict: it violates nothing. Loose: nothing of feasibility, at most "
            "two constraints of soundness and one of the user. Runs with one answer, and without reports of faults, "
            "stand beside those with several turns."
        ),
        columns=_COLUMNS,
        notes=_NOTES,
    ),
)
BY_TURN = Part(
    "subsets_by_turn",
    _by_turn,
    own_tasks=True,
    words=PartWords(
        _("Verdicts of every turn by subset"),
        _("The share of a session's turns whose plan passes, with the constraints of that turn."),
        columns=_COLUMNS,
        notes=_NOTES,
    ),
)
