"""Addresses of other programs that are told what becomes of runs, and what they were told."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from webapp.fields import OrderedJSONField, readable_id
from webapp.sessions.models import Run

LONGEST_URL = 500


def new_nonce() -> str:
    """Sixteen characters that nobody guesses."""
    return readable_id(16)


class Webhook(models.Model):
    """An address of a researcher.

    run: the one that it is told of, None for all that the researcher starts. nonce: makes the secret together with
    the installation's, so that the database does not hold it.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="webhooks")
    run = models.ForeignKey(Run, null=True, on_delete=models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=LONGEST_URL)
    nonce = models.CharField(max_length=32, default=new_nonce, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.pk} {self.url}"

    def get_absolute_url(self) -> str:
        return reverse("webhook", args=[self.pk])

    @property
    def secret(self) -> str:
        """By which deliveries are signed."""
        value = f"{self.pk}:{self.nonce}"
        return "whsec_" + salted_hmac("caravan.webhook", value, algorithm="sha256").hexdigest()


class Topic(models.TextChoices):
    """What a delivery tells."""

    ENDED = "run.ended", _("The run has ended")
    ALARM = "run.budget_alarm", _("The run has used so much of its budget that it raises an alarm")
    BUDGET = "run.budget_used_up", _("The run is paused: its budget is used up")
    FAILING = "run.model_failing", _("The run is paused: a model does not answer")
    CRASHING = "run.sessions_crashing", _("Many sessions of the run crash")
    TEST = "test", _("A test")


class Delivery(models.Model):
    """Something that a webhook is told, once for each `key`. content: what is sent, as JSON.

    status_code: of the last answer, None where there was none. problem: why the last attempt failed.
    """

    class Status(models.TextChoices):
        WAITING = "waiting", _("waiting")
        DELIVERED = "delivered", _("delivered")
        FAILED = "failed", _("failed")

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    run = models.ForeignKey(Run, null=True, on_delete=models.CASCADE, related_name="+")
    topic = models.CharField(max_length=30, choices=Topic)
    key = models.CharField(max_length=120)
    content: models.Field[Any, Any] = OrderedJSONField(default=dict)
    status = models.CharField(max_length=10, choices=Status, default=Status.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    status_code = models.PositiveSmallIntegerField(null=True)
    problem = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    tried_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [models.UniqueConstraint(fields=["webhook", "key"], name="one_delivery_a_key")]

    def __str__(self) -> str:
        return f"{self.pk} {self.topic}"
