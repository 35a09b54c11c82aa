"""A session as a line of a file: what was said, asked for and planned, turn by turn."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from benchmark.core.events import Event, MessagePosted
from benchmark.core.state import fold_events
from benchmark.core.view import AGENT
from benchmark.suites.tripbench.conversation.state import SessionState


def run_record(events: Iterable[Event], *, task_index: int = 0, trial_id: int = 0) -> dict[str, Any]:
    """The task's id, its subset and the turns. Raises ValueError where the log has no opening event."""
    log = list(events)
    now = fold_events(SessionState(), log)
    if now.opening is None:
        raise ValueError("a log without session_opened has no record")
    said = [event.body for event in log if isinstance(event.body, MessagePosted)]
    replies = [body.content for body in said if body.role == AGENT]
    requests = [body.content for body in said if body.role != AGENT]
    turns = [
        {
            "user": request,
            "instruction_ids": list(turn.told_ids),
            "assistant": reply,
            "plan": turn.plan,
            "carried": turn.is_carried,
            "needs_plan": turn.needs_plan,
        }
        for request, reply, turn in zip(requests, replies, now.turns, strict=False)
    ]
    return {
        "id": now.opening.task_id,
        "trial_id": trial_id,
        "subset": now.opening.subset,
        "mode": now.opening.mode,
        "seed": now.opening.seed,
        "ended": now.final_event.reason if now.final_event else None,
        "turns": turns,
    }
