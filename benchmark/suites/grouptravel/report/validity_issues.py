"""Validity issues by type."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from benchmark.reports.report import Part, Report
from benchmark.reports.run import RunFigures
from benchmark.reports.table import Cell, Chart, Column, Note, Table

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
    for _, issues, _ in counts:
        whole.update(issues)
    rows: list[list[Cell]] = [
        [kind, run.label, issues[kind], plans[kind], issues[kind] / scored]
        for kind, _ in whole.most_common()
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
    for run, issues, _ in counts:
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
PART = Part("validity_issues", build, CHART)
