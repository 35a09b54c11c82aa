"""The way of a session through a worker: claim → fold → (next action → store), again and again → hand over.

Takes a session's id, and calls one stage after the other; what a stage raises goes to `worker.sessions.faults`.
Raises only what nobody has foreseen.
"""

from __future__ import annotations

from collections.abc import Sequence

from webapp.jobs.services import Claim
from webapp.logs import log_ids
from webapp.runs.budget import keep_to_budget
from webapp.runs.outages import pause_where_failing
from webapp.sessions import services
from webapp.sessions.jobs import SESSION
from webapp.sessions.models import Session
from webapp.sessions.services import Wishes
from webapp.storage import STORAGE_ERRORS
from worker.gate import gate
from worker.outages import storage_outage
from worker.sessions import faults
from worker.sessions.action import next_step, stop_step
from worker.sessions.claim import claim_session, renew_lease
from worker.sessions.fold import fold_log, fold_session
from worker.sessions.handover import end_session, hand_over, rest_s, sleep_s
from worker.sessions.storage import is_awaited, keep_step, may_wait, store_kept, store_step
from worker.sessions.turn_spans import open_turn, send_turns, step_spans
from worker.sessions.work import StepTaken, Work

BUDGET_S = 5.0


def advance(session_id: str, *, budget_s: float | None = BUDGET_S, paced: bool = True) -> bool:
    """Go on with a session until it ends, waits, pauses for its pace, or the budget is spent.

    budget_s: seconds after which the session is given back, so that others get their turn; None for no limit. paced:
    whether to keep the pause between visible events. Returns False if this call did not work on the session: another
    worker has it, it has ended, is paused or is not due, or the database is away.
    """
    with log_ids(session=session_id), gate.compute():
        try:
            claimed = claim_session(session_id)
            worked = claimed is not None and _work_on(claimed, budget_s, paced)
        except STORAGE_ERRORS as error:
            faults.report_outage(session_id, error)
            return False
        if worked:
            storage_outage.report_recovery()
        return worked


def _work_on(claimed: Claim, budget_s: float | None, paced: bool) -> bool:
    try:
        with renew_lease(claimed):
            work = fold_session(claimed, budget_s=budget_s, paced=paced)
            with log_ids(run=work.session.run_id):
                due_in_s = _take_steps(work)
    except faults.SESSION_FAULTS as fault:
        return faults.leave_session(claimed, fault)
    hand_over(work, due_in_s)
    return True


def _take_steps(work: Work) -> float | None:
    """Take steps until there is a reason to stop. Returns the seconds until the next step; None for never."""
    if work.claim.attempts > SESSION.attempts:
        _store(work, faults.step_after_deaths(work))
    is_held = _is_held(work.session)
    wanted = Wishes(work.session.stop_requested, work.session.paused or is_held)
    while work.conversation.state.final_event is None:
        if wanted.pause and not wanted.stop:
            return None
        if work.backlog and is_awaited(work):
            wanted = _store_kept(work)
            continue
        taken = stop_step(work) if wanted.stop else _act(work)
        if taken.step.waiting:
            if work.backlog:
                wanted = _store_kept(work)
            return sleep_s(work, taken)
        if may_wait(work, taken):
            wanted = _keep(work, taken) or wanted
            continue
        wanted = _store(work, taken)
        if not (wanted.stop or wanted.pause) and (pause_s := rest_s(work, taken)) is not None:
            return pause_s
    end_session(work)
    return None


def _act(work: Work) -> StepTaken:
    """The next step; a fault of a participant, a tool or a model becomes a step too."""
    try:
        with step_spans(work):
            return next_step(work)
    except STORAGE_ERRORS:
        raise
    except Exception as fault:
        return faults.step_after_fault(work, fault)


def _store(work: Work, taken: StepTaken) -> Wishes:
    """Store a step, or the end of the session if the step can't be stored. Returns what researchers want now."""
    before, turn = len(work.conversation.events), open_turn(work)
    kept = [each.step for each in work.backlog]
    try:
        wanted = store_step(work, taken)
    except faults.UnstorableStep:
        return _store_apart(work, [*kept, taken])
    send_turns(work, turn, work.conversation.events[before:])
    work.notices = wanted.notices
    if taken.with_them is not None:  # a seat has a new participant, so the table is set anew
        work.table = None
    if taken.calls and _is_held(work.session):
        return services.wishes(work.session.pk)
    return wanted


def _keep(work: Work, taken: StepTaken) -> Wishes | None:
    """Keep a step until the next one is stored. Returns what researchers want where the session had to end."""
    kept = [each.step for each in work.backlog]
    try:
        keep_step(work, taken)
    except faults.UnstorableStep:
        return _store_apart(work, [*kept, taken])
    return None


def _store_kept(work: Work) -> Wishes:
    """Store the steps that were kept."""
    kept = [each.step for each in work.backlog]
    try:
        wanted = store_kept(work)
    except faults.UnstorableStep:
        return _store_apart(work, kept)
    work.notices = wanted.notices
    return wanted


def _store_apart(work: Work, steps: Sequence[StepTaken]) -> Wishes:
    """Store steps one by one that can't be stored together, and the end of the session in place of the first that
    can't be stored by itself. Returns what researchers want now.
    """
    wanted = services.wishes(work.session.pk)
    work.backlog.clear()
    work.conversation = fold_log(work.session)
    for taken in steps:
        before, turn = len(work.conversation.events), open_turn(work)
        try:
            wanted = store_step(work, taken)
        except faults.UnstorableStep as fault:
            work.backlog.clear()
            work.conversation = fold_log(work.session)
            before, turn = len(work.conversation.events), open_turn(work)
            wanted = store_step(work, faults.step_after_unstorable(work, taken, fault))
        send_turns(work, turn, work.conversation.events[before:])
        if work.conversation.state.final_event is not None:
            break
    return wanted


def _is_held(session: Session) -> bool:
    """Whether its run is paused by its own limits: its budget is used up, or its models do not answer."""
    return keep_to_budget(session.run_id) or pause_where_failing(session.run_id)
