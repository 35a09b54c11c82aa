"""Third stage, next action: what happens next in a session.

Takes `Work`, gives a step that is not stored yet. Sets the session's table when it first needs it. May raise whatever
participants, tools and models raise; `worker.sessions.faults.step_after_fault` makes a step of it.
"""

from __future__ import annotations

from benchmark.core.engine import Step, step
from benchmark.core.events import ParticipantJoined, SessionFinished
from benchmark.suites import suite_named
from webapp.cassettes.playing import Playback
from webapp.seats.notices import reseat
from worker.sessions.table import set_table
from worker.sessions.work import StepTaken, Work


def next_step(work: Work) -> StepTaken:
    """The next step: what people or programs did, a wait for them, the end of a replay, or a step of the engine."""
    suite, state = suite_named(work.session.suite), work.conversation.state
    with suite.library.in_place(state.other_words):
        return _next_step(work)


def _next_step(work: Work) -> StepTaken:
    if work.table is None:
        work.table = set_table(work.session, work.claim, work.conversation.state)
    table = work.table
    if (from_outside := _step_from_outside(work)) is not None:
        return from_outside
    if (ended := work.recorded_end()) is not None:
        return StepTaken(ended)
    return work.step_after_calls(step(work.conversation, table.seats, table.tools, table.check))


def stop_step(work: Work) -> StepTaken:
    """The end that a researcher has asked for."""
    planned = work.conversation.state.planned
    return StepTaken(Step("researcher", (SessionFinished(reason="stopped", plan_generated=planned),)))


def _step_from_outside(work: Work) -> StepTaken | None:
    if work.table:
        work.seen_mail = work.table.mail(work.session.pk)
    if work.table and work.table.playback:
        return _recorded_from_outside(work.session.pk, work.table.playback)
    attended = work.attendant.attend(notices=work.notices)
    if attended is None:
        return None
    return StepTaken(attended.step, attended.pause_s, with_them=attended.with_them, mail=True)


def _recorded_from_outside(session_id: str, playback: Playback) -> StepTaken | None:
    """The step that people or programs caused in the recorded session at this place of its log."""
    recorded = playback.outside_step()
    if recorded is None:
        return None
    (body,) = recorded.bodies
    if not isinstance(body, ParticipantJoined):
        return StepTaken(recorded)
    return StepTaken(recorded, with_them=lambda: reseat(session_id, body, None))
