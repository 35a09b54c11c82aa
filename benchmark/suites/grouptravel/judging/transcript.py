"""A session as a judge sees it: numbered turns, tool results within bounds, and the rules it was played by."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmark.core.events import (
    AgentNoted,
    Event,
    EventBody,
    MessagePosted,
    ParticipantJoined,
    PlanProposed,
    SessionFinished,
    ToolCalled,
    ToolReturned,
    TurnPassed,
)
from benchmark.core.folding import by_body
from benchmark.core.view import AGENT
from benchmark.judging import Transcript
from benchmark.suites.grouptravel.events import CompromiseApplied, SessionOpened, TurnGranted
from benchmark.text.prompts import Prompts
from sandbox.tools.language import Language
from sandbox.toolsets import toolset_named

RESULT_LIMIT = 2000
"""Characters of a tool result that a judge sees."""
_FOLDER = Path(__file__).parent / "prompts"
CARAVAN_PROMPTS = Prompts(_FOLDER)
PUBLISHED_PROMPTS = Prompts(_FOLDER / "published", _FOLDER)


def line(language: Language, key: str, /, **fields: object) -> str:
    """A pattern of lines.txt."""
    return CARAVAN_PROMPTS.line(language, "lines", key, **fields)


def opening_of(log: Sequence[Event]) -> SessionOpened:
    """The opening of a whole log.

    Raises:
        ValueError: the log does not begin with it.
    """
    if not log or not isinstance(log[0].body, SessionOpened):
        raise ValueError("a log without its opening event can't be judged")
    return log[0].body


def caravan_transcript(events: Iterable[Event]) -> Transcript:
    """Caravan's own judge input: the rules, the chat, tool calls and results, notes, compromises and the plan.

    The travellers' cards and the agent's tables stay out: what rules compare is no business of a judge's.

    Raises:
        ValueError: the log does not begin with its opening.
    """
    log = list(events)
    opened = opening_of(log)
    teller = _Session(opened.language)
    told = "\n".join(line_ for event in log for line_ in teller.lines(event))
    return Transcript(_in_frame(opened, _tools(log, opened), told), frozenset(teller.turns), opened.language)


def _tools(log: Iterable[Event], opened: SessionOpened) -> str:
    """The tools that the agent was offered, by name; that it had none."""
    from benchmark.suites.grouptravel.participants import CAST  # takes long to import

    joined = (event.body for event in log if isinstance(event.body, ParticipantJoined))
    agents = [
        participant.kind for participant in joined if participant.seat == AGENT
    ]  # a fork may have another one
    if agents and not any(map(CAST.offers_tools, agents)):
        return line(opened.language, "no_tools")
    return ", ".join(toolset_named(opened.sandbox.toolset).tools)


def _in_frame(opened: SessionOpened, tools: str, told: str) -> str:
    language = opened.language
    children = ", ".join(f"{child.name} ({child.role})" for child in opened.companions)
    return CARAVAN_PROMPTS.fill(
        language,
        "shown",
        query=opened.query,
        context=opened.context,
        travellers=", ".join(f"{traveller.name} ({traveller.role})" for traveller in opened.travellers),
        companions=f"{line(language, 'companions', names=children)}\n" if children else "",
        interval=opened.convergence_interval,
        rounds=opened.max_turn,
        tools=tools,
        transcript=told,
    )


class Teller(ABC):
    """Tells events as numbered turns. turns: the numbers told so far."""

    def __init__(self, language: Language) -> None:
        self.turns: list[int] = []
        self.language = language
        self._calls: dict[str, int] = {}

    def lines(self, event: Event) -> Iterator[str]:
        """The turn of an event; nothing for what judges do not see."""
        if text := self.words_of(event):
            self.turns.append(event.seq)
            yield f"[{event.seq}] " + "\n  ".join(text.splitlines())

    @abstractmethod
    def words_of(self, event: Event) -> str:
        """The words of a turn, "" for none."""

    def call(self, body: ToolCalled, seq: int) -> str:
        """The words of a tool call, whose turn is remembered."""
        self._calls[body.call_id] = seq
        given = body.arguments if isinstance(body.arguments, str) else _json(body.arguments)
        return line(self.language, "calls", name=body.name, arguments=given)

    def asked_in(self, call_id: str, seq: int) -> int:
        """The turn of a call; `seq` where it is not known."""
        return self._calls.get(call_id, seq)


class _Session(Teller):
    """What happened in the session, rounds and all."""

    def __init__(self, language: Language) -> None:
        super().__init__(language)
        self._round = -1
        self._message = 0

    def lines(self, event: Event) -> Iterator[str]:
        """The turn of an event, or a line between turns."""
        if isinstance(event.body, TurnGranted):
            yield from self._phase_lines(event.body)
        else:
            yield from super().lines(event)

    def words_of(self, event: Event) -> str:
        text: str = self._words_of_body(event.body, event.seq)
        return text

    def _phase_lines(self, turn: TurnGranted) -> Iterator[str]:
        if turn.round != self._round and turn.place in ("lap", "checkpoint"):
            self._round = turn.round
            yield line(self.language, "round", n=turn.round + 1)
        if turn.kind in ("convergence", "final") and turn.attempt == 1:
            yield line(self.language, turn.kind)

    @by_body
    def _words_of_body(self, body: EventBody, seq: int) -> str:
        return ""

    @_words_of_body.register
    def _(self, body: MessagePosted, seq: int) -> str:
        self._message = seq
        return f"{body.role}: {body.content}"

    @_words_of_body.register
    def _(self, body: TurnPassed, seq: int) -> str:
        return line(self.language, "passes", who=body.user)

    @_words_of_body.register
    def _(self, body: AgentNoted, seq: int) -> str:
        return line(self.language, "noted", text=body.content)

    @_words_of_body.register
    def _(self, body: ToolCalled, seq: int) -> str:
        return self.call(body, seq)

    @_words_of_body.register
    def _(self, body: ToolReturned, seq: int) -> str:
        kind = "simulated" if body.source == "simulated" else "answers"
        call = self.asked_in(body.call_id, seq)
        return line(self.language, kind, call=call, text=_shorten_result(body.result, self.language))

    @_words_of_body.register
    def _(self, body: CompromiseApplied, seq: int) -> str:
        was, now = _json(body.was), _json(body.value)
        return line(self.language, "gives", who=body.user, path=body.path, was=was, now=now)

    @_words_of_body.register
    def _(self, body: PlanProposed, seq: int) -> str:
        return line(self.language, "plan", message=self._message)

    @_words_of_body.register
    def _(self, body: SessionFinished, seq: int) -> str:
        return line(self.language, "ended", reason=body.reason)


def _shorten_result(result: str, language: Language) -> str:
    left = len(result) - RESULT_LIMIT
    if left <= 0:
        return result
    return result[:RESULT_LIMIT] + line(language, "cut", left=left, whole=len(result))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
