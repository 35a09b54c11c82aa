"""What reports need of a session, folded once it has been scored: small rows, where logs and scores are large."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.urls import reverse

from webapp.fields import OrderedJSONField
from webapp.sessions.models import Session


class SessionFigures(models.Model):
    """A reading of a session's log, tools and scores, replaceable.

    counted: events of the type that the benchmark's reports count. calls, hits, misses: of all tools. issues: how
    many of each type, by profile.
    """

    session = models.OneToOneField(
        Session, primary_key=True, on_delete=models.CASCADE, related_name="report_figures"
    )
    counted = models.PositiveIntegerField(default=0)
    calls = models.PositiveIntegerField(default=0)
    hits = models.PositiveIntegerField(default=0)
    misses = models.PositiveIntegerField(default=0)
    issues: models.Field[Any, Any] = OrderedJSONField(default=dict)

    def __str__(self) -> str:
        return f"{self.session_id}: {self.calls} calls, {self.counted} counted"


class ReportArchive(models.Model):
    """A zip of a report, for a paper: asked for on its page, made by a worker, kept for some days."""

    # The address of the report: runs, profile, judge.
    query = models.TextField()
    # The language of its words.
    language = models.CharField(max_length=10)
    complete = models.BooleanField(default=False)
    # What of it is to be known, such as letters that no font has.
    warnings: models.Field[Any, Any] = OrderedJSONField(default=list)
    # Why there is none.
    problem = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)

    def __str__(self) -> str:
        return f"{self.pk} {self.query}"

    def get_absolute_url(self) -> str:
        return reverse("report_archive", args=[self.pk])
