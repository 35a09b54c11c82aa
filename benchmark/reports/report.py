"""What every part of a report is made from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from benchmark.reports.agreement import Labelled
from benchmark.reports.session import RunFigures
from benchmark.reports.statistics import Resampler
from benchmark.reports.table import Chart, Table


@dataclass(frozen=True)
class Report:
    """Some runs under one profile. labels: human ratings next to a judge's, empty while there are none."""

    runs: Sequence[RunFigures]
    labels: Sequence[Labelled] = ()
    resampler: Resampler = field(default_factory=Resampler)


@dataclass(frozen=True, slots=True)
class Part:
    """One table or figure. counterpart: what the paper calls its like, "" for what it does not have."""

    name: str
    counterpart: str
    build: Callable[[Report], Table]
    chart: Chart | None = None
