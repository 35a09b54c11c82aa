"""What the agent of a session is called in a study, and what it proposed."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from django.db.models import Q, TextField
from django.db.models.functions import Cast

from webapp.sessions.models import Event, Session

BATCH = 500
"""Sessions a query; SQLite takes about a thousand values in one."""


def agent_name(session: Session) -> str:
    """The kind of the agent, and the model that it speaks through, where there is one."""
    return f"{session.agent} · {session.agent_model.name}" if session.agent_model else session.agent


def agent_names(sessions: Iterable[Session]) -> dict[str, str]:
    """The agent's name by session: with the run's where several of these runs have one of the same name."""
    given = list(sessions)
    runs: dict[str, set[str]] = {}
    for session in given:
        runs.setdefault(agent_name(session), set()).add(session.run_id or "")
    return {session.pk: _apart(session, len(runs[agent_name(session)]) > 1) for session in given}


def _apart(session: Session, several: bool) -> str:
    named = agent_name(session)
    run = session.run
    return f"{named} ({run.name}, {run.pk})"[:200] if several and run else named[:200]


def plan_texts(ids: Iterable[str]) -> dict[str, str]:
    """What the agent of each session proposed last, in one form of writing; sessions without a plan are left out.

    It is the plan of the last event that holds one, else the last message in which one was found.
    """
    wanted = list(dict.fromkeys(ids))
    found: dict[str, str] = {}
    for begin in range(0, len(wanted), BATCH):
        for session, payload in _proposals(wanted[begin : begin + BATCH]):
            text = _text(payload)
            if text:
                found[session] = text
    return found


def _proposals(ids: list[str]) -> Iterable[tuple[str, dict[str, Any]]]:
    rows = Event.objects.filter(session_id__in=ids).annotate(text=Cast("payload", TextField()))
    rows = rows.filter(Q(text__contains='"plan":{') | Q(text__contains='"has_plan":true'))
    ordered = rows.order_by("session_id", "seq").values_list("session_id", "payload")
    plans = [(session, payload) for session, payload in ordered.iterator() if _holds_plan(payload)]
    exact = {session for session, payload in plans if isinstance(payload.get("plan"), dict)}
    return [
        (session, payload)
        for session, payload in plans
        if isinstance(payload.get("plan"), dict) or session not in exact
    ]


def _holds_plan(payload: dict[str, Any]) -> bool:
    return isinstance(payload.get("plan"), dict) or bool(payload.get("has_plan"))


def _text(payload: dict[str, Any]) -> str:
    if isinstance(plan := payload.get("plan"), dict):
        return json.dumps(_plain(plan), ensure_ascii=False, sort_keys=True)
    return " ".join(str(payload.get("content", "")).split()).casefold()


def _plain(value: Any) -> Any:
    """Without differences that no reader sees: spaces, the case of letters, 50 or 50.0, empty or absent."""
    match value:
        case dict():
            kept = {key: _plain(inner) for key, inner in value.items()}
            return {key: inner for key, inner in kept.items() if inner not in (None, "", [], {})}
        case list():
            return [_plain(inner) for inner in value]
        case str():
            return " ".join(value.split()).casefold()
        case float() if value.is_integer():
            return int(value)
    return value
