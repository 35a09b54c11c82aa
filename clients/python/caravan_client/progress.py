"""Bars, where tqdm is installed; lines on standard error elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Show = Callable[[int], None]


@contextmanager
def bar(total: int | None, words: str, *, shown: bool = True) -> Iterator[Show]:
    """Gives what shows how many are done."""
    if not shown:
        yield lambda done: None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield _lines(total, words)
        return
    with tqdm(total=total, desc=words) as drawn:

        def show(done: int) -> None:
            drawn.update(done - drawn.n)

        yield show


def _lines(total: int | None, words: str) -> Show:
    last = -1

    def show(done: int) -> None:
        nonlocal last
        step = max(1, (total or 10_000) // 20)
        if done // step != last // step or done == total != last:
            last = done
            print(f"{words}: {done}" + (f" of {total}" if total else ""), file=sys.stderr)

    return show
