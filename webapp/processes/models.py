"""The web and worker processes of an installation, on whatever host, one row each, and one of all that are gone."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from webapp.fields import OrderedJSONField


class Kind(models.TextChoices):
    """What a process does, as operators read it."""

    WEB = "web"
    WORKER = "worker"
    # The one row that keeps the counts of all processes that are gone.
    ENDED = "ended"


class Process(models.Model):
    """A process that says again and again that it lives. All times are of the database's clock."""

    # Its host and number, such as `lab3/4711`.
    name = models.CharField(max_length=80)
    kind = models.CharField(max_length=6, choices=Kind)
    # That of its code.
    version = models.CharField(max_length=60)
    # What all processes have to have alike, such as their secret key, as fingerprints by variable.
    marks = OrderedJSONField(default=dict)
    # What it has counted since its start, see `webapp.counters`.
    counts = OrderedJSONField(default=dict)
    # The queues that a worker takes jobs from, see `webapp.jobs.pools`; None for all.
    queues = OrderedJSONField(null=True)
    started_at = models.DateTimeField()
    seen_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["kind"], condition=Q(kind="ended"), name="one_row_of_ended_processes"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"
