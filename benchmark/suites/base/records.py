"""How a benchmark's published run records come in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, NamedTuple, Protocol

from benchmark.core.events import EventBody
from benchmark.core.setting import Definition, Setting, T, W
from benchmark.core.sheets import Sheet
from benchmark.inputs import LineProblem
from benchmark.suites.base.fields import Cell

PublishedRecord = dict[str, Any]
"""A run record, or a part of one, in the JSON of its benchmark."""


@dataclass(frozen=True, slots=True)
class RecordLine:
    """A run record as it stands on a line of a file. text: the line, character by character."""

    number: int
    text: str
    record: PublishedRecord


class RecordTask(NamedTuple):
    """What a run record tells of its task.

    definition: the parts of a published task that the record has. columns: of its fields (`Tasks.fields`) by key, as
    far as the record tells them. query: as `Tasks.query` gives it. language: of the task.
    """

    task_id: str
    definition: PublishedRecord
    columns: Mapping[str, Cell]
    query: str = ""
    language: str = "zh"


class RecordSession(NamedTuple):
    """What a run record tells of its session.

    steps: who acted, and the events, from the opening to the end; times and models are unknown. round: how many
    rounds there were. trial_id: None where the record names none that is a number.
    """

    steps: Sequence[tuple[str, Sequence[EventBody]]]
    round: int = 0
    trial_id: int | None = None
    crashed: bool = False


class ReadSession(Protocol):
    """Tells the session of a record. agent: what the researcher calls the agent. definition: of its task."""

    def __call__(
        self, record: PublishedRecord, *, agent: str, world: str, definition: PublishedRecord
    ) -> RecordSession: ...


@dataclass(frozen=True)
class Records(Generic[T, W]):
    """How a benchmark's published run records come in.

    T: the class of its tasks. W: what its scores need of a world.
    """

    stream: Callable[[Path], Iterator[RecordLine | LineProblem]]
    """The records of a file, or what is wrong with its lines; raises OSError, ValueError."""
    task: Callable[[PublishedRecord], RecordTask]
    """What a record tells of its task."""
    session: ReadSession
    """What a record tells of its session."""
    score: Callable[[PublishedRecord, Setting[T, W]], Mapping[str, Sheet]]
    """The figures of a record as it is, by profile."""
    definition: Callable[[Definition], T]
    """The task of a told definition, as the files' would be, to be shown: whatever it lacks is empty."""
    places: Callable[[Path], W] | None = None
    """What scores need of a world, from a file of places as published; raises OSError, ValueError; None where scores
    need no world, so that records name none."""
    id_field: str = "task_id"
    """Tells tasks apart."""
