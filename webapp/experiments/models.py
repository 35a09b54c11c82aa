"""Experiments: a request of a session that was changed and asked again, and what was answered."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from webapp.endpoints.models import ModelEndpoint
from webapp.fields import OrderedJSONField, readable_id
from webapp.sessions.models import Session


def new_experiment_id() -> str:
    """Short, to be read aloud."""
    return readable_id(6)


class Experiment(models.Model):
    """A request that a model is asked several times. The session that it comes from does not change.

    seq: the number of the `model_called` event whose request was edited. endpoint, model: who is asked; the name,
    should the endpoint be deleted. setup: how, as `ModelSetup` has it. request: as
    `webapp.experiments.requests` keeps one. digest: of the request, as `benchmark.models.digest` makes it.
    """

    class Status(models.TextChoices):
        QUEUED = "queued", _("Queued")
        RUNNING = "running", _("Running")
        DONE = "done", _("Done")
        FAILED = "failed", _("Failed")
        STOPPED = "stopped", _("Stopped")

    id = models.CharField(primary_key=True, max_length=12, default=new_experiment_id, editable=False)
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="experiments")
    seq = models.PositiveIntegerField()
    endpoint = models.ForeignKey(
        ModelEndpoint, null=True, on_delete=models.SET_NULL, related_name="experiments"
    )
    model = models.CharField(max_length=100)
    setup: models.Field[Any, Any] = OrderedJSONField()
    request: models.Field[Any, Any] = OrderedJSONField()
    digest = models.CharField(max_length=64)
    status = models.CharField(max_length=8, choices=Status, default=Status.QUEUED)
    problem = models.TextField(blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at"]
        indexes = [models.Index(fields=["session", "seq"], name="experiments_of_a_call")]

    def __str__(self) -> str:
        return f"{self.pk} of {self.session_id} {self.seq}"

    def get_absolute_url(self) -> str:
        return reverse("experiment", args=[self.session_id, self.seq, self.pk])

    @property
    def going(self) -> bool:
        """Whether something is about to change."""
        return self.status in (self.Status.QUEUED, self.Status.RUNNING)


class ExperimentAnswer(models.Model):
    """One of the answers of an experiment.

    number: from 1. reply, failure: as `benchmark.cassettes.storage.StoredExchange` has them; neither is there while
    the answer is awaited. calls: every request for it.
    """

    experiment = models.ForeignKey(Experiment, on_delete=models.CASCADE, related_name="answers")
    number = models.PositiveSmallIntegerField()
    reply: models.Field[Any, Any] = OrderedJSONField(null=True)
    failure: models.Field[Any, Any] = OrderedJSONField(null=True)
    calls: models.Field[Any, Any] = OrderedJSONField(default=list)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["experiment", "number"], name="one_answer_a_number")]

    def __str__(self) -> str:
        return f"{self.experiment_id} {self.number}"
