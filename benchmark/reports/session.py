"""What a report knows of one session and of one run."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple, Protocol

from benchmark.metrics import Values
from benchmark.reports.measures import Measures
from benchmark.reports.tasks import TaskFigures, task_figures


class Verdict(Protocol):
    """What a report's judge said of a session.

    ratings: 1 to 5 by dimension. meta: the meta-judge's calibration, 1 to 5, if one was asked. score: 0 to 100. A
    session that crashed without a conversation has a score of 0 and nothing else.
    """

    @property
    def ratings(self) -> Mapping[str, int]: ...

    @property
    def meta(self) -> int | None: ...

    @property
    def score(self) -> float | None: ...


class SessionFigures(NamedTuple):
    """One session that finished or crashed.

    size: of the whole group. counted: events of the type that the benchmark's reports count. calls, hits, misses: of
    tools. values: of the metrics of the rules, by key, absent where there is no figure. issues: by type. verdicts: of
    the report's judge, empty without any.
    """

    task_id: str
    trial: int
    difficulty: str
    size: int
    reason: str
    plan_generated: bool
    rounds: int
    counted: int
    calls: int
    hits: int
    misses: int
    values: Values
    issues: Mapping[str, int] = MappingProxyType({})
    verdicts: Sequence[Verdict] = ()


@dataclass(frozen=True)
class RunFigures:
    """A run's sessions, as its benchmark measures them.

    name: in full; label: short, and no other run's. mode: of the sandbox. players: whatever must be alike for two
    runs to be compared offline and online; around: what should be, by name (world, seed). contract: what its
    travellers are held to, "" where they are not over models. sessions: those that
    count; ended, planned: all that ended, and all that there are.
    """

    id: str
    name: str
    label: str
    mode: str
    players: str
    around: Mapping[str, str]
    measures: Measures
    sessions: Sequence[SessionFigures]
    ended: int
    planned: int
    contract: str = ""

    @property
    def going(self) -> bool:
        """Whether sessions are still to end."""
        return self.ended < self.planned

    def over(self, tasks: Collection[str]) -> RunFigures:
        """The same run over some of its tasks."""
        return replace(self, sessions=[one for one in self.sessions if one.task_id in tasks])

    @cached_property
    def tasks(self) -> TaskFigures:
        """The figures of its tasks, trials averaged as the profile says."""
        return task_figures(self.sessions, self.measures)
