"""What the API keeps: which request to start a run was answered how, so that it can be sent twice."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from webapp.sessions.models import Run

LONGEST_KEY = 200
"""Characters."""


class RunRequest(models.Model):
    """A request of a person that started a run, with the key that their program gave it.

    body_hash: of the fields that were sent. run: None once it was deleted. answer: as JSON, "" until it was given.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=LONGEST_KEY)
    body_hash = models.CharField(max_length=64)
    run = models.ForeignKey(Run, null=True, on_delete=models.SET_NULL, related_name="+")
    answer = models.TextField(default="")
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="run_request_key")]

    def __str__(self) -> str:
        return f"{self.key} of {self.user_id}"
