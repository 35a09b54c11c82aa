"""The misses of a run for other programs: English names, plain numbers, shares between 0 and 1."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from benchmark.misses import RunMisses, SessionMisses
from webapp.misses.models import NamedGroup
from webapp.sessions.models import Run
from webapp.spreadsheets import csv_text

COLUMNS = (
    *("run", "session", "task", "trial", "metric", "cause", "kind", "who", "item", "points"),
    *("events", "began", "failed_calls", "tools"),
)


def misses_csv(run: Run, sessions: Sequence[SessionMisses]) -> str:
    """A line a miss, then a line a wasted step, whose metric is `waste`."""
    return csv_text(COLUMNS, _lines(run, sessions))


def _lines(run: Run, sessions: Sequence[SessionMisses]) -> Iterator[dict[str, Any]]:
    for session in sessions:
        head = {
            "run": run.pk,
            "session": session.session_id,
            "task": session.task_id,
            "trial": session.trial,
        }
        for miss in session.misses:
            yield head | {
                "metric": miss.metric,
                "cause": miss.cause,
                "kind": miss.kind,
                "who": miss.who,
                "item": miss.item,
                "points": round(miss.points, 6),
                "events": " ".join(map(str, miss.seqs)),
                "began": miss.began,
                "failed_calls": " ".join(str(failure.seq) for failure in miss.failures),
                "tools": " ".join(dict.fromkeys(failure.tool for failure in miss.failures)),
            }
        for turn in session.waste.turns:
            yield head | {
                "metric": "waste",
                "cause": turn.kind,
                "events": str(turn.seq),
                "tools": turn.tool,
            }


def misses_json(
    run: Run,
    folded: RunMisses,
    unread: Sequence[str] = (),
    names: Mapping[str, NamedGroup] = MappingProxyType({}),
) -> dict[str, Any]:
    """The groups of a run with their sessions and events. unread: sessions in which nothing could be found. names:
    what a model calls groups, by their keys.
    """
    return {
        "run": run.pk,
        "name": run.name,
        "benchmark": run.suite,
        "sessions": folded.sessions,
        "unread": list(unread),
        "lost": [
            {
                "metric": lost.metric,
                "points": round(lost.points, 6),
                "causes": [
                    {
                        "cause": cause.cause,
                        "share": round(cause.share, 6),
                        "points": round(cause.points, 6),
                        "misses": cause.count,
                        "sessions": cause.sessions,
                    }
                    for cause in lost.causes
                ],
                "groups": [
                    {
                        "cause": group.cause,
                        "kind": group.kind,
                        "share": round(group.share, 6),
                        "points": round(group.points, 6),
                        "misses": group.count,
                        "name": names[group.key].name if group.key in names else "",
                        "sentence": names[group.key].sentence if group.key in names else "",
                        "sessions": [
                            {
                                "session": member.session.session_id,
                                "task": member.session.task_id,
                                "trial": member.session.trial,
                                "points": round(member.points, 6),
                                "misses": [
                                    {
                                        "who": miss.who,
                                        "item": miss.item,
                                        "points": round(miss.points, 6),
                                        "events": miss.seqs,
                                        "began": miss.began,
                                        "failed_calls": [failure._asdict() for failure in miss.failures],
                                    }
                                    for miss in member.misses
                                ],
                            }
                            for member in group.members
                        ],
                    }
                    for group in lost.groups
                ],
            }
            for lost in folded.losses
        ],
        "steps": folded.steps,
        "wasted": [
            {
                "kind": kind.kind,
                "steps": kind.count,
                "share": round(kind.share, 6),
                "sessions": [
                    {"session": session.session_id, "events": list(seqs)} for session, seqs in kind.turns
                ],
            }
            for kind in folded.waste
        ],
        "failed_calls": [
            {"tool": tool, "error": error, "before": dict(led)} for (tool, error), led in folded.failures
        ],
    }
