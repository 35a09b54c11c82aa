"""What a benchmark brings for making tasks of its own over a world."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

from benchmark.core.options import NO_OPTIONS, Options
from benchmark.models import ChatRequest, Reply
from benchmark.remarks import Remark
from sandbox.worlds import World

Ask = Callable[[ChatRequest], Reply]
"""One answer of a model; raises ModelFailure. Called from several threads."""
Progress = Callable[[int, int | None, str], None]
"""Told how many of how many tasks are done, and what is going on."""
MOST_TASKS = 20_000
WRITER: Final = "writer"
"""The role of a model that writes tasks."""
EARLIEST, LATEST = date(1950, 1, 1), date(2100, 12, 31)
"""Trips may start on these days and between; of others nobody knows the public holidays."""


class BadOrder(ValueError):
    """Tasks that can't be made as they were ordered; the message says why and what helps."""


class BeingMade(BadOrder):
    """Somebody else makes the same file at this moment."""


@dataclass(frozen=True)
class Order:
    """What is to be made.

    world: the file of its pack. count: of tasks. first, last: days on which trips may start, None for the benchmark's
    own. first_id: number in the id of the first task. prove: whether the reference agent's planner must solve each
    task. profiles: a file of travellers, None for the benchmark's own. skeletons: a file of tasks that are to get
    new preferences; `count` is then their number. model: the name of what writes preferences, "" for nobody.
    options: what the benchmark lets choose beside (`OrderForm.options`).
    """

    world: Path
    count: int
    seed: int
    language: str = "zh"
    first: date | None = None
    last: date | None = None
    first_id: int = 1
    prove: bool = True
    profiles: Path | None = None
    skeletons: Path | None = None
    model: str = ""
    options: Options = field(default_factory=lambda: NO_OPTIONS)


class OrderResult(NamedTuple):
    """What came of an order. files: that were written. report: as JSON; words: for people, a line each."""

    tasks: int
    files: Sequence[Path]
    report: Mapping[str, Any]
    words: Sequence[str]


class Sample(NamedTuple):
    """Some tasks of an order, before the others are made.

    places: each with `task` in the published format, None where it failed, `proof`, `failures` and what else the
    benchmark tells of it. tasks: how many can be made. levels: how many of them by difficulty. notes: on what
    the world can't have, remarks as JSON.
    """

    places: Sequence[Mapping[str, Any]]
    tasks: int
    levels: Mapping[str, int]
    notes: Sequence[Mapping[str, Any]]


class Produce(Protocol):
    """Makes tasks into a file, and what belongs to them into files beside it.

    A call that was broken off goes on where it was when it is made again with the same order.

    Raises:
        BadOrder: it can't be done so.
        OSError, WorldError: a file can't be read or written.
        ModelFailure: the model gives no answers any more.
    """

    def __call__(
        self,
        order: Order,
        out: Path,
        *,
        ask: Ask | None = None,
        workers: int = 1,
        progress: Progress | None = None,
    ) -> OrderResult: ...


class Choose(Protocol):
    """Makes a few tasks of an order alone, the same as in the whole set, and writes nothing. Raises as `Produce`."""

    def __call__(
        self, order: Order, count: int, *, ask: Ask | None = None, progress: Progress | None = None
    ) -> Sample: ...


class Finding(NamedTuple):
    """What is wrong with a task over a world. field: dotted path in the task. remark: a sentence."""

    field: str
    remark: Remark


Review = Callable[[Any], Sequence[Finding]]
"""Everything that is wrong with a task over one world, as it would be with one that is made."""


class ReadProfiles(Protocol):
    """Reads a file of travellers, as `Order.profiles` names one. called: what messages call the file.

    Raises:
        ValueError: naming line, field and remedy of each problem.
        OSError: the file can't be read.
    """

    def __call__(self, path: Path, *, called: str = "") -> Sequence[Any]: ...


class Synthesis(NamedTuple):
    """How a benchmark makes tasks.

    companion_files: where its proofs, personas and report go, by these names, from the file of the tasks. reviewer:
    what checks tasks of others over a world, as those that are made. days: the first and the last on which trips
    start unless others are asked for. read_profiles: None where nobody brings travellers.
    """

    produce: Produce
    sample: Choose
    companion_files: Callable[[Path], Mapping[str, Path]]
    reviewer: Callable[[World], Review]
    days: tuple[date, date]
    read_profiles: ReadProfiles | None = None
