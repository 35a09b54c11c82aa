"""The events of a session that a run record tells, for pages to show.

A record has neither times nor passes nor the turns of the schedule, so every message gets a turn of its own, and a
round is closed as the polling order closes it. Each entry of `conversation_history` becomes exactly one event
that stands in a history, so that evidence finds its place.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmark.core.events import (
    AgentNoted,
    ErrorRaised,
    EventBody,
    MessagePosted,
    ParticipantJoined,
    PlanProposed,
    SessionFinished,
    ToolCalled,
    ToolReturned,
)
from benchmark.core.view import AGENT
from benchmark.suites.base import RecordSession
from benchmark.suites.grouptravel.conversation.markers import resolve_path, value_at, with_value
from benchmark.suites.grouptravel.events import (
    CardDealt,
    CompromiseApplied,
    MarkerAttempted,
    Member,
    SessionOpened,
    TableInferred,
    TurnGranted,
)
from benchmark.suites.grouptravel.itineraries.extraction import last_plan
from benchmark.suites.grouptravel.preferences import descend, part
from benchmark.suites.grouptravel.records.tasks import cards_of, language_of
from benchmark.suites.grouptravel.scoring.run_record import RunRecord, read_record
from benchmark.text import guarded

TRAVELLER = "imported"
"""The kind of the travellers of a record, which does not name them."""
_REASON = guarded.compile("[^a-z_]+")
Steps = list[tuple[str, Sequence[EventBody]]]


def told_session(
    record: Mapping[str, Any], *, agent: str, world: str, definition: Mapping[str, Any]
) -> RecordSession:
    """The session of a record, from the opening to the end; whatever its fields hold, it is told."""
    read = read_record(record)
    steps: Steps = [("system", _opening(record, read, agent, world, definition))]
    steps += _Telling(record, read).steps()
    rounds, trial = _count(record.get("total_rounds")), _count(record.get("trial_id"))
    return RecordSession(
        steps,
        round=rounds or 0,
        trial_id=trial,
        crashed=read.crashed,
    )


def _count(value: Any) -> int | None:
    """A number of something that a column takes, None for anything else."""
    counts = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31
    return value if counts else None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else _json(value)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


# The opening: the task as the record has it, and each traveller's card.


def _opening(
    record: Mapping[str, Any], read: RunRecord, agent: str, world: str, definition: Mapping[str, Any]
) -> list[EventBody]:
    opened = SessionOpened(
        task_id=_text(record.get("task_id")),
        query=read.query,
        time=_text(record.get("time")),
        context=_text(record.get("context")),
        language="zh" if language_of(record) == "zh" else "en",
        travellers=tuple(Member(name=user, role=read.roles.get(user, "")) for user in read.users),
        companions=tuple(_companions(record, definition)),
        max_turn=_count(record.get("max_turn")) or 0,
        convergence_interval=_count(record.get("convergence_interval")) or 0,
        world=world,
    )
    joined = [ParticipantJoined(seat=AGENT, kind=agent)]
    joined += [ParticipantJoined(seat=user, kind=TRAVELLER) for user in read.users]
    return [
        opened,
        *joined,
        *(CardDealt(user=user, card=card) for user, card in cards_of(record, read).items()),
    ]


def _companions(record: Mapping[str, Any], definition: Mapping[str, Any]) -> Iterator[Member]:
    for companions in (
        record.get("child_members"),
        descend(record, ("metadata", "child_members")),
        descend(definition, ("metadata", "child_members")),
    ):
        if isinstance(companions, list):
            for child in companions:
                yield Member(name=_text(part(child, "user")) or "?", role=_text(part(child, "role")))
            return


# What was said and called, entry by entry.


@dataclass
class _Telling:
    """record, read: as written, and as scoring reads it. waiting: calls without an answer, by tool.

    slot, round: where the polling order stands. begun: after the opening messages. open: whose turn has no message.
    """

    record: Mapping[str, Any]
    read: RunRecord
    waiting: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    tables: dict[str, Any] = field(default_factory=dict)
    calls: int = 0
    model_steps: int = 0
    round: int = 0
    slot: int = 0
    begun: bool = False
    open: str = ""

    def steps(self) -> Steps:
        """Everything after the opening events."""
        written = self.record.get("conversation_history")
        history = written if isinstance(written, list) else []
        self.tables = {user: card["preference"] for user, card in cards_of(self.record, self.read).items()}
        due = self._compromises(history)
        steps: Steps = []
        for at, entry in enumerate(history):
            steps += [*self._turn(entry, history[at + 1 :]), *self._entry(entry)]
            steps += [(event.user, [event]) for event in due.get(at, ())]
        steps += [(event.user, [event]) for event in due.get(-1, ())]
        return [*steps, *self._end()]

    def _entry(self, entry: Any) -> Steps:
        match part(entry, "type"):
            case "tool_call" if isinstance(part(entry, "name"), str):
                return [(AGENT, [self._call_event(entry)])]
            case "tool_result" if self.waiting[_text(part(entry, "name"))]:
                return [("system", [self._return_event(entry)])]
            case None | "message" if isinstance(entry, dict) and isinstance(entry.get("role"), str):
                return [(entry["role"], self._message_events(entry))]
            case _:
                return [("system", [AgentNoted(content=_text(entry))])]

    def _call_event(self, entry: Mapping[str, Any]) -> ToolCalled:
        self.calls += 1
        self.model_steps += not any(self.waiting.values())
        self.waiting[entry["name"]].append(f"call_{self.calls}")
        given = entry.get("arguments")
        return ToolCalled(
            call_id=f"call_{self.calls}",
            name=entry["name"],
            arguments=given if isinstance(given, dict) else _text(given),
            step=max(self.model_steps, 1),
        )

    def _return_event(self, entry: Mapping[str, Any]) -> ToolReturned:
        return ToolReturned(
            call_id=self.waiting[_text(part(entry, "name"))].pop(0),
            result=_text(entry.get("result")),
            source="recorded",
            error_kind="answer" if entry.get("error") else "",
        )

    def _message_events(self, entry: Mapping[str, Any]) -> list[EventBody]:
        role, content = entry["role"], _text(entry.get("content"))
        if role == AGENT and entry.get("has_tool_calls"):
            return [AgentNoted(content=content)]
        plan = last_plan([content]) if role == AGENT and self.read.plan_generated else None
        said = MessagePosted(role=role, content=content, opening=not self.begun, has_plan=plan is not None)
        return [said] if plan is None else [said, PlanProposed(plan=plan)]

    def _turn(self, entry: Any, rest: Sequence[Any]) -> Steps:
        """The turn that an entry opens, after the messages that were there from the start."""
        speaker = _speaker(entry)
        if not speaker or self.open == speaker:
            self.open = "" if _is_message(entry) else self.open
            return []
        if not self.begun and speaker != AGENT and "has_tool_calls" not in entry and _opens(rest):
            return []
        self.begun, self.model_steps = True, 0
        self.open = "" if _is_message(entry) else speaker
        return [("system", [self._grant(speaker)])]

    def _grant(self, speaker: str) -> TurnGranted:
        order = [*self.read.users, AGENT]
        slot = order.index(speaker) if speaker in order else self.slot
        if slot < self.slot:
            self.round += 1
        self.slot = slot
        return TurnGranted(speaker=speaker, kind="polled", place="lap", round=self.round, slot=slot)

    # What the record tells beside the history.

    def _compromises(self, history: Sequence[Any]) -> dict[int, list[CompromiseApplied | MarkerAttempted]]:
        """Each compromise by the place of the message of its traveller that it probably stands in; -1 for none."""
        compromises: dict[int, list[CompromiseApplied | MarkerAttempted]] = defaultdict(list)
        written = self.record.get("compromise_log")
        for entry in written if isinstance(written, list) else ():
            event = self._compromise(entry)
            if event is not None:
                compromises[_place(history, event)].append(event)
        return compromises

    def _compromise(self, entry: Any) -> CompromiseApplied | MarkerAttempted | None:
        user, path = _text(part(entry, "user")), part(entry, "field_path")
        if user not in self.tables or not isinstance(path, str):
            return None
        value, event = entry.get("new_value"), _count(entry.get("round")) or 0
        table = self.tables[user]
        resolved = resolve_path(table, path)
        if not entry.get("applied") or resolved is None:
            marker = f"[{path} : {_json(value)}]"
            return MarkerAttempted(
                user=user,
                marker=marker,
                path=path,
                value=value,
                verdict="unresolvable",
                logged=True,
                event=event,
            )
        self.tables[user] = with_value(table, resolved, value)
        was = value_at(table, resolved)
        return CompromiseApplied(user=user, path=resolved, value=value, was=was, event=event)

    def _end(self) -> Steps:
        steps: Steps = []
        believed = self.record.get("agent_preference_table")
        if isinstance(believed, dict) and believed:
            steps.append((AGENT, [TableInferred(table=believed, inline=True)]))
        reason = _REASON.sub("_", _text(self.record.get("completion_reason")).lower()).strip("_")[:40]
        if self.read.crashed:
            detail = _text(self.record.get("error"))
            steps.append(
                ("system", [ErrorRaised(where="record", kind=reason or "runtime_error", detail=detail)])
            )
        ended = reason or ("runtime_error" if self.read.crashed else "unknown")
        steps.append(("system", [SessionFinished(reason=ended, plan_generated=self.read.plan_generated)]))
        return steps


def _is_message(entry: Any) -> bool:
    return part(entry, "type") in (None, "message") and not part(entry, "has_tool_calls")


def _speaker(entry: Any) -> str:
    """Whose turn an entry belongs to, "" for what opens none."""
    match part(entry, "type"):
        case "tool_call":
            return AGENT
        case None | "message" if isinstance(part(entry, "role"), str):
            return str(entry["role"])
        case _:
            return ""


def _opens(rest: Sequence[Any]) -> bool:
    """Whether what was said before belongs to the opening, since the agent has still to speak."""
    return any(_speaker(entry) == AGENT for entry in rest)


def _place(history: Sequence[Any], event: CompromiseApplied | MarkerAttempted) -> int:
    """The last message of the traveller up to the event's number, counted over all messages."""
    own = [at for at, entry in enumerate(history) if _speaker(entry) == event.user]
    messages = [at for at, entry in enumerate(history) if _is_message(entry) and _speaker(entry)]
    reached = [at for at in own if messages.index(at) < event.event] if event.event else []
    return reached[-1] if reached else own[-1] if own else -1
