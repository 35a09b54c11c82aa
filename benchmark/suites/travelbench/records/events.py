"""The events of a session that a run record tells, for pages to show. A record has no times."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmark.core.events import (
    AgentNoted,
    ErrorRaised,
    EventBody,
    ParticipantJoined,
    SessionFinished,
    ToolCalled,
    ToolReturned,
    TurnGranted,
)
from benchmark.core.view import AGENT
from benchmark.suites.base import RecordSession
from benchmark.suites.travelbench.conversation.record import TOOL_ERROR
from benchmark.suites.travelbench.conversation.rules import TOOLSET
from benchmark.suites.travelbench.events import USER, IntentDealt, MessagePosted, SessionOpened
from benchmark.suites.travelbench.records.tasks import language_of, text_of, time_of
from benchmark.suites.travelbench.scoring.subtasks import subtask_of
from benchmark.text import guarded
from sandbox.toolbox import SandboxSetup

IMPORTED = "imported"
"""The kind of the user of a record, which does not name it."""
_REASON = guarded.compile("[^a-z_]+")
_LONGEST_REASON = 40
_MOST = 2**31
"""Above all numbers that a column takes."""
Steps = list[tuple[str, Sequence[EventBody]]]


def told_session(
    record: Mapping[str, Any], *, agent: str, world: str, definition: Mapping[str, Any]
) -> RecordSession:
    """The session of a record, from the opening to the end."""
    crashed = record.get("success") is False
    steps: Steps = [("system", [*_opening(record, agent, world, definition)])]
    telling = _Telling(multi=subtask_of(record, definition) == "multi")
    if not crashed:
        steps += telling.steps(record)
    steps.append(("system", [*_end(record, crashed=crashed, answered=telling.answered)]))
    return RecordSession(
        steps,
        round=_count(record.get("turns")) or 0,
        trial_id=_count(record.get("trial_id")),
        crashed=crashed,
    )


def _opening(
    record: Mapping[str, Any], agent: str, world: str, definition: Mapping[str, Any]
) -> Iterator[EventBody]:
    subtask, trace_id = subtask_of(record, definition), str(record.get("trace_id"))
    time = text_of(definition.get("time")) or time_of(record)
    yield SessionOpened(
        task_id=f"travelbench-{subtask}-{trace_id}",
        subtask=subtask,
        trace_id=trace_id,
        query=text_of(record.get("query")),
        time=time,
        context=text_of(record.get("context")),
        language="zh" if language_of(record) == "zh" else "en",
        world=world,
        sandbox=SandboxSetup(toolset=TOOLSET, strictness="lenient", given={"time": time}),
    )
    yield ParticipantJoined(seat=AGENT, kind=agent)
    if subtask == "multi":
        yield ParticipantJoined(seat=USER, kind=IMPORTED)
        profile = text_of(record.get("user_profile")) or text_of(definition.get("user_profile"))
        yield IntentDealt(intent=text_of(definition.get("intent")), profile=profile)
    yield MessagePosted(role=USER, content=text_of(record.get("query")), opening=True)


def _end(record: Mapping[str, Any], *, crashed: bool, answered: bool) -> Iterator[EventBody]:
    """The reason without what `error: …` quotes."""
    told = text_of(record.get("completion_reason")).partition(":")[0].lower()
    reason = _REASON.sub("_", told).strip("_")[:_LONGEST_REASON]
    if crashed:
        yield ErrorRaised(where="record", kind="runtime_error", detail=text_of(record.get("error")))
        yield SessionFinished(reason="runtime_error")
    else:
        yield SessionFinished(reason=reason or "unknown", plan_generated=answered)


def _count(value: Any) -> int | None:
    counts = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _MOST
    return value if counts else None


# What was said and called, message by message.


@dataclass
class _Telling:
    """waiting: the ids of calls without an answer, in order. round: turns that the agent has finished.

    open: whose turn it is, "" between two; steps_taken: model steps of it. said: words of the user so far.
    """

    multi: bool
    waiting: list[str] = field(default_factory=list)
    calls: int = 0
    round: int = 0
    open: str = ""
    steps_taken: int = 0
    said: int = 0
    answered: bool = False

    def steps(self, record: Mapping[str, Any]) -> Steps:
        """Everything after the opening events."""
        steps: Steps = []
        for message in record.get("messages") or ():
            steps += self._message(message)
        return steps

    def _message(self, message: Mapping[str, Any]) -> Steps:
        match message.get("role"):
            case "user":
                return self._user(message)
            case "assistant" if calls := _calls(message):
                return self._call_steps(message, calls)
            case "assistant":
                return self._answer(message)
            case "tool" if self.waiting:
                return [("tools", [self._return_event(message)])]
            case "system":
                return []
            case _:
                return [("system", [AgentNoted(content=_text(message.get("content")))])]

    def _user(self, message: Mapping[str, Any]) -> Steps:
        self.said += 1
        if self.said == 1:  # the query, which the opening holds
            return []
        said = MessagePosted(role=USER, content=_text(message.get("content")))
        return [*self._turn(USER), (USER, [self._close(said)])]

    def _answer(self, message: Mapping[str, Any]) -> Steps:
        content = message.get("content")
        said = MessagePosted(role=AGENT, content=_text(content), absent=content is None)
        turn = self._turn(AGENT)
        self.round, self.answered = self.round + 1, True
        return [*turn, (AGENT, [self._close(said)])]

    def _call_steps(self, message: Mapping[str, Any], calls: Sequence[Mapping[str, Any]]) -> Steps:
        turn = self._turn(AGENT)
        self.steps_taken += 1
        note = _text(message.get("content"))
        noted: list[EventBody] = [AgentNoted(content=note)] if note else []
        return [*turn, (AGENT, [*noted, *(self._call(call) for call in calls)])]

    def _call(self, call: Mapping[str, Any]) -> ToolCalled:
        self.calls += 1
        self.waiting.append(f"call_{self.calls}")
        given = call.get("arguments")
        arguments = given if isinstance(given, dict) else _text(given)
        return ToolCalled(
            call_id=self.waiting[-1], name=_text(call.get("name")), arguments=arguments, step=self.steps_taken
        )

    def _return_event(self, message: Mapping[str, Any]) -> ToolReturned:
        return ToolReturned(
            call_id=self.waiting.pop(0),
            result=_text(message.get("content")),
            source="recorded",
            error_kind=TOOL_ERROR if message.get("error") else "",
        )

    def _turn(self, speaker: str) -> Steps:
        if self.open == speaker:
            return []
        self.open, self.steps_taken, self.waiting = speaker, 0, []
        kind = "answer" if speaker == AGENT else "reply"
        return [("system", [TurnGranted(speaker=speaker, kind=kind, round=self.round)])]

    def _close(self, said: MessagePosted) -> MessagePosted:
        self.open = ""
        return said


def _calls(message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    held = message.get("tool_calls")
    return [call for call in held if isinstance(call, dict)] if isinstance(held, list) else []


def _text(value: Any) -> str:
    """A text as it is, nothing as "", all else as JSON."""
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False, default=str)
