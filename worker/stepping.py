"""Stepping a session: claim it, fold its log, take small steps, store each, give it back."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone

from benchmark.conversation.engine import Conversation, Step, step
from benchmark.conversation.events import (
    CompletionReason,
    ErrorRaised,
    MessagePosted,
    SessionFinished,
    ToolCalled,
)
from sandbox.toolbox import Toolbox
from webapp.queue import enqueue_session
from webapp.sessions import services
from webapp.sessions.log import whole_log
from webapp.sessions.models import Session
from webapp.sessions.scoring import score_session
from worker.heart import heart
from worker.notify import notifier
from worker.seats import Seats, seats_of
from worker.tools import tools_of

BUDGET_S = 5.0
ASLEEP_S = 3600.0
"""A session that waits for a person is looked at this often, unless a message wakes it."""
UNREADABLE = (KeyError, ValueError, TypeError, AssertionError)
log = logging.getLogger(__name__)


@dataclass
class Work:
    """A claimed session at work in this thread. deadline: on the monotonic clock, None for no limit.

    table: participants and tools, set up when the first step needs them, so that a failure there is a crash of
    the session like any other.
    """

    session: Session
    claimed: services.Claim
    conversation: Conversation
    pace: float | None
    deadline: float | None
    table: tuple[Seats, Toolbox] | None = None


def advance(session_id: str, *, budget_s: float | None = BUDGET_S, paced: bool = True) -> bool:
    """Go on with a session until it ends, waits, pauses for its pace, or the budget is spent.

    What remains is enqueued. Returns whether this call worked on the session at all: not when somebody else holds
    it, when it has ended, or when it is not due.
    """
    claimed = services.claim(session_id=session_id)
    if claimed is None:
        return _score_left_over(session_id)
    with heart().holding(claimed):
        try:
            work = _begin(session_id, claimed, budget_s, paced)
        except UNREADABLE:
            log.exception("session %s has a log that can't be read", session_id)
            services.abandon(claimed=claimed)
            return True
        try:
            due_in = _give_up(work) if claimed.attempts > services.ATTEMPT_CAP else _go_on(work)
        except services.LeaseLost:
            log.info("session %s went to another worker", session_id)
            return True
    _hand_over(claimed, due_in)
    return True


def _score_left_over(session_id: str) -> bool:
    """Score a session that has ended without scores, if this is one."""
    session = services.ended_unscored(session_id=session_id)
    if session is None:
        return False
    score_session(session=session)
    notifier().grew(session.pk, session.last_seq)
    return True


def _begin(session_id: str, claimed: services.Claim, budget_s: float | None, paced: bool) -> Work:
    session = Session.objects.select_related("task", "world").get(pk=session_id)
    conversation = Conversation()
    for event in whole_log(session_id):
        conversation.apply(event)
    return Work(
        session=session,
        claimed=claimed,
        conversation=conversation,
        pace=session.pace if paced else None,
        deadline=None if budget_s is None else time.monotonic() + budget_s,
    )


def _go_on(work: Work) -> float | None:
    """Step until there is a reason to stop; gives back the seconds until the next step, None for never."""
    stop = work.session.stop_requested
    while work.conversation.state.finished is None:
        made = _stopped(work) if stop else _next(work)
        if made.waiting:
            return ASLEEP_S
        stop = _store(work, made)
        if stop:
            continue
        if work.pace and _is_seen(made):
            return work.pace
        if work.deadline is not None and time.monotonic() > work.deadline:
            return 0.0
    score_session(session=work.session)
    notifier().grew(work.session.id, work.conversation.state.seq)
    return None


def _next(work: Work) -> Step:
    try:
        if work.table is None:
            work.table = _set_table(work)
        seats, tools = work.table
        return step(work.conversation, seats, tools)
    except Exception as error:
        log.exception("session %s crashed", work.session.id)
        return _crashed(work, _reason(error), f"{type(error).__name__}: {error}")


def _set_table(work: Work) -> tuple[Seats, Toolbox]:
    state = work.conversation.state
    assert state.opened is not None
    return seats_of(work.session, state.users), tools_of(work.session, state.opened)


def _reason(error: Exception) -> CompletionReason:
    return "connection_error" if isinstance(error, (ConnectionError, TimeoutError)) else "runtime_error"


def _crashed(work: Work, reason: CompletionReason, detail: str) -> Step:
    turn = work.conversation.state.turn
    where = f"{turn.speaker}, {turn.kind}" if turn else "scheduler"
    raised = ErrorRaised(where=where, kind=reason, detail=detail)
    return Step("system", (raised, SessionFinished(reason=reason)))


def _stopped(work: Work) -> Step:
    planned = work.conversation.state.plan is not None
    return Step("researcher", (SessionFinished(reason="stopped", plan_generated=planned),))


def _give_up(work: Work) -> float | None:
    """The step in flight has ended its worker again and again: end the session instead."""
    detail = f"{work.claimed.attempts - 1} workers ended in the middle of this step"
    _store(work, _crashed(work, "runtime_error", detail))
    return _go_on(work)


def _store(work: Work, made: Step) -> bool:
    conversation = work.conversation
    events = conversation.append(made)
    stop = services.append(claimed=work.claimed, events=events, state=conversation.state)
    notifier().grew(work.session.id, conversation.state.seq)
    return stop


def _is_seen(made: Step) -> bool:
    """Whether a watcher sees something happen in this step, which the pace then waits after."""
    return any(isinstance(body, MessagePosted | ToolCalled) for body in made.bodies)


def _hand_over(claimed: services.Claim, due_in: float | None) -> None:
    due_at = timezone.now() + timedelta(seconds=due_in) if due_in else None
    services.release(claimed=claimed, due_at=due_at)
    if due_in is not None and due_in < ASLEEP_S:
        enqueue_session(claimed.session_id, after_s=due_in)
