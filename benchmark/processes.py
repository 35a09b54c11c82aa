"""Work that several processes share, in the order in which it was given."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from typing import Any, TypeVar

A = TypeVar("A")
B = TypeVar("B")
E = TypeVar("E", bound=Executor)


def map_in_processes(
    make: Callable[..., Callable[[A], B]], arguments: Sequence[object], items: Sequence[A], workers: int
) -> Iterator[B]:
    """What a function gives for each item; each process makes its own function. One worker is this process.

    make: of a module, so that other processes find it. It is called with the arguments.
    """
    if workers < 2 or len(items) < 2:
        yield from map(make(*arguments), items)
        return
    pool = ProcessPoolExecutor(
        min(workers, len(items)),
        mp_context=get_context("spawn"),
        initializer=_begin,
        initargs=(make, tuple(arguments)),
    )
    with drop_unbegun(pool) as processes:
        yield from processes.map(_call_here, items)


@contextmanager
def drop_unbegun(pool: E) -> Iterator[E]:
    """A pool that drops what has not begun when the block is left early."""
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


_functions: list[Callable[[Any], Any]] = []
"""The one of this process, where it is one that `map_in_processes` has begun."""


def _begin(make: Callable[..., Callable[[Any], Any]], arguments: tuple[object, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who began this process ends it
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _functions[:] = [make(*arguments)]


def _end_with_parent() -> None:
    """A parent that was killed ends nobody, and its processes would wait for work for ever."""
    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(1)


def _call_here(item: Any) -> Any:
    return _functions[0](item)
