"""One step of a session: who is asked, what they answer, and the events that follow."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Generic, Protocol

from benchmark.core.actions import CallTools, ParticipantFault, Pass, Redo, Say, Waiting
from benchmark.core.events import (
    AgentNoted,
    Crash,
    DraftWithdrawn,
    ErrorRaised,
    Event,
    EventBody,
    SessionFinished,
    ThoughtKept,
    ToolCalled,
    ToolReturned,
    TurnGranted,
    TurnPassed,
)
from benchmark.core.participant import Participant
from benchmark.core.rules import Rules
from benchmark.core.setting import Check
from benchmark.core.state import S, SessionState, fold_events
from benchmark.core.view import AGENT
from benchmark.core.viewfold import ViewFold
from sandbox.toolbox import ToolOutcome

TOOLS_S = 2.0
"""In one step, no tool call begins after this many seconds: results are stored often, so that a crash loses few."""
MOST_CALLS = 1_000
"""The limit of calls in one model step; a model that makes more ends its session."""
MOST_DRAFTS = 40
"""The limit of drafts in one turn; a participant that withdraws more ends its session."""


class ToolsOver(RuntimeError):
    """The recording that answers tool calls has no further answer."""


class Tools(Protocol):
    """The sandbox as the engine sees it."""

    def call(self, name: str, arguments: dict[str, Any] | str) -> ToolOutcome:
        """Answer one call; never raises for what the agent did wrong.

        Raises:
            ToolsOver: there are no further answers.
        """
        ...


@dataclass(frozen=True, slots=True)
class Step:
    """The result of one step: who acted, and the bodies of its events.

    waiting: there are no events, because a person or a program has to act first.
    """

    actor: str
    bodies: tuple[EventBody, ...]
    waiting: bool = False


@dataclass
class Conversation(Generic[S]):
    """A log with its folds kept up to date. It has no clock, no store and no thread of its own."""

    rules: Rules[S]
    events: list[Event] = field(default_factory=list)
    views: dict[str, ViewFold] = field(default_factory=dict)
    state: S = field(init=False)

    def __post_init__(self) -> None:
        self.state = fold_events(self.rules.state(), self.events)

    def apply(self, event: Event) -> None:
        """Append one event and fold it into the state and into every view in use."""
        self.events.append(event)
        self.state.apply(event)
        for view in self.views.values():
            view.apply(event)

    def append(self, step: Step, at: datetime | None = None) -> list[Event]:
        """Number the events of a step, append them, and give them back."""
        moment = at or datetime.now(UTC)
        numbered = [
            Event(self.state.seq + i, step.actor, body.audience(), body, moment)
            for i, body in enumerate(step.bodies, 1)
        ]
        for event in numbered:
            self.apply(event)
        return numbered

    def view(self, name: str) -> ViewFold:
        """The growing view of one participant, folded from the start when first asked for."""
        if name not in self.views:
            self.views[name] = self.rules.view(name)
            for event in self.events:
                self.views[name].apply(event)
        return self.views[name]


AnyConversation = Conversation[Any]
"""That of a benchmark, whichever it is."""


def step(
    conversation: Conversation[S],
    seats: Mapping[str, Participant[Any]],
    tools: Tools,
    check: Check | None = None,
) -> Step:
    """The next step: a turn granted, a batch of tools run, or one answer of the participant whose turn it is.

    check: what the rules find in a plan, where the benchmark has such a check.

    Nothing is appended; the caller stores the events and then applies them. After `session_finished` there is no
    next step.
    """
    state, rules = conversation.state, conversation.rules
    if state.turn is None or state.ask_again:
        return Step("system", (rules.next_turn(state),))
    if state.loop.waiting:
        return Step("tools", _run_some(state, tools))
    turn = state.turn
    action = seats[turn.speaker].act(conversation.view(turn.speaker).view())
    if isinstance(action, Waiting):
        return Step(turn.speaker, (), waiting=True)
    thought = [ThoughtKept(speaker=turn.speaker, content=action.thought)] if action.thought else []
    return Step(turn.speaker, (*thought, *_bodies_of_action(rules, state, turn, action, check)))


def _bodies_of_action(
    rules: Rules[S],
    state: S,
    turn: TurnGranted,
    action: CallTools | Redo | Pass | Say,
    check: Check | None,
) -> list[EventBody]:
    match action:
        case CallTools():
            return _tool_calls(state, turn, action)
        case Redo():
            return [_withdraw_draft(state, turn, action)]
        case Pass():
            return [_pass_event(turn)]
        case Say():
            return rules.utterance_events(state, action, check)


def _withdraw_draft(state: SessionState, turn: TurnGranted, action: Redo) -> DraftWithdrawn:
    if state.drafts >= MOST_DRAFTS:
        raise ParticipantFault(
            f"{turn.speaker} has withdrawn {MOST_DRAFTS} drafts in one turn, the last: {action.why}"
        )
    return DraftWithdrawn(speaker=turn.speaker, content=action.content, why=action.why, note=action.note)


def _run_some(state: SessionState, tools: Tools) -> tuple[EventBody, ...]:
    """The results of as many waiting calls as begin within `TOOLS_S`, at least of one; the next step runs the others.

    The step also ends after a call that asked a model, since that answer cost money and shall be stored at once.

    Raises:
        ToolsOver: the recording has no answer to the first call. If it lacks a later one, the next step raises.
    """
    end, answers = time.monotonic() + TOOLS_S, list[EventBody]()
    for call in state.loop.waiting.values():
        try:
            answer = tools.call(call.name, call.arguments)
        except ToolsOver:
            if not answers:
                raise
            break
        answers.append(_tool_result(call, answer))
        if answer.asked_model or time.monotonic() >= end:
            break
    return tuple(answers)


def _tool_result(call: ToolCalled, answer: ToolOutcome) -> ToolReturned:
    return ToolReturned(
        call_id=call.call_id,
        result=answer.result,
        source=answer.source,
        mode=answer.mode,
        error_kind=answer.error_kind,
        examples=answer.examples,
        latency_ms=answer.latency_ms,
    )


def _tool_calls(state: SessionState, turn: TurnGranted, action: CallTools) -> list[EventBody]:
    if not state.may_call:
        raise ParticipantFault(f"{turn.speaker} called tools in a turn that allows none")
    if not action.calls:
        raise ParticipantFault("the agent called tools without naming any")
    if len(action.calls) > MOST_CALLS:
        raise ParticipantFault(
            f"the agent made {len(action.calls)} calls in one step; {MOST_CALLS} are the most"
        )
    notes: list[EventBody] = [AgentNoted(content=action.note)] if action.note else []
    number = state.loop.steps + 1
    first = sum(state.loop.calls.values()) + 1
    return notes + [
        ToolCalled(call_id=f"call_{first + i}", name=call.name, arguments=call.arguments, step=number)
        for i, call in enumerate(action.calls)
    ]


def crash_step(state: SessionState, reason: Crash, detail: str) -> Step:
    """The end of a session that can't go on. detail: for the researcher."""
    where = f"{state.turn.speaker}, {state.turn.kind}" if state.turn else "scheduler"
    raised = ErrorRaised(where=where, kind=reason, detail=detail)
    return Step("system", (raised, SessionFinished(reason=reason)))


def _pass_event(turn: TurnGranted) -> TurnPassed:
    if turn.speaker == AGENT:
        raise ParticipantFault("the agent has to speak when it is its turn")
    return TurnPassed(user=turn.speaker)


def run(
    conversation: Conversation[S],
    seats: Mapping[str, Participant[Any]],
    tools: Tools,
    opening: tuple[EventBody, ...] = (),
    check: Check | None = None,
) -> Conversation[S]:
    """Play a conversation to its end in memory. check: what the rules find in a plan, as in `step`.

    Raises:
        RuntimeError: it is the turn of a person or a program, and in memory there is none.
    """
    if opening:
        conversation.append(Step("system", opening))
    while conversation.state.final_event is None:
        made = step(conversation, seats, tools, check)
        if made.waiting:
            raise RuntimeError(f"{made.actor} waits, and nobody else can act")
        conversation.append(made)
    return conversation
