"""Reading jobs: what runs, waits, is stuck, and has ended lately."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from django.db.models import Count, Q, QuerySet
from django.utils.functional import Promise

from webapp import clock
from webapp.jobs.kinds import ATTEMPTS, Kind, kind_named, kinds
from webapp.jobs.models import Job, State
from webapp.jobs.services import unheld
from webapp.jobs.waits import Wait, waits

SHOWN_JOBS = 50
"""Jobs that the page shows of each part."""
OVERDUE = timedelta(seconds=10)
"""A job whose lease ended so long ago is stuck_jobs: a sweeper would have found another worker for it."""


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
    def cancellable(self) -> bool:
        """Whether a person may cancel it now."""
        going = self.job.state == State.OPEN and not self.job.cancel_requested
        return going and self.kind is not None and self.kind.cancel is not None

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
class Board:
    """All background work, in four parts. waits: what the waiting jobs wait for."""

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
        stuck_jobs=_part(open_.filter(stuck)),
        running=_part(open_.filter(running)),
        waiting=_part(open_.exclude(running).exclude(pk__in=open_.filter(stuck).values("pk"))),
        ended_jobs=_part(
            Job.objects.filter(ended_at__lte=now).order_by("-ended_at")
        ),  # none that is above as well
        waits=waits(),
    )


def counts() -> dict[str, int]:
    """How many jobs are stuck, run and wait."""
    now = clock.now()
    stuck, running = _is_stuck(now), Q(expires_at__gte=now)
    job_counts = Job.objects.filter(ended_at=None).aggregate(
        stuck=Count("pk", filter=stuck), running=Count("pk", filter=running), all=Count("pk")
    )
    waiting = job_counts["all"] - job_counts["running"] - job_counts["stuck"]
    return {"stuck": job_counts["stuck"], "running": job_counts["running"], "waiting": waiting}


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
