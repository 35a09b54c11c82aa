"""What a participant may do when it is asked to act."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

PASS = "[pass]"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call of a sandbox tool. `arguments` is the parsed object, or the raw text where it is no JSON object."""

    name: str
    arguments: dict[str, Any] | str = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Say:
    """One utterance, as written: markers, mentions and `[pass]` are read by the engine, not by the participant."""

    content: str


@dataclass(frozen=True, slots=True)
class CallTools:
    """Tool calls of one model step; the engine runs them and asks again. `note` is text written beside them."""

    calls: tuple[ToolCall, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Pass:
    """Nothing to say in this turn (users only)."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """Not ready yet: a person has to act. The step ends, the session sleeps until something arrives."""


Action = Say | CallTools | Pass | Waiting
