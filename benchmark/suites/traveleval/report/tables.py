"""The tables of the paper that are means of metrics over groups of queries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from benchmark.remarks import gettext_noop as _
from benchmark.reports import Cell, Chart, Column, Note, Part, PartWords, Report, RunFigures, Table
from benchmark.reports.table import NO_SESSIONS
from benchmark.suites.traveleval.report.means import (
    ALL,
    COSTS,
    FIGURES,
    LEVELS,
    METRIC,
    mean_of,
    relative_change,
    sessions_of,
)
from benchmark.suites.traveleval.tasks.listing import LEVELS as LEVEL_WORDS

APPROACHES = ("bcs", "ttcs", "str", "dtu", "otu", "edi", "ads", "aqe", "profit")
PROGRESSIVE = ("far", "otu", "aqe")
LEVELS_OF_GROUPS = ("g1", "g2", "g3")
COVERAGE = Note("coverage")


def _by_run(report: Report, *, keys: Sequence[str]) -> Table:
    """A row a run: the mean of some metrics over all its plans."""
    rows: list[list[Cell]] = [
        [run.label, *(mean_of(run.sessions, key) for key in keys)] for run in report.runs if run.sessions
    ]
    columns = [Column("run", "name"), *(Column(key, places=METRIC[key].digits) for key in keys)]
    return Table(columns, rows, [COVERAGE if rows else NO_SESSIONS])


def _runs_side_by_side(report: Report) -> Table:
    """A row a metric, a column a run."""
    runs = [run for run in report.runs if run.sessions]
    columns = [Column("figure", "name"), *(Column(run.label, label=run.label) for run in runs)]
    rows: list[list[Cell]] = [
        [key, *(mean_of(run.sessions, key) for run in runs)] for key in (*FIGURES, *COSTS) if runs
    ]
    return Table(columns, rows, [COVERAGE if rows else NO_SESSIONS])


def _by_level(report: Report) -> Table:
    """A row a run and metric, a column a difficulty."""
    groups = (ALL, *LEVELS)
    rows: list[list[Cell]] = [
        [run.label, key, *(mean_of(own, key) for own in plans)]
        for run in report.runs
        if run.sessions
        for plans in [[sessions_of(run.sessions, group) for group in groups]]
        for key in (*FIGURES, *COSTS)
    ]
    columns = [Column("run", "name"), Column("figure", "name"), *map(Column, groups)]
    return Table(columns, rows, [COVERAGE if rows else NO_SESSIONS])


def _progressive(report: Report) -> Table:
    """A row a run and metric: its mean on each level of the progressive groups, and its relative changes."""
    rows = [row for run in report.runs for row in _progressive_rows(run)]
    columns = [
        *(Column("run", "name"), Column("figure", "name")),
        *(Column(group, label=group.upper()) for group in LEVELS_OF_GROUPS),
        *(Column(f"change_{group}", places=1, signed=True) for group in LEVELS_OF_GROUPS[1:]),
    ]
    return Table(columns, rows, [COVERAGE if rows else Note("no_groups")])


def _progressive_rows(run: RunFigures) -> Iterator[list[Cell]]:
    groups = [sessions_of(run.sessions, group) for group in LEVELS_OF_GROUPS]
    for key in PROGRESSIVE if any(groups) else ():
        g1, g2, g3 = (mean_of(group, key) for group in groups)
        changes = (relative_change(g1.value, g2.value), relative_change(g2.value, g3.value))
        yield [run.label, key, g1, g2, g3, *changes]


def _costs(report: Report) -> Table:
    """A row a group of queries, run and kind of costs: its mean, and its share of the means of all kinds."""
    rows = [row for group in (ALL, *LEVELS) for run in report.runs for row in _cost_rows(run, group)]
    columns = [
        *(Column("group", "name"), Column("run", "name"), Column("kind", "name")),
        *(Column("cost", places=0), Column("share", places=1)),
    ]
    return Table(columns, rows, [COVERAGE if rows else NO_SESSIONS])


def _cost_rows(run: RunFigures, group: str) -> Iterator[list[Cell]]:
    plans = sessions_of(run.sessions, group)
    means = {key: mean_of(plans, key) for key in COSTS}
    whole = sum(mean.value or 0 for mean in means.values())
    for key, mean in means.items() if whole else ():
        yield [group, run.label, key, mean, None if mean.value is None else 100 * mean.value / whole]


SIDE_BY_SIDE = Part(
    "runs_side_by_side",
    _runs_side_by_side,
    words=PartWords(
        _("All metrics"),
        _("Plain means over the plans of each run. Small: how many of how many sessions have the figure."),
    ),
)
APPROACH = Part(
    "approaches",
    partial(_by_run, keys=APPROACHES),
    words=PartWords(_("The figures that tell baselines apart"), _("Plain means over plans.")),
)
WITHIN_BUDGET = Part(
    "within_budget",
    partial(_by_run, keys=("bcs",)),
    Chart("bars", x="run", y="bcs", across=True, most=100),
    words=PartWords(_("Plans within the budget"), _("Percentage of plans."), axes={"bcs": _("% of plans")}),
)
BY_LEVEL = Part(
    "by_level",
    _by_level,
    words=PartWords(
        _("All metrics by difficulty"), _("Plain means over plans."), columns={ALL: _("all"), **LEVEL_WORDS}
    ),
)
PROGRESS = Part(
    "progressive",
    _progressive,
    words=PartWords(
        _("Progressive groups"),
        _(
            "The same journeys with no wishes (G1), some (G2) and many (G3), and the relative changes from "
            "each level to the next."
        ),
        columns={"change_g2": _("change from G1 to G2, %"), "change_g3": _("change from G2 to G3, %")},
        notes={"no_groups": _("These runs have no queries of progressive groups.")},
    ),
)
COMPOSITION = Part(
    "cost_composition",
    _costs,
    Chart("stacked", x="run", y="cost", series="kind", facet="group", across=True),
    words=PartWords(
        _("Costs by kind"),
        _("Mean costs of a plan, CNY, and their shares."),
        columns={"kind": _("kind"), "cost": _("CNY")},
        axes={"cost": _("CNY for each plan")},
        values={"kind": {key: METRIC[key].label for key in COSTS}},
    ),
)
