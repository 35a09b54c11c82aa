"""Scenarios of canned lines, for checking the conversation rules, not for benchmarking."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeVar, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from benchmark.core.actions import Action, CallTools, Say, ToolCall
from benchmark.core.engine import Conversation, run
from benchmark.core.events import EventBody, MessagePosted
from benchmark.core.options import NO_OPTIONS, Options
from benchmark.core.view import AGENT
from benchmark.inputs import MB, LineProblem, filled_lines, numbered_lines, open_unpacked
from benchmark.jsonlines import read_json, unstorable_in
from benchmark.suites.base import fill_options
from benchmark.suites.grouptravel.conversation.rules import RULES
from benchmark.suites.grouptravel.events import CardDealt, Member, Protocol, SessionOpened
from benchmark.suites.grouptravel.options import OPTIONS
from benchmark.suites.grouptravel.view import GroupView
from sandbox.toolbox import ToolOutcome

T = TypeVar("T")
LONGEST_SCENARIO = 8 * MB
"""Bytes of one line."""


class NoLineError(LookupError):
    """Somebody is asked to speak and has no line; the message names the scenario's field."""


class CannedTurn(BaseModel):
    """An agent's turn: what it says at its end, and the tool-loop guard that it trips before (None: none)."""

    model_config = ConfigDict(extra="forbid", strict=True)
    say: str
    repetitive: Literal["multiple", "consecutive"] | None = None


class CannedAgentLines(BaseModel):
    """Lines by kind of turn; the last line of a kind repeats."""

    model_config = ConfigDict(extra="forbid", strict=True)
    convergence: list[str]
    turns: list[CannedTurn]
    final: list[str]


@dataclass
class CannedUser:
    """Says its lines in order, one each time it is asked; the last one repeats."""

    lines: Sequence[str]
    asked: int = 0

    def act(self, view: GroupView) -> Action:
        line = _line(self.lines, self.asked, f"say.{view.me}")
        self.asked += 1
        return Say(line)


def _line(lines: Sequence[T], index: int, name: str) -> T:
    """Line `index`, or the last one when there are fewer."""
    if not lines:
        raise NoLineError(name)
    return lines[min(index, len(lines) - 1)]


@dataclass
class CannedAgent:
    """Says its lines, and trips a guard by really making the calls that trip it."""

    lines: CannedAgentLines
    spoken_counts: dict[str, int] = field(default_factory=dict)

    def act(self, view: GroupView) -> Action:
        kind = view.turn.kind
        if kind == "summary":
            return Say("")
        if kind in ("convergence", "final"):
            lines = self.lines.convergence if kind == "convergence" else self.lines.final
            return Say(_line(lines, self._next(kind), f"agent.{kind}"))
        turn = _line(self.lines.turns, self.spoken_counts.get("turns", 0), "agent.turns")
        if turn.repetitive and view.turn.tools_allowed:
            return CallTools(self._repeat_calls(turn.repetitive))
        self._next("turns")
        return Say(turn.say)

    def _next(self, kind: str) -> int:
        index = self.spoken_counts.get(kind, 0)
        self.spoken_counts[kind] = index + 1
        return index

    def _repeat_calls(self, guard: str) -> tuple[ToolCall, ...]:
        """Calls that trip `multiple` at once, or `consecutive` when made in two steps running."""
        call = ToolCall("web_search", {"query": f"canned {self.spoken_counts.get('turns', 0)}"})
        return (call,) * 3 if guard == "multiple" else (call,)


class OpeningLine(BaseModel):
    model_config = ConfigDict(strict=True)
    role: str
    content: str


class Scenario(BaseModel):
    """One canned conversation: who sits there, what they want, the limits, and every line of everyone.

    Keys that are not named here are no concern of the rules and are left alone.
    """

    model_config = ConfigDict(strict=True)
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


class NoTools:
    """A canned agent's calls are made for the guards alone; every one answers with an empty object."""

    def call(self, name: str, arguments: dict[str, Any] | str) -> ToolOutcome:
        return ToolOutcome("{}", "none", "world")


def read_scenarios(path: Path) -> Iterator[Scenario]:
    """The scenarios of a JSONL file.

    Raises:
        ScenarioError: a line can't be read.
        ValueError: the file can't be unpacked, or is too large.
    """
    with open_unpacked(path) as file:
        for item in filled_lines(numbered_lines(file, LONGEST_SCENARIO), LONGEST_SCENARIO, "scenario"):
            if isinstance(item, LineProblem):
                raise ScenarioError(str(item))
            yield _read(*item)


def _read(number: int, line: bytes) -> Scenario:
    try:
        plain = read_json(line)
        if wrong := unstorable_in(plain):
            raise ScenarioError(f"line {number}, {wrong[0]}: {wrong[1]}")
        scenario = Scenario.model_validate(plain)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "(line)"
        raise ScenarioError(f"line {number}, {where}: {first['msg']}") from error
    except ScenarioError:
        raise
    except ValueError as error:
        raise ScenarioError(f"line {number}: {error}") from error
    if problem := _missing_user(scenario):
        raise ScenarioError(f"line {number}, {problem}")
    return scenario


def _missing_user(scenario: Scenario) -> str:
    """Why a user can't take part, "" when all can."""
    for index, user in enumerate(scenario.users):
        if not user or user == AGENT or user in scenario.users[:index]:
            return f"users.{index}: a name of its own is needed, not {user!r}"
        if not isinstance(scenario.preferences.get(user, {}).get("preference"), dict):
            return f"preferences.{user}.preference: an object is needed"
        if user not in scenario.say:
            return f"say.{user}: a list of lines is needed"
    return ""


def opening_of(scenario: Scenario, options: Options = NO_OPTIONS) -> tuple[EventBody, ...]:
    """The events with which a canned conversation begins."""
    chosen = fill_options(OPTIONS, options)
    opened = SessionOpened(
        task_id=scenario.id,
        query="",
        time="",
        context="",
        travellers=tuple(Member(name=user, role="") for user in scenario.users),
        max_turn=scenario.max_turn,
        convergence_interval=scenario.convergence_interval,
        options=dict(chosen),
        guards=cast("Protocol", chosen["protocol"]),
    )
    cards = [CardDealt(user=user, card=scenario.preferences[user]) for user in scenario.users]
    said = [MessagePosted(role=line.role, content=line.content, opening=True) for line in scenario.opening]
    return (opened, *cards, *said)


def converse(scenario: Scenario, options: Options = NO_OPTIONS) -> dict[str, Any]:
    """Play one scenario; the keys are those of the golden file, which leaves the log's event numbers out.

    Raises:
        ScenarioError: somebody is asked to speak and has no line at all.
    """
    seats = {user: CannedUser(scenario.say[user]) for user in scenario.users}
    agent = CannedAgent(scenario.agent)
    try:
        talked = run(Conversation(RULES), {**seats, AGENT: agent}, NoTools(), opening_of(scenario, options))
    except NoLineError as error:
        raise ScenarioError(f"{scenario.id}, {error}: asked to speak, but there is no line") from error
    state = talked.state
    assert state.final_event is not None
    messages = state.messages[len(scenario.opening) :]
    return {
        "id": scenario.id,
        "messages": [[message.role, message.content] for message in messages],
        "completion_reason": state.final_event.reason,
        "total_rounds": state.round,
        "total_events": state.events,
        "plan_generated": state.final_event.plan_generated,
        "effective_preferences": state.effective,
        "compromise_log": [
            {k: v for k, v in entry.items() if k != "round"} for entry in state.compromise_log
        ],
    }


def converse_all(path: Path, options: Options) -> Iterator[dict[str, Any]]:
    """Play every scenario of a file. Raises ValueError that names the file and what is wrong with it."""
    try:
        for scenario in read_scenarios(path):
            yield converse(scenario, options)
    except ScenarioError as error:
        raise ValueError(f"{path}: {error}; nothing was written") from error
