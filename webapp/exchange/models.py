"""Files of runs that are made in the background."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.urls import reverse

from webapp.repairs.models import Repair
from webapp.sessions.models import Run


class RunFile(models.Model):
    """An export of a large run: asked for on its page, made by a worker, kept for some days."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="files")
    # One of `RUN_ENDINGS`.
    format = models.CharField(max_length=40)
    # Whether people are P1, P2 … in it.
    pseudonyms = models.BooleanField(default=False)
    # The repair by which replies are written anew, for a set of training.
    repair = models.ForeignKey(Repair, null=True, on_delete=models.CASCADE, related_name="+")
    complete = models.BooleanField(default=False)
    # Why there is none.
    problem = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)

    def __str__(self) -> str:
        return f"{self.pk} {self.run_id} {self.format}"

    def get_absolute_url(self) -> str:
        return reverse("run_file", args=[self.pk])
