"""Cases with known figures, which show that the rules of a benchmark are applied as published."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from benchmark.core.setting import Definition, open_nothing
from benchmark.suites.base.options import NO_OPTIONS, Options
from benchmark.suites.base.records import PublishedRecord
from sandbox.roads import Roads
from sandbox.worlds import World

Need = Literal["profile", "world", "tasks"]


class CaseRefused(ValueError):
    """A case that can't be scored. field: which is wrong, "" for the whole case; the words say the remedy."""

    def __init__(self, field: str, words: str) -> None:
        super().__init__(words)
        self.field = field


def no_task(task_id: str) -> Definition:
    """Where no task is given. Raises CaseRefused."""
    raise CaseRefused("task_id", f"there is no task {task_id}, since no tasks are given; give them")


@dataclass(frozen=True)
class CaseContext:
    """What cases are scored under, beside what they say themselves; what their benchmark does not need is empty."""

    profile: str = ""
    """A name of `Scoring.profiles`."""
    options: Options = field(default_factory=lambda: NO_OPTIONS)
    """The value of each of `Scoring.options`."""
    pack: World | None = None
    """The world."""
    open_roads: Callable[[], Roads | None] = open_nothing
    """As in `Setting`."""
    task: Callable[[str], Definition] = no_task
    """The task of an id. Raises CaseRefused where there is none."""


ScoreCase = Callable[[PublishedRecord, CaseContext], PublishedRecord]
"""Gives the `id` of a case and what the benchmark's rules make of it.

Raises:
    pydantic.ValidationError: it is no such case.
    CaseRefused: something else is wrong with it.
"""


CaseFault = Callable[[object, str, str], PublishedRecord]
"""What stands in the place of a case that can't be scored: (id of the case or None, field, reason)."""


@dataclass(frozen=True)
class Cases:
    """How the cases of a benchmark's golden files are scored (`manage.py score-suite`)."""

    score: ScoreCase
    """The figures of a case."""
    needs: frozenset[Need] = frozenset()
    """What must be given beside the cases; what else can be given is refused."""
    fault: CaseFault | None = None
    """What a line says whose case can't be scored, so that the others are; None where no line is written then."""

    def refuse_context(self, given: Mapping[Need, object]) -> None:
        """Raise ValueError where something is given that is not needed, or needed and not given.

        given: what somebody gave for each need, None for nothing.
        """
        for need, value in given.items():
            if value is not None and need not in self.needs:
                raise ValueError(f"--{need}: these cases are scored without it; leave it out")
            if value is None and need in self.needs:
                raise ValueError(f"--{need} is missing: these cases are scored by it; add it")
