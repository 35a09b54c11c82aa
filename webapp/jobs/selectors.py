"""Reading jobs: what runs, waits, is stuck, and has ended lately."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from itertools import product

from django.db.models import Count, Exists, Min, OuterRef, Q, QuerySet
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce, Greatest
from django.utils.functional import Promise

from webapp import clock
from webapp.jobs.kinds import ATTEMPTS, Kind, kind_named, kinds, retry_of
from webapp.jobs.models import Job, State
from webapp.jobs.pools import Queue, deserted_queues
from webapp.jobs.services import free, unheld
from webapp.jobs.waits import Wait, waits

SHOWN_JOBS = 50
"""Jobs that the page shows of each part."""
OVERDUE = timedelta(seconds=10)
"""A job whose lease ended so long ago is stuck_jobs: a sweeper would have found another worker for it."""
LATE = timedelta(minutes=5)
"""A job that no worker has taken for so long after it was due is told of: all are busy, or none hears of it."""


@dataclass(frozen=True)
class Row:
    """One job as the page shows it."""

    job: Job

    @cached_property
    def kind(self) -> Kind | None:
        """None for one of another version."""
        return kind_named(self.job.kind)

    @property
    def label(self) -> str | Promise:
        """What a person calls such a job."""
        return self.kind.label if self.kind else self.job.kind

    @property
    def link(self) -> str | None:
        """The address of the page of what it is for."""
        return self.kind.link(self.job) if self.kind else None

    @property
    def error(self) -> str:
        """Why it failed, as a person reads it; "" for one that did not."""
        return self.kind.error_words(self.job.error) if self.kind else self.job.error

    @property
    def cancellable(self) -> bool:
        """Whether a person may cancel it now."""
        going = self.job.state == State.OPEN and not self.job.cancel_requested
        return going and self.kind is not None and self.kind.cancel is not None

    @property
    def worn(self) -> bool:
        """Whether as many workers have ended while they did it as its kind allows: the next one gives it up."""
        most = self.kind.attempts if self.kind else ATTEMPTS
        return self.job.state == State.OPEN and self.job.attempts >= most

    @property
    def repeatable(self) -> bool:
        """Whether a person may have it done once more: it failed, and nobody has asked for the same since."""
        failed = self.job.state == State.FAILED and retry_of(self.job) is not None
        return failed and not getattr(self.job, "is_followed", True)

    @property
    def since(self) -> datetime:
        """When it ended, began, or was asked for."""
        return self.job.ended_at or self.job.started_at or self.job.created_at


@dataclass(frozen=True, slots=True)
class Part:
    """Some of the jobs in one state, and how many there are."""

    rows: list[Row]
    count: int

    @property
    def more(self) -> int:
        """How many are not shown."""
        return self.count - len(self.rows)


@dataclass(frozen=True, slots=True)
class Holdup:
    """A queue in which no job comes forward. late: how long the oldest has been due. deserted: it has no worker."""

    queue: Queue
    late: timedelta
    deserted: bool


@dataclass(frozen=True, slots=True)
class Board:
    """All background work, in four parts. waits: what the waiting jobs wait for. holdups: queues that stand still."""

    holdups: list[Holdup]
    stuck_jobs: Part
    running: Part
    waiting: Part
    ended_jobs: Part
    waits: list[Wait]

    @property
    def going(self) -> bool:
        """Whether something is about to change."""
        return bool(self.stuck_jobs.count or self.running.count or self.waiting.count)


def open_job(kind: Kind, subject: str) -> Job | None:
    """The job of a subject that has not ended."""
    return Job.objects.filter(kind=kind.name, subject=subject, ended_at=None).first()


def at_work(kind: Kind, groups: Collection[str]) -> dict[str, int]:
    """How many jobs of these groups are at work now, of those with any."""
    held = Job.objects.filter(kind=kind.name, ended_at=None, group__in=groups, expires_at__gt=clock.now())
    return dict(held.order_by().values_list("group").annotate(Count("pk")))


def board() -> Board:
    """The jobs as they are now: those that run and wait oldest first, those that have ended newest first."""
    now = clock.now()
    stuck, running = _is_stuck(now), Q(expires_at__gte=now)
    open_ = Job.objects.filter(ended_at=None).order_by("pk")
    return Board(
        holdups=holdups(),
        stuck_jobs=_part(open_.filter(stuck)),
        running=_part(open_.filter(running)),
        waiting=_part(open_.exclude(running).exclude(pk__in=open_.filter(stuck).values("pk"))),
        ended_jobs=_part(
            with_followed(Job.objects.filter(ended_at__lte=now)).order_by("-ended_at")
        ),  # none that is above as well
        waits=waits(),
    )


def with_followed(jobs: QuerySet[Job]) -> QuerySet[Job]:
    """The same with `is_followed`: whether there is a later job of the same kind and subject."""
    later = Job.objects.filter(kind=OuterRef("kind"), subject=OuterRef("subject"), pk__gt=OuterRef("pk"))
    return jobs.annotate(is_followed=Exists(later))


def holdups() -> list[Holdup]:
    """The queues with jobs that have been due for `LATE`, or for `OVERDUE` while no worker of theirs lives."""
    deserted = deserted_queues()
    ages = sorted(oldest_due().items(), key=lambda due: due[1], reverse=True)
    return [
        Holdup(queue, age, queue in deserted)
        for queue, age in ages
        if age > (OVERDUE if queue in deserted else LATE)
    ]


def counts() -> dict[str, int]:
    """How many jobs are stuck, run and wait."""
    now = clock.now()
    stuck, running = _is_stuck(now), Q(expires_at__gte=now)
    job_counts = Job.objects.filter(ended_at=None).aggregate(
        stuck=Count("pk", filter=stuck), running=Count("pk", filter=running), all=Count("pk")
    )
    waiting = job_counts["all"] - job_counts["running"] - job_counts["stuck"]
    return {"stuck": job_counts["stuck"], "running": job_counts["running"], "waiting": waiting}


def due_since() -> Combinable:
    """Since when a job that nobody has may be taken, as an expression."""
    told = (Coalesce(name, "created_at") for name in ("freed_at", "due_at", "expires_at"))
    return Greatest(*told)


def due_now() -> QuerySet[Job]:
    """The jobs that a worker with a free thread would take, with `since`. Those whose group has no room are none."""
    now = clock.now()
    jobs = Job.objects.filter(free(now), ended_at=None)
    for kind in kinds():
        if kind.limits is not None and (limits := kind.limits()):
            jobs = jobs.exclude(kind=kind.name, group__in=list(limits), started_at=None)
        if kind.at_once is not None:
            held = Job.objects.filter(kind=kind.name, ended_at=None, expires_at__gte=now).exclude(group="")
            jobs = jobs.exclude(kind=kind.name, group__in=held.values("group"))
    return jobs.annotate(since=due_since())


def oldest_due() -> dict[Queue, timedelta]:
    """How long the job that was due first has been due, by queue, of those with any."""
    now, ages = clock.now(), dict[Queue, timedelta]()
    for kind, first in (
        due_now().order_by().values("kind").annotate(first=Min("since")).values_list("kind", "first")
    ):
        queue = _queue_of(kind)
        ages[queue] = max(now - first, ages.get(queue, timedelta()))
    return ages


def counts_by_queue() -> dict[tuple[str, str], int]:
    """How many jobs of each queue are stuck, run and wait, by queue and state."""
    now = clock.now()
    stuck = Q(_is_stuck(now))
    rows = Job.objects.filter(ended_at=None).order_by().values("kind")
    told = rows.annotate(
        stuck=Count("pk", filter=stuck), running=Count("pk", filter=Q(expires_at__gte=now)), all=Count("pk")
    )
    found: dict[tuple[str, str], int] = dict.fromkeys(product(Queue, ("stuck", "running", "waiting")), 0)
    for row in told:
        waiting = row["all"] - row["stuck"] - row["running"]
        numbers = {"stuck": row["stuck"], "running": row["running"], "waiting": waiting}
        for state, number in numbers.items():
            found[_queue_of(row["kind"]), state] += number
    return found


def _queue_of(name: str) -> Queue:
    """Of a kind of jobs; that of sessions for a kind that this version does not have."""
    kind = kind_named(name)
    return kind.queue if kind else Queue.MODELS


def _is_stuck(now: datetime) -> Q:
    """Nobody has them, and their worker is gone, or as many have gone as the kind allows."""
    left = Q(expires_at__lt=now - OVERDUE)
    others = [kind for kind in kinds() if kind.attempts != ATTEMPTS]
    worn = Q(attempts__gte=ATTEMPTS) & ~Q(kind__in=[kind.name for kind in others])
    for kind in others:
        worn |= Q(kind=kind.name, attempts__gte=kind.attempts)
    return left | (unheld(now) & worn)


def _part(jobs: QuerySet[Job]) -> Part:
    return Part([Row(job) for job in jobs[:SHOWN_JOBS]], jobs.count())
