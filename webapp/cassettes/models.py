"""The model exchanges of sessions: with their logs, all that came from outside."""

from __future__ import annotations

from typing import Any

from django.db import models

from webapp.fields import OrderedJSONField
from webapp.sessions.models import Session


class ModelExchange(models.Model):
    """One request to a model and what came of it, as `benchmark.cassettes.storage.StoredExchange` has it.

    number: of the session's `model_called` events, from 1. request: names its messages and tools by digest.
    reply, failure: one of them is there.
    """

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="exchanges")
    number = models.PositiveIntegerField()
    seat = models.CharField(max_length=60)
    request: models.Field[Any, Any] = OrderedJSONField()
    reply: models.Field[Any, Any] = OrderedJSONField(null=True)
    failure: models.Field[Any, Any] = OrderedJSONField(null=True)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["session", "number"], name="one_exchange_a_number")]

    def __str__(self) -> str:
        return f"{self.session_id} {self.number} {self.seat}"


class GivenAnswer(models.Model):
    """What answers one request of a fork in place of the seat's model: an answer of an experiment.

    number: of the request, as that of an exchange. reply: as an exchange has it. experiment, answer: whose it is; the
    experiment may have been deleted since.
    """

    session = models.OneToOneField(
        Session, on_delete=models.CASCADE, primary_key=True, related_name="given_answer"
    )
    number = models.PositiveIntegerField()
    seat = models.CharField(max_length=60)
    reply: models.Field[Any, Any] = OrderedJSONField()
    experiment = models.CharField(max_length=12, db_index=True)
    answer = models.PositiveSmallIntegerField()

    def __str__(self) -> str:
        return f"{self.session_id} {self.number} {self.seat}"


class ModelText(models.Model):
    """A message, or a list of tools, that requests of a session hold; stored once as JSON, however many do."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="model_texts")
    digest = models.CharField(max_length=64)
    text = models.TextField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["session", "digest"], name="one_text_a_digest")]

    def __str__(self) -> str:
        return f"{self.session_id} {self.digest}"
