"""Sessions played in memory with models of a server, for its tests."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from benchmark.agents import LlmAgent
from benchmark.core.engine import Conversation, run
from benchmark.core.events import SessionStart
from benchmark.core.participant import Participant
from benchmark.core.view import AGENT
from benchmark.models import ChatRequest, ModelFailure, ModelSetup, Reply, RequestedCall, Usage
from benchmark.models.text_tools import as_text, with_calls
from benchmark.suites.grouptravel import tasks
from benchmark.suites.grouptravel.briefing import BRIEFING
from benchmark.suites.grouptravel.conversation.rules import RULES, opening_step
from benchmark.suites.grouptravel.tasks import Task
from benchmark.suites.grouptravel.travellers.llm import LlmUser
from benchmark.suites.grouptravel.travellers.scripted import ScriptedUser
from sandbox.toolbox import world_tools
from sandbox.worlds.reader import World

_TASKS = Path(tasks.__file__).parent / "data" / "starter.jsonl"


@dataclass(frozen=True)
class HttpModel:
    """A model of the server, asked in plain HTTP without streaming."""

    url: str
    name: str
    text: bool = False

    @property
    def setup(self) -> ModelSetup:
        """As far as participants look at it."""
        return ModelSetup(name="test", base_url=self.url, model=self.name)

    def ask(self, request: ChatRequest) -> Reply:
        """One answer.

        Raises:
            ModelFailure: an HTTP error, under the kind `overflow` or `server`.
        """
        sent = as_text(request, "zh") if self.text else request
        body: dict[str, Any] = {"model": self.name, "messages": sent.messages}
        if sent.tools:
            body["tools"] = sent.tools
        try:
            answer = post(self.url, body)
        except urllib.error.HTTPError as error:
            overflow = b"context_length" in error.read()
            raise ModelFailure("overflow" if overflow else "server", str(error), status=error.code) from None
        reply = reply_of(answer)
        return with_calls(reply) if self.text else reply


def post(url: str, body: dict[str, Any], key: str = "") -> dict[str, Any]:
    """The answer of /chat/completions to a body."""
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {key}"}
    request = urllib.request.Request(f"{url}/chat/completions", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=30) as response:
        found: dict[str, Any] = json.load(response)
    return found


def reply_of(answer: dict[str, Any]) -> Reply:
    """A completion as the participants have it."""
    choice, usage = answer["choices"][0], answer["usage"]
    message = choice["message"]
    calls = (call["function"] | {"id": call["id"]} for call in message.get("tool_calls") or ())
    return Reply(
        message["content"] or "",
        tuple(RequestedCall(call["id"], call["name"], call["arguments"]) for call in calls),
        message.get("reasoning_content", ""),
        choice["finish_reason"],
        Usage(usage["prompt_tokens"], usage["completion_tokens"]),
    )


@cache
def tasks() -> dict[str, Task]:
    """The tasks of the starter world by their ids."""
    lines = _TASKS.read_text("utf-8").splitlines()
    found = (Task.model_validate(json.loads(line)) for line in lines)
    return {task.task_id: task for task in found}


def english(task: Task) -> Task:
    """The same trip for a group that speaks English."""
    count, cities = len(task.users), " and ".join(task.metadata.cities)
    changed = {
        "language": "en",
        "query": f"{cities}, {task.days} days, a travel plan for {count} people",
        "context": f"Departure city: {task.metadata.departure_city}; travel date: {task.time}",
        "initial_messages": [],
    }
    return task.model_copy(update=changed)


def play(task: Task, world: World, agent: Participant, users: Participant | None = None) -> Conversation:
    """A whole session; users: one model for all of them, scripted travellers without it."""
    seats: dict[str, Participant] = {name: users or ScriptedUser() for name in task.users}
    conversation = Conversation(RULES)
    conversation.append(opening_step(task, SessionStart(options={"contract": "strict"})))
    return run(conversation, {**seats, AGENT: agent}, world_tools(world, task.language))


def llm_agent(url: str, name: str, *, text: bool = False) -> LlmAgent:
    """The agent of the paper over a model of the server."""
    return LlmAgent(BRIEFING, HttpModel(url, name, text))


def llm_user(url: str, name: str) -> LlmUser:
    """A traveller over a model of the server."""
    return LlmUser(HttpModel(url, name))


def messages_of(conversation: Conversation, roles: Iterable[str] = (AGENT,)) -> list[str]:
    """The visible messages of some roles."""
    return [message.content for message in conversation.state.messages if message.role in roles]
