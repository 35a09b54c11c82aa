"""What a session is played in and scored in: its task, world, options and seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, TypeVar

from benchmark.core.options import NO_OPTIONS
from benchmark.core.options import Options as Options
from benchmark.plans.view import Findings, Plan
from sandbox.roads import Roads
from sandbox.tools.language import Language
from sandbox.worlds import World

T = TypeVar("T")
W = TypeVar("W")
R = TypeVar("R")
Definition = Mapping[str, object]
"""A task as it is stored, which older versions of its benchmark may have written."""
Check = Callable[[Plan], Findings]
"""What the rules of a benchmark find in a plan, for whoever may ask."""


def open_nothing() -> None:
    """The world of a session without one."""


@dataclass(frozen=True, kw_only=True)
class Setting(Generic[T, W]):
    """What the rules and the scores of a benchmark know beside a session's log.

    T: the class of its tasks. W: what its scores need of a world.
    """

    read_task: Callable[[], T]
    definition: Definition = field(default_factory=dict)
    world: W | None = None
    """What `Scoring.world` made of the session's world; None where it has none, or nothing is scored."""
    open_pack: Callable[[], World | None] = open_nothing
    open_roads: Callable[[], Roads | None] = open_nothing
    """Who tells road distances, made when it is first asked for; None where nobody can."""
    users: Sequence[str] = ()
    """The names of those who talk with the agent, in the order in which they are asked."""
    options: Options = field(default_factory=lambda: NO_OPTIONS)
    seed: int = 0
    language: Language = "zh"
    trial_id: int = 0
    _parts: dict[Callable[..., Any], Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    @cached_property
    def task(self) -> T:
        """The task, read when it is first asked for: scores of most benchmarks need none."""
        return self.read_task()

    @cached_property
    def pack(self) -> World | None:
        """The session's world, opened when it is first asked for. Raises WorldError."""
        return self.open_pack()

    def once(self, make: Callable[[Setting[T, W]], R]) -> R:
        """What `make` makes of this setting, made when it is first asked for: all that ask share it."""
        if make not in self._parts:
            self._parts[make] = make(self)
        made: R = self._parts[make]
        return made


AnySetting = Setting[Any, Any]
"""That of a benchmark, whichever it is."""
