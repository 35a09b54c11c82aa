"""What the rest of Caravan needs of a benchmark."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from benchmark.core.engine import Step
from benchmark.core.events import Contract, Event, Kinds, ParticipantJoined
from benchmark.core.events import Protocol as Rulebook
from benchmark.core.participant import Cast
from benchmark.core.rules import Rules
from benchmark.core.taskfiles import TaskFiles
from benchmark.metrics import Metric
from sandbox.toolbox import SandboxSetup
from sandbox.toolsets.base import DEFAULT_TOOLSET


class Task(Protocol):
    """What every benchmark's task has; the suite's own class adds the rest.

    users: the names of those who talk with the agent, in the order in which they are asked.
    """

    @property
    def language(self) -> str: ...

    @property
    def users(self) -> Sequence[str]: ...


class Opening(Protocol):
    """Makes the first events of a session: the task as everyone knows it, the seats, what each one knows alone.

    contract: what those over models are held to, None for the protocol's own.
    """

    def __call__(
        self,
        task: Any,
        *,
        seed: int = 0,
        protocol: Rulebook = "published",
        contract: Contract | None = None,
        world: str = "",
        pack_hash: str = "",
        sandbox: SandboxSetup | None = None,
        joined: Iterable[ParticipantJoined] = (),
    ) -> Step: ...


class Record(Protocol):
    """Tells a log as one line of the benchmark's published run files."""

    def __call__(
        self, events: Iterable[Event], *, task_index: int = 0, trial_id: int = 0
    ) -> dict[str, Any]: ...


@dataclass(frozen=True)
class Suite:
    """A benchmark.

    name: in logs and in the database; it never changes. kinds: of the events that its logs hold. rules: of its
    conversations. files: of its tasks; they read a stored definition as well. listed: what lists of tasks show of one
    and filter by, by column. cast: who can take its seats; a function, since participants take long to import.
    metrics: in the order in which a session shows them. toolset: the name of the tools that its agents call.
    """

    name: str
    kinds: Kinds
    rules: Rules[Any]
    files: TaskFiles[Any]
    listed: Callable[[Any], dict[str, Any]]
    opening: Opening
    cast: Callable[[], Cast]
    record: Record
    metrics: tuple[Metric, ...] = ()
    toolset: str = DEFAULT_TOOLSET
