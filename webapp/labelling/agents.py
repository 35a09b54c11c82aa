"""What the agent of a session is called in a study."""

from __future__ import annotations

from collections.abc import Iterable

from webapp.sessions.models import Session


def agent_name(session: Session) -> str:
    """The kind of the agent, and the model that it speaks through, where there is one."""
    return f"{session.agent} · {session.agent_model.name}" if session.agent_model else session.agent


def agent_names(sessions: Iterable[Session]) -> dict[str, str]:
    """The agent's name by session: with the run's where several of these runs have one of the same name."""
    given = list(sessions)
    runs: dict[str, set[str]] = {}
    for session in given:
        runs.setdefault(agent_name(session), set()).add(session.run_id or "")
    return {session.pk: _distinct_name(session, len(runs[agent_name(session)]) > 1) for session in given}


def _distinct_name(session: Session, several: bool) -> str:
    named = agent_name(session)
    run = session.run
    return f"{named} ({run.name}, {run.pk})"[:200] if several and run else named[:200]
