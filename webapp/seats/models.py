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
    """Who sits where in a session: a reading of the `participant_joined` events of its log.

    place: counts from 0: the agent, the travellers in polling order, the simulator. name: as in the log.
    kind: of participant. model: the endpoint it speaks through, None where it needs none, and in sessions from a
    file, whose endpoints are not here. options: how its model is asked (`ModelSetup`), {} without one.
    """

    session = models.ForeignKey(
        "caravan_sessions.Session", on_delete=models.CASCADE, db_index=False, related_name="seats"
    )
    place = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=200)
    role = models.CharField(max_length=12, choices=Role)
    kind = models.CharField(max_length=60)
    model = models.ForeignKey(ModelEndpoint, null=True, on_delete=models.PROTECT, related_name="seats")
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
    """What was sent to a seat from outside; the oldest that is not taken is what the seat does next.

    content: the words; of tool calls, `benchmark.core.actions.calls_as_text`. client_id: chosen by the sender; the
    same one again is the same message. taken_at_seq: the event with which the log has it, None until then.
    """

    class Kind(models.TextChoices):
        SAY = "say"
        PASS = "pass"
        CALL = "call"

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, db_index=False, related_name="inbox")
    client_id = models.CharField(max_length=100)
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.SAY)
    content = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    taken_at_seq = models.PositiveIntegerField(null=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["seat", "client_id"], name="one_message_a_client_id")]

    def __str__(self) -> str:
        return f"{self.seat_id} {self.client_id}"


class Notice(models.Model):
    """An event that came from outside the step loop: who holds the session puts it into the log before its next step.

    actor: who caused it. type, payload: of the event, as logs store it. model: of whoever takes a seat over.
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
