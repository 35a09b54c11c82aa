"""The same work in one process, and in several at once."""

from __future__ import annotations

import random
import resource
import statistics
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from threading import Barrier
from typing import Any, TypeVar

Prepare = Callable[[Any], Callable[[Any], object]]
"""Opens what a process needs, of the sandbox given, and returns what is done with one item."""

T = TypeVar("T")

_SPAWN = get_context("spawn")
_MEBI = 2**20


@dataclass(frozen=True, slots=True)
class ItemTimes:
    """Milliseconds of every item: elapsed, and of the processor."""

    elapsed_ms: list[float]
    processor_ms: list[float]

    def __add__(self, other: ItemTimes) -> ItemTimes:
        return ItemTimes(self.elapsed_ms + other.elapsed_ms, self.processor_ms + other.processor_ms)

    def __str__(self) -> str:
        return f"{_summary(self.elapsed_ms)} ({_summary(self.processor_ms)} of the processor)"


def _summary(values: list[float]) -> str:
    cuts = statistics.quantiles(values, n=100)
    return f"median {cuts[49]:.3g} ms, p95 {cuts[94]:.3g}, p99 {cuts[98]:.3g}"


@dataclass(frozen=True, slots=True)
class Job:
    """Something done once. seconds: elapsed; processor: seconds of it; peak: MiB resident at most."""

    seconds: float
    processor: float
    peak: float

    def __str__(self) -> str:
        return f"{self.seconds:.1f} s ({self.processor:.1f} s of the processor), at most {self.peak:.0f} MiB resident"


def once(work: Callable[..., T], *given: Any) -> tuple[T, Job]:
    """Run it in a process of its own."""
    with ProcessPoolExecutor(1, mp_context=_SPAWN) as pool:
        return pool.submit(_job, work, given).result()


def _job(work: Callable[..., T], given: tuple[Any, ...]) -> tuple[T, Job]:
    began, busy = time.perf_counter(), time.process_time()
    result = work(*given)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / _MEBI
    return result, Job(time.perf_counter() - began, time.process_time() - busy, peak)


def each(prepare: Prepare, sandbox: Any, items: Sequence[Any], warm_up: int, processes: int = 1) -> ItemTimes:
    """What every item took, in fresh processes that begin together, each with all items in an order of its own."""
    with _SPAWN.Manager() as manager, ProcessPoolExecutor(processes, mp_context=_SPAWN) as pool:
        together = manager.Barrier(processes)
        runs = [
            pool.submit(_each, prepare, sandbox, items, warm_up, together, number)
            for number in range(processes)
        ]
        spent = [run.result() for run in runs]
    return sum(spent[1:], start=spent[0])


def _each(
    prepare: Prepare, sandbox: Any, items: Sequence[Any], warm_up: int, together: Barrier, number: int
) -> ItemTimes:
    work = prepare(sandbox)
    shuffled = random.Random(number).sample(list(items), len(items))
    for item in shuffled[:warm_up]:
        work(item)
    together.wait()
    elapsed, processor = [], []
    for item in shuffled[warm_up:]:
        began, busy = time.perf_counter(), time.thread_time()
        work(item)
        processor.append((time.thread_time() - busy) * 1000)
        elapsed.append((time.perf_counter() - began) * 1000)
    return ItemTimes(elapsed, processor)


def two_against_one(
    prepare: Prepare, sandbox: Any, items: Sequence[Any], warm_up: int, turns: int = 2
) -> str:
    """The ratio of the medians, elapsed and of the processor; one and two take turns, as the machine is shared."""
    alone, both = ItemTimes([], []), ItemTimes([], [])
    for _ in range(turns):
        alone += each(prepare, sandbox, items, warm_up)
        both += each(prepare, sandbox, items, warm_up, processes=2)
    elapsed = statistics.median(both.elapsed_ms) / statistics.median(alone.elapsed_ms)
    processor = statistics.median(both.processor_ms) / statistics.median(alone.processor_ms)
    one, two = statistics.median(alone.elapsed_ms), statistics.median(both.elapsed_ms)
    return f"{elapsed:.2f} × ({two:.3g} ms against {one:.3g}; {processor:.2f} × of the processor)"
