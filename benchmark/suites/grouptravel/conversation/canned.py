"""Participants that read their lines from a scenario: for checking the conversation rules, not for benchmarking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from pydantic import BaseModel, ConfigDict

from benchmark.core.actions import Action, CallTools, Say, ToolCall
from benchmark.suites.grouptravel.view import View

T = TypeVar("T")


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

    def act(self, view: View) -> Action:
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
    spoken: dict[str, int] = field(default_factory=dict)

    def act(self, view: View) -> Action:
        kind = view.turn.kind
        if kind == "summary":
            return Say("")
        if kind in ("convergence", "final"):
            lines = self.lines.convergence if kind == "convergence" else self.lines.final
            return Say(_line(lines, self._next(kind), f"agent.{kind}"))
        turn = _line(self.lines.turns, self.spoken.get("turns", 0), "agent.turns")
        if turn.repetitive and view.turn.tools_allowed:
            return CallTools(self._repeated(turn.repetitive))
        self._next("turns")
        return Say(turn.say)

    def _next(self, kind: str) -> int:
        index = self.spoken.get(kind, 0)
        self.spoken[kind] = index + 1
        return index

    def _repeated(self, guard: str) -> tuple[ToolCall, ...]:
        """Calls that trip `multiple` at once, or `consecutive` when made in two steps running."""
        call = ToolCall("web_search", {"query": f"canned {self.spoken.get('turns', 0)}"})
        return (call,) * 3 if guard == "multiple" else (call,)
