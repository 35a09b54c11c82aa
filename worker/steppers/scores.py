"""Scoring a session that has ended, by the code of today."""

from __future__ import annotations

from webapp.sessions.models import Session
from webapp.sessions.scoring import rescore
from worker.lease_keeper import lease_keeper
from worker.notifier import notifier


def score(session_id: str) -> bool:
    """Whether the session was to be scored; begun again, or too late, it does no harm."""
    if not rescore(session_id=session_id, keeping=lease_keeper().keep_lease):
        return False
    notifier().notify_events(
        session_id, Session.objects.values_list("last_seq", flat=True).get(pk=session_id)
    )
    return True
