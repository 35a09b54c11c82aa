"""What was found that sessions lost: read from their logs and scores when it is first asked for."""

from __future__ import annotations

from typing import Any

from django.db import models

from webapp.fields import OrderedJSONField
from webapp.judging.joint_values import EPOCH
from webapp.sessions.models import Session


class SessionMisses(models.Model):
    """The misses of a session, replaceable. version: as `webapp.misses.reading.version_of` gives it.

    judged_at: when a judge had spoken last, if the benchmark's misses depend on ratings. content: as
    `webapp.misses.reading.as_json` gives it. problem: why nothing could be found, else "".
    """

    session = models.OneToOneField(Session, primary_key=True, on_delete=models.CASCADE, related_name="misses")
    version = models.CharField(max_length=80)
    judged_at = models.DateTimeField(default=EPOCH)
    content: models.Field[Any, Any] = OrderedJSONField(default=dict)
    problem = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"{self.session_id}: misses by {self.version}"
