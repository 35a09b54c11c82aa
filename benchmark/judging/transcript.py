"""A session as a judge sees it: numbered turns, tool results within bounds, and the rules it was played by."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from benchmark.conversation.events import (
    AgentNoted,
    Body,
    CompromiseApplied,
    Event,
    MessagePosted,
    ParticipantJoined,
    Passed,
    PlanProposed,
    SessionFinished,
    SessionOpened,
    ToolCalled,
    ToolReturned,
    TurnGranted,
)
from benchmark.conversation.folding import by_body
from benchmark.judging.wording import fill, line
from benchmark.participants.view import AGENT
from sandbox.tools import definitions
from sandbox.tools.language import Language

RESULT_LIMIT = 2000
"""Characters of a tool result that a judge sees."""


@dataclass(frozen=True, slots=True)
class Transcript:
    """text: the task, the rules and the turns. turns: the numbers in it, each the `seq` of its event. language: of
    the session, and so of the prompts.
    """

    text: str
    turns: frozenset[int]
    language: Language


def transcript_of(events: Iterable[Event]) -> Transcript:
    """What a judge is shown of a log: the chat, tool calls and results, notes, accepted compromises and the plan.

    The travellers' cards and the agent's tables stay out: what rules compare is no business of a judge's.

    Raises:
        ValueError: the log does not begin with its opening.
    """
    log = list(events)
    if not log or not isinstance(log[0].body, SessionOpened):
        raise ValueError("a log without its opening event can't be judged")
    opened = log[0].body
    teller = _Teller(opened.language)
    told = "\n".join(line_ for event in log for line_ in teller.lines(event))
    return Transcript(
        _framed(opened, _tools(log, opened.language), told), frozenset(teller.turns), opened.language
    )


def _tools(log: Iterable[Event], language: Language) -> str:
    """The tools that the agent was offered, by name; that it had none."""
    from benchmark.participants.registry import offers_tools

    joined = (event.body for event in log if isinstance(event.body, ParticipantJoined))
    if not all(offers_tools(one.kind) for one in joined if one.seat == AGENT):
        return line(language, "no_tools")
    return ", ".join(tool["function"]["name"] for tool in definitions(language))


def _framed(opened: SessionOpened, tools: str, told: str) -> str:
    language = opened.language
    children = ", ".join(f"{child.name} ({child.role})" for child in opened.companions)
    return fill(
        language,
        "shown",
        query=opened.query,
        context=opened.context,
        travellers=", ".join(f"{one.name} ({one.role})" for one in opened.travellers),
        companions=f"{line(language, 'companions', names=children)}\n" if children else "",
        interval=opened.convergence_interval,
        rounds=opened.max_turn,
        tools=tools,
        transcript=told,
    )


class _Teller:
    """Tells events as lines. turns: the numbers told so far."""

    def __init__(self, language: Language) -> None:
        self.turns: list[int] = []
        self._language = language
        self._round = -1
        self._calls: dict[str, int] = {}
        self._message = 0

    def lines(self, event: Event) -> Iterator[str]:
        """The turn of an event, or a line between turns; nothing for what judges do not see."""
        if isinstance(event.body, TurnGranted):
            yield from self._between(event.body)
            return
        text = self._told(event.body, event.seq)
        if text:
            self.turns.append(event.seq)
            yield f"[{event.seq}] " + "\n  ".join(text.splitlines())

    def _between(self, turn: TurnGranted) -> Iterator[str]:
        if turn.round != self._round and turn.place in ("lap", "checkpoint"):
            self._round = turn.round
            yield line(self._language, "round", n=turn.round + 1)
        if turn.kind in ("convergence", "final") and turn.attempt == 1:
            yield line(self._language, turn.kind)

    @by_body
    def _told(self, body: Body, seq: int) -> str:
        return ""

    @_told.register
    def _(self, body: MessagePosted, seq: int) -> str:
        self._message = seq
        return f"{body.role}: {body.content}"

    @_told.register
    def _(self, body: Passed, seq: int) -> str:
        return line(self._language, "passes", who=body.user)

    @_told.register
    def _(self, body: AgentNoted, seq: int) -> str:
        return line(self._language, "noted", text=body.content)

    @_told.register
    def _(self, body: ToolCalled, seq: int) -> str:
        self._calls[body.call_id] = seq
        given = body.arguments if isinstance(body.arguments, str) else _json(body.arguments)
        return line(self._language, "calls", name=body.name, arguments=given)

    @_told.register
    def _(self, body: ToolReturned, seq: int) -> str:
        kind = "simulated" if body.source == "simulated" else "answers"
        call = self._calls.get(body.call_id, seq)
        return line(self._language, kind, call=call, text=_within(body.result, self._language))

    @_told.register
    def _(self, body: CompromiseApplied, seq: int) -> str:
        was, now = _json(body.was), _json(body.value)
        return line(self._language, "gives", who=body.user, path=body.path, was=was, now=now)

    @_told.register
    def _(self, body: PlanProposed, seq: int) -> str:
        return line(self._language, "plan", message=self._message)

    @_told.register
    def _(self, body: SessionFinished, seq: int) -> str:
        return line(self._language, "ended", reason=body.reason)


def _within(result: str, language: Language) -> str:
    left = len(result) - RESULT_LIMIT
    if left <= 0:
        return result
    return result[:RESULT_LIMIT] + line(language, "cut", left=left, whole=len(result))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
