"""Last stage, hand over: the scores of a session that has ended; else who goes on with it, and when.

Takes `Work`, gives the session back. May raise what `webapp.storage.AWAY` names: then the lease runs out, and the
sweeper finds what is left to do.
"""

from __future__ import annotations

from datetime import timedelta

from webapp import clock
from webapp.endpoints.slots import has_place
from webapp.jobs import services as jobs
from webapp.sessions import services
from webapp.sessions.jobs import SESSION
from webapp.sessions.scoring import score_session
from worker.lease_keeper import lease_keeper
from worker.notifier import notifier
from worker.sessions.work import StepTaken, Work

ASLEEP_S = 3600.0
"""A session that waits for a person is checked after this many seconds, unless a message wakes it earlier."""


def end_session(work: Work) -> None:
    """Score a session that has ended, while its lease is renewed, and let its run begin the next one."""
    jobs.finish(claimed=work.claim)  # a session may have ended before this worker claimed it
    if work.session.run_id:
        services.begin_next(run_id=work.session.run_id)
    score_session(session=work.session, keeping=lease_keeper().keep_lease)
    notifier().notify_events(work.session.id, work.conversation.state.seq)


def sleep_s(work: Work, taken: StepTaken) -> float:
    """Seconds until a waiting session is checked again, unless something wakes it earlier."""
    if taken.pause_s is not None and not taken.mail:
        return taken.pause_s
    work.waits_for = jobs.MAIL
    return ASLEEP_S if taken.pause_s is None else min(taken.pause_s, ASLEEP_S)


def rest_s(work: Work, taken: StepTaken) -> float | None:
    """Seconds until the next step if this worker gives the session back now; None if it takes that step itself."""
    if lease_keeper().is_ending:
        return taken.pause_s or 0.0
    if taken.pause_s is not None:
        return taken.pause_s
    if work.pace and taken.is_visible:
        return work.pace
    if work.budget is None or not work.budget.is_spent:
        return None
    return 0.0 if jobs.is_work_waiting() or not work.budget.renew() else None


def hand_over(work: Work, due_in_s: float | None) -> None:
    """Give the session back, and let waiting jobs have its places at endpoints. due_in_s: None for never."""
    due_at = clock.now() + timedelta(seconds=due_in_s) if due_in_s else None
    jobs.release(claimed=work.claim, due_at=due_at, waits_for=work.waits_for)
    if due_in_s is not None and due_in_s < ASLEEP_S and work.waits_for in ("", jobs.MAIL):
        group = work.claim.group
        jobs.hand_over(kind=SESSION, subject=work.claim.subject, after_s=due_in_s, group=group)
    for endpoint in work.table.line.endpoints if work.table else ():
        jobs.wake_waiting(endpoint=endpoint)
    _wake_what_came_between(work)


def _wake_what_came_between(work: Work) -> None:
    """Wake the session again if what it waits for came after it looked and before it was given back."""
    if work.waits_for == jobs.MAIL:
        # mail that was seen before is for a seat without the turn, and can wait until that seat has it
        unseen = work.table.mail(work.claim.subject) - work.seen_mail if work.table else ()
        if unseen or work.attendant.notices.waiting:
            jobs.wake_reader(kind=SESSION, subject=work.claim.subject)
    elif work.waits_for and has_place(endpoint=work.waits_for):
        jobs.wake_waiting(endpoint=work.waits_for)
