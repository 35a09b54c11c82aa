"""Background work, one row a job."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class State(models.TextChoices):
    OPEN = "open", _("Open")
    DONE = "done", _("Done")
    FAILED = "failed", _("Failed")
    CANCELLED = "cancelled", _("Cancelled")


class Lane(models.TextChoices):
    """Which threads of a worker do a job: a person waits for a short one, so it has threads of its own."""

    SHORT = "short", _("short")
    LONG = "long", _("long")


class Job(models.Model):
    """Something that a worker does. Ended jobs are kept for a while, for the page; nothing depends on them."""

    # The name of a `Kind`.
    kind = models.CharField(max_length=20)
    # The id of the object that the job works on, such as a session.
    subject = models.CharField(max_length=80)
    # The larger piece of work that the job is a part of, such as a run; "" for none.
    group = models.CharField(max_length=80, blank=True)
    lane = models.CharField(max_length=5, choices=Lane, default=Lane.LONG)
    state = models.CharField(max_length=9, choices=State, default=State.OPEN)
    # Grows with each claim, so that a worker that writes too late is refused.
    token = models.PositiveIntegerField(default=0)
    # The worker that has the job, or had it last.
    owner = models.CharField(max_length=80, blank=True)
    # The end of the lease; None while no worker has the job.
    expires_at = models.DateTimeField(null=True)
    # No worker takes the job before this time; None for at once.
    due_at = models.DateTimeField(null=True)
    # When it was last given back, woken or asked for once more; None while it never was.
    freed_at = models.DateTimeField(null=True)
    # Claims since the last progress. Many of them mean that the job ends its workers.
    attempts = models.PositiveIntegerField(default=0)
    # The name of the endpoint that had no place for the job, or `webapp.jobs.services.MAIL`; "" for neither.
    waits_for = models.CharField(max_length=60, blank=True)
    # No worker takes a paused job, unless it is to be cancelled.
    paused = models.BooleanField(default=False)
    # Somebody asked for the end of the job; the next worker ends it.
    cancel_requested = models.BooleanField(default=False)
    # Progress: `done` of `of` pieces; `of` is None if the kind tells no progress.
    done = models.PositiveIntegerField(default=0)
    of = models.PositiveIntegerField(null=True)
    # Why the job failed.
    error = models.CharField(max_length=600, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True)
    # None exactly while the state is open. Queries for open jobs use this and not `state`, since PostgreSQL then uses
    # the partial indexes below also for a prepared statement, whose values it does not know.
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "subject"], condition=Q(ended_at=None), name="one_open_job_a_subject"
            )
        ]
        indexes = [
            models.Index(fields=["kind", "id"], condition=Q(ended_at=None), name="job_open"),
            models.Index(
                fields=["waits_for", "due_at"],
                condition=Q(ended_at=None),
                name="job_waiting_for_a_place",
            ),
            models.Index(fields=["group", "kind"], condition=Q(ended_at=None), name="job_open_of_group"),
            models.Index(fields=["-ended_at"], condition=Q(ended_at__isnull=False), name="job_ended"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject}, {self.state}"
