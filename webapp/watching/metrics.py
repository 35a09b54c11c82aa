"""What Prometheus is told: figures of the whole installation, whichever web process it asks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from django.db import close_old_connections, connections
from django.db.models import Count
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from webapp.counters import COUNTERS, LAG, LAG_BOUNDS, LAG_ENDLESS, LAG_SUM, SEPARATOR, SOCKETS, Counts
from webapp.jobs import selectors as jobs
from webapp.jobs.pools import Queue
from webapp.processes.models import Kind
from webapp.processes.selectors import counts_of_all, living
from webapp.sessions.models import Session, Status
from webapp.watching.looking import BoundedLook

PATIENCE_S = 3.0
KEEP_S = 5.0
"""Several servers may ask; heartbeats come as often."""


@dataclass(frozen=True, slots=True)
class Figures:
    """sessions: by status. jobs: by queue and state. due: how long the oldest due job of each queue has been due.
    processes: by kind and version. sockets: open ones. counts: of all processes that ever were.
    """

    sessions: dict[str, int]
    jobs: dict[tuple[str, str], int]
    due: dict[Queue, timedelta]
    processes: dict[tuple[str, str], int]
    sockets: float
    counts: Counts


def read_figures() -> Figures:
    """Read the database, in whatever thread."""
    close_old_connections()
    try:
        sessions = Session.objects.order_by().values_list("status").annotate(Count("pk"))
        alive = list(living())
        processes: dict[tuple[str, str], int] = {}
        for process in alive:
            key = (process.kind, process.version)
            processes[key] = processes.get(key, 0) + 1
        return Figures(
            sessions=dict(sessions),
            jobs=jobs.counts_by_queue(),
            due=jobs.oldest_due(),
            processes=processes,
            sockets=sum(process.counts.get(SOCKETS, {}).get("", 0.0) for process in alive),
            counts=counts_of_all(),
        )
    finally:
        connections.close_all()


figures_look: BoundedLook[Figures] = BoundedLook(read_figures, keep_s=KEEP_S, patience_s=PATIENCE_S)


def exposition() -> bytes:
    """All metrics as text. Without an answer from the database there is one: that it is away."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Reader())
    return generate_latest(registry)


class _Reader(Collector):
    """Tells what is found when it is asked."""

    def collect(self) -> Iterator[Metric]:
        """Every metric."""
        try:
            figures = figures_look.find()
        except Exception:  # whatever it is, it is away
            yield GaugeMetricFamily("caravan_database_up", "Whether the database answers", value=0)
            return
        yield GaugeMetricFamily("caravan_database_up", "Whether the database answers", value=1)
        yield from _gauges(figures)
        yield from _counters(figures.counts)


def _gauges(figures: Figures) -> Iterator[Metric]:
    sessions = GaugeMetricFamily("caravan_sessions", "Sessions by their state", labels=["status"])
    for status in Status.values:
        sessions.add_metric([str(status)], figures.sessions.get(status, 0))
    yield sessions
    depth = GaugeMetricFamily("caravan_jobs", "Jobs that have not ended", labels=["queue", "state"])
    for (queue, state), number in figures.jobs.items():
        depth.add_metric([queue, state], number)
    yield depth
    due = GaugeMetricFamily(
        "caravan_jobs_oldest_due_seconds", "How long the job that was due first waits", labels=["queue"]
    )
    for queue in Queue:
        due.add_metric([queue], figures.due.get(queue, timedelta()).total_seconds())
    yield due
    processes = GaugeMetricFamily("caravan_processes", "Processes that live", labels=["kind", "version"])
    for kind in (Kind.WEB, Kind.WORKER):  # none is a number too
        if not any(named == kind for named, _ in figures.processes):
            processes.add_metric([str(kind), ""], 0)
    for (name, version), number in figures.processes.items():
        processes.add_metric([name, version], number)
    yield processes
    yield GaugeMetricFamily(SOCKETS, "Sockets of viewers and people that are open", value=figures.sockets)


def _counters(counts: Counts) -> Iterator[Metric]:
    for counter in COUNTERS:
        family = CounterMetricFamily(counter.name, counter.help, labels=counter.labels)
        series = counts.get(counter.name, {})
        if not counter.labels:
            series = {"": series.get("", 0.0)}
        for key, number in series.items():
            family.add_metric(key.split(SEPARATOR) if counter.labels else [], number)
        yield family
    yield _lag(counts.get(LAG.name, {}))


def _lag(series: dict[str, float]) -> Metric:
    family, reached = HistogramMetricFamily(LAG.name, LAG.help), 0.0
    buckets: list[tuple[str, float]] = []
    for bound in (*map(str, LAG_BOUNDS), LAG_ENDLESS):
        reached += series.get(bound, 0.0)
        buckets.append((bound, reached))
    family.add_metric([], buckets, series.get(LAG_SUM, 0.0))
    return family
