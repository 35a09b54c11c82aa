"""What a finished session came to: how it ended, the last answer, and whether an unsolvable task was recognised."""

from __future__ import annotations

from typing import Any

from benchmark.core.events import CRASHES
from benchmark.core.view import AGENT
from benchmark.suites.travelbench.conversation.state import SessionState
from webapp.sessions.reading import Reading


def context(reading: Reading) -> dict[str, Any] | None:
    """None before the end."""
    state = reading.state
    if not reading.session.ended or state.final_event is None or not isinstance(state, SessionState):
        return None
    answers = [message for message in state.messages if message.role == AGENT]
    score = reading.score
    return {
        "answer": answers[-1].content if answers else "",
        "at": answers[-1].seq if answers else 0,
        "turns": state.round if state.opening and state.opening.subtask == "multi" else 0,
        "recognised": score.figures.get("unsolved") if score else None,
        "errors": len(score.figures.get("evidence", {}).get("errors", ())) if score else 0,
        "crashed": state.final_event.reason in CRASHES,
    }
