"""What a benchmark brings for making tasks of its own over a world."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from benchmark.models import ChatRequest, Reply

Ask = Callable[[ChatRequest], Reply]
"""One answer of a model; raises ModelFailure. Called from several threads."""
Progress = Callable[[int, int | None, str], None]
"""Told how many of how many tasks are done, and what is going on."""
MOST_TASKS = 20_000


class BadOrder(ValueError):
    """Tasks that can't be made as they were ordered; the message says why and what helps."""


@dataclass(frozen=True)
class Order:
    """What is to be made.

    world: the file of its pack. count: of tasks. first, last: days on which trips may start, None for the benchmark's
    own. first_id: number in the id of the first task. prove: whether the reference agent's planner must solve each
    task. profiles: a file of travellers, None for the benchmark's own. skeletons: a file of tasks that are to get
    new preferences; `count` is then their number. model: the name of what writes preferences, "" for nobody.
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


class Made(NamedTuple):
    """What came of an order. files: that were written. report: as JSON; words: for people, a line each."""

    tasks: int
    files: Sequence[Path]
    report: Mapping[str, Any]
    words: Sequence[str]


class Synthesis(Protocol):
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
    ) -> Made: ...
