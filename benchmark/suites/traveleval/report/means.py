"""Means over the plans of a run, as the paper's tables have them: each with how many plans it is of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean
from typing import Final

from benchmark.metrics import LEVEL, Facets, Metric
from benchmark.reports import Figure, SessionFigures
from benchmark.suites.traveleval.metrics import METRICS

METRIC: Final[Mapping[str, Metric]] = {metric.key: metric for metric in METRICS}
FIGURES: Final = tuple(
    metric.key
    for metric in METRICS
    if metric.source == "rules" and not metric.detail_of and not metric.key.startswith(("cost_", "share_"))
)
"""The metrics of the paper in its order, three of PAS and two of CSM. Figure B1 counts 26, and does not say which."""
COSTS: Final = tuple(metric.key for metric in METRICS if metric.key.startswith("cost_"))
LEVELS: Final = ("easy", "medium", "hard")
ALL: Final = "all"


def _of_level(level: str) -> Callable[[Facets], bool]:
    return lambda facets: facets.get(LEVEL) == level


def _of_groups(level: str) -> Callable[[Facets], bool]:
    return lambda facets: facets.get(LEVEL) == level and bool(facets.get("group"))


GROUPS: Final[Mapping[str, Callable[[Facets], bool]]] = {
    ALL: lambda facets: True,
    **{level: _of_level(level) for level in LEVELS},
    **{f"g{number}": _of_groups(level) for number, level in enumerate(LEVELS, 1)},
}
"""Queries by difficulty, those of progressive groups among them; g1, g2, g3 are the latter alone."""


def sessions_of(sessions: Iterable[SessionFigures], group: str) -> list[SessionFigures]:
    """The sessions over a group of queries."""
    return [session for session in sessions if GROUPS[group](session.facets)]


def mean_of(sessions: Sequence[SessionFigures], key: str) -> Figure:
    """The plain mean of a metric over the sessions that have it, as it is shown: shares are 0 to 100."""
    metric = METRIC[key]
    known = [value for session in sessions if (value := session.values.get(key)) is not None]
    value = metric.scale * fmean(known) if known else None
    return Figure(value, metric.digits, len(known), len(sessions))


def relative_change(before: float | None, after: float | None) -> float | None:
    """In per cent; None from 0, or where one of them is not known."""
    return None if not before or after is None else 100 * (after - before) / before
