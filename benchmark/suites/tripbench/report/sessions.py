"""What parts of these reports make of the sessions of a run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import fmean

from benchmark.reports import Figure, RunFigures, SessionFigures
from benchmark.reports.conditions import option_condition
from benchmark.suites.tripbench.modes import MODE
from benchmark.suites.tripbench.tasks.task import SUBSETS

PERCENT = 100.0


def mode_of(run: RunFigures) -> str:
    """How a run's conversations were held; "" where it does not tell."""
    return run.conditions.get(option_condition(MODE.key), "")


def subset_of(session: SessionFigures) -> str:
    """The subset of a session's task."""
    return str(session.facets.get("subset", ""))


def subsets_in(runs: Iterable[RunFigures]) -> list[str]:
    """The subsets that some run has sessions of, in the order of the paper."""
    played = {subset_of(session) for run in runs for session in run.sessions}
    return [subset for subset in SUBSETS if subset in played]


def share_of(sessions: Sequence[SessionFigures], key: str) -> Figure:
    """The mean of a share in per cent, each task weighing the same, over the tasks that have one."""
    values: dict[str, list[float]] = defaultdict(list)
    for session in sessions:
        if (value := session.values.get(key)) is not None:
            values[session.task_id].append(value)
    tasks = {session.task_id for session in sessions}
    mean = PERCENT * fmean(fmean(own) for own in values.values()) if values else None
    return Figure(mean, 1, len(values), len(tasks))


def mean_of(sessions: Sequence[SessionFigures], key: str, places: int) -> Figure:
    """The mean of a figure over the sessions that have one."""
    known = [value for session in sessions if (value := session.values.get(key)) is not None]
    return Figure(fmean(known) if known else None, places, len(known), len(sessions))
