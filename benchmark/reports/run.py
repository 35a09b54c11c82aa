"""What a report knows of one run."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from benchmark.reports.conditions import Conditions
from benchmark.reports.measures import Measures
from benchmark.reports.session import SessionFigures
from benchmark.reports.tasks import TaskFigures, task_figures


@dataclass(frozen=True)
class RunFigures:
    """A run's sessions, as its benchmark measures them.

    name: in full; label: short, and no other run's. mode: of the sandbox. players: whatever must be alike for two
    runs to be compared offline and online. options: the values of those that are told of each run, by key. cast:
    who plays, and over which models. sessions: those that count; ended, planned: all that ended, and all that
    there are. conditions: what it was played under. by_profile: by the name of each other profile the plain means of
    its values over all sessions, by key, where the benchmark's reports compare profiles.
    """

    id: str
    name: str
    label: str
    mode: str
    players: str
    measures: Measures
    sessions: Sequence[SessionFigures]
    ended: int
    planned: int
    options: Mapping[str, str] = field(default_factory=dict)
    cast: Mapping[str, str] = field(default_factory=dict)
    conditions: Conditions = field(default_factory=dict)
    by_profile: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    @property
    def going(self) -> bool:
        """Whether sessions are still to end."""
        return self.ended < self.planned

    def over_tasks(self, tasks: Collection[str]) -> RunFigures:
        """The same run over some of its tasks."""
        return replace(self, sessions=[session for session in self.sessions if session.task_id in tasks])

    @cached_property
    def tasks(self) -> TaskFigures:
        """The figures of its tasks, trials averaged as the profile says."""
        return task_figures(self.sessions, self.measures)
