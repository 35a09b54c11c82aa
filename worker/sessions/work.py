"""What the stages hand on: a session at work, and a step of it.

Takes nothing and does nothing of its own; each stage reads `Work`, and says in `StepTaken` what is to be stored.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from benchmark.core.engine import Conversation, Step
from benchmark.core.events import Event, MessagePosted, ModelCalled, ToolCalled
from benchmark.core.line import ModelCall
from benchmark.core.state import SessionState
from webapp.jobs.services import Claim
from webapp.sessions.models import Session
from worker.sessions.attendance import Attendant
from worker.sessions.table import Table


@dataclass(frozen=True, slots=True)
class StepTaken:
    """A step to be stored, or that there is nothing to store yet (`step.waiting`).

    pause_s: before the next one, None for none. calls: those of models in it. with_them: stores what belongs
    to the events of a step that came from outside. mail: whether what is sent from outside ends the wait.
    """

    step: Step
    pause_s: float | None = None
    calls: tuple[ModelCall, ...] = ()
    with_them: Callable[[], None] | None = None
    mail: bool = False

    @property
    def is_visible(self) -> bool:
        """Whether a watcher sees something happen in it, which the pace then waits after."""
        return any(isinstance(body, MessagePosted | ToolCalled) for body in self.step.bodies)


@dataclass(frozen=True, slots=True)
class UnstoredStep:
    """A step that the conversation has and the log has not, with its events."""

    step: StepTaken
    events: list[Event]


class Budget:
    """The time that a session has in this thread, in seconds. It may be renewed while no other job waits, as often as
    the session still takes up by then what has changed elsewhere, such as an endpoint.
    """

    RENEWALS = 11

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._end = time.monotonic() + seconds
        self._last_end = self._end + self.RENEWALS * seconds

    @property
    def is_spent(self) -> bool:
        """Whether the time is over."""
        return time.monotonic() > self._end

    def renew(self) -> bool:
        """Have as much time once more. Returns False where it was renewed as often as it may be."""
        now = time.monotonic()
        self._end = min(now + self._seconds, self._last_end)
        return now < self._end


@dataclass
class Work:
    """A claimed session at work in this thread. budget: its time, None for no limit.

    table: participants and tools, set up when the first step needs them, so that a failure there is a crash of
    the session like any other. waits_for: the endpoint that has no place for it, or `jobs.MAIL`. seen_mail: the mail
    that lay in its inboxes at the last look. notices: whether any may wait since the last step. backlog: the last
    steps, which go into the log with the next one. stored_at: when the log last had all, on the monotonic clock.
    """

    session: Session
    claim: Claim
    conversation: Conversation[SessionState]
    pace: float | None
    budget: Budget | None
    table: Table | None = None
    waits_for: str = ""
    seen_mail: frozenset[int] = frozenset()
    notices: bool = True
    backlog: list[UnstoredStep] = field(default_factory=list)
    stored_at: float = field(default_factory=time.monotonic)

    @cached_property
    def attendant(self) -> Attendant:
        """Who looks after the seats that are taken from outside."""
        return Attendant(self.session.pk, self.session.suite, lambda: self.conversation)

    def take_calls(self) -> tuple[ModelCall, ...]:
        """The calls of models since the last time."""
        return tuple(self.table.line.take_calls()) if self.table else ()

    def events_of(
        self, calls: tuple[ModelCall, ...], retry_in_s: float | None = None
    ) -> tuple[ModelCalled, ...]:
        """The events of these calls. retry_in_s: the pause before the next attempt, None where there is none."""
        attempt = self.conversation.state.failing.attempts + 1
        return tuple(call.event(attempt, retry_in_s) for call in calls)

    def step_after_calls(self, step: Step) -> StepTaken:
        """A step behind the calls of models that brought it about."""
        calls = self.take_calls()
        called = self.events_of(calls)
        return StepTaken(Step(step.actor, (*called, *step.bodies), step.waiting and not called), calls=calls)

    def recorded_end(self, over: Exception | None = None) -> Step | None:
        """Where a replay has come to the end that something outside gave the recorded session: that end."""
        return self.table.playback.end(over) if self.table and self.table.playback else None
