"""What a report knows of one session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, Protocol

from benchmark.metrics import Facets, Values


class Verdict(Protocol):
    """What a report's judge said of a session.

    rubric: the name of what was asked. ratings: by dimension. meta: the meta-judge's calibration, 1 to 5, if one was
    asked. score: 0 to 100. A session that crashed without a conversation has a score of 0 and nothing else.
    """

    @property
    def rubric(self) -> str: ...

    @property
    def ratings(self) -> Mapping[str, int]: ...

    @property
    def meta(self) -> int | None: ...

    @property
    def score(self) -> float | None: ...


class SessionFigures(NamedTuple):
    """One session that finished or crashed.

    facets: of its task. counted: events of the type that the benchmark's reports count. calls, hits, misses: of
    tools. values: of the metrics but those of rubrics, by key, absent where there is no figure. issues: by type.
    verdicts: of the report's judges, empty without any. session_id: "" where it is known by its task alone.
    """

    task_id: str
    trial: int
    facets: Facets
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
    session_id: str = ""
