"""The same players offline and online, over the tasks that both played: overall, hits and calls by subset."""

from __future__ import annotations

from collections.abc import Sequence

from benchmark.remarks import gettext_noop as _
from benchmark.reports import Cell, Column, Part, PartWords, Report, SessionFigures, Table
from benchmark.reports.pairing import NONE, SIDES, RunPair, differing, hit_rate, pairs, shared_sessions
from benchmark.reports.verdicts import who_judged
from benchmark.suites.travelbench.report.figures import SOLVABLE, sessions_of, subsets

COLUMNS = (
    *(Column("offline", "name"), Column("online", "name"), Column("tasks", "count")),
    *(Column(f"overall_{side}") for side in SIDES),
    *(
        column
        for subset in SOLVABLE
        for column in (
            *(Column(f"{subset}_hits_{side}") for side in SIDES),
            *(Column(f"{subset}_calls_{side}", "count") for side in SIDES),
        )
    ),
)


def build(report: Report) -> Table:
    """A row a pair of runs with the same players, one in the mode `isolated`, one `online`, that share a task."""
    run_pairs = pairs(report)
    rows = [row for pair in run_pairs if (row := _row(pair))]
    return Table(COLUMNS, rows, [*differing(run_pairs), *who_judged(report)] if rows else [NONE])


def _row(pair: RunPair) -> list[Cell]:
    sides = shared_sessions(pair)
    if not sides:
        return []
    cells: list[Cell] = [*(run.label for run in pair), len({session.task_id for session in sides[0]})]
    cells += [
        subsets(sessions, run.measures.averaging).overall for run, sessions in zip(pair, sides, strict=True)
    ]
    for subset in SOLVABLE:
        own = [sessions_of(sessions, subset) for sessions in sides]
        cells += [count(sessions) for count in (hit_rate, _calls) for sessions in own]
    return cells


def _calls(sessions: Sequence[SessionFigures]) -> int:
    return sum(session.calls for session in sessions)


PART = Part(
    "offline_online",
    build,
    own_tasks=True,
    words=PartWords(
        _("Offline against online"),
        _(
            "Runs with the same participants, isolated and online, over the tasks that both runs "
            "played: overall score, calls that the cache knew, and all tool calls."
        ),
        columns={
            "overall_offline": _("overall offline"),
            "overall_online": _("overall online"),
            "multi_hits_offline": _("multi-turn: hits % offline"),
            "multi_hits_online": _("multi-turn: hits % online"),
            "multi_calls_offline": _("multi-turn: tool calls offline"),
            "multi_calls_online": _("multi-turn: tool calls online"),
            "single_hits_offline": _("single-turn: hits % offline"),
            "single_hits_online": _("single-turn: hits % online"),
            "single_calls_offline": _("single-turn: tool calls offline"),
            "single_calls_online": _("single-turn: tool calls online"),
        },
    ),
)
