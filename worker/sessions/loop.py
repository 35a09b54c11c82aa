"""Stepping a session: claim it, fold its log, take small steps, store each, give it back."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cached_property, partial

from django.db import close_old_connections

from benchmark.cassettes import EndOfCassette, Mismatch
from benchmark.core.actions import ParticipantFault
from benchmark.core.engine import Conversation, Step, step
from benchmark.core.events import (
    Crash,
    ErrorRaised,
    MessagePosted,
    ModelCalled,
    ParticipantJoined,
    SessionFinished,
    ToolCalled,
)
from benchmark.core.state import SessionState
from benchmark.models import ModelFailure
from benchmark.models.patience import wait_s
from benchmark.suites import suite_named
from benchmark.text.guarded import EndlessReading
from webapp import clock
from webapp.cassettes.playing import Playback
from webapp.cassettes.services import record
from webapp.endpoints.slots import NoPlace, has_place
from webapp.jobs import services as jobs
from webapp.runs.budget import keep_to_budget
from webapp.runs.outages import note_calls, pause_where_failing
from webapp.seats.notices import reseat
from webapp.sessions import services
from webapp.sessions.jobs import SESSION
from webapp.sessions.log import whole_log
from webapp.sessions.models import Session
from webapp.sessions.scoring import score_session
from webapp.sessions.spending import spend
from webapp.storage import AWAY, words
from worker.calling import Asked, exchanges
from worker.lease_keeper import lease_keeper
from worker.notify import notifier
from worker.outages import storage_outage
from worker.sessions.attendance import Attendant
from worker.sessions.table import Table, set_table

BUDGET_S = 5.0
ASLEEP_S = 3600.0
"""A session that waits for a person is looked at this often, unless a message wakes it."""
AWAY_PAUSE = timedelta(seconds=5)
"""A session whose step the database did not take is tried again after this."""
UNREADABLE = (KeyError, ValueError, TypeError, AssertionError)
UNSTORABLE = (ValueError, TypeError, RecursionError, OverflowError)
ENDINGS: dict[str, Crash] = {
    "rate_limit": "rate_limit",
    "overflow": "context_overflow",
    "server": "connection_error",
    "connection": "connection_error",
    "closed": "connection_error",
    "timeout": "connection_error",
    "cut": "connection_error",
    "malformed": "connection_error",
}
"""What a session ends with when its last attempt to reach a model failed so; all else is a runtime error."""
AT_SETUP = ("no_key", "auth", "not_found")
"""Failures that come from the endpoint's settings: they always end the session, so that the researcher sees them."""
log = logging.getLogger(__name__)


@dataclass
class Work:
    """A claimed session at work in this thread. deadline: on the monotonic clock, None for no limit.

    table: participants and tools, set up when the first step needs them, so that a failure there is a crash of
    the session like any other. waits_for: the endpoint that has no place for it, or `jobs.MAIL`. seen: the mail that
    lay in its inboxes at the last look.
    """

    session: Session
    claimed: jobs.Claim
    conversation: Conversation[SessionState]
    pace: float | None
    deadline: float | None
    table: Table | None = None
    waits_for: str = ""
    seen: frozenset[int] = frozenset()

    @cached_property
    def attendant(self) -> Attendant:
        """Who looks after the seats that are taken from outside."""
        return Attendant(self.session.pk, self.session.suite, lambda: self.conversation)


@dataclass(frozen=True, slots=True)
class Taken:
    """A step that was taken. pause_s: before the next one, None for none. asked: the models' part in it.

    with_them: stores what belongs to the events of a step that came from outside. mail: what is sent from outside
    ends the wait.
    """

    step: Step
    pause_s: float | None = None
    asked: tuple[Asked, ...] = ()
    with_them: Callable[[], None] | None = None
    mail: bool = False


def advance(session_id: str, *, budget_s: float | None = BUDGET_S, paced: bool = True) -> bool:
    """Go on with a session until it ends, waits, pauses for its pace, or the budget is spent.

    What remains is enqueued. Returns whether this call worked on the session at all: not when somebody else holds
    it, when it has ended or is paused, when it is not due, or when the database takes nothing.
    """
    try:
        worked = _advance(session_id, budget_s, paced)
    except AWAY as error:  # the lease runs out, and the sweeper finds the session
        storage_outage.met(error)
        notifier().halted(session_id, words(error))
        return False
    if worked:
        storage_outage.over()
    return worked


def _advance(session_id: str, budget_s: float | None, paced: bool) -> bool:
    claimed = services.claim(session_id=session_id)
    if claimed is None:
        return False
    with lease_keeper().doing(claimed):
        try:
            work = _begin(session_id, claimed, budget_s, paced)
        except Session.DoesNotExist:
            log.info("session %s was deleted", session_id)
            return jobs.gone(claimed=claimed)
        except UNREADABLE:
            log.exception("session %s has a log that can't be read", session_id)
            services.abandon(claimed=claimed)
            return True
        try:
            due_in = _give_up(work) if claimed.attempts > SESSION.attempts else _go_on(work)
        except Session.DoesNotExist:
            log.info("session %s was deleted", session_id)
            return jobs.gone(claimed=claimed)
        except jobs.LeaseLost:
            log.info("session %s went to another worker, or was deleted", session_id)
            return True
        except AWAY:
            with suppress(*AWAY):  # what can still be given back is not counted as a death
                jobs.release(claimed=claimed, due_at=clock.now() + AWAY_PAUSE)
            raise
    _hand_over(work, due_in)
    return True


def _begin(session_id: str, claimed: jobs.Claim, budget_s: float | None, paced: bool) -> Work:
    session = Session.objects.select_related("task", "world").get(pk=session_id)
    return Work(
        session=session,
        claimed=claimed,
        conversation=_folded(session),
        pace=session.pace if paced else None,
        deadline=None if budget_s is None else time.monotonic() + budget_s,
    )


def _folded(session: Session) -> Conversation[SessionState]:
    conversation = Conversation[SessionState](suite_named(session.suite).rules)
    for event in whole_log(session.pk):
        conversation.apply(event)
    return conversation


def _go_on(work: Work) -> float | None:
    """Step until there is a reason to stop; gives back the seconds until the next step, None for never."""
    held = _held(work.session)
    wanted = services.Wishes(work.session.stop_requested, work.session.paused or held)
    while work.conversation.state.finished is None:
        if wanted.pause and not wanted.stop:
            return None
        taken = Taken(_stopped(work)) if wanted.stop else _next(work)
        if taken.step.waiting:
            return _asleep(work, taken)
        wanted = _store(work, taken)
        if taken.with_them is not None:  # somebody else has a seat now
            work.table = None
        if wanted.stop or wanted.pause:
            continue
        if lease_keeper().ending:
            return taken.pause_s or 0.0
        if taken.pause_s is not None:
            return taken.pause_s
        if work.pace and _is_seen(taken.step):
            return work.pace
        if work.deadline is not None and time.monotonic() > work.deadline:
            return 0.0
    jobs.finish(claimed=work.claimed)  # where the step that ended it has not done so
    if work.session.run_id:
        services.begin_next(run_id=work.session.run_id)
    score_session(session=work.session, keeping=lease_keeper().doing)
    notifier().grew(work.session.id, work.conversation.state.seq)
    return None


def _held(session: Session) -> bool:
    """Whether its run is paused by its own limits: its budget is used up, or its models do not answer."""
    return keep_to_budget(session.run_id) or pause_where_failing(session.run_id)


def _asleep(work: Work, taken: Taken) -> float:
    """The seconds until the session is looked at again, where nothing wakes it before."""
    if taken.pause_s is not None and not taken.mail:
        return taken.pause_s
    work.waits_for = jobs.MAIL
    return ASLEEP_S if taken.pause_s is None else min(taken.pause_s, ASLEEP_S)


def _attended(work: Work) -> Taken | None:
    """What came from outside the step loop, or that somebody outside is waited for."""
    if work.table:
        work.seen = work.table.mail(work.session.pk)
    if work.table and work.table.playback:
        return _outside(work.session.pk, work.table.playback)
    found = work.attendant.attend()
    if found is None:
        return None
    return Taken(found.step, found.pause_s, with_them=found.with_them, mail=True)


def _outside(session_id: str, playback: Playback) -> Taken | None:
    """What the recorded session heard from outside at this place of its log."""
    told = playback.outside()
    if told is None:
        return None
    (body,) = told.bodies
    if not isinstance(body, ParticipantJoined):
        return Taken(told)
    return Taken(told, with_them=lambda: reseat(session_id, body, None))


def _next(work: Work) -> Taken:
    """The next step; what participants, tools and models do wrong is a step as well."""
    try:
        if work.table is None:
            work.table = set_table(work.session, work.claimed, work.conversation.state)
        if (attended := _attended(work)) is not None:
            return attended
        if (ended := _recorded_end(work)) is not None:
            return Taken(ended)
        return _with_calls(work, step(work.conversation, work.table.seats, work.table.tools))
    except NoPlace as full:
        work.waits_for = full.endpoint if full.taken else ""
        return replace(_with_calls(work, Step("system", (), waiting=True)), pause_s=full.after_s)
    except ModelFailure as failure:
        return _unanswered(work, failure)
    except EndOfCassette as over:
        return _with_calls(work, _recorded_end(work, over) or _crashed(work, "runtime_error", str(over)))
    except (Mismatch, ParticipantFault, EndlessReading) as fault:
        return _with_calls(work, _crashed(work, "runtime_error", str(fault)))
    except AWAY:
        raise
    except Exception as error:
        log.exception("session %s crashed", work.session.id)
        return _with_calls(work, _crashed(work, _reason(error), f"{type(error).__name__}: {error}"))


def _recorded_end(work: Work, over: Exception | None = None) -> Step | None:
    """The end of a recorded session that something outside it ended here."""
    return work.table.playback.end(over) if work.table and work.table.playback else None


def _asked(work: Work) -> tuple[Asked, ...]:
    return tuple(work.table.line.taken()) if work.table else ()


def _with_calls(work: Work, made: Step) -> Taken:
    """The step behind the requests to models that brought it about."""
    asked = _asked(work)
    called = _called(work, asked)
    return Taken(Step(made.actor, (*called, *made.bodies), made.waiting and not called), asked=asked)


def _called(work: Work, asked: tuple[Asked, ...], retry_in_s: float | None = None) -> tuple[ModelCalled, ...]:
    attempt = work.conversation.state.failing.attempts + 1
    return tuple(each.event(attempt, retry_in_s) for each in asked)


def _unanswered(work: Work, failure: ModelFailure) -> Taken:
    """A request without an answer: asked again after a while, or the end of the session."""
    asked, replaying = _asked(work), work.session.replay_of_id is not None
    if failure.kind == "cancelled":  # to stop, or since this worker ends: then another one asks again
        called = _called(work, asked)
        return Taken(Step("system", called), None if replaying else 0.0, asked)
    wait = _wait(work, failure, asked)
    called = _called(work, asked, wait)
    if wait is not None:
        return Taken(Step("system", called), None if replaying else wait, asked)
    stands = _in_its_place(work, failure, asked)
    ended = stands or _crashed(work, ENDINGS.get(failure.kind, "runtime_error"), str(failure))
    return Taken(Step(ended.actor, (*called, *ended.bodies)), asked=asked)


def _in_its_place(work: Work, failure: ModelFailure, asked: tuple[Asked, ...]) -> Step | None:
    """What the benchmark says in place of a speaker's answer; None where it says nothing, or the setup is wrong."""
    turn, rules = work.conversation.state.turn, work.conversation.rules
    if turn is None or failure.kind in AT_SETUP or not asked or asked[-1].seat != turn.speaker:
        return None
    bodies = rules.unanswered(work.conversation.state, str(failure))
    return Step(turn.speaker, tuple(bodies)) if bodies else None


def _wait(work: Work, failure: ModelFailure, asked: tuple[Asked, ...]) -> float | None:
    """Seconds until the next attempt, None when there is none. The same seed waits alike."""
    if not asked:
        return None
    return wait_s(failure, work.conversation.state.failing, asked[-1].setup.patience_s, work.session.seed)


def _reason(error: Exception) -> Crash:
    return "connection_error" if isinstance(error, (ConnectionError, TimeoutError)) else "runtime_error"


def _crashed(work: Work, reason: Crash, detail: str) -> Step:
    turn = work.conversation.state.turn
    where = f"{turn.speaker}, {turn.kind}" if turn else "scheduler"
    raised = ErrorRaised(where=where, kind=reason, detail=detail)
    return Step("system", (raised, SessionFinished(reason=reason)))


def _stopped(work: Work) -> Step:
    planned = work.conversation.state.planned
    return Step("researcher", (SessionFinished(reason="stopped", plan_generated=planned),))


def _give_up(work: Work) -> float | None:
    """The step in flight has ended its worker again and again: end the session instead."""
    detail = f"{work.claimed.attempts - 1} workers ended in the middle of this step"
    _store(work, Taken(_crashed(work, "runtime_error", detail)))
    return _go_on(work)


def _store(work: Work, taken: Taken) -> services.Wishes:
    """Store a step. One that can't be stored ends the session: asking again would bring the same."""
    try:
        return _stored(work, taken)
    except UNSTORABLE as error:
        log.warning("session %s has a step that can't be stored: %s", work.session.id, type(error).__name__)
        work.conversation = _folded(work.session)
        called = tuple(body for body in taken.step.bodies if isinstance(body, ModelCalled))
        ended = _crashed(work, "runtime_error", f"{type(error).__name__}: {error}"[:600])
        return _stored(work, Taken(Step("system", (*called, *ended.bodies))))


def _stored(work: Work, taken: Taken) -> services.Wishes:
    conversation = work.conversation
    first = conversation.state.model_calls + 1
    events = conversation.append(taken.step, clock.now())
    called = [body for body in taken.step.bodies if isinstance(body, ModelCalled)]
    keep = _keeper(work, taken, called, first)
    store = partial(
        services.append, claimed=work.claimed, events=events, state=conversation.state, with_them=keep
    )
    try:
        wanted = store()
    except AWAY:  # the connection may have been lost while a model answered; a second one may do
        close_old_connections()
        wanted = store()
    for inbox in work.table.inboxes.values() if work.table else ():
        inbox.forget()
    work.attendant.notices.forget()
    notifier().grew(work.session.id, conversation.state.seq)
    if taken.asked and _held(work.session):
        return services.wishes(work.session.pk)
    return wanted


def _keeper(work: Work, taken: Taken, called: Sequence[ModelCalled], first: int) -> Callable[[], None]:
    """What stores a step's exchanges and their cost with its session, and marks what was read from outside as taken.

    A replay has the cassette it runs on. Called again after a database was away, it does the same again.
    """
    session, seq = work.session, work.conversation.state.seq
    inboxes = work.table.inboxes if work.table else {}

    def keep() -> None:
        if taken.asked and session.replay_of_id is None:
            record(session.pk, exchanges(taken.asked, first))
            spend(session=session, calls=called)
            note_calls(run_id=session.run_id, calls=called)
        for inbox in inboxes.values():
            inbox.take(seq)
        work.attendant.notices.take(seq)
        if taken.with_them is not None:
            taken.with_them()

    return keep


def _is_seen(made: Step) -> bool:
    """Whether a watcher sees something happen in this step, which the pace then waits after."""
    return any(isinstance(body, MessagePosted | ToolCalled) for body in made.bodies)


def _hand_over(work: Work, due_in: float | None) -> None:
    """Give the session back, and the places it had to those who wait for them."""
    claimed, waits_for = work.claimed, work.waits_for
    due_at = clock.now() + timedelta(seconds=due_in) if due_in else None
    jobs.release(claimed=claimed, due_at=due_at, waits_for=waits_for)
    if due_in is not None and due_in < ASLEEP_S and waits_for in ("", jobs.MAIL):
        jobs.hand_over(kind=SESSION, subject=claimed.subject, after_s=due_in, group=claimed.group)
    for endpoint in work.table.line.endpoints if work.table else ():
        jobs.wake_waiting(endpoint=endpoint)
    if waits_for == jobs.MAIL:
        # mail for who does not have the turn lay there before, and can wait with them
        unseen = work.table.mail(claimed.subject) - work.seen if work.table else ()
        if unseen or work.attendant.notices.waiting:  # it came between the look and the sleep
            jobs.wake_reader(kind=SESSION, subject=claimed.subject)
    elif waits_for and has_place(endpoint=waits_for):  # it was left between the look and the sleep
        jobs.wake_waiting(endpoint=waits_for)
