"""A session and its log. The log is the truth; every other column is a reading of it, kept for lists."""

from __future__ import annotations

import secrets
from typing import Any

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from benchmark.suites import FIRST
from webapp.caches.models import ToolCache
from webapp.catalogue.models import Task, World
from webapp.endpoints.models import ModelEndpoint
from webapp.fields import OrderedJSONField
from webapp.seats.models import Role, Seat

ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"


def new_session_id() -> str:
    """Eight characters that can be read aloud."""
    return "".join(secrets.choice(ALPHABET) for _ in range(8))


class Status(models.TextChoices):
    QUEUED = "queued", _("Queued")
    RUNNING = "running", _("Running")
    FINISHED = "finished", _("Finished")
    CRASHED = "crashed", _("Crashed")
    STOPPED = "stopped", _("Stopped")


class Mode(models.TextChoices):
    WORLD = "world", _("world")
    ISOLATED = "isolated", _("isolated")
    ONLINE = "online", _("online")


ENDED = (Status.FINISHED, Status.CRASHED, Status.STOPPED)


class Session(models.Model):
    """One trial of one task by one agent.

    suite: the name of the benchmark whose log this is. agent, users: kinds of participants, an agent over a model by
    its scaffold; agent_model, user_model: the models that they speak through; simulator_model: the one that answers
    tool calls which no cache holds. replay_of: the session whose recorded model calls and tool results this one runs
    on. pace: seconds between visible events, None for as fast as possible. mode, cache: who answers tool calls; the
    opening events say all this in full. tool_use: how each tool was used (`ToolUse.stored` by name), once ended;
    model_use: the same of models (`ModelUse.stored` of each). paused: no step is taken until it goes on.
    """

    id = models.CharField(primary_key=True, max_length=12, default=new_session_id, editable=False)
    suite = models.CharField(max_length=40, default=FIRST)
    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="sessions")
    world = models.ForeignKey(World, on_delete=models.PROTECT, related_name="sessions")
    pack = models.CharField(max_length=200)
    pack_hash = models.CharField(max_length=64)
    agent = models.CharField(max_length=60)
    users = models.CharField(max_length=60)
    agent_model = models.ForeignKey(ModelEndpoint, null=True, on_delete=models.PROTECT, related_name="+")
    user_model = models.ForeignKey(ModelEndpoint, null=True, on_delete=models.PROTECT, related_name="+")
    simulator_model = models.ForeignKey(ModelEndpoint, null=True, on_delete=models.PROTECT, related_name="+")
    replay_of = models.ForeignKey("self", null=True, on_delete=models.PROTECT, related_name="replays")
    seed = models.IntegerField(default=0)
    trial_id = models.PositiveIntegerField(default=0)
    protocol = models.CharField(max_length=12, default="published")
    pace = models.FloatField(null=True)
    mode = models.CharField(max_length=10, choices=Mode, default=Mode.WORLD)
    cache = models.ForeignKey(ToolCache, null=True, on_delete=models.PROTECT, related_name="sessions")
    run = models.ForeignKey("runs.Run", null=True, on_delete=models.PROTECT, related_name="sessions")
    tool_use: models.Field[Any, Any] = OrderedJSONField(default=dict)
    model_use: models.Field[Any, Any] = OrderedJSONField(default=list)
    status = models.CharField(max_length=12, choices=Status, default=Status.QUEUED, db_index=True)
    completion_reason = models.CharField(max_length=40, blank=True)
    plan_generated = models.BooleanField(default=False)
    stop_requested = models.BooleanField(default=False)
    paused = models.BooleanField(default=False)
    last_seq = models.PositiveIntegerField(default=0)
    round = models.PositiveIntegerField(default=0)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(default=timezone.now, db_index=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.id

    def get_absolute_url(self) -> str:
        return reverse("session", args=[self.id])

    @property
    def ended(self) -> bool:
        return self.status in ENDED

    @property
    def apart(self) -> list[Seat]:
        """The travellers that are something else than `users` over `user_model`."""
        others = [seat for seat in self.seats.all() if seat.role == Role.TRAVELLER]
        return [seat for seat in others if (seat.kind, seat.model_id) != (self.users, self.user_model_id)]


class Event(models.Model):
    """One line of a log: never changed, numbered from 1 without gaps."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="events")
    seq = models.PositiveIntegerField()
    type = models.CharField(max_length=40)
    v = models.PositiveSmallIntegerField(default=1)
    actor = models.CharField(max_length=60)
    audience = models.CharField(max_length=80)
    payload: models.Field[Any, Any] = OrderedJSONField()
    at = models.DateTimeField()

    class Meta:
        ordering = ["seq"]
        constraints = [models.UniqueConstraint(fields=["session", "seq"], name="event_seq_is_unique")]

    def __str__(self) -> str:
        return f"{self.session_id}#{self.seq} {self.type}"


class Score(models.Model):
    """The scoring of one profile: a reading of the log, replaceable. Its values are rows (`MetricValue`).

    code_version: of the scoring code that made them, empty where none could. tried: the last version that tried.
    digest: of the evidence (`evidence_digest`). figures: as `Scoring.score` of the suite gives them.
    """

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="scores")
    profile = models.CharField(max_length=20)
    code_version = models.CharField(max_length=40)
    tried = models.CharField(max_length=40, default="")
    digest = models.CharField(max_length=64, default="")
    figures: models.Field[Any, Any] = OrderedJSONField()
    scored_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["session", "profile"], name="one_score_a_profile")]

    def __str__(self) -> str:
        return f"{self.session_id} {self.profile}"


class MetricValue(models.Model):
    """The value of one metric for one session, a row each, so that a new metric needs no column.

    profile: of scoring, "" where none applies. rater: who gave it, "" for the rules of the suite.
    """

    session = models.ForeignKey(Session, on_delete=models.CASCADE, db_index=False, related_name="values")
    profile = models.CharField(max_length=20)
    rater = models.CharField(max_length=200, blank=True, default="")
    key = models.CharField(max_length=40)
    value = models.FloatField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["session", "profile", "rater", "key"], name="one_value_a_metric_and_rater"
            )
        ]
        indexes = [models.Index(fields=["key", "profile", "rater", "value"], name="values_in_order")]

    def __str__(self) -> str:
        return f"{self.session_id} {self.profile} {self.key} {self.value}"
