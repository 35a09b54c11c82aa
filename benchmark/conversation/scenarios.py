"""Canned conversations: the engine with lines read from a file, without a world and without a database."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from benchmark.conversation.engine import Conversation, run
from benchmark.conversation.events import CardDealt, EventBody, Member, MessagePosted, Protocol, SessionOpened
from benchmark.participants.canned import CannedAgent, CannedAgentLines, CannedUser
from benchmark.participants.view import AGENT


class OpeningLine(BaseModel):
    role: str
    content: str


class Scenario(BaseModel):
    """One canned conversation: who sits there, what they want, the limits, and every line of everyone."""

    model_config = ConfigDict(extra="forbid")
    id: str
    users: list[str] = Field(min_length=1)
    preferences: dict[str, dict[str, Any]]
    opening: list[OpeningLine]
    max_turn: int = Field(ge=0)
    convergence_interval: int = Field(ge=1)
    agent: CannedAgentLines
    say: dict[str, list[str]]


class ScenarioError(ValueError):
    """A line that is no scenario; the message names line, field and reason."""


@dataclass(frozen=True, slots=True)
class _Answer:
    result: str = "{}"
    error: bool = False
    source: str = "none"
    latency_ms: float = 0.0


class NoTools:
    """A canned agent's calls are made for the guards alone; every one answers with an empty object."""

    def call(self, name: str, arguments: dict[str, Any] | str) -> _Answer:
        return _Answer()


def read_scenarios(path: Path) -> Iterator[Scenario]:
    """The scenarios of a JSONL file.

    Raises:
        ScenarioError: a line can't be read.
    """
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield _read(line, number)


def _read(line: bytes, number: int) -> Scenario:
    try:
        return Scenario.model_validate(orjson.loads(line))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "(line)"
        raise ScenarioError(f"line {number}, {where}: {first['msg']}") from error
    except orjson.JSONDecodeError as error:
        raise ScenarioError(f"line {number}: not valid JSON ({error})") from error


def opening_of(scenario: Scenario, protocol: Protocol) -> tuple[EventBody, ...]:
    """The events with which a canned conversation begins."""
    opened = SessionOpened(
        task_id=scenario.id,
        query="",
        time="",
        context="",
        travellers=tuple(Member(name=user, role="") for user in scenario.users),
        max_turn=scenario.max_turn,
        convergence_interval=scenario.convergence_interval,
        protocol=protocol,
    )
    cards = [CardDealt(user=user, card=scenario.preferences[user]) for user in scenario.users]
    said = [MessagePosted(role=line.role, content=line.content, opening=True) for line in scenario.opening]
    return (opened, *cards, *said)


def converse(scenario: Scenario, protocol: Protocol = "published") -> dict[str, Any]:
    """Play one scenario; the keys are those of the golden file."""
    seats = {user: CannedUser(scenario.say[user]) for user in scenario.users}
    talked = run(
        Conversation(),
        {**seats, AGENT: CannedAgent(scenario.agent)},
        NoTools(),
        opening_of(scenario, protocol),
    )
    state = talked.state
    assert state.finished is not None
    messages = state.messages[len(scenario.opening) :]
    return {
        "id": scenario.id,
        "messages": [[message.role, message.content] for message in messages],
        "completion_reason": state.finished.reason,
        "total_rounds": state.round,
        "total_events": state.events,
        "plan_generated": state.finished.plan_generated,
        "effective_preferences": state.effective,
        "compromise_log": state.compromise_log,
    }
