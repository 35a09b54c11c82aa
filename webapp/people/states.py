"""Where a session stands, folded once for all who ask in this process."""

from __future__ import annotations

from functools import lru_cache

from benchmark.core.state import SessionState, fold_events
from benchmark.suites import suite_named
from webapp.sessions.log import whole_log


@lru_cache(maxsize=64)
def state_at(suite: str, session_id: str, seq: int) -> SessionState:
    """The state after so many events. Nobody changes it."""
    state: SessionState = suite_named(suite).play.rules.state()
    return fold_events(state, whole_log(session_id)[:seq])
