"""How the requests and the sessions of a run do just now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median
from typing import Any

from django.db.models import Q

from webapp import clock
from webapp.jobs.models import Job
from webapp.jobs.waits import Wait, waits
from webapp.sessions.jobs import SESSION
from webapp.sessions.models import Event, Run, Session, Status

WINDOW = timedelta(minutes=10)
MOST_REQUESTS = 2_000
"""The newest of them are read, so that a page of a busy run is quick."""
SHOWN_SLOWEST = 3


@dataclass(frozen=True, slots=True)
class RequestFigures:
    """Requests that ended in a time, to one model or to all.

    failures: those without an answer, by kind; repeated: those after the first for an answer. tokens_per_s: of
    answers, over the whole time. latencies: of answers, milliseconds.
    """

    endpoint: str
    requests: int
    failures: Counter[str]
    repeated: int
    tokens_per_s: float
    latencies: list[float]

    @property
    def failed(self) -> int:
        """Requests without an answer."""
        return self.failures.total()

    @property
    def failed_share(self) -> float:
        """The same as a part of 1."""
        return self.failed / self.requests if self.requests else 0.0

    @property
    def failures_by_kind(self) -> list[tuple[str, int]]:
        """Kinds of failures, the most frequent first."""
        return self.failures.most_common()

    @property
    def median_ms(self) -> float | None:
        """Of answers; None where there is none."""
        return median(self.latencies) if self.latencies else None

    @property
    def longest_ms(self) -> float | None:
        """Of answers; None where there is none."""
        return max(self.latencies, default=None)


@dataclass(frozen=True, slots=True)
class SlowRequest:
    """A request that took long."""

    session: str
    seq: int
    endpoint: str
    latency_ms: float


@dataclass(frozen=True, slots=True)
class SlowSession:
    """A session that takes long. seconds: since it began."""

    session: Session
    seconds: float


@dataclass(frozen=True, slots=True)
class RunHealth:
    """seconds: the time that the figures of requests are of. models: a row a model."""

    seconds: float
    total: RequestFigures
    models: list[RequestFigures]
    slow_requests: list[SlowRequest]
    slow_sessions: list[SlowSession]
    waits: list[Wait]


@dataclass(frozen=True, slots=True)
class _Call:
    session: str
    seq: int
    at: datetime
    payload: Mapping[str, Any]

    @property
    def answered(self) -> bool:
        return bool(self.payload.get("outcome", "answered") == "answered")

    @property
    def latency_ms(self) -> float:
        return float(self.payload.get("latency_ms") or 0.0)


def run_health(run: Run) -> RunHealth:
    """Its requests of the last `WINDOW`, the slowest of what goes on, and what its sessions wait for."""
    now = clock.now()
    calls = _calls(run, now - WINDOW)
    whole = len(calls) < MOST_REQUESTS
    seconds = WINDOW.total_seconds() if whole else max((now - calls[-1].at).total_seconds(), 1.0)
    if run.created_at > now - WINDOW:
        seconds = min(seconds, max((now - run.created_at).total_seconds(), 1.0))
    by_model: dict[str, list[_Call]] = {}
    for call in calls:
        by_model.setdefault(str(call.payload.get("endpoint", "")), []).append(call)
    slowest = sorted((call for call in calls if call.answered), key=lambda call: -call.latency_ms)
    return RunHealth(
        seconds=seconds,
        total=_figures("", calls, seconds),
        models=[_figures(name, by_model[name], seconds) for name in sorted(by_model)],
        slow_requests=[
            SlowRequest(call.session, call.seq, str(call.payload.get("endpoint", "")), call.latency_ms)
            for call in slowest[:SHOWN_SLOWEST]
        ],
        slow_sessions=_slow_sessions(run, now),
        waits=waits(Job.objects.filter(kind=SESSION.name, group=run.pk)),
    )


def _calls(run: Run, since: datetime) -> list[_Call]:
    """The newest requests of a run, the newest first."""
    lately = Session.objects.filter(Q(status=Status.RUNNING) | Q(finished_at__gte=since), run=run)
    events = Event.objects.filter(session__in=lately.values("pk"), type="model_called", at__gte=since)
    rows = events.order_by("-at").values_list("session", "seq", "at", "payload")
    return [_Call(*row) for row in rows[:MOST_REQUESTS]]


def _figures(endpoint: str, calls: Sequence[_Call], seconds: float) -> RequestFigures:
    return RequestFigures(
        endpoint=endpoint,
        requests=len(calls),
        failures=Counter(str(call.payload["outcome"]) for call in calls if not call.answered),
        repeated=sum(call.payload.get("attempt", 1) > 1 for call in calls),
        tokens_per_s=sum(_answer_tokens(calls)) / seconds,
        latencies=[call.latency_ms for call in calls if call.answered],
    )


def _answer_tokens(calls: Iterable[_Call]) -> Iterable[int]:
    return (int((call.payload.get("tokens") or {}).get("completion", 0)) for call in calls)


def _slow_sessions(run: Run, now: datetime) -> list[SlowSession]:
    going = Session.objects.filter(run=run, status=Status.RUNNING, paused=False).exclude(started_at=None)
    rows = going.select_related("task").order_by("started_at")[:SHOWN_SLOWEST]
    return [SlowSession(row, (now - row.started_at).total_seconds()) for row in rows if row.started_at]
