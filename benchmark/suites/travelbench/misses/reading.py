"""A session as those read it who look for what it lost: who said what, and what was called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from benchmark.core.events import Event, ToolCalled
from benchmark.core.view import AGENT
from benchmark.misses import AnsweredCall, AnsweredCalls
from benchmark.suites.base import Figures
from benchmark.suites.travelbench.events import MessagePosted, SessionOpened
from benchmark.suites.travelbench.tasks.task import Task
from sandbox.toolsets.travelbench import TOOLSET


class Utterance(NamedTuple):
    """A message. failed: a stock sentence in its place."""

    seq: int
    role: str
    words: str
    failed: bool


class LostAnswer:
    """An ended session."""

    def __init__(self, log: Sequence[Event], task: Task, figures: Figures) -> None:
        self.log, self.task, self.figures = log, task, figures
        opened = log[0].body
        assert isinstance(opened, SessionOpened)
        self.opening = opened
        self.end = (log[-1].seq,)

    @property
    def subtask(self) -> str:
        """How the conversation was held."""
        return self.opening.subtask

    @property
    def evidence(self) -> Mapping[str, Any]:
        """Of its figures."""
        told = self.figures.get("evidence")
        return told if isinstance(told, dict) else {}

    @cached_property
    def messages(self) -> list[Utterance]:
        """All that was said."""
        return [
            Utterance(event.seq, event.body.role, event.body.content, event.body.failed)
            for event in self.log
            if isinstance(event.body, MessagePosted)
        ]

    @property
    def answers(self) -> list[Utterance]:
        """What the agent said."""
        return [said for said in self.messages if said.role == AGENT]

    @cached_property
    def calls(self) -> Sequence[AnsweredCall]:
        """Its tool calls that were answered."""
        return AnsweredCalls(self.log).all

    @cached_property
    def asked_calls(self) -> list[tuple[int, ToolCalled]]:
        """All tool calls with their events, in order."""
        return [(event.seq, event.body) for event in self.log if isinstance(event.body, ToolCalled)]

    def answer_to(self, seq: int) -> int:
        """The event of the answer to a call; that of the call where there is none."""
        return next((call.seq for call in self.calls if call.asked == seq), seq)

    def has_tool(self, name: str) -> bool:
        """Whether there is a tool of this name."""
        return name in TOOLSET.tools
