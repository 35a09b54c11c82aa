"""What a policy is asked and told, of this process or of a server: a trainer reads it without Caravan's libraries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Message = Mapping[str, Any]


@dataclass(frozen=True)
class Observation:
    """What the policy is asked: the chat as an agent over a model has it, and the tools that it may call now.

    messages, tools: as the chat completions protocol has them; after the end the last ones. error: why the last
    action did not count, or what ended the episode; "" for nothing.
    """

    messages: tuple[Message, ...]
    tools: tuple[Message, ...] = ()
    error: str = ""

    def as_json(self) -> dict[str, Any]:
        """As texts and servers have it."""
        return {"messages": list(self.messages), "tools": list(self.tools), "error": self.error}


@dataclass(frozen=True)
class StepResult:
    """What follows from an action.

    reward: of the turn that the action has ended, 0 within a turn. terminated: the session has ended. truncated: it
    was cut off after so many actions. info: {"figures": of the reward, "turn": the number of turns so far, "reason":
    of the end or ""}, and at the end of a turn that GTPO can take "turn_scores": {"is_feasible", "scores"}.
    """

    observation: Observation
    reward: float
    terminated: bool
    truncated: bool
    info: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_over(self) -> bool:
        """Whether no further action is taken."""
        return self.terminated or self.truncated
