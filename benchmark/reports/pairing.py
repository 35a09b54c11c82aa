"""The same players offline and online."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmark.reports.report import Report
from benchmark.reports.run import RunFigures
from benchmark.reports.session import SessionFigures
from benchmark.reports.table import Note

OFFLINE, ONLINE = "isolated", "online"
SIDES = ("offline", "online")
NONE = Note("no_online")
"""Why no pair is shown."""
RunPair = tuple[RunFigures, RunFigures]


def pairs(report: Report) -> list[RunPair]:
    """Each offline run with each online run of the same players, in the order of the online ones.

    A run in the mode `world` is no offline one: it has no cache that could lack something.
    """
    return [
        (offline, online)
        for online in report.runs
        for offline in report.runs
        if offline.players == online.players and (offline.mode, online.mode) == (OFFLINE, ONLINE)
    ]


def shared_sessions(pair: RunPair) -> list[list[SessionFigures]]:
    """The sessions of both over the tasks that both played, offline first; nothing where they share none."""
    shared = pair[0].tasks.place.keys() & pair[1].tasks.place.keys()
    return (
        [[session for session in run.sessions if session.task_id in shared] for run in pair] if shared else []
    )


def differing(run_pairs: Sequence[RunPair]) -> Iterator[Note]:
    """What should be alike within a pair, and is not."""
    for offline, online in run_pairs:
        for what in ("world", "seed"):
            if offline.conditions.get(what) != online.conditions.get(what):
                given = {"offline": offline.label, "online": online.label}
                yield Note(f"differing_{what}", given)


def hit_rate(sessions: Sequence[SessionFigures]) -> float | None:
    """The percentage of answered tool calls that the cache knew; None without any."""
    hits, misses = (sum(getattr(session, name) for session in sessions) for name in ("hits", "misses"))
    return 100 * hits / (hits + misses) if hits + misses else None
