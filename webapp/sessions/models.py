"""Sessions, their logs, and the runs that they belong to.

The log is the truth; every other column of a session is a reading of it, kept for lists.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from benchmark.core.events import Event as LogEvent
from benchmark.suites import DEFAULT_SUITE, suite_named
from webapp import clock
from webapp.caches.models import ToolCache
from webapp.catalogue.models import Task, TaskImport, World
from webapp.endpoints.models import ModelEndpoint
from webapp.fields import OrderedJSONField, readable_id
from webapp.seats.models import Role, Seat


def new_session_id() -> str:
    """Eight characters that can be read aloud."""
    return readable_id(8)


def new_run_id() -> str:
    """Six characters that can be read aloud."""
    return readable_id(6)


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


ENDED_STATUSES = (Status.FINISHED, Status.CRASHED, Status.STOPPED)
COUNTED_STATUSES = (Status.FINISHED, Status.CRASHED)
"""Ends that say something of the agent; a session that a researcher stopped says nothing."""


TOKENS = "tokens"
"""The unit of a budget that is not money."""


PAUSE_AFTER = 20
"""Failed requests to one model in a row, after which a run is paused unless it was told otherwise."""

MOST_FAILED = 10_000
"""The most that it may be told."""


class Run(models.Model):
    """Tasks times trials, all played alike; in `isolated` its sessions share what was simulated.

    setup: what the sessions have in common: agent, users, protocol, contract, world, and as each of their logs has
    them the sandbox and the models (agent_model, user_model, simulator_model: None, or absent from older runs, where
    none is needed), as commit that of Caravan when it was made, as seats the travellers that are something else than
    users, where there are any, and as suite the benchmark of its tasks, unless it is the first. seed: of the first
    trial of each task; the next trials count on. trials: sessions a task. at_once: how many of its sessions may be
    begun and not ended, None for any number. budget: what its sessions may spend on models, in budget_unit (`TOKENS`
    or a currency), None for no end; budget_used_up: it was paused for that. pause_after: failed
    requests to one model in a row with which it is paused, 0 for never; paused_failing: it was.
    """

    id = models.CharField(primary_key=True, max_length=12, default=new_run_id, editable=False)
    name = models.CharField(max_length=100)
    setup: models.Field[Any, Any] = OrderedJSONField(default=dict)
    seed = models.IntegerField(default=0)
    trials = models.PositiveSmallIntegerField(default=1)
    at_once = models.PositiveSmallIntegerField(null=True)
    budget = models.FloatField(null=True)
    budget_unit = models.CharField(max_length=6, default=TOKENS)
    budget_used_up = models.BooleanField(default=False)
    pause_after = models.PositiveSmallIntegerField(default=PAUSE_AFTER)
    paused_failing = models.BooleanField(default=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        db_table = "runs_run"
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.id} {self.name}"

    def get_absolute_url(self) -> str:
        return reverse("run", args=[self.id])

    @property
    def suite(self) -> str:
        """The benchmark of its tasks."""
        return str(self.setup.get("suite", DEFAULT_SUITE))

    @property
    def has_cache(self) -> bool:
        """Whether there is a cache that its tool calls can hit."""
        return bool(self.setup.get("sandbox", {}).get("mode") != Mode.WORLD)

    @property
    def contract(self) -> str:
        """What its travellers over models are held to, "" without any; older runs name none, and were strict."""
        if not suite_named(self.suite).contracts:
            return ""
        apart = self.setup.get("seats", {}).values()
        over_models = self.setup.get("user_model") or any(seat["model"] for seat in apart)
        return str(self.setup.get("contract", "strict")) if over_models else ""

    @property
    def seat_overrides(self) -> list[dict[str, Any]]:
        """The travellers that are something else than the others: name, kind and model."""
        return [{"name": name, **seat} for name, seat in self.setup.get("seats", {}).items()]


class RecordImport(models.Model):
    """One file of run records on its way in. Nobody sees its sessions before it is complete.

    name: of the file, as the researcher calls it. choice: what was chosen for it (`webapp.exchange.imports.Choice`).
    file: the name of the copy that was sent in, "" for one that a command reads. tasks: those that its records
    alone tell of. run: the run of its sessions, once complete. read: records so far. refusal: why nothing came in;
    problems: [[line, field, message], …], the first of problem_count. touched_at: when sessions came last; an import
    that is not touched for long was broken off.
    """

    name = models.CharField(max_length=200)
    choice: models.Field[Any, Any] = OrderedJSONField(default=dict)
    file = models.CharField(max_length=200, blank=True)
    tasks = models.ForeignKey(TaskImport, null=True, on_delete=models.SET_NULL, related_name="+")
    run = models.ForeignKey(Run, null=True, on_delete=models.SET_NULL, related_name="+")
    complete = models.BooleanField(default=False)
    read = models.PositiveIntegerField(default=0)
    refusal = models.TextField(blank=True)
    problems: models.Field[Any, Any] = OrderedJSONField(default=list)
    problem_count = models.PositiveIntegerField(default=0)
    touched_at = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)

    def __str__(self) -> str:
        return f"{self.pk} {self.name}"

    def get_absolute_url(self) -> str:
        return reverse("record_import", args=[self.pk])


class VisibleSessions(models.Manager["Session"]):
    """Without those of imports that are on their way."""

    def get_queryset(self) -> models.QuerySet[Session]:
        """All sessions that may be shown."""
        return super().get_queryset().exclude(brought_by__in=RecordImport.objects.filter(complete=False))


class Session(models.Model):
    """One trial of one task by one agent.

    suite: the name of the benchmark whose log this is. agent, users: kinds of participants, an agent over a model by
    its scaffold; agent_model, user_model: the models that they speak through; simulator_model: the one that answers
    tool calls which no cache holds. replay_of: the session whose recorded model calls and tool results this one runs
    on. fork_of: the session whose log up to event fork_seq this one continues; its own log names it too. seed: of a
    fork, that of its own part. pace: seconds between visible events, None for as fast as possible. mode, cache: who
    answers tool calls; the opening events say all this in full. tool_use: how each tool was used (`ToolUse.stored` by
    name), once ended; model_use: the same of models (`ModelUse.stored` of each); both without what a fork has of its
    origin. retried_in: the run that it was part of until it was played again there. paused: no step is taken until it
    goes on. brought_by: the import that its run record came in with; then
    the record is what is scored and exported, its events are derived, and world may be None: pack is a file of places
    then.
    """

    id = models.CharField(primary_key=True, max_length=12, default=new_session_id, editable=False)
    suite = models.CharField(max_length=40, default=DEFAULT_SUITE)
    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="sessions")
    world = models.ForeignKey(World, null=True, on_delete=models.PROTECT, related_name="sessions")
    pack = models.CharField(max_length=200)
    pack_hash = models.CharField(max_length=64)
    agent = models.CharField(max_length=60)
    users = models.CharField(max_length=60)
    agent_model = models.ForeignKey(ModelEndpoint, null=True, on_delete=models.PROTECT, related_name="+")
    user_model = models.ForeignKey(ModelEndpoint, null=True, on_delete=models.PROTECT, related_name="+")
    simulator_model = models.ForeignKey(ModelEndpoint, null=True, on_delete=models.PROTECT, related_name="+")
    replay_of = models.ForeignKey("self", null=True, on_delete=models.PROTECT, related_name="replays")
    fork_of = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="forks")
    fork_seq = models.PositiveIntegerField(null=True)
    seed = models.IntegerField(default=0)
    trial_id = models.PositiveIntegerField(default=0)
    protocol = models.CharField(max_length=12, default="published")
    pace = models.FloatField(null=True)
    mode = models.CharField(max_length=10, choices=Mode, default=Mode.WORLD)
    cache = models.ForeignKey(ToolCache, null=True, on_delete=models.PROTECT, related_name="sessions")
    run = models.ForeignKey(Run, null=True, on_delete=models.PROTECT, related_name="sessions")
    retried_in = models.ForeignKey(Run, null=True, on_delete=models.PROTECT, related_name="retried")
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
    brought_by = models.ForeignKey(RecordImport, null=True, on_delete=models.PROTECT, related_name="sessions")

    objects = VisibleSessions()
    staged_too: ClassVar[models.Manager[Session]] = models.Manager()

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.id

    def get_absolute_url(self) -> str:
        return reverse("session", args=[self.id])

    @property
    def ended(self) -> bool:
        return self.status in ENDED_STATUSES

    @property
    def imported(self) -> bool:
        """Whether it was played elsewhere."""
        return self.brought_by_id is not None

    def own(self, events: Iterable[LogEvent]) -> list[LogEvent]:
        """Those of its events that it does not share with the session that it was forked from."""
        return [event for event in events if event.seq > (self.fork_seq or 0)]

    @property
    def seat_overrides(self) -> list[Seat]:
        """The travellers that are something else than `users` over `user_model`."""
        others = [seat for seat in self.seats.all() if seat.role == Role.TRAVELLER]
        return [seat for seat in others if (seat.kind, seat.model_id) != (self.users, self.user_model_id)]


class StoredRecord(models.Model):
    """The run record that an imported session is made of. text: its line, character by character."""

    session = models.OneToOneField(Session, on_delete=models.CASCADE, related_name="stored_record")
    text = models.TextField()

    def __str__(self) -> str:
        return self.session_id


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


class ModelSpending(models.Model):
    """What a session has spent on models so far, a row a currency; a re-run from a recording spends nothing.

    run: that of the session when it asked, which a session that was played again keeps. currency: "" for requests
    whose cost is not known. tokens: of prompts and answers. unknown, uncosted: requests as `ModelUse` counts them.
    """

    session = models.ForeignKey(Session, on_delete=models.CASCADE, db_index=False, related_name="spending")
    run = models.ForeignKey(Run, null=True, on_delete=models.PROTECT, related_name="spending")
    currency = models.CharField(max_length=3, blank=True)
    requests = models.PositiveIntegerField(default=0)
    tokens = models.PositiveBigIntegerField(default=0)
    cost = models.FloatField(default=0.0)
    unknown = models.PositiveIntegerField(default=0)
    uncosted = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["session", "currency"], name="one_spending_a_currency")
        ]

    def __str__(self) -> str:
        return f"{self.session_id} {self.tokens} tokens, {self.cost} {self.currency}"


class RunOutage(models.Model):
    """A model that does not answer the sessions of a run: `failed` requests in a row since then.

    endpoint: its name. last: why the last request got no answer. The row goes with the next answer.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="outages")
    endpoint = models.CharField(max_length=60)
    failed = models.PositiveIntegerField(default=0)
    since = models.DateTimeField(default=clock.now)
    last = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "endpoint"], name="one_outage_a_run_and_endpoint")
        ]

    def __str__(self) -> str:
        return f"{self.run_id} {self.endpoint}: {self.failed} failed"


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
