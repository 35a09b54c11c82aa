"""Second stage, fold: a session as its log has it.

Takes a claim, gives `Work`. May raise `UnreadableLog`, `Session.DoesNotExist` where the session was deleted, and
what `webapp.storage.AWAY` names.
"""

from __future__ import annotations

from benchmark.core.engine import Conversation
from benchmark.core.state import SessionState
from benchmark.suites import suite_named
from webapp.jobs.services import Claim
from webapp.sessions.log import whole_log
from webapp.sessions.models import Session
from worker.sessions.faults import UnreadableLog
from worker.sessions.work import Budget, Work

UNREADABLE = (KeyError, ValueError, TypeError, AssertionError)
"""What folding raises over a log that this version does not understand."""


def fold_session(claimed: Claim, *, budget_s: float | None, paced: bool) -> Work:
    """The session at work. budget_s: for this call, None for no limit. paced: whether its pace is kept."""
    budget = None if budget_s is None else Budget(budget_s)
    try:
        session = Session.objects.select_related("task", "world").get(pk=claimed.subject)
        conversation = fold_log(session)
    except UNREADABLE as error:
        raise UnreadableLog(claimed.subject) from error
    return Work(session, claimed, conversation, session.pace if paced else None, budget)


def fold_log(session: Session) -> Conversation[SessionState]:
    """Its log as far as it is stored."""
    conversation = Conversation[SessionState](suite_named(session.suite).play.rules)
    for event in whole_log(session.pk):
        conversation.apply(event)
    return conversation
