"""The published run record of a session: a projection of its log."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from benchmark.core.events import (
    CRASHES,
    AgentNoted,
    ErrorRaised,
    Event,
    EventBody,
    ToolCalled,
    ToolReturned,
    TurnGranted,
)
from benchmark.core.folding import by_body
from benchmark.core.forking import seconds_played
from benchmark.core.tool_use import ToolUse
from benchmark.core.view import AGENT
from benchmark.suites.travelbench.briefing.prompts import system_prompt
from benchmark.suites.travelbench.conversation.state import SessionState
from benchmark.suites.travelbench.events import MessagePosted, SessionOpened
from benchmark.suites.travelbench.modes import MODEL_STEPS, Mode, mode_of

EMPTY_QUERY = "the query is empty"
TOOL_ERROR = "arguments"
"""The one kind of failure that is a tool error: a failed simulation or a stored text with "error" is none."""


@dataclass
class _Trace:
    """Collects messages as the record has them.

    turn: which, from 1; step: the model step of the calls that came last. steps: model steps of the turn; failed:
    its answer could not be had.
    """

    messages: list[dict[str, Any]] = field(default_factory=list)
    tool_use: ToolUse = field(default_factory=ToolUse)
    names: dict[str, str] = field(default_factory=dict)
    turn: int = 1
    step: int = 0
    note: str | None = None
    steps: int = 0
    failed: bool = False
    calls: int = 0
    errors: int = 0
    error: str = ""

    @by_body
    def add(self, body: EventBody) -> None:
        """Bodies not named below leave no trace in a record."""

    @add.register
    def _(self, body: TurnGranted) -> None:
        if body.speaker == AGENT:
            self.turn, self.step, self.steps, self.note = body.round + 1, 0, 0, None

    @add.register
    def _(self, body: AgentNoted) -> None:
        self.note = body.content

    @add.register
    def _(self, body: ToolCalled) -> None:
        if body.step != self.step:
            self._say("assistant", self.note, tool_calls=[])
            self.step, self.steps, self.note = body.step, self.steps + 1, None
        call = {"id": body.call_id, "name": body.name, "arguments": _arguments(body)}
        self.messages[-1]["tool_calls"].append(call)
        self.names[body.call_id] = body.name
        self.calls += 1

    @add.register
    def _(self, body: ToolReturned) -> None:
        self.tool_use.add_answer(body)
        wrong = body.error_kind == TOOL_ERROR
        self.errors += wrong
        self._say("tool", body.result, name=self.names[body.call_id], error=wrong)

    @add.register
    def _(self, body: MessagePosted) -> None:
        if body.role == AGENT:
            self._say("assistant", None if body.absent else body.content, tool_calls=[])
            self.steps, self.failed = self.steps + 1, body.failed
        else:
            self._say("user", body.content)

    @add.register
    def _(self, body: ErrorRaised) -> None:
        self.error = body.detail or body.kind

    def _say(self, role: str, content: str | None, **more: Any) -> None:
        self.messages.append({"role": role, "content": content, **more, "turn_idx": self.turn})


def _arguments(body: ToolCalled) -> dict[str, Any]:
    given = body.arguments
    return given if isinstance(given, dict) else {"raw_arguments": given}


def run_record(
    events: Iterable[Event], *, task_index: int = 0, trial_id: int = 0, duration: float | None = None
) -> dict[str, Any]:
    """One entry of the `results` of a published run file.

    duration: seconds; by default from the first turn to the last event, without the time between an event and a fork
    from it. A crashed session gives the short record that the published runner writes for one.

    Raises:
        ValueError: the log has no opening event.
    """
    state, traced, log = SessionState(), _Trace(), list(events)
    for event in log:
        state.apply(event)
        traced.add(event.body)
    opened = state.opening
    if opened is None:
        raise ValueError("a log without session_opened has no record")
    mode, reason = mode_of(opened.subtask), state.final_event.reason if state.final_event else None
    head = {"trace_id": opened.trace_id, "mode": mode, "trial_id": trial_id, "query": opened.query}
    if reason in CRASHES:
        return {**head, "success": False, "error": traced.error or EMPTY_QUERY}
    seconds = seconds_played(log) if duration is None else duration
    profile = {"user_profile": state.intent.profile} if state.intent else {}
    return {**head, **profile, **_body(opened, state, traced, round(seconds, 3), trial_id, mode)}


def _body(
    opened: SessionOpened, state: SessionState, traced: _Trace, seconds: float, trial_id: int, mode: Mode
) -> dict[str, Any]:
    reason = state.final_event.reason if state.final_event else None
    return {
        "context": opened.context,
        "success": True,
        "conversation_id": f"{opened.task_id}-{trial_id}",
        "turns": state.round,
        "duration": seconds,
        "completion_reason": reason,
        "tool_calls_count": traced.calls,
        "total_steps": _steps(traced, mode),
        "cache_hits": traced.tool_use.hits,
        "cache_misses": traced.tool_use.misses,
        "tool_errors": traced.errors,
        "messages": _messages(opened, traced, reason),
    }


def _steps(traced: _Trace, mode: Mode) -> int:
    """Model steps of a single turn, which a stock answer for a failed model has none of; multi-turn has none."""
    return 0 if mode == "multi_turn" or traced.failed else min(traced.steps, MODEL_STEPS)


def _messages(opened: SessionOpened, traced: _Trace, reason: str | None) -> list[dict[str, Any]]:
    """With the system prompt; at the limit without the user's last words, which nobody has heard."""
    said = traced.messages
    heard = said[:-1] if reason == "max_turns_reached" and said[-1]["role"] == "user" else said
    system = {"role": "system", "content": system_prompt(opened), "turn_idx": None}
    return [system, *heard]
