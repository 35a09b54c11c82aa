"""Participants that read their lines from a scenario: for checking the conversation rules, not for benchmarking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pydantic import BaseModel, ConfigDict

from benchmark.participants.actions import Action, CallTools, Say, ToolCall
from benchmark.participants.view import View


class CannedTurn(BaseModel):
    """An agent's turn: what it says at its end, and the tool-loop guard that it trips before (None: none)."""

    model_config = ConfigDict(extra="forbid")
    say: str
    repetitive: str | None = None


class CannedAgentLines(BaseModel):
    """Lines by kind of turn; the last line of a kind repeats."""

    model_config = ConfigDict(extra="forbid")
    convergence: list[str]
    turns: list[CannedTurn]
    final: list[str]


@dataclass
class CannedUser:
    """Says its lines in order, one each time it is asked; the last one repeats."""

    lines: Sequence[str]
    asked: int = 0

    def act(self, view: View) -> Action:
        line = self.lines[min(self.asked, len(self.lines) - 1)]
        self.asked += 1
        return Say(line)


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
            return Say(lines[self._next(kind, len(lines))])
        turn = self.lines.turns[min(self.spoken.get("turns", 0), len(self.lines.turns) - 1)]
        if turn.repetitive and view.turn.tools_allowed:
            return CallTools(self._repeated(turn.repetitive))
        self.spoken["turns"] = self.spoken.get("turns", 0) + 1
        return Say(turn.say)

    def _next(self, kind: str, count: int) -> int:
        index = self.spoken.get(kind, 0)
        self.spoken[kind] = index + 1
        return min(index, count - 1)

    def _repeated(self, guard: str) -> tuple[ToolCall, ...]:
        """Calls that trip `multiple` at once, or `consecutive` when made in two steps running."""
        call = ToolCall("web_search", {"query": f"canned {self.spoken.get('turns', 0)}"})
        return (call,) * 3 if guard == "multiple" else (call,)
