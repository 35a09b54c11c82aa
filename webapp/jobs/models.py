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
    """Something that a worker does. Ended jobs are kept for a while, for the page; nothing depends on them.

    kind: the name of a `Kind`. subject: the id of what the job is for. group: the larger piece of work that it is
    a part of, such as a run, or empty.

    token: grows with each claim, so that a late writer is refused. owner: the worker that has it, or had it last.
    expires_at: the end of the lease, None while nobody has it. due_at: nothing is to be done before. attempts:
    claims since the last progress. waits_for: the endpoint that had no place for it, by name. paused: nobody takes
    it, unless it is to be cancelled. cancel_requested: a worker is to end it.

    ended_at: None exactly while the state is open; what asks for open jobs asks for this, which needs no value that a
    planner doesn't know. done, of: progress, `of` is None where the kind has none to tell. error: why it failed.
    """

    kind = models.CharField(max_length=20)
    subject = models.CharField(max_length=80)
    group = models.CharField(max_length=80, blank=True)
    lane = models.CharField(max_length=5, choices=Lane, default=Lane.LONG)
    state = models.CharField(max_length=9, choices=State, default=State.OPEN)
    token = models.PositiveIntegerField(default=0)
    owner = models.CharField(max_length=80, blank=True)
    expires_at = models.DateTimeField(null=True)
    due_at = models.DateTimeField(null=True)
    attempts = models.PositiveIntegerField(default=0)
    waits_for = models.CharField(max_length=60, blank=True)
    paused = models.BooleanField(default=False)
    cancel_requested = models.BooleanField(default=False)
    done = models.PositiveIntegerField(default=0)
    of = models.PositiveIntegerField(null=True)
    error = models.CharField(max_length=600, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True)
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
