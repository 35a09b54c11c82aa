"""Fourth stage, store: a step's events, with all that belongs to them, in one transaction.

Takes `Work` and a step, gives what a researcher asked for meanwhile. May raise `UnstorableStep`, after which the
conversation has to be folded anew; `LeaseLost`, `Session.DoesNotExist` and what `webapp.storage.AWAY` names, after
which nothing is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from django.db import close_old_connections

from benchmark.core.events import ModelCalled
from benchmark.core.line import exchanges
from webapp import clock
from webapp.cassettes.services import record
from webapp.runs.outages import note_calls
from webapp.sessions import services
from webapp.sessions.spending import spend
from webapp.storage import STORAGE_ERRORS
from worker.notifier import notifier
from worker.sessions.faults import UnstorableStep
from worker.sessions.work import StepTaken, Work

UNSTORABLE = (ValueError, TypeError, RecursionError, OverflowError)
"""The exceptions of folding or storing a step whose words no log can hold, such as a lone surrogate."""


def store_step(work: Work, taken: StepTaken) -> services.Wishes:
    """Store a step, and wake the viewers. Returns what researchers want of the session by now."""
    try:
        wanted = _append(work, taken)
    except UNSTORABLE as error:
        raise UnstorableStep(f"{type(error).__name__}: {error}"[:600]) from error
    for inbox in work.table.inboxes.values() if work.table else ():
        inbox.forget()
    work.attendant.notices.forget()
    notifier().notify_events(work.session.id, work.conversation.state.seq)
    return wanted


def _append(work: Work, taken: StepTaken) -> services.Wishes:
    conversation = work.conversation
    first = conversation.state.model_calls + 1
    events = conversation.append(taken.step, clock.now())
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
