"""The same players offline and online, over the tasks that both played."""

from __future__ import annotations

from collections.abc import Sequence

from benchmark.remarks import gettext_noop as _
from benchmark.reports.pairing import NONE, SIDES, RunPair, differing, hit_rate, pairs, shared_sessions
from benchmark.reports.parts.main_results import judged_of
from benchmark.reports.report import Part, Report
from benchmark.reports.scores import scores_of
from benchmark.reports.session import SessionFigures
from benchmark.reports.table import Cell, Column, Table
from benchmark.reports.tasks import task_figures
from benchmark.reports.words import PartWords

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

    Scores, percentage of hits and tool calls a session, all over the shared tasks.
    """
    run_pairs = pairs(report)
    rows = [row for pair in run_pairs if (row := _row(pair, report))]
    return Table(COLUMNS, rows, [*differing(run_pairs)] if rows else [NONE])


def _row(pair: RunPair, report: Report) -> list[Cell]:
    sides = shared_sessions(pair)
    if not sides:
        return []
    tasks = [task_figures(sessions, report.measures) for sessions in sides]
    both = scores_of(tasks, report.measures, report.resampler)
    cells: list[Cell] = [*(run.label for run in pair), len(tasks[0].ids)]
    cells += [scores[figure] for figure in ("gu", "other") for scores in both]
    cells += (judged_of(task, report.measures) for task in tasks)
    return cells + [count(sessions) for count in (hit_rate, _calls) for sessions in sides]


def _calls(sessions: Sequence[SessionFigures]) -> float:
    return sum(session.calls for session in sessions) / len(sessions)


PART = Part(
    "offline_online",
    build,
    own_tasks=True,
    words=PartWords(
        _("Offline against online"),
        _("Runs with the same participants, isolated and online, over the tasks that both runs played."),
        columns={
            "gu_offline": _("GU offline"),
            "gu_online": _("GU online"),
            "other_offline": _("Other offline"),
            "other_online": _("Other online"),
            "judged_offline": _("tasks judged offline"),
            "judged_online": _("tasks judged online"),
            "hits_offline": _("hits % offline"),
            "hits_online": _("hits % online"),
            "calls_offline": _("tool calls offline"),
            "calls_online": _("tool calls online"),
        },
    ),
)
