"""Repairs of runs, and what became of each session."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from webapp.endpoints.models import ModelEndpoint
from webapp.fields import OrderedJSONField, readable_id
from webapp.sessions.models import Run, Session


def new_repair_id() -> str:
    """Short, to be read aloud."""
    return readable_id(6)


class Repair(models.Model):
    """A run whose failing replies a model writes again.

    model: the name of the endpoint, should that be deleted. prompts: the edition of what the model is told.
    code_version: of the rules that judge.
    """

    class Status(models.TextChoices):
        QUEUED = "queued", _("Queued")
        RUNNING = "running", _("Running")
        DONE = "done", _("Done")
        FAILED = "failed", _("Failed")
        STOPPED = "stopped", _("Stopped")

    id = models.CharField(primary_key=True, max_length=12, default=new_repair_id, editable=False)
    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="repairs")
    endpoint = models.ForeignKey(ModelEndpoint, null=True, on_delete=models.SET_NULL, related_name="repairs")
    model = models.CharField(max_length=100)
    prompts = models.CharField(max_length=60)
    code_version = models.CharField(max_length=20)
    status = models.CharField(max_length=8, choices=Status, default=Status.QUEUED)
    problem = models.TextField(blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.pk} of {self.run_id}"

    def get_absolute_url(self) -> str:
        return reverse("repair", args=[self.run_id, self.pk])

    @property
    def going(self) -> bool:
        """Whether something is about to change."""
        return self.status in (self.Status.QUEUED, self.Status.RUNNING)


class RepairedSession(models.Model):
    """A session of a repair.

    outcome: "" while it is open. reason: why nobody should learn from it. problem: what can't be read of it. turns:
    what became of each reply, as `TurnRepair` has it. words: of the replies that are written anew, by number.
    answers: what the model said in each round, so that nothing is asked twice. calls: every request. reward: of the
    last reply.
    """

    class Outcome(models.TextChoices):
        OPEN = "", _("open")
        SOUND = "sound", _("passes as it is")
        REPAIRED = "repaired", _("repaired")
        DROPPED = "dropped", _("dropped")

    repair = models.ForeignKey(Repair, on_delete=models.CASCADE, related_name="sessions")
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="repairs")
    outcome = models.CharField(
        max_length=10, choices=Outcome, default=Outcome.OPEN, blank=True, db_index=True
    )
    reason = models.CharField(max_length=20, blank=True)
    problem = models.TextField(blank=True)
    turns: models.Field[Any, Any] = OrderedJSONField(default=list)
    words: models.Field[Any, Any] = OrderedJSONField(default=dict)
    answers: models.Field[Any, Any] = OrderedJSONField(default=list)
    calls: models.Field[Any, Any] = OrderedJSONField(default=list)
    reward = models.FloatField(null=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["repair", "session"], name="one_repair_a_session")]

    def __str__(self) -> str:
        return f"{self.session_id} in {self.repair_id}"

    @property
    def new_words(self) -> dict[int, str]:
        """The replies that are written anew, by number; keys of JSON are texts."""
        return {int(number): words for number, words in self.words.items()}
