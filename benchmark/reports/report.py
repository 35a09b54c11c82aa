"""What every part of a report is made from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from benchmark.reports.agreement import Labelled, Unmatched
from benchmark.reports.session import RunFigures
from benchmark.reports.statistics import Resampler
from benchmark.reports.table import Chart, Table


@dataclass(frozen=True, slots=True)
class Pair:
    """A judge and a meta-judge, by name. sessions: how many of a report's they gave a score."""

    judge: str
    meta_judge: str
    sessions: int = 0


@dataclass(frozen=True)
class Report:
    """Some runs under one profile and one pair of judges.

    pair: whose verdicts the sessions have, None while there are none. others: who judged some of them too, and counts
    for nothing here. labels: human ratings next to the judge's, empty while there are none.
    unmatched: the sessions whose human ratings have none of the judge's beside them.
    """

    runs: Sequence[RunFigures]
    pair: Pair | None = None
    others: Sequence[Pair] = ()
    labels: Sequence[Labelled] = ()
    resampler: Resampler = field(default_factory=Resampler)
    unmatched: Unmatched = field(default_factory=Unmatched)


@dataclass(frozen=True, slots=True)
class Part:
    """One table or figure. counterpart: what the paper calls its like, "" for what it does not have."""

    name: str
    counterpart: str
    build: Callable[[Report], Table]
    chart: Chart | None = None
