"""The same players offline and online: the counterpart of Table 2."""

from __future__ import annotations

from collections.abc import Iterator

from benchmark.reports.report import Part, Report
from benchmark.reports.scores import scores_of
from benchmark.reports.session import RunFigures
from benchmark.reports.table import Cell, Column, Note, Table

ONLINE = "online"
COLUMNS = (
    *(Column("offline", "name"), Column("online", "name"), Column("gu_offline"), Column("gu_online")),
    *(Column("other_offline", places=1), Column("other_online", places=1)),
    *(Column("hits_offline", places=1), Column("hits_online", places=1)),
    *(Column("calls_offline", places=1), Column("calls_online", places=1)),
)


def build(report: Report) -> Table:
    """A row a pair of runs that differ in the sandbox alone: scores, percentage of hits, tool calls a session."""
    rows = [_row(offline, online, report) for offline, online in _pairs(report)]
    return Table(COLUMNS, rows, [] if rows else [Note("no_online")])


def _pairs(report: Report) -> Iterator[tuple[RunFigures, RunFigures]]:
    for online in report.runs:
        for offline in report.runs:
            alike = offline.players == online.players
            if alike and online.mode == ONLINE and offline.mode != ONLINE:
                yield offline, online


def _row(offline: RunFigures, online: RunFigures, report: Report) -> list[Cell]:
    cells: list[Cell] = [offline.label, online.label]
    both = scores_of([offline.tasks, online.tasks], report.resampler)
    cells += [scores[figure] for figure in ("gu", "other") for scores in both]
    return cells + [count(run) for count in (_hits, _calls) for run in (offline, online)]


def _hits(run: RunFigures) -> float | None:
    hits, misses = (sum(getattr(session, name) for session in run.sessions) for name in ("hits", "misses"))
    return 100 * hits / (hits + misses) if hits + misses else None


def _calls(run: RunFigures) -> float | None:
    calls = [session.calls for session in run.sessions]
    return sum(calls) / len(calls) if calls else None


PART = Part("offline_online", "Table 2", build)
