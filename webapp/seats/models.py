"""Seats, and what was sent to them. Sessions know seats; seats know sessions by their key alone."""

from __future__ import annotations

from typing import Any

from django.db import models

from webapp.endpoints.models import ModelEndpoint
from webapp.fields import OrderedJSONField


class Role(models.TextChoices):
    AGENT = "agent"
    TRAVELLER = "traveller"
    SIMULATOR = "simulator"


class Seat(models.Model):
    """The participant of one seat of a session, as the `participant_joined` events of the log name it."""

    session = models.ForeignKey(
        "caravan_sessions.Session", on_delete=models.CASCADE, db_index=False, related_name="seats"
    )
    # 0 for the agent, then the travellers in polling order, then the simulator.
    place = models.PositiveSmallIntegerField()
    # As in the log: `Agent`, a traveller's name, or `Simulator`.
    name = models.CharField(max_length=200)
    role = models.CharField(max_length=12, choices=Role)
    # The kind of participant, such as `scripted`, `llm` or `person`.
    kind = models.CharField(max_length=60)
    # None if the participant needs no model, and in imported sessions, whose endpoints are not known here.
    model = models.ForeignKey(ModelEndpoint, null=True, on_delete=models.PROTECT, related_name="seats")
    # How the model is asked (`ModelSetup`); {} without a model.
    options: models.Field[Any, Any] = OrderedJSONField(default=dict)

    class Meta:
        ordering = ["place"]
        constraints = [
            models.UniqueConstraint(fields=["session", "place"], name="one_seat_a_place"),
            models.UniqueConstraint(fields=["session", "name"], name="one_seat_a_name"),
        ]

    def __str__(self) -> str:
        return f"{self.session_id} {self.name}"


class InboxMessage(models.Model):
    """A message that a person or a program sent to its seat. The seat acts by the oldest one that is not taken."""

    class Kind(models.TextChoices):
        SAY = "say"
        PASS = "pass"
        CALL = "call"

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, db_index=False, related_name="inbox")
    # Chosen by the sender. A message that comes twice with one id is stored once, so a sender may safely try again.
    client_id = models.CharField(max_length=100)
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.SAY)
    # The words; of tool calls, the JSON of `benchmark.core.actions.calls_as_text`.
    content = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    # The number of the event with which the message went into the log; None until then.
    taken_at_seq = models.PositiveIntegerField(null=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["seat", "client_id"], name="one_message_a_client_id")]

    def __str__(self) -> str:
        return f"{self.seat_id} {self.client_id}"


class Notice(models.Model):
    """An event that was caused outside the step loop, such as a person leaving.

    The worker that has the session puts it into the log before its next step, since only that worker may append.
    """

    session = models.ForeignKey(
        "caravan_sessions.Session", on_delete=models.CASCADE, db_index=False, related_name="notices"
    )
    actor = models.CharField(max_length=200)
    type = models.CharField(max_length=60)
    payload: models.Field[Any, Any] = OrderedJSONField(default=dict)
    model = models.ForeignKey(ModelEndpoint, null=True, on_delete=models.PROTECT, related_name="+")
    taken_at_seq = models.PositiveIntegerField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["session", "taken_at_seq"], name="notices_to_take")]

    def __str__(self) -> str:
        return f"{self.session_id} {self.type}"
