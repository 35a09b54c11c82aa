"""Fourth stage, store: a step's events, with all that belongs to them, in one transaction.

Takes `Work` and a step, gives what a researcher asked for meanwhile. May raise `UnstorableStep`, after which the
conversation has to be folded anew; `LeaseLost`, `Session.DoesNotExist` and what `webapp.storage.AWAY` names, after
which nothing is stored.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial

from django.db import close_old_connections

from benchmark.core.events import ModelCalled, SessionFinished
from benchmark.core.line import exchanges
from benchmark.core.view import SIMULATOR
from webapp import clock
from webapp.cassettes.services import record
from webapp.runs.outages import note_calls
from webapp.sessions import services
from webapp.sessions.spending import spend
from webapp.storage import STORAGE_ERRORS
from worker.lease_keeper import lease_keeper
from worker.notifier import notifier
from worker.sessions.faults import UnstorableStep
from worker.sessions.work import StepTaken, UnstoredStep, Work
from worker.telemetry.tracer import tracer

LATE_S = 0.05
"""The log has each step this late at most, beside what the next step takes."""
UNSTORABLE = (ValueError, TypeError, RecursionError, OverflowError)
"""The exceptions of folding or storing a step whose words no log can hold, such as a lone surrogate."""


def may_wait(work: Work, taken: StepTaken) -> bool:
    """Whether a step may go into the log together with the next one, a moment later.

    What cost money, came from outside or took long is stored at once, and so is all that is there before a model, a
    person, a program or a tool elsewhere is waited for, so that viewers see whose turn it is.
    """
    state = work.conversation.state
    now = time.monotonic()
    is_last = any(isinstance(body, SessionFinished) for body in taken.step.bodies)
    is_over = lease_keeper().is_ending or (work.budget is not None and work.budget.is_spent)
    if is_last or is_over or now - work.stored_at > LATE_S:
        return False
    if work.pace or taken.calls or taken.with_them or taken.mail or taken.pause_s is not None:
        return False
    is_watched = work.notices or work.table is None or work.table.inboxes or state.attendance or tracer()
    return not is_watched and work.session.mode == "world" and SIMULATOR not in state.seats


def is_awaited(work: Work) -> bool:
    """Whether a model is asked next."""
    turn, seats = work.conversation.state.turn, work.conversation.state.seats
    return turn is not None and (joined := seats.get(turn.speaker)) is not None and joined.model is not None


def keep_step(work: Work, taken: StepTaken) -> None:
    """Append a step to the conversation alone; `store_step` stores it before the next one.

    Raises:
        UnstorableStep: it can't be folded, and `work.conversation` is to be folded anew.
    """
    try:
        events = work.conversation.append(taken.step, clock.now())
    except UNSTORABLE as error:
        raise UnstorableStep(f"{type(error).__name__}: {error}"[:600]) from error
    work.backlog.append(UnstoredStep(taken, events))


def store_step(work: Work, taken: StepTaken) -> services.Wishes:
    """Store a step, after those that are not stored yet, and wake the viewers.

    Returns what researchers want of the session by now.
    """
    first = work.conversation.state.model_calls + 1
    keep_step(work, taken)
    return store_kept(work, first)


def store_kept(work: Work, first: int = 0) -> services.Wishes:
    """Store the steps that are not stored yet, and wake the viewers.

    first: the number of the first request to a model in the last of them; the others have none.
    """
    try:
        wanted = _append(work, first)
    except UNSTORABLE as error:
        raise UnstorableStep(f"{type(error).__name__}: {error}"[:600]) from error
    work.backlog.clear()
    work.stored_at = time.monotonic()
    for inbox in work.table.inboxes.values() if work.table else ():
        inbox.forget()
    work.attendant.notices.forget()
    notifier().notify_events(work.session.id, work.conversation.state.seq)
    return wanted


def _append(work: Work, first: int) -> services.Wishes:
    conversation, taken = work.conversation, work.backlog[-1].step
    events = [event for each in work.backlog for event in each.events]
    called = [body for body in taken.step.bodies if isinstance(body, ModelCalled)]
    keep = _keeper(work, taken, called, first)
    store = partial(
        services.append, claimed=work.claim, events=events, state=conversation.state, with_them=keep
    )
    try:
        return store()
    except STORAGE_ERRORS:  # the connection may have been lost while a model answered; a second one may do
        close_old_connections()
        return store()


def _keeper(work: Work, taken: StepTaken, called: Sequence[ModelCalled], first: int) -> Callable[[], None]:
    """A function that stores what belongs to a step: requests, their cost, and which messages of seats it has taken.

    A replay stores no requests, since it runs on a cassette. The function may be called twice: the first time is
    rolled back if the database was away.
    """
    session, seq = work.session, work.conversation.state.seq
    inboxes = work.table.inboxes if work.table else {}

    def keep() -> None:
        if taken.calls and session.replay_of_id is None:
            record(session.pk, exchanges(taken.calls, first))
            spend(session=session, calls=called)
            note_calls(run_id=session.run_id, calls=called)
        for inbox in inboxes.values():
            inbox.take(seq)
        work.attendant.notices.take(seq)
        if taken.with_them is not None:
            taken.with_them()

    return keep
