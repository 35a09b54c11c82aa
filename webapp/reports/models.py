"""What reports need of a session, folded once it has been scored: small rows, where logs and scores are large."""

from __future__ import annotations

from typing import Any

from django.db import models

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
