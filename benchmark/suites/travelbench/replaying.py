"""Tool calls and sessions played from given model answers, through the toolset and the step loop themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, BeforeValidator, ConfigDict

from benchmark.core.actions import Action, CallTools, ToolCall
from benchmark.core.engine import Conversation, run
from benchmark.core.participant import Participant
from benchmark.core.tool_use import HIT_SOURCES
from benchmark.core.view import AGENT
from benchmark.suites.travelbench.conversation.answers import FALLBACKS, Answer, apology, fallback
from benchmark.suites.travelbench.conversation.record import run_record
from benchmark.suites.travelbench.conversation.rules import RULES, TOOLSET, opening_step
from benchmark.suites.travelbench.conversation.views import RequestView
from benchmark.suites.travelbench.events import USER
from benchmark.suites.travelbench.modes import Subtask
from benchmark.suites.travelbench.participants import BoundedAgent
from benchmark.suites.travelbench.tasks.task import Task
from sandbox.cache import published_key
from sandbox.toolbox import ToolOutcome
from sandbox.tools.errors import ToolFailure
from sandbox.tools.results import compact
from sandbox.toolsets import toolset_named
from sandbox.toolsets.travelbench import NOTHING_FOUND, arguments_of, key_pairs

CACHED_RESULT = '{"error": "cached text"}'
_FOUND_NOTHING_FOR = "美食"
_RAISED_PREFIX, _NOT_FOUND = "Error executing tool: ", "Error executing tool: Tool not found: "


def _as_written(arguments: Any) -> Any:
    """What is neither an object nor a text, as the JSON that a model wrote for it."""
    return arguments if isinstance(arguments, dict | str) else compact(arguments)


class Call(BaseModel):
    """A call as a model wrote it. arguments: an object, or the text that a model wrote for one."""

    model_config = ConfigDict(frozen=True, extra="allow", strict=True)
    name: str
    arguments: Annotated[dict[str, Any] | str, BeforeValidator(_as_written)]


class ModelAnswer(BaseModel):
    """An answer of a model, or the error in its place."""

    model_config = ConfigDict(frozen=True, extra="allow", strict=True)
    content: str | None = None
    tool_calls: list[Call] | None = None
    error: str | None = None


class _Tools:
    """The sandbox of a task: checks calls as the published program does, and answers them with a given text.

    cached: tools and keys, since each tool has a cache of its own.
    """

    def __init__(self, time: str, cached: frozenset[tuple[str, str]] = frozenset()) -> None:
        self._given_arguments, self._cached_places = {"time": time}, cached

    def call(self, name: str, arguments: dict[str, Any] | str) -> ToolOutcome:
        """What a call gives: an error, what is cached, or what the simulator says."""
        toolset = toolset_named(TOOLSET)
        try:
            toolset.validate(name, arguments, "zh", "lenient", self._given_arguments)
        except ToolFailure as failure:
            return ToolOutcome(failure.agent_message("zh"), "none", "isolated", "arguments")
        given = arguments_of(arguments)
        if (name, key_of(given, self._given_arguments["time"])) in self._cached_places:
            return ToolOutcome(CACHED_RESULT, "cache", "isolated")
        told = NOTHING_FOUND if _FOUND_NOTHING_FOR in str(given) else f"SIM {name}"
        return ToolOutcome(told, "simulated", "isolated")


def key_of(arguments: Mapping[str, Any], time: str) -> str:
    """The cache key of a call in a task of that time: `[["params", TEXT], ["time", TIME]]` as compact JSON."""
    return published_key(key_pairs(arguments, time))


def tool_calls(calls: Sequence[Call], time: str, cached: frozenset[int]) -> dict[str, Any]:
    """Each call with its verdict, text and cache key, and how many there were of each."""
    keys = [key_of(arguments_of(call.arguments), time) for call in calls]
    known = ((calls[place].name, keys[place]) for place in cached if 0 <= place < len(keys))
    tools = _Tools(time, frozenset(known))
    outcomes = [tools.call(call.name, call.arguments) for call in calls]
    hits = sum(outcome.source in HIT_SOURCES for outcome in outcomes)
    return {
        "calls": [
            {"error": outcome.error, "content": _shown_result(outcome.result), "cache_key": key}
            for outcome, key in zip(outcomes, keys, strict=True)
        ],
        "cache_hits": hits,
        "cache_misses": len(outcomes) - hits,
        "tool_errors": sum(outcome.error for outcome in outcomes),
    }


def _shown_result(text: str) -> str:
    """What a tool gave; the words of an exception are of no interest."""
    return "<exception>" if text.startswith(_RAISED_PREFIX) and not text.startswith(_NOT_FOUND) else text


# Sessions.


@dataclass
class _Player:
    """A seat whose model's answers are given, the last again and again. asked: requests so far."""

    answers: Sequence[ModelAnswer]
    asked: int = field(default=0)

    def act(self, view: RequestView) -> Action:
        """The next answer."""
        answer = self.answers[min(self.asked, len(self.answers) - 1)] if self.answers else ModelAnswer()
        self.asked += 1
        if answer.error is not None:
            return apology(answer.error) if view.me == AGENT else fallback(self.asked)
        if view.me == AGENT and answer.tool_calls:
            calls = tuple(ToolCall(call.name, call.arguments) for call in answer.tool_calls)
            return CallTools(calls, note=answer.content or "")
        return Answer(answer.content or "", absent=answer.content is None)


class PlayedSession(NamedTuple):
    """A session's record, without ids, times and prompts, and how often the models were asked."""

    record: dict[str, Any]
    agent_requests: int
    user_requests: int


_DROPPED_FIELDS = ("user_profile", "context", "conversation_id", "duration", "error")


def play(
    data: Mapping[str, Any], subtask: Subtask, agent: Sequence[ModelAnswer], user: Sequence[ModelAnswer]
) -> PlayedSession:
    """Play a task through the step loop, and tell its record."""
    task = _task(data, subtask)
    assistant, traveller = _Player(agent), _Player(user)
    seats: dict[str, Participant[Any]] = {AGENT: BoundedAgent(assistant), USER: traveller}
    opening = opening_step(task).bodies
    played = run(Conversation(RULES), seats, _Tools(task.time), opening)
    record = run_record(played.events, duration=0)
    told = {key: value for key, value in record.items() if key not in _DROPPED_FIELDS}
    if "messages" in told:
        told["messages"] = [_message(message) for message in told["messages"]]
    return PlayedSession(told, assistant.asked, traveller.asked)


class _GivenTask(Task):
    """A task whose subtask is told, whatever its fields are."""

    given_subtask: Subtask

    @property
    def subtask(self) -> Subtask:
        return self.given_subtask


def _task(data: Mapping[str, Any], subtask: Subtask) -> Task:
    known = {name: data[name] for name in Task.model_fields if data.get(name) is not None}
    defaults = {"trace_id": "", "time": "", "query": "", "primary_intent": "", "intent": ""}
    return _GivenTask.model_construct(None, **(defaults | known), given_subtask=subtask)


def _message(message: Mapping[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in message.items() if key != "tool_calls"}
    if "tool_calls" in message:
        plain = [{key: call[key] for key in ("name", "arguments")} for call in message["tool_calls"]]
        kept["tool_calls"] = plain
    if message["role"] == "system":
        kept["content"] = "<prompt>"
    elif message["role"] == "tool":
        kept["content"] = _shown_result(message["content"])
    elif message["role"] == "user" and message["content"] in FALLBACKS:
        kept["content"] = "<fallback>"
    return kept
