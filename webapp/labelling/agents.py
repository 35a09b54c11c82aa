"""What the agent of a session, or who asks it, is called in a study."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from webapp.sessions.models import Session


def agent_name(session: Session) -> str:
    """The kind of the agent, and the model that it speaks through, where there is one."""
    return f"{session.agent} · {session.agent_model.name}" if session.agent_model else session.agent


def user_name(session: Session) -> str:
    """The kind of the users, and the model that they speak through, where there is one."""
    return f"{session.users} · {session.user_model.name}" if session.user_model else session.users


def agent_names(sessions: Iterable[Session], name: Callable[[Session], str] = agent_name) -> dict[str, str]:
    """The agent's name by session: with the run's where several of these runs have one of the same name.

    name: what gives it, `user_name` for the users'.
    """
    given = list(sessions)
    runs: dict[str, set[str]] = {}
    for session in given:
        runs.setdefault(name(session), set()).add(session.run_id or "")
    return {
        session.pk: _distinct_name(session, name(session), len(runs[name(session)]) > 1) for session in given
    }


def _distinct_name(session: Session, named: str, several: bool) -> str:
    run = session.run
    return f"{named} ({run.name}, {run.pk})"[:200] if several and run else named[:200]
