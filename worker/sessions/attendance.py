"""Waiting for people and programs: who is present, how long turns last, what happens when they leave."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from benchmark.core.attendance import ABSENCES, Attendance
from benchmark.core.deadlines import turn_ends
from benchmark.core.engine import Conversation, Step
from benchmark.core.events import (
    ErrorRaised,
    EventBody,
    ParticipantJoined,
    PresenceChanged,
    SessionFinished,
    TurnMissed,
    TurnPassed,
    TurnReminded,
)
from benchmark.core.participant import PASSED, BuiltIn, OverModel
from benchmark.core.state import SessionState
from benchmark.core.view import AGENT
from benchmark.suites import suite_named
from webapp import clock
from webapp.endpoints.models import ModelEndpoint
from webapp.people.guests import UNSEEN_S, last_seen
from webapp.seats.inbox import SeatInbox
from webapp.seats.models import Seat
from webapp.seats.notices import Notices, reseat

SYSTEM = "system"


@dataclass(frozen=True, slots=True)
class AttendedStep:
    """What has to happen before the next step: events to store, or a wait for `pause_s` seconds or until mail comes.

    pause_s: None to wait for mail alone. with_them: stores what belongs to the events, in their transaction.
    """

    step: Step
    pause_s: float | None = None
    with_them: Callable[[], None] | None = None


class Attendant:
    """Looks after the seats of people and programs in one session, for the worker that has the session.

    It keeps no state of its own: the log, the waiting notices and the clock decide, so any worker can take over.
    """

    def __init__(
        self, session_id: str, suite: str, conversation: Callable[[], Conversation[SessionState]]
    ) -> None:
        self._session_id, self._suite, self._conversation = session_id, suite, conversation
        self.notices = Notices(session_id, suite)

    @property
    def _state(self) -> SessionState:
        return self._conversation().state

    def attend(self, *, notices: bool = True) -> AttendedStep | None:
        """What has to happen before the next step; None if the session can go on.

        notices: whether a notice was waiting when the last step was stored. Sessions with people or programs look
        for notices in any case: while they wait they store no step, and would not hear of one.
        """
        state = self._state
        if (notices or state.attendance) and (told := self._notice_step()) is not None:
            return told
        if not state.attendance:
            return None
        if (gathering := self._gathering_step()) is not None:
            return gathering
        if state.turn is None or state.ask_again or state.loop.waiting:
            return None
        return self._wait_for(state.turn.speaker) if state.from_outside(state.turn.speaker) else None

    def _notice_step(self) -> AttendedStep | None:
        """The next notice. It is stored even if the seat has another occupant by now, since it was true then."""
        notice = self.notices.read()
        if notice is None:
            return None
        actor, body = notice
        if isinstance(body, ParticipantJoined):
            model_id = self.notices.model_of_taken()
            return AttendedStep(
                Step(actor, (body,)), with_them=lambda: reseat(self._session_id, body, model_id)
            )
        return AttendedStep(Step(actor, (body,)))

    def _gathering_step(self) -> AttendedStep | None:
        """Wait for empty seats: for all of them before the session begins, later only for one that has the turn."""
        state = self._state
        empty = state.untaken
        if not empty:
            return None
        if state.begun and not self._is_needed(empty):
            return None
        waits = {
            seat: self._seconds_left(self._empty_since(seat), state.attendance[seat].gather_s)
            for seat in empty
        }
        over = [seat for seat, left in waits.items() if left is not None and left <= 0]
        if over:
            return self._step_where_lacking(over[0])
        times = [left for left in waits.values() if left is not None]
        return _wait(min(times, default=None))

    def _is_needed(self, empty: list[str]) -> bool:
        """Whether it is the turn of a seat that nobody has taken yet."""
        turn = self._state.turn
        return turn is not None and turn.speaker in empty and not self._state.ask_again

    def _step_where_lacking(self, seat: str) -> AttendedStep:
        if self._state.attendance[seat].lacking == "end":
            return self._desertion(seat)
        return self._replacement(seat)

    def _wait_for(self, seat: str) -> AttendedStep | None:
        state, attendance = self._state, self._state.attendance[seat]
        if self._inbox(seat).has_mail:
            return None
        if (
            state.turn is not None and state.turn.problem == PASSED
        ):  # one pass counts for every time they are asked
            return AttendedStep(Step(SYSTEM, (TurnPassed(user=seat),))) if state.misses.get(seat) else None
        if self._is_gone(seat, attendance):
            return self._departure(seat, attendance)
        seen = last_seen(self._session_id, seat)
        unseen_s = (clock.now() - seen).total_seconds() if seen else 0.0
        if unseen_s > UNSEEN_S and state.presence.get(seat) in ("joined", "back", "away"):
            return AttendedStep(Step(SYSTEM, (PresenceChanged(seat=seat, presence="disconnected"),)))
        # a page that is closed says nothing, so the session has to look again when its occupant may be gone
        look_s = [UNSEEN_S] if seen else []
        ends = turn_ends(state, self._conversation().events)
        if ends is None:
            return _wait(min(look_s, default=None))
        left = (ends - clock.now()).total_seconds()
        if left <= 0:
            return self._missed_turn(seat, attendance, (attendance.turn_s or 0.0) + state.extended_s)
        to_reminder = left - attendance.remind_s
        if not state.reminded and attendance.remind_s and to_reminder <= 0:
            return AttendedStep(Step(SYSTEM, (TurnReminded(seat=seat),)))
        return _wait(min([*look_s, left if to_reminder <= 0 else to_reminder]))

    def _is_gone(self, seat: str, attendance: Attendance) -> bool:
        if self._state.presence.get(seat) in ABSENCES:
            return True
        if self._state.misses.get(seat, 0) >= attendance.misses:
            return True
        seen = last_seen(self._session_id, seat)
        return seen is not None and clock.now() - seen > timedelta(seconds=attendance.away_s)

    def _departure(self, seat: str, attendance: Attendance) -> AttendedStep | None:
        if self._state.presence.get(seat) not in ABSENCES:
            return AttendedStep(Step(SYSTEM, (PresenceChanged(seat=seat, presence="left"),)))
        match attendance.dropout:
            case "replace":
                return self._replacement(seat)
            case "end":
                return self._desertion(seat)
            case "pass" if seat != AGENT:
                return AttendedStep(Step(SYSTEM, (TurnPassed(user=seat),)))
        return _wait(None)

    def _missed_turn(self, seat: str, attendance: Attendance, waited_s: float) -> AttendedStep:
        missed = TurnMissed(seat=seat, waited_s=waited_s)
        if seat == AGENT:  # who has to speak: the same turn goes on, with a new time, until they are given up
            return AttendedStep(Step(SYSTEM, (missed,)))
        bodies: tuple[EventBody, ...] = (missed, TurnPassed(user=seat))
        if self._state.misses.get(seat, 0) + 1 >= attendance.misses and attendance.dropout != "pass":
            bodies = (missed,)  # what follows from their absence decides about this turn
        return AttendedStep(Step(SYSTEM, bodies))

    def _replacement(self, seat: str) -> AttendedStep:
        attendance, opened = self._state.attendance[seat], self._state.opening
        assert opened is not None
        kinds = suite_named(self._suite).play.cast().at(seat)
        kind = attendance.substitute or next(
            name for name, each in kinds.items() if isinstance(each, BuiltIn)
        )
        over = kinds.get(kind)
        prompts = over.prompts(opened.language) if isinstance(over, OverModel) else ""
        joined = ParticipantJoined(seat=seat, kind=kind, prompts=prompts, model=attendance.model)
        name = attendance.model.name if attendance.model else ""
        endpoint = ModelEndpoint.objects.filter(name=name).first() if name else None
        return AttendedStep(
            Step(SYSTEM, (joined,)),
            with_them=lambda: reseat(self._session_id, joined, endpoint.pk if endpoint else None),
        )

    def _desertion(self, seat: str) -> AttendedStep:
        raised = ErrorRaised(where=seat, kind="deserted", detail=f"nobody takes the seat of {seat}")
        finished = SessionFinished(reason="deserted", plan_generated=self._state.planned)
        return AttendedStep(Step(SYSTEM, (raised, finished)))

    def _inbox(self, seat: str) -> SeatInbox:
        return SeatInbox(Seat.objects.get(session=self._session_id, name=seat))

    def _empty_since(self, seat: str) -> datetime:
        events = self._conversation().events
        joined = (
            event.at
            for event in reversed(events)
            if isinstance(event.body, ParticipantJoined) and event.body.seat == seat
        )
        return next(joined, events[0].at)

    @staticmethod
    def _seconds_left(since: datetime, limit_s: float | None) -> float | None:
        """Seconds until a limit is reached; None if there is no limit."""
        if limit_s is None:
            return None
        return (since + timedelta(seconds=limit_s) - clock.now()).total_seconds()


def _wait(pause_s: float | None) -> AttendedStep:
    return AttendedStep(Step(SYSTEM, (), waiting=True), pause_s)
