"""Which constraints are broken most often, and how rubrics fare in the settings of runs (Figure 4)."""

from __future__ import annotations

from statistics import fmean
from typing import NamedTuple

from benchmark.remarks import gettext_noop as _
from benchmark.reports import Cell, Chart, Column, Note, Part, PartWords, Report, Table
from benchmark.reports.table import NO_SESSIONS
from benchmark.suites.tripbench.metrics import CONSTRAINTS, GROUPS
from benchmark.suites.tripbench.report.sessions import PERCENT, mode_of, share_of
from benchmark.suites.tripbench.rubrics import RUBRICS
from benchmark.suites.tripbench.rubrics.labels import DOMAINS, LABELS, domain_of, figure_key

MOST_ROWS = 15
GLOBAL, POINTWISE, GENERAL = "global", "pointwise", "every"
_SCOPES = {figure_key(key): GLOBAL if rubric.is_global else POINTWISE for key, rubric in RUBRICS.items()}
_RUBRIC_LABELS = {figure_key(key): label for key, label in LABELS.items()}
_CONSTRAINT_LABELS = {
    **{key: label for group in CONSTRAINTS.values() for key, (label, _name) in group.items()},
    **_RUBRIC_LABELS,
}
_DOMAINS = {
    **{key: group for group, constraints in CONSTRAINTS.items() for key in constraints},
    **{figure_key(key): domain_of(key) for key in RUBRICS},
}


class _ViolatedConstraint(NamedTuple):
    key: str
    shares: list[float | None]

    @property
    def mean(self) -> float:
        return fmean(share for share in self.shares if share is not None)


def _violations(report: Report) -> Table:
    """A row a constraint and run, for the constraints that are broken most often in the mean over runs."""
    runs = [run for run in report.runs if run.sessions]
    broken = [
        _ViolatedConstraint(
            key,
            [
                None if (met := share_of(run.sessions, key)).value is None else PERCENT - met.value
                for run in runs
            ],
        )
        for key in _CONSTRAINT_LABELS
    ]
    known = [one for one in broken if any(one.shares)]
    worst = sorted(known, key=lambda one: -one.mean)[:MOST_ROWS]
    rows: list[list[Cell]] = [
        [one.key, _DOMAINS[one.key], _SCOPES.get(one.key, GENERAL), run.label, share]
        for one in worst
        for run, share in zip(runs, one.shares, strict=True)
    ]
    columns = [
        *(Column(key, "name") for key in ("constraint", "domain", "scope", "run")),
        Column("broken", places=1),
    ]
    return Table(columns, rows, [Note("broken")] if rows else [Note("none_broken") if runs else NO_SESSIONS])


def _settings(report: Report) -> Table:
    """A row a rubric and run: how often it is met, and in what kind of conversation."""
    rows: list[list[Cell]] = [
        [key, _SCOPES[key], run.label, mode_of(run), met]
        for key in _SCOPES
        for run in report.runs
        if (met := share_of(run.sessions, key)).value is not None
    ]
    columns = [
        *(Column(key, "name") for key in ("constraint", "scope", "run", "mode")),
        Column("met", places=1),
    ]
    return Table(columns, rows, [] if rows else [Note("no_rubrics")])


_SCOPE_WORDS = {GLOBAL: _("of the whole plan"), POINTWISE: _("of each item"), GENERAL: _("of every plan")}
_COLUMNS = {
    "constraint": _("constraint"),
    "domain": _("domain"),
    "scope": _("said"),
    "broken": _("broken, %"),
    "met": _("met, %"),
    "mode": _("conversation"),
}
_VALUES = {
    "constraint": _CONSTRAINT_LABELS,
    "domain": {**{group.key: group.label for group in GROUPS}, **DOMAINS},
    "scope": _SCOPE_WORDS,
}
VIOLATIONS = Part(
    "broken_constraints",
    _violations,
    Chart("bars", x="constraint", y="broken", series="run", across=True),
    words=PartWords(
        _("Constraints that are broken most often"),
        _("Of the last plans that were judged by a constraint, how many break it."),
        columns=_COLUMNS,
        values=_VALUES,
        notes={
            "broken": _("The fifteen that are broken most often in the mean over these runs."),
            "none_broken": _("No plan here breaks a constraint."),
        },
    ),
)
SETTINGS = Part(
    "rubrics",
    _settings,
    Chart("bars", x="constraint", y="met", series="run", facet="scope", across=True, most=100),
    words=PartWords(
        _("The user's constraints by rubric"),
        _("How often the last plan meets a constraint of each rubric, run by run."),
        columns=_COLUMNS,
        values=_VALUES,
        notes={"no_rubrics": _("No plan here was judged by a constraint of its user.")},
    ),
)
