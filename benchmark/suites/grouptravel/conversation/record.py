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
    MessagePosted,
    MessageWithheld,
    ParticipantJoined,
    ToolCalled,
    ToolReturned,
)
from benchmark.core.folding import by_body
from benchmark.core.forking import seconds_played
from benchmark.core.tool_use import ToolUse
from benchmark.core.view import AGENT
from benchmark.suites.grouptravel.conversation.state import SessionState
from benchmark.suites.grouptravel.events import TableInferred, TurnGranted


@dataclass
class _Trace:
    """Collects what the record shows beside the state. models: whether travellers speak through any."""

    history: list[dict[str, Any]] = field(default_factory=list)
    trace: list[dict[str, Any]] = field(default_factory=list)
    tool_use: ToolUse = field(default_factory=ToolUse)
    names: dict[str, str] = field(default_factory=dict)
    noted: bool = False
    models: bool = False
    error: str = ""

    @by_body
    def add(self, body: EventBody) -> None:
        """Bodies not named below leave no trace in a record."""

    @add.register
    def _(self, body: ParticipantJoined) -> None:
        self.models = self.models or (body.seat != AGENT and body.model is not None)

    @add.register
    def _(self, body: TurnGranted) -> None:
        if body.speaker == AGENT:
            self.trace.append({"turn": body.kind, "round": body.round, "attempt": body.attempt, "steps": []})

    @add.register
    def _(self, body: MessagePosted) -> None:
        entry: dict[str, Any] = {"type": "message", "role": body.role, "content": body.content}
        if not body.opening:
            entry["has_tool_calls"] = False
        self.history.append(entry)
        if body.role == AGENT:
            self._step({"content": body.content})

    @add.register
    def _(self, body: AgentNoted) -> None:
        self.history.append(
            {"type": "message", "role": AGENT, "content": body.content, "has_tool_calls": True}
        )
        self._step({"note": body.content})

    @add.register
    def _(self, body: MessageWithheld) -> None:
        self._step({"withheld": body.why, "content": body.content})

    @add.register
    def _(self, body: TableInferred) -> None:
        self._step({"table": body.table} if body.table is not None else {"unread": body.raw})

    @add.register
    def _(self, body: ToolCalled) -> None:
        self.names[body.call_id] = body.name
        self.history.append({"type": "tool_call", "name": body.name, "arguments": body.arguments})
        self._step({"tool_call": body.name, "arguments": body.arguments})

    @add.register
    def _(self, body: ToolReturned) -> None:
        name = self.names[body.call_id]
        entry = {"type": "tool_result", "name": name, "result": body.result, "error": body.error}
        self.history.append(entry)
        self.tool_use.add_answer(body)

    @add.register
    def _(self, body: ErrorRaised) -> None:
        self.error = body.detail or body.kind

    def _step(self, entry: dict[str, Any]) -> None:
        if self.trace:
            self.trace[-1]["steps"].append(entry)


def run_record(
    events: Iterable[Event], *, task_index: int = 0, trial_id: int = 0, duration: float | None = None
) -> dict[str, Any]:
    """One line of a published run file.

    duration: seconds; by default from the first turn to the last event, without the wait for a worker and without
    the time between an event and a fork from it. A crashed
    session gives the short record that the published runner writes for one.

    Raises:
        ValueError: the log has no opening event.
    """
    state, traced, log = SessionState(), _Trace(), list(events)
    for event in log:
        state.apply(event)
        traced.add(event.body)
    if state.opening is None:
        raise ValueError("a log without session_opened has no record")
    seconds = seconds_played(log) if duration is None else duration
    reason = state.final_event.reason if state.final_event else None
    ids = {"task_index": task_index, "task_id": state.opening.task_id, "trial_id": trial_id}
    if reason in CRASHES:
        crashed = {"success": False, "error": traced.error, "completion_reason": reason}
        return {**ids, **crashed, "plan_generated": False}
    return {**ids, **_body(state, traced, seconds, reason)}


def _body(state: SessionState, traced: _Trace, seconds: float, reason: str | None) -> dict[str, Any]:
    opened = state.opening
    assert opened is not None
    return {
        "success": True,
        "query": opened.query,
        "time": opened.time,
        "context": opened.context,
        "user_names": state.users,
        "max_turn": opened.max_turn,
        "convergence_interval": opened.convergence_interval,
        "conversation_history": traced.history,
        "agent_trace": traced.trace,
        "agent_preference_table": state.table,
        "effective_preferences": state.effective,
        "original_preferences": {user: own.card for user, own in state.cards.items()},
        "compromise_log": state.compromise_log,
        "agent_tool_stats": _tool_stats(traced.tool_use),
        "total_rounds": state.round,
        "total_events": state.events,
        "total_steps": state.steps,
        "duration": round(seconds, 3),
        "completion_reason": reason,
        "plan_generated": state.plan is not None,
        **({"traveller_contract": opened.contract} if traced.models else {}),
    }


def _tool_stats(used: ToolUse) -> dict[str, int]:
    return {
        "cache_hits": used.hits,
        "cache_misses": used.misses,
        "tool_errors": used.error_count,
        "tool_calls_executed": used.hits + used.misses,
    }
