"""Validity issues by type."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from benchmark.remarks import gettext_noop as _
from benchmark.remarks import ngettext_noop
from benchmark.reports.report import Part, Report
from benchmark.reports.run import RunFigures
from benchmark.reports.table import Cell, Chart, Column, Note, Table
from benchmark.reports.words import PartWords

COLUMNS = (
    *(
        Column("issue", "name"),
        Column("run", "name"),
        Column("issues", "count"),
        Column("plans_with", "count"),
    ),
    Column("a_plan", places=2),
)


def build(report: Report) -> Table:
    """A row a type and run, the most frequent type first: issues, plans that have one, issues a scored plan."""
    counts = [(run, _issues(run), _plans(run)) for run in report.runs]
    whole: Counter[str] = Counter()
    for _run, issues, _plans_of_run in counts:
        whole.update(issues)
    rows: list[list[Cell]] = [
        [kind, run.label, issues[kind], plans[kind], issues[kind] / scored]
        for kind in dict(whole.most_common())
        for run, issues, plans in counts
        if (scored := _scored_count(run))
    ]
    if not rows:
        return Table(COLUMNS, rows, [_nothing(report.runs)])
    return Table(COLUMNS, rows, [Note("log"), *_notes_without_bars(counts)])


def _nothing(runs: Sequence[RunFigures]) -> Note:
    """Why no run has an issue."""
    scored = sum(map(_scored_count, runs))
    return Note("no_issues", {"n": scored}) if scored else Note("no_scored_plan")


def _notes_without_bars(counts: Sequence[tuple[RunFigures, Counter[str], Counter[str]]]) -> Iterator[Note]:
    """The runs that the chart has no bars of."""
    for run, issues, _plans_of_run in counts:
        if not issues.total():
            yield Note("without_issues" if _scored_count(run) else "without_plans", {"run": run.label})


def _issues(run: RunFigures) -> Counter[str]:
    counts: Counter[str] = Counter()
    for session in run.sessions:
        counts.update(session.issues)
    return counts


def _plans(run: RunFigures) -> Counter[str]:
    return Counter(kind for session in run.sessions for kind, count in session.issues.items() if count)


def _scored_count(run: RunFigures) -> int:
    return sum(session.values.get("pv") is not None for session in run.sessions)


CHART = Chart("bars", x="issue", y="issues", series="run", log=True, across=True)
PART = Part(
    "validity_issues",
    build,
    CHART,
    words=PartWords(
        _("Validity issues by type"),
        _("All issues of all scored plans. Each line of the scale stands for ten times the one before."),
        columns={
            "issue": _("issue"),
            "issues": _("issues"),
            "plans_with": _("plans with this issue"),
            "a_plan": _("per plan"),
        },
        notes={
            "without_issues": _("%(run)s has no issue, so it has no bar."),
            "without_plans": _("%(run)s has no plan that could have an issue."),
            "no_scored_plan": _("No plan has been scored."),
            "no_issues": ngettext_noop(
                "The %(n)s plan that has been scored has no issue.",
                "None of the %(n)s plans that have been scored has an issue.",
            ),
            "log": _("Logarithmic scale from 0.5; an issue that a run does not have has no bar."),
        },
    ),
)
