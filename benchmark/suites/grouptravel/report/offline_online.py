"""The same players offline and online, over the tasks that both played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmark.reports.parts.main_results import judged_of
from benchmark.reports.report import Part, Report
from benchmark.reports.run import RunFigures
from benchmark.reports.scores import scores_of
from benchmark.reports.session import SessionFigures
from benchmark.reports.table import Cell, Column, Note, Table
from benchmark.reports.tasks import task_figures

OFFLINE, ONLINE = "isolated", "online"
SIDES = ("offline", "online")
COLUMNS = (
    *(Column("offline", "name"), Column("online", "name"), Column("tasks", "count")),
    *(Column(f"gu_{side}") for side in SIDES),
    *(Column(f"other_{side}", places=1) for side in SIDES),
    *(Column(f"judged_{side}", "count") for side in SIDES),
    *(Column(f"hits_{side}", places=1) for side in SIDES),
    *(Column(f"calls_{side}", places=1) for side in SIDES),
)


def build(report: Report) -> Table:
    """A row a pair of runs with the same players, one in the mode `isolated`, one `online`, that share a task.

    Scores, percentage of hits and tool calls a session, all over the shared tasks. A run in the mode `world` is no
    offline one: it has no cache that could lack something.
    """
    pairs = list(_pairs(report))
    rows = [row for pair in pairs if (row := _row(*pair, report))]
    return Table(COLUMNS, rows, [*_differing(pairs)] if rows else [Note("no_online")])


def _pairs(report: Report) -> Iterator[tuple[RunFigures, RunFigures]]:
    for online in report.runs:
        for offline in report.runs:
            if offline.players == online.players and (offline.mode, online.mode) == (OFFLINE, ONLINE):
                yield offline, online


def _differing(pairs: Sequence[tuple[RunFigures, RunFigures]]) -> Iterator[Note]:
    for offline, online in pairs:
        for what, value in offline.around.items():
            if value != online.around[what]:
                given = {"offline": offline.label, "online": online.label}
                yield Note(f"differing_{what}", given)


def _row(offline: RunFigures, online: RunFigures, report: Report) -> list[Cell]:
    shared = offline.tasks.place.keys() & online.tasks.place.keys()
    if not shared:
        return []
    sides = [[one for one in run.sessions if one.task_id in shared] for run in (offline, online)]
    tasks = [task_figures(sessions, report.measures) for sessions in sides]
    both = scores_of(tasks, report.measures, report.resampler)
    cells: list[Cell] = [offline.label, online.label, len(shared)]
    cells += [scores[figure] for figure in ("gu", "other") for scores in both]
    cells += (judged_of(one, report.measures) for one in tasks)
    return cells + [count(sessions) for count in (_hits, _calls) for sessions in sides]


def _hits(sessions: Sequence[SessionFigures]) -> float | None:
    hits, misses = (sum(getattr(session, name) for session in sessions) for name in ("hits", "misses"))
    return 100 * hits / (hits + misses) if hits + misses else None


def _calls(sessions: Sequence[SessionFigures]) -> float:
    return sum(session.calls for session in sessions) / len(sessions)


PART = Part("offline_online", build, own_tasks=True)
