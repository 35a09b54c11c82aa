"""What came from outside during a session."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import Any

from benchmark.core.engine import Step
from benchmark.core.events import (
    AttendanceSet,
    ErrorRaised,
    Event,
    ModelCalled,
    ParticipantJoined,
    PromptSetChosen,
    SessionFinished,
    SessionForked,
    ToolCalled,
    ToolReturned,
)
from benchmark.core.view import SIMULATOR
from benchmark.models.exchange import Exchange

AFTER_OPENING = frozenset({"turn_granted", "error_raised", "session_finished", "session_forked"})
"""What the first event after a session's opening may be."""

FROM_OUTSIDE = frozenset(
    {
        *("participant_joined", "attendance_set", "presence_changed", "card_dealt"),
        *("turn_reminded", "turn_extended", "turn_missed", "clock_set", "warning_passed_over"),
    }
)
"""Events that the step loop does not make; after the opening they come from those who take part, or from time."""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """A tool call of the session.

    answer: None where the session ended before there was an answer. asked: how many requests to models the session
    had made when it was there, or by its end.
    """

    name: str
    arguments: dict[str, Any] | str
    answer: ToolReturned | None
    asked: int = 0


@dataclass(frozen=True, slots=True)
class InboxDelivery:
    """What was sent to a seat with an inbox, None for a pass. taken_at_seq: the event with which the log has it.

    calls: the content is `benchmark.core.actions.calls_as_text`.
    """

    seat: str
    content: str | None
    taken_at_seq: int
    calls: bool = False


@dataclass(frozen=True)
class Cassette:
    """A session's whole log, which holds its tool results, its model exchanges, and what its inboxes got.

    session: its id. agent, users: the kinds of participants. exchanges: in the order of their numbers. deliveries: in
    the order in which it was taken.
    """

    session: str
    agent: str
    users: str
    log: tuple[Event, ...]
    exchanges: tuple[Exchange, ...] = ()
    deliveries: tuple[InboxDelivery, ...] = ()

    @cached_property
    def tool_results(self) -> tuple[ToolResult, ...]:
        """The tool calls in order, with their answers."""
        asked, answers = 0, dict[str, tuple[ToolReturned, int]]()
        for event in self.log:
            asked += isinstance(event.body, ModelCalled)
            if isinstance(event.body, ToolReturned):
                answers[event.body.call_id] = event.body, asked
        calls = (event.body for event in self.log if isinstance(event.body, ToolCalled))
        return tuple(
            ToolResult(call.name, call.arguments, *answers.get(call.call_id, (None, asked))) for call in calls
        )

    @cached_property
    def simulates_by_model(self) -> bool:
        """Whether a model answered tool calls that no cache held."""
        return any(exchange.seat == SIMULATOR for exchange in self.exchanges)

    @cached_property
    def opening(self) -> tuple[Event, ...]:
        """The events of the session's first step: all before the first turn is granted, its end, or its fork."""
        return tuple(self._until(AFTER_OPENING))

    @cached_property
    def beginning(self) -> tuple[Event, ...]:
        """The events that a run of this recording begins with: the opening; of a fork, all up to its own first step.

        What a fork has of its origin was not asked in it; the origin's own recording runs that again.
        """
        if self.fork is None:
            return self.opening
        own = self.log[self.fork.seq :]
        said = PromptSetChosen | ParticipantJoined | AttendanceSet
        joined = takewhile(lambda event: isinstance(event.body, said), own)
        return (*self.log[: self.fork.seq], *joined)

    @cached_property
    def fork(self) -> Event | None:
        """The event from which on the log is the session's own, None of one that is no fork."""
        return next((event for event in reversed(self.log) if isinstance(event.body, SessionForked)), None)

    def exchange(self, number: int) -> Exchange | None:
        """The exchange of this number, None where there is none."""
        return self._exchanges_by_number.get(number)

    def ending_at(self, seq: int, failure: Exception | None = None) -> Step | None:
        """The session's recorded end, when nothing inside it would end it after event `seq` and it ended there.

        That is so when a researcher stopped it, and when it crashed where the cassette has nothing more to give
        (`failure` is the `EndOfCassette`): its tools or its workers were lost.
        """
        last = [event for event in self.log[-2:] if isinstance(event.body, ErrorRaised | SessionFinished)]
        if not last or last[0].seq != seq + 1 or not isinstance(last[-1].body, SessionFinished):
            return None
        if last[-1].body.reason == "stopped" or getattr(failure, "at_end", False):
            return Step(last[0].actor, tuple(event.body for event in last))
        return None

    def outside_at(self, seq: int) -> Step | None:
        """What came from outside the step loop right after event `seq`, None where the next event is of a step."""
        if not 0 < seq < len(self.log):
            return None
        event = self.log[seq]
        return Step(event.actor, (event.body,)) if event.body.type in FROM_OUTSIDE else None

    def _until(self, types: Collection[str]) -> Iterator[Event]:
        for event in self.log:
            if event.body.type in types:
                return
            yield event

    @cached_property
    def _exchanges_by_number(self) -> Mapping[int, Exchange]:
        return {exchange.number: exchange for exchange in self.exchanges}
