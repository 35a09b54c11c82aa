"""How the sessions of a benchmark are played."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from benchmark.core.engine import Step
from benchmark.core.events import Event, Kinds, SessionStart
from benchmark.core.options import Options
from benchmark.core.participant import Cast, SeatContext
from benchmark.core.rules import Rules
from benchmark.core.setting import Check, Setting, T, W
from benchmark.promptsets import PromptPart
from benchmark.suites.base.lazy import Lazy
from benchmark.suites.base.options import Option
from benchmark.suites.base.records import PublishedRecord
from sandbox.toolsets.base import DEFAULT_TOOLSET, Toolset

T_contra = TypeVar("T_contra", contravariant=True)


class Opening(Protocol[T_contra]):
    """Makes the first events of a session: the task as everyone knows it, the seats, what each one knows alone."""

    def __call__(self, task: T_contra, start: SessionStart = ...) -> Step: ...


class Record(Protocol):
    """Tells a log as one line of the benchmark's published run files."""

    def __call__(
        self, events: Iterable[Event], *, task_index: int = 0, trial_id: int = 0
    ) -> PublishedRecord: ...


Converse = Callable[[Path, Options], Iterator[PublishedRecord]]
"""Plays the canned conversations of a file; ValueError names a line that is wrong."""


@dataclass(frozen=True)
class Play(Generic[T, W]):
    """How the sessions of a benchmark are played. T: the class of its tasks. W: what its scores need of a world."""

    kinds: Kinds
    """Of the events that its logs hold."""
    rules: Rules[Any]
    """Of its conversations."""
    opening: Opening[T]
    """How a session begins."""
    cast: Lazy[Cast]
    """Who can take its seats."""
    record: Record
    """How a log is told as published runs are."""
    toolset: str = DEFAULT_TOOLSET
    """The name of the tools that its agents call."""
    options: tuple[Option, ...] = ()
    """What is chosen for a session, in the order in which forms ask for it."""
    seat_knowledge: Callable[[Setting[T, W], str], object] = lambda setting, seat: None
    """What a seat may know of the task beside the log; `SeatContext.task`."""
    critic: Callable[[Setting[T, W], str], Check | None] | None = None
    """What finds faults in plans for a seat, None where that one may not ask; for "" those that the rules tell."""
    converse: Converse | None = None
    """How canned conversations are played; None where there are none."""
    prompts: Lazy[Sequence[PromptPart]] = tuple
    """What its agents and simulated users are told, as far as researchers may say it otherwise."""

    @property
    def has_tools(self) -> bool:
        """Whether its agents can call any."""
        from sandbox.toolsets import NO_TOOLS  # takes long to import, with all tools that there are

        return self.toolset != NO_TOOLS.name

    def seat_context(self, setting: Setting[T, W], seat: str, tools: Toolset | None = None) -> SeatContext:
        """What the occupant of a seat is given before the session."""
        return SeatContext(
            seat=seat,
            task=self.seat_knowledge(setting, seat),
            tools=tools,
            options=setting.options,
            seed=setting.seed,
            language=setting.language,
            check=self.check(setting, seat),
            open_pack=setting.open_pack,
        )

    def check(self, setting: Setting[T, W], seat: str = "") -> Check | None:
        """What finds faults in plans for a seat, by default for the rules; None where there is nothing."""
        return None if self.critic is None else self.critic(setting, seat)
