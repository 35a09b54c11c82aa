"""Faults and outages of a session: what follows from each of them.

Takes what a stage has raised. A fault of participants, tools or models gives a step like any other, with what was
asked before it. A fault of the session or its storage gives the end of the work on it here. May raise what
`webapp.storage.AWAY` names.
"""

from __future__ import annotations

import logging
from dataclasses import replace

from benchmark.cassettes import EndOfCassette, Mismatch
from benchmark.core.actions import ParticipantFault
from benchmark.core.engine import Step, crash_step
from benchmark.core.events import Crash, ModelCalled
from benchmark.core.line import ModelCall
from benchmark.models import ModelFailure
from benchmark.models.patience import wait_s
from benchmark.text.guarded import EndlessReading
from webapp.endpoints.slots import NoPlace
from webapp.jobs import services as jobs
from webapp.jobs.services import Claim, LeaseLost
from webapp.sessions import services
from webapp.sessions.models import Session
from webapp.storage import words
from worker.notifier import notifier
from worker.outages import storage_outage
from worker.sessions.work import StepTaken, Work

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
"""How a session ends when its last attempt to ask a model failed, by the kind of failure; others: a runtime error."""
AT_SETUP = ("no_key", "auth", "not_found")
"""Failures that come from the endpoint's settings: they always end the session, so that the researcher sees them."""
log = logging.getLogger(__name__)


class UnreadableLog(Exception):
    """A session's log can't be folded by this version."""


class UnstorableStep(Exception):
    """A step holds what can't be stored; the message says why."""


SESSION_FAULTS = (Session.DoesNotExist, UnreadableLog, LeaseLost)
"""After these faults this worker can't continue the session."""


def leave_session(claimed: Claim, fault: Exception) -> bool:
    """Settle the job of a session after one of SESSION_FAULTS. Returns whether this worker had it to work on."""
    match fault:
        case Session.DoesNotExist():
            log.info("session %s was deleted", claimed.subject)
            return jobs.gone(claimed=claimed)
        case UnreadableLog():
            log.error("session %s has a log that can't be read", claimed.subject, exc_info=fault.__cause__)
            services.abandon(claimed=claimed)
        case _:
            log.info("session %s went to another worker, or was deleted", claimed.subject)
    return True


def report_outage(session_id: str, error: Exception) -> None:
    """Tell the viewers that the database is away. The sweeper finds the session when its lease has run out."""
    storage_outage.report_failure(error)
    notifier().notify_halt(session_id, words(error))


def step_after_fault(work: Work, fault: Exception) -> StepTaken:
    """The step that a fault of participants, tools or models makes."""
    match fault:
        case NoPlace():
            work.waits_for = fault.endpoint if fault.all_taken else ""
            return replace(work.step_after_calls(Step("system", (), waiting=True)), pause_s=fault.after_s)
        case ModelFailure():
            return _step_after_failure(work, fault)
        case EndOfCassette():
            ended = work.recorded_end(fault) or _crash(work, "runtime_error", str(fault))
            return work.step_after_calls(ended)
        case Mismatch() | ParticipantFault() | EndlessReading():
            return work.step_after_calls(_crash(work, "runtime_error", str(fault)))
    log.error("session %s crashed", work.session.id, exc_info=fault)
    return work.step_after_calls(_crash(work, _reason(fault), f"{type(fault).__name__}: {fault}"))


def step_after_deaths(work: Work) -> StepTaken:
    """The end of a session whose present step has ended its workers several times."""
    detail = f"{work.claim.attempts - 1} workers ended in the middle of this step"
    return StepTaken(_crash(work, "runtime_error", detail))


def step_after_unstorable(work: Work, taken: StepTaken, fault: UnstorableStep) -> StepTaken:
    """The end of a session whose step can't be stored: another attempt would give the same step.

    work: folded anew, without that step. The requests to models are kept, since they cost money.
    """
    log.warning(
        "session %s has a step that can't be stored: %s", work.session.id, type(fault.__cause__).__name__
    )
    called = tuple(body for body in taken.step.bodies if isinstance(body, ModelCalled))
    return StepTaken(Step("system", (*called, *_crash(work, "runtime_error", str(fault)).bodies)))


def _step_after_failure(work: Work, failure: ModelFailure) -> StepTaken:
    """The step after a request without an answer: a pause before the next attempt, or the end of the session."""
    calls, replaying = work.take_calls(), work.session.replay_of_id is not None
    if failure.kind == "cancelled":  # by a researcher, or because this worker ends and another one asks again
        return StepTaken(Step("system", work.events_of(calls)), None if replaying else 0.0, calls)
    wait = _wait_s(work, failure, calls)
    called = work.events_of(calls, wait)
    if wait is not None:
        return StepTaken(Step("system", called), None if replaying else wait, calls)
    ended = _words_in_place(work, failure, calls) or _crash(
        work, ENDINGS.get(failure.kind, "runtime_error"), str(failure)
    )
    return StepTaken(Step(ended.actor, (*called, *ended.bodies)), calls=calls)


def _words_in_place(work: Work, failure: ModelFailure, calls: tuple[ModelCall, ...]) -> Step | None:
    """The stock sentence that some benchmarks post if a speaker's model gives no answer.

    None if the benchmark has none, or if the settings of the model are wrong, which a researcher has to see.
    """
    turn, rules = work.conversation.state.turn, work.conversation.rules
    if turn is None or failure.kind in AT_SETUP or not calls or calls[-1].seat != turn.speaker:
        return None
    bodies = rules.fallback_events(work.conversation.state, str(failure))
    return Step(turn.speaker, tuple(bodies)) if bodies else None


def _wait_s(work: Work, failure: ModelFailure, calls: tuple[ModelCall, ...]) -> float | None:
    """Seconds until the next attempt; None for no further attempt. Sessions of one seed wait equally long."""
    if not calls:
        return None
    return wait_s(failure, work.conversation.state.failing, calls[-1].setup.patience_s, work.session.seed)


def _reason(fault: Exception) -> Crash:
    return "connection_error" if isinstance(fault, (ConnectionError, TimeoutError)) else "runtime_error"


def _crash(work: Work, reason: Crash, detail: str) -> Step:
    return crash_step(work.conversation.state, reason, detail)
