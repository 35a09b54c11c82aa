"""Everything that writes jobs: asking for one, the lease, and how it ends."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from django.db import transaction
from django.db.models import Case, F, IntegerField, Q, QuerySet, When
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from webapp import clock
from webapp.jobs.kinds import Kind, kind_named, kinds
from webapp.jobs.models import Job, State
from webapp.jobs.pools import Queue, served_queues
from webapp.locks import skip_locked
from webapp.processes.services import process_name
from webapp.queue import send_work
from webapp.statements import update_rows

LEASE = timedelta(seconds=10)
EARLY = timedelta(milliseconds=50)
"""A job may be claimed this long before it is due, since its message may arrive a little early."""
MAIL = "@inbox"
"""The `waits_for` of a job that waits for a message to a seat; no endpoint can have this name."""
KEEP_TIME = timedelta(days=7)
"""Ended jobs are deleted after this."""
AT_ONCE = 500
"""The most rows of one kind that a sweep reads, or deletes."""


class LeaseLost(RuntimeError):
    """Somebody else has this job now; whatever was about to be written must be dropped."""


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to do one job until the lease runs out.

    token: which claim of the job this is; every write compares it. attempts: claims since the last progress, with
    this one. cancelled: somebody asked for the end of the job. group: that of the job.
    """

    job_id: int
    subject: str
    token: int
    attempts: int
    cancelled: bool = False
    group: str = ""


def enqueue(*, kind: Kind, subject: str, group: str = "") -> bool:
    """Have a worker do this job once. An open job of the same subject becomes due now, and no second one is added.

    Returns False if no worker could be told; then the sweeper finds the job later.
    """
    job, new = Job.objects.get_or_create(
        kind=kind.name, subject=subject, ended_at=None, defaults={"group": group, "lane": kind.lane}
    )
    if not new:
        Job.objects.filter(pk=job.pk).update(due_at=None, freed_at=clock.now())
    return hand_over(kind=kind, subject=subject)


def add_missing(*, kind: Kind, subjects: Collection[str], group: str = "") -> None:
    """Add a job for each of these subjects that has no open one. Workers are not told yet."""
    there = set(open_jobs(kind).filter(subject__in=subjects).values_list("subject", flat=True))
    rows = (_new(kind, subject, group) for subject in subjects if subject not in there)
    Job.objects.bulk_create(rows, ignore_conflicts=True)


def add(*, kind: Kind, subjects: Iterable[str], group: str = "", due_at: datetime | None = None) -> None:
    """Add a job for each of these subjects, none of which has an open one. Workers are not told yet."""
    rows = (_new(kind, subject, group, due_at) for subject in subjects)
    Job.objects.bulk_create(rows, batch_size=AT_ONCE)


def _new(kind: Kind, subject: str, group: str, due_at: datetime | None = None) -> Job:
    return Job(kind=kind.name, subject=subject, group=group, lane=kind.lane, due_at=due_at)


def hand_over(*, kind: Kind, subject: str, after_s: float = 0.0, group: str = "") -> bool:
    """Tell the workers that there is a job to do. Returns whether the message went out. group: that of the job."""
    later = kind.yields_to_others and bool(group)
    return send_work(kind.name, subject, queue=kind.queue, after_s=after_s, later=later)


def groups_of(*, kind: Kind, subjects: Collection[str]) -> dict[str, str]:
    """The groups of open jobs by subject. {} for a kind whose order does not depend on groups."""
    if not kind.yields_to_others or not subjects:
        return {}
    return dict(open_jobs(kind).filter(subject__in=subjects).values_list("subject", "group"))


def _turn() -> Case:
    """The first key of the order of waiting jobs: 1 for jobs of a group, which come after those without one (0)."""
    later = Q(kind__in=[kind.name for kind in kinds() if kind.yields_to_others]) & ~Q(group="")
    return Case(When(later, then=1), default=0, output_field=IntegerField())


def open_jobs(kind: Kind) -> QuerySet[Job]:
    """The jobs of a kind that have not ended."""
    return Job.objects.filter(kind=kind.name, ended_at=None)


def unheld(now: datetime) -> Q:
    """Jobs that no worker has."""
    return Q(expires_at=None) | Q(expires_at__lt=now)


def free(now: datetime) -> Q:
    """Jobs that a worker may take: nobody has them, and they are due and not paused, or to be cancelled."""
    due = (Q(due_at=None) | Q(due_at__lte=now + EARLY)) & Q(paused=False)
    return unheld(now) & (due | Q(cancel_requested=True))


def claim(*, kind: Kind, subject: str) -> Claim | None:
    """Take an open job that is due and that no worker has. None if there is none, or if its group has no room for it.

    Raises:
        Busy: another worker begins a job of the same group at this moment.
    """
    now = clock.now()
    with transaction.atomic():
        job = skip_locked(open_jobs(kind).filter(free(now), subject=subject)).first()
        if job is None or not _may_begin(kind, job):
            return None
        claimed = Claim(job.pk, subject, job.token + 1, job.attempts + 1, job.cancel_requested, job.group)
        Job.objects.filter(pk=job.pk).update(
            token=claimed.token,
            attempts=claimed.attempts,
            owner=process_name(),
            expires_at=now + LEASE,
            due_at=None,
            waits_for="",
            started_at=Coalesce("started_at", now),
        )
    return claimed


def _may_begin(kind: Kind, job: Job) -> bool:
    """Whether the group of a job has room for it. A job that was begun before, or is to be cancelled, needs none."""
    if kind.begins is None or job.started_at is not None or job.cancel_requested:
        return True
    limit = kind.begins(job.group)
    return limit is None or _begun_count(kind, job.group) < limit


def _begun_count(kind: Kind, group: str) -> int:
    return open_jobs(kind).filter(group=group).exclude(started_at=None).count()


def held_job(claimed: Claim) -> QuerySet[Job]:
    """The job of this claim; no row if another worker has claimed it since, or if it has ended."""
    return Job.objects.filter(pk=claimed.job_id, token=claimed.token, ended_at=None)


def renew(*, claimed: Claim) -> bool:
    """Renew the lease during a long step; False if the lease was lost or given back."""
    mine = held_job(claimed).exclude(expires_at=None)
    return bool(mine.update(expires_at=clock.now() + LEASE))


def progress(*, claimed: Claim, done: int, of: int) -> None:
    """Store the progress of a job."""
    held_job(claimed).update(done=done, of=of)


def fence(*, claimed: Claim) -> None:
    """Keep other workers from writing until this transaction ends, and count it as progress.

    Call it within the transaction that stores what the job has brought.

    Raises:
        LeaseLost: another worker has the job.
    """
    mine = {"pk": claimed.job_id, "token": claimed.token, "ended_at": None}
    if not update_rows(Job, {"expires_at": clock.now() + LEASE, "attempts": 0}, mine):
        raise LeaseLost(claimed.subject)


def release(*, claimed: Claim, due_at: datetime | None = None, waits_for: str = "") -> bool:
    """Give the job back; no worker takes it before `due_at`. Returns False if the lease was lost.

    waits_for: the endpoint that had no place, or `MAIL`.
    """
    # A worker that gives a job back was not ended by it, so the count of attempts begins anew.
    now = clock.now()
    back = {"expires_at": None, "due_at": due_at, "freed_at": now, "attempts": 0, "waits_for": waits_for}
    return bool(held_job(claimed).update(**back))


def finish(*, claimed: Claim) -> bool:
    """The job is done, all of it; False when the lease was lost."""
    return _end(held_job(claimed), State.DONE, done=Coalesce("of", "done"))


def fail(*, claimed: Claim, error: str) -> bool:
    """The job has ended without success, and doing it again would bring the same; False when the lease was lost."""
    return _end(held_job(claimed), State.FAILED, error)


def cancelled(*, claimed: Claim) -> bool:
    """The job was ended because somebody had asked for that; False when the lease was lost."""
    return _end(held_job(claimed), State.CANCELLED)


def drop(*, kind: Kind, subject: str) -> None:
    """End a job with nothing left to do, unless a worker has it."""
    _end(open_jobs(kind).filter(unheld(clock.now()), subject=subject), State.DONE)


def gone(*, claimed: Claim) -> bool:
    """End a job whose subject was deleted; False if the lease was lost."""
    return _end(held_job(claimed), State.CANCELLED, _was_deleted())


def end_gone(*, kind: Kind) -> int:
    """End the jobs of a kind whose subjects were deleted, unless a worker has them. Returns how many were ended."""
    if kind.existing_subjects is None:
        return 0
    asked_for = open_jobs(kind).filter(unheld(clock.now()))
    subjects, ended = list(asked_for.values_list("subject", flat=True)), 0
    for start in range(0, len(subjects), AT_ONCE):
        some = set(subjects[start : start + AT_ONCE])
        if deleted := some - set(kind.existing_subjects(some)):
            _end(asked_for.filter(subject__in=deleted), State.CANCELLED, _was_deleted())
            ended += len(deleted)
    return ended


def _was_deleted() -> str:
    return _("The session, file or other object that this job worked on has been deleted.")


def _end(jobs: QuerySet[Job], state: State, error: str = "", **shown: Combinable) -> bool:
    ended = {"state": state, "error": error[:600], "ended_at": clock.now(), **shown}
    return bool(jobs.update(expires_at=None, due_at=None, waits_for="", **ended))


def cancel(*, kind: Kind, subject: str) -> None:
    """Ask for the end of a job, and tell the workers."""
    want_cancelled(open_jobs(kind).filter(subject=subject))
    hand_over(kind=kind, subject=subject)


def want_cancelled(jobs: QuerySet[Job]) -> None:
    """Ask for the end of open jobs: whoever has one ends it after the step in flight, else the next worker does."""
    jobs.update(cancel_requested=True)


def pause(jobs: QuerySet[Job]) -> None:
    """Let nobody take these open jobs; a step in flight is finished."""
    jobs.update(paused=True)


def resume(jobs: QuerySet[Job]) -> None:
    """Let workers take these open jobs at once."""
    jobs.update(paused=False, due_at=None, freed_at=clock.now())


def cancel_group(*, kind: Kind, group: str) -> None:
    """Ask for the end of the jobs of a group. Those that nobody has are ended at once."""
    jobs = open_jobs(kind).filter(group=group)
    want_cancelled(jobs)
    _end(jobs.filter(unheld(clock.now())), State.CANCELLED)


def take_back_cancel(*, kind: Kind, group: str) -> None:
    """Let the jobs of a group continue that were to be cancelled and have not ended yet."""
    open_jobs(kind).filter(group=group).update(cancel_requested=False)


def to_be_cancelled(job_ids: Iterable[int]) -> set[int]:
    """Those of these jobs whose end somebody has asked for."""
    return set(Job.objects.filter(pk__in=job_ids, cancel_requested=True).values_list("pk", flat=True))


def wake_reader(*, kind: Kind, subject: str) -> None:
    """Wake a job to which something was sent, if it waits for mail. A job that waits for something else sleeps on."""
    waiting = open_jobs(kind).filter(subject=subject, waits_for=MAIL, expires_at=None)
    if waiting.update(due_at=None, freed_at=clock.now(), waits_for=""):
        hand_over(kind=kind, subject=subject)
        if transaction.get_connection().in_atomic_block:
            # until the commit a worker that was told sees nothing, and goes back to sleep
            transaction.on_commit(partial(hand_over, kind=kind, subject=subject))


def wake_waiting(*, endpoint: str) -> None:
    """An endpoint has a free place: wake the job that has waited for it longest. Jobs of runs come last."""
    waiting = Job.objects.filter(ended_at=None, waits_for=endpoint, expires_at=None, paused=False)
    asleep = waiting.order_by(_turn(), "due_at")
    if not asleep.exists():
        return
    with transaction.atomic():
        first = skip_locked(asleep).first()
        if first is not None:
            Job.objects.filter(pk=first.pk).update(due_at=None, freed_at=clock.now(), waits_for="")
    if first is not None and (kind := kind_named(first.kind)) is not None:
        hand_over(kind=kind, subject=first.subject, group=first.group)


def give_to_others(job: Job, *, anew: bool = False) -> bool:
    """Let any worker take an open job that nobody has, at once; whoever had it can store nothing more.

    anew: forget how many workers ended while they did it, so that it is not given up. Returns False if the job has
    ended or a worker has it.
    """
    back = {
        "expires_at": None,
        "due_at": None,
        "waits_for": "",
        "token": F("token") + 1,
        "freed_at": clock.now(),
    }
    mine = Job.objects.filter(unheld(clock.now()), pk=job.pk, ended_at=None)
    if not mine.update(**back, **({"attempts": 0} if anew else {})):
        return False
    if (kind := kind_named(job.kind)) is not None:
        hand_over(kind=kind, subject=job.subject, group=job.group)
    return True


def due(*, kind: Kind) -> list[str]:
    """The subjects of the jobs that a worker may take now: first those without a group, then by age.

    A group with a limit gives only as many as it has room for.
    """
    if kind.at_once is not None:
        groups = open_jobs(kind).order_by("group").values_list("group", flat=True).distinct()
        return [subject for group in groups for subject in due_in(kind=kind, group=group)][:AT_ONCE]
    limits = kind.limits() if kind.limits is not None else {}
    due_jobs = open_jobs(kind).filter(free(clock.now())).order_by("pk")
    limited = Q(group__in=limits, started_at=None, cancel_requested=False)
    others = due_jobs.exclude(limited) if limits else due_jobs
    begin = [subject for group, limit in limits.items() for subject in _to_begin(kind, group, limit)]
    alone = others.filter(group="") if kind.yields_to_others else others.none()
    others = others.exclude(group="") if kind.yields_to_others else others
    first, rest = (list(jobs.values_list("subject", flat=True)[:AT_ONCE]) for jobs in (alone, others))
    return [*first, *begin, *rest]


def is_work_waiting() -> bool:
    """Whether a job waits now for a thread of a worker of these settings, other than those for short jobs."""
    queues = {*served_queues()} - {Queue.SHORT}
    long_kinds = [kind for kind in kinds() if kind.queue in queues]
    names = [kind.name for kind in long_kinds]
    if not Job.objects.filter(free(clock.now()), ended_at=None, kind__in=names).exists():
        return False
    return any(due(kind=kind) for kind in long_kinds)


def due_to_begin(*, kind: Kind, group: str) -> list[str]:
    """The jobs of a group with a limit that may be begun now, the oldest first."""
    limits = kind.limits() if kind.limits is not None else {}
    return _to_begin(kind, group, limits[group]) if group in limits else []


def _to_begin(kind: Kind, group: str, limit: int) -> list[str]:
    jobs = open_jobs(kind).filter(free(clock.now()), group=group, started_at=None).order_by("pk")
    return list(jobs.values_list("subject", flat=True)[: max(limit - _begun_count(kind, group), 0)])


def due_in(*, kind: Kind, group: str) -> list[str]:
    """The subjects of a group's due jobs, those with the most progress first, as many as the group has room for."""
    now, jobs = clock.now(), open_jobs(kind).filter(group=group)
    room = AT_ONCE
    if kind.at_once is not None:
        room = kind.at_once(group) - jobs.filter(expires_at__gte=now).count()
    due_jobs = jobs.filter(free(now)).order_by("-done", "pk")
    return list(due_jobs.values_list("subject", flat=True)[: max(room, 0)])


def forget_old() -> None:
    """Delete some of the jobs that ended long ago."""
    old = Job.objects.exclude(ended_at=None).filter(ended_at__lt=clock.now() - KEEP_TIME)
    Job.objects.filter(pk__in=list(old.values_list("pk", flat=True)[:AT_ONCE])).delete()
