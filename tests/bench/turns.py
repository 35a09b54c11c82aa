"""The same work by this tree and by another one, by turns: what a busy machine slows down, it slows down in both."""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

ROOT = Path(__file__).resolve().parents[2]
RESAMPLES = 2_000


class Turn(NamedTuple):
    """Seconds of processor time that one item took in the other tree and in this one."""

    before: float
    now: float


class Worker:
    """A process that runs a program over the code of a tree. It says "ready", then seconds for each line."""

    def __init__(self, program: Path, tree: Path) -> None:
        self._tree = tree
        self._process = subprocess.Popen(
            [sys.executable, str(program)],
            cwd=tree,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()

    def answer(self, line: str = "") -> str:
        """The next line of the program, after it was sent one, if any."""
        assert self._process.stdin is not None and self._process.stdout is not None
        if line:
            self._process.stdin.write(f"{line}\n")
            self._process.stdin.flush()
        answer = self._process.stdout.readline().strip()
        if not answer:
            raise SystemExit(f"the program ended in {self._tree}: run it there by hand to see why")
        return answer


def take_turns(
    program: Path, other: Path, warm_up: Sequence[str], items: Iterable[str]
) -> list[tuple[str, Turn]]:
    """Each item in both trees, one right after the other; which tree begins alternates."""
    turns = []
    with Worker(program, other) as before, Worker(program, ROOT) as now:
        for worker in (before, now):
            worker.answer()
            for item in warm_up:
                worker.answer(item)
        for number, item in enumerate(items):
            order = (before, now) if number % 2 else (now, before)
            spent = {worker: float(worker.answer(item)) for worker in order}
            turns.append((item, Turn(spent[before], spent[now])))
    return turns


def ratio_text(turns: Sequence[Turn]) -> str:
    """How many, all seconds, and this tree's share of the other's: of the sums with an interval, and the median."""
    chance = random.Random(1)
    shares = sorted(_ratio(chance.choices(turns, k=len(turns))) for _ in range(RESAMPLES))
    low, high = shares[RESAMPLES // 40], shares[-1 - RESAMPLES // 40]
    before, now = sum(turn.before for turn in turns), sum(turn.now for turn in turns)
    median = statistics.median(turn.now / turn.before for turn in turns)
    return (
        f"{len(turns)} by turns, {before:.2f} and {now:.2f} s of the processor: "
        f"{_ratio(turns):.3f} [{low:.3f}, {high:.3f}], median {median:.3f}"
    )


def _ratio(turns: Sequence[Turn]) -> float:
    return sum(turn.now for turn in turns) / sum(turn.before for turn in turns)
