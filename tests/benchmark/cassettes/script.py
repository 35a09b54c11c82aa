"""A model that answers from a script, participants over it, and what they leave behind."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from benchmark.cassettes import Cassette
from benchmark.core.actions import Action, CallTools, Pass, Redo, Say, ToolCall
from benchmark.core.engine import Conversation, Step, Tools, step
from benchmark.core.events import ErrorRaised, EventBody, ModelCalled, SessionFinished
from benchmark.core.participant import Participant
from benchmark.core.view import AGENT
from benchmark.models import ChatRequest, Model, ModelFailure, ModelSetup, Reply, RequestedCall
from benchmark.models.exchange import Exchange, Failure
from benchmark.suites.grouptravel.conversation.rules import RULES
from benchmark.suites.grouptravel.conversation.scenarios import opening_of
from benchmark.suites.grouptravel.view import GroupView
from sandbox.toolbox import ToolOutcome
from tests.benchmark.suites.grouptravel.conversation.play import PLAN, scenario

SETUP = ModelSetup(name="scripted", base_url="http://127.0.0.1:1/v1", model="scripted-1")
PROMPT = "You plan a trip.\nAsk one traveller at a time.\nBe brief."
SEARCH = {"type": "function", "function": {"name": "web_search", "parameters": {"type": "object"}}}
CASE = scenario(say={"User1": [""], "User2": [""]}, limits=(3, 5))

Answer = Reply | ModelFailure


def call(keyword: str) -> Reply:
    requested = RequestedCall("c", "web_search", f'{{"query": "{keyword}"}}')
    return Reply("", (requested,), reasoning="look first", finish_reason="tool_calls")


@dataclass
class Script:
    """Answers for all seats in order; the last one repeats. It keeps every exchange, as a worker does."""

    answers: list[Answer]
    exchanges: list[Exchange] = field(default_factory=list)


@dataclass
class ScriptedModel:
    setup: ModelSetup
    seat: str
    script: Script

    def ask(self, request: ChatRequest) -> Reply:
        number = len(self.script.exchanges) + 1
        answer = self.script.answers[min(number, len(self.script.answers)) - 1]
        if isinstance(answer, ModelFailure):
            self.script.exchanges.append(Exchange(number, self.seat, request, failure=Failure.of(answer)))
            raise answer
        self.script.exchanges.append(Exchange(number, self.seat, request, answer))
        return answer


@dataclass
class Speaker:
    """Sends all it sees, one request an act, and does what it is told."""

    model: Model
    prompt: str = PROMPT

    def act(self, view: GroupView) -> Action:
        reply = self.model.ask(ChatRequest(tuple(self._messages(view)), (SEARCH,), temperature=0.7))
        if reply.calls and view.me == AGENT and view.turn.tools_allowed:
            calls = tuple(ToolCall(asked.name, json.loads(asked.arguments)) for asked in reply.calls)
            return CallTools(calls, thought=reply.reasoning)
        if reply.text == "redo":
            return Redo(reply.text, "critique")
        if not reply.text and view.me != AGENT:
            return Pass()
        return Say(reply.text or "{}", thought=reply.reasoning)

    def _messages(self, view: GroupView) -> Iterator[Mapping[str, Any]]:
        yield {"role": "system", "content": self.prompt}
        for message in view.messages:
            yield {
                "role": "assistant" if message.role == view.me else "user",
                "content": f"{message.role}: {message.content}",
            }
        for entry in view.tool_log:
            yield {"role": "tool", "tool_call_id": entry.call_id, "content": entry.result}
        for draft in view.turn.drafts:
            yield {"role": "user", "content": f"withdrawn: {draft.content}"}


@dataclass
class CountingTools:
    """Answers that no two calls share."""

    calls: int = 0

    def call(self, name: str, arguments: dict[str, Any] | str) -> ToolOutcome:
        self.calls += 1
        if self.calls % 3 == 0:
            return ToolOutcome('{"error": "busy"}', "none", "online", "backend", latency_ms=9.0)
        return ToolOutcome(f'"{name} {self.calls}"', "live", "online", latency_ms=self.calls / 7)


@dataclass
class RecordingModel:
    """Knows whether the act of its seat has asked a model."""

    model: Model
    answers: list[Reply | ModelFailure] = field(default_factory=list)

    @property
    def setup(self) -> ModelSetup:
        return self.model.setup

    def ask(self, request: ChatRequest) -> Reply:
        try:
            self.answers.append(self.model.ask(request))
        except ModelFailure as failure:
            self.answers.append(failure)
            raise
        return self.answers[-1]  # type: ignore[return-value]


def play(
    make: Callable[[str, Conversation], Model], tools: Callable[[Conversation], Tools], prompt: str = PROMPT
) -> Conversation:
    """A whole session in memory as a worker runs it: a model call is an event, a failed one is asked again."""
    talked = Conversation(RULES)
    talked.append(Step("system", opening_of(CASE, {"contract": "strict"})))  # type: ignore[arg-type]
    models = {seat: RecordingModel(make(seat, talked)) for seat in [*CASE.users, AGENT]}
    seats: dict[str, Participant] = {seat: Speaker(model, prompt) for seat, model in models.items()}
    sandbox = tools(talked)
    while talked.state.final_event is None:
        talked.append(_step(talked, seats, models, sandbox))
    return talked


def _step(
    talked: Conversation, seats: Mapping[str, Participant], models: Mapping[str, RecordingModel], tools: Tools
) -> Step:
    for model in models.values():
        model.answers.clear()
    try:
        made = step(talked, seats, tools)
    except ModelFailure as failure:
        turn = talked.state.turn
        assert turn is not None
        return Step(turn.speaker, (_call_event(turn.speaker, failure),))
    except RuntimeError as error:
        raised = ErrorRaised(where="", kind="runtime_error", detail=f"{type(error).__name__}: {error}")
        return Step("system", (raised, SessionFinished(reason="runtime_error")))
    calls: list[EventBody] = [
        _call_event(s, answer) for s, model in models.items() for answer in model.answers
    ]
    return Step(made.actor, (*calls, *made.bodies))


def _call_event(seat: str, answer: Reply | ModelFailure) -> ModelCalled:
    if isinstance(answer, ModelFailure):
        return ModelCalled(
            seat=seat, endpoint="scripted", outcome=answer.kind, detail=str(answer), retry_in_s=1
        )
    return ModelCalled(seat=seat, endpoint="scripted", model=answer.model, latency_ms=answer.latency_ms)


ANSWERS: list[Answer] = [
    Reply("{}"),
    ModelFailure("rate_limit", "429: slow down", status=429, retry_after_s=2.0),
    call("西湖"),
    call("灵隐寺"),
    Reply("", (*call("断桥").calls, *call("苏堤").calls), reasoning="two at once"),
    Reply("redo"),
    Reply("@User1 你想去哪里？", latency_ms=12.5),
    Reply("杭州 \u2028 and \x00 too", usage=None, model="m-1"),
    Reply("好的"),
    Reply("随便"),
    call("雷峰塔"),
    Reply(f"方案\n```json\n{PLAN}\n```"),
    Reply("{}"),
]


def recorded_cassette() -> Cassette:
    """A session of scripted models with everything in it, and its cassette."""
    script = Script(ANSWERS)
    talked = play(lambda seat, _: ScriptedModel(SETUP, seat, script), lambda _: CountingTools())
    return Cassette("abcd2345", "speaker", "speaker", tuple(talked.events), tuple(script.exchanges))
