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
from benchmark.suites.base import Options, fill_options
from webapp import clock
from webapp.caches.models import ToolCache
from webapp.catalogue.models import Task, TaskImport, World
from webapp.endpoints.models import ModelEndpoint
from webapp.fields import OrderedJSONField, readable_id
from webapp.prompts.models import PromptSetVersion
from webapp.seats.models import Role, Seat
from webapp.sessions.archive_files import PayloadField


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
"""Ends that tell something about the agent. A session that a researcher stopped tells nothing."""


TOKENS = "tokens"
"""The unit of a budget that is counted in tokens, not in a currency."""


BUDGET_ALARM = 80
"""The part of its budget, in per cent, at which a run raises an alarm."""
PAUSE_AFTER = 20
"""By default a run pauses after this many failed requests to one model in a row."""

MOST_FAILED = 10_000
"""The largest value of `Run.pause_after`."""


class Run(models.Model):
    """Tasks times trials, all played with one setup. In `isolated` its sessions share the simulated answers."""

    id = models.CharField(primary_key=True, max_length=12, default=new_run_id, editable=False)
    name = models.CharField(max_length=100)
    # The benchmark of its tasks.
    suite = models.CharField(max_length=40, default=DEFAULT_SUITE, db_index=True)
    # What the sessions have in common, by key: `agent`, `users`, `options`, `world`, `sandbox`;
    # `agent_model`, `user_model`, `simulator_model` (None, or absent in older runs, if none is needed); `commit` of
    # Caravan when the run was made; `seats`, the travellers that differ from `users`; `prompt_set`
    # (`webapp.prompts.choice.describe`) and `sampling` by role, where they were chosen.
    setup: models.Field[Any, Any] = OrderedJSONField(default=dict)
    # The seed of the first trial of each task; further trials count up from it.
    seed = models.IntegerField(default=0)
    # Sessions per task.
    trials = models.PositiveSmallIntegerField(default=1)
    # How many sessions may have begun and not ended; None for any number.
    at_once = models.PositiveSmallIntegerField(null=True)
    # What the sessions may spend on models, in `TOKENS` or a currency; None for no limit.
    budget = models.FloatField(null=True)
    budget_unit = models.CharField(max_length=6, default=TOKENS)
    # Whether the run was paused because its budget is spent.
    budget_used_up = models.BooleanField(default=False)
    # The part of the budget, in per cent, at which an alarm is raised; None for no alarm.
    budget_alarm = models.PositiveSmallIntegerField(null=True, default=BUDGET_ALARM)
    # When it was raised; None before.
    alarm_raised_at = models.DateTimeField(null=True)
    # The run pauses after this many failed requests to one model in a row; 0 for never.
    pause_after = models.PositiveSmallIntegerField(default=PAUSE_AFTER)
    # Whether the run was paused for that.
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
    def has_cache(self) -> bool:
        """Whether there is a cache that its tool calls can hit."""
        return bool(self.setup.get("sandbox", {}).get("mode") != Mode.WORLD)

    @property
    def options(self) -> Options:
        """What was chosen for its sessions; what only concerns users over models, if there are such."""
        declared = suite_named(self.suite).options
        overrides = self.setup.get("seats", {}).values()
        over_models = self.setup.get("user_model") or any(seat["model"] for seat in overrides)
        chosen = fill_options(declared, self.setup.get("options", {}))
        return {each.key: chosen[each.key] for each in declared if over_models or not each.of_users}

    @property
    def seat_overrides(self) -> list[dict[str, Any]]:
        """The travellers that differ from the others: name, kind and model."""
        return [{"name": name, **seat} for name, seat in self.setup.get("seats", {}).items()]


class RecordImport(models.Model):
    """The import of one file of run records. Its sessions are hidden until all of the file is stored."""

    # The name of the researcher's file.
    name = models.CharField(max_length=200)
    # The settings of the import (`webapp.exchange.imports.Choice`).
    choice: models.Field[Any, Any] = OrderedJSONField(default=dict)
    # The name of the uploaded copy; "" for a file that a command reads where it is.
    file = models.CharField(max_length=200, blank=True)
    # The tasks that are known only from these records.
    tasks = models.ForeignKey(TaskImport, null=True, on_delete=models.SET_NULL, related_name="+")
    # The run of the sessions, once the import is complete.
    run = models.ForeignKey(Run, null=True, on_delete=models.SET_NULL, related_name="+")
    complete = models.BooleanField(default=False)
    # Records read so far.
    read = models.PositiveIntegerField(default=0)
    # Why nothing was imported, with the first of `problem_count` problems: [[line, field, message], …].
    refusal = models.TextField(blank=True)
    problems: models.Field[Any, Any] = OrderedJSONField(default=list)
    problem_count = models.PositiveIntegerField(default=0)
    # When sessions were stored last. An import that is not touched for long has lost its process.
    touched_at = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)

    def __str__(self) -> str:
        return f"{self.pk} {self.name}"

    def get_absolute_url(self) -> str:
        return reverse("record_import", args=[self.pk])


class VisibleSessions(models.Manager["Session"]):
    """All sessions but those of imports that are not complete."""

    def get_queryset(self) -> models.QuerySet[Session]:
        """All sessions that may be shown."""
        return super().get_queryset().exclude(brought_by__in=RecordImport.objects.filter(complete=False))


class Session(models.Model):
    """One trial of one task by one agent. The opening events of its log say in full what the columns say in short."""

    id = models.CharField(primary_key=True, max_length=12, default=new_session_id, editable=False)
    # The name of the benchmark whose events the log has.
    suite = models.CharField(max_length=40, default=DEFAULT_SUITE)
    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="sessions")
    # None in some imported sessions; then `pack` is a file of places instead of a world's pack.
    world = models.ForeignKey(World, null=True, on_delete=models.PROTECT, related_name="sessions")
    pack = models.CharField(max_length=200)
    pack_hash = models.CharField(max_length=64)
    # Kinds of participants; of an agent over a model, its scaffold.
    agent = models.CharField(max_length=60)
    users = models.CharField(max_length=60)
    # The models of the agent and of the travellers, and the one that answers tool calls which no cache holds.
    agent_model = models.ForeignKey(ModelEndpoint, null=True, on_delete=models.PROTECT, related_name="+")
    user_model = models.ForeignKey(ModelEndpoint, null=True, on_delete=models.PROTECT, related_name="+")
    simulator_model = models.ForeignKey(ModelEndpoint, null=True, on_delete=models.PROTECT, related_name="+")
    # The session whose recorded model calls and tool results this one runs on.
    replay_of = models.ForeignKey("self", null=True, on_delete=models.PROTECT, related_name="replays")
    # The session whose log this one continues after event `fork_seq`; the log names it too.
    fork_of = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="forks")
    fork_seq = models.PositiveIntegerField(null=True)
    # In a fork, the seed of its own part.
    seed = models.IntegerField(default=0)
    trial_id = models.PositiveIntegerField(default=0)
    # What was chosen of what the benchmark lets choose, by the keys of its options.
    options: models.Field[Any, Any] = OrderedJSONField(default=dict)
    # The researcher's set of prompts by whose words models are told what to do; None for the shipped ones.
    prompt_set = models.ForeignKey(
        PromptSetVersion, null=True, on_delete=models.PROTECT, related_name="sessions"
    )
    # How models are asked beside what their endpoints have (`Sampling`), by `agent` and `users`; {} as these have it.
    sampling: models.Field[Any, Any] = OrderedJSONField(default=dict)
    # Seconds between visible events; None for as fast as possible.
    pace = models.FloatField(null=True)
    # Who answers tool calls.
    mode = models.CharField(max_length=10, choices=Mode, default=Mode.WORLD)
    cache = models.ForeignKey(ToolCache, null=True, on_delete=models.PROTECT, related_name="sessions")
    run = models.ForeignKey(Run, null=True, on_delete=models.PROTECT, related_name="sessions")
    # The run that the session belonged to before another session was played in its place.
    retried_in = models.ForeignKey(Run, null=True, on_delete=models.PROTECT, related_name="retried")
    # How each tool (`ToolUse.stored` by name) and each model (`ModelUse.stored`) was used, stored at the end;
    # of a fork, only in its own part.
    tool_use: models.Field[Any, Any] = OrderedJSONField(default=dict)
    model_use: models.Field[Any, Any] = OrderedJSONField(default=list)
    status = models.CharField(max_length=12, choices=Status, default=Status.QUEUED, db_index=True)
    completion_reason = models.CharField(max_length=40, blank=True)
    plan_generated = models.BooleanField(default=False)
    stop_requested = models.BooleanField(default=False)
    # Whether workers take no step until somebody resumes the session.
    paused = models.BooleanField(default=False)
    last_seq = models.PositiveIntegerField(default=0)
    round = models.PositiveIntegerField(default=0)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(default=timezone.now, db_index=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    # The import of an imported session. Its run record is scored and exported; its events are derived from it.
    brought_by = models.ForeignKey(RecordImport, null=True, on_delete=models.PROTECT, related_name="sessions")

    objects = VisibleSessions()
    staged_too: ClassVar[models.Manager[Session]] = models.Manager()

    class Meta:
        ordering = ["-created_at"]
        indexes = [
            models.Index(fields=["suite", "agent", "-created_at"], name="sessions_of_an_agent"),
            # Of the few that go on among all that have ended.
            models.Index(
                fields=["-created_at"], condition=~models.Q(status__in=ENDED_STATUSES), name="open_sessions"
            ),
        ]

    def __str__(self) -> str:
        return self.id

    def get_absolute_url(self) -> str:
        return reverse("session", args=[self.id])

    @property
    def set_named(self) -> dict[str, Any] | None:
        """Name, version and digest of its set of prompts; None for the shipped words."""
        if self.prompt_set_id is None or self.prompt_set is None:
            return None
        chosen = self.prompt_set
        return {"name": chosen.prompt_set.name, "version": chosen.number, "digest": chosen.digest}

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
        """The travellers that differ from `users` over `user_model`."""
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
    payload: models.Field[Any, Any] = PayloadField()
    at = models.DateTimeField()

    class Meta:
        ordering = ["seq"]
        constraints = [models.UniqueConstraint(fields=["session", "seq"], name="event_seq_is_unique")]

    def __str__(self) -> str:
        return f"{self.session_id}#{self.seq} {self.type}"


class SessionArchive(models.Model):
    """An ended session of whose log a part lies in a file, see `webapp.sessions.archive_files`."""

    session = models.OneToOneField(
        Session, on_delete=models.CASCADE, primary_key=True, related_name="archive"
    )
    # SHA-256 of the file, hex; "" where nothing was moved.
    digest = models.CharField(max_length=64, blank=True)
    # Events whose payload was moved.
    events = models.PositiveIntegerField()
    archived_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"archive of {self.session_id}"


class ModelSpending(models.Model):
    """What a session has spent on models so far, a row a currency. A re-run from a recording spends nothing."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, db_index=False, related_name="spending")
    # The run of the session at that time. It stays when the session leaves the run because it was played again, since
    # the money is spent.
    run = models.ForeignKey(Run, null=True, on_delete=models.PROTECT, related_name="spending")
    # "" for requests whose cost is unknown.
    currency = models.CharField(max_length=3, blank=True)
    requests = models.PositiveIntegerField(default=0)
    # Tokens of prompts and answers together.
    tokens = models.PositiveBigIntegerField(default=0)
    cost = models.FloatField(default=0.0)
    # Requests without a number of tokens, and requests without a price (as `ModelUse` counts them).
    unknown = models.PositiveIntegerField(default=0)
    uncosted = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["session", "currency"], name="one_spending_a_currency")
        ]

    def __str__(self) -> str:
        return f"{self.session_id} {self.tokens} tokens, {self.cost} {self.currency}"


class RunOutage(models.Model):
    """A model that does not answer the sessions of a run. The row is deleted with the next answer.

    endpoint: the name of the model. failed: failed requests in a row, the first at `since`. last: the last error.
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
    """The figures of a session under one profile, computed from its log. Its values are rows (`MetricValue`)."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="scores")
    profile = models.CharField(max_length=20)
    # The version of the scoring code that gave the figures; "" if none could score the session.
    code_version = models.CharField(max_length=40)
    # The last version that tried: a session that can't be scored is tried once per version.
    tried = models.CharField(max_length=40, default="")
    # The digest of the evidence (`evidence_digest`).
    digest = models.CharField(max_length=64, default="")
    # As `Scoring.score` of the suite returns them.
    figures: models.Field[Any, Any] = OrderedJSONField()
    scored_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["session", "profile"], name="one_score_a_profile")]

    def __str__(self) -> str:
        return f"{self.session_id} {self.profile}"


class MetricValue(models.Model):
    """The value of one metric for one session, a row each, so that a new metric needs no column.

    profile: the profile of scoring, "" for judges, who have none, unless figures of the rules are part of the value.
    rater: who gave the value, "" for the rules.
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


class TurnValue(models.Model):
    """The value of a metric of the scope `turn` after one turn of a session, counted from 1."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, db_index=False, related_name="turn_values")
    profile = models.CharField(max_length=20)
    turn = models.PositiveIntegerField()
    key = models.CharField(max_length=40)
    value = models.FloatField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["session", "profile", "turn", "key"], name="one_value_a_metric_and_turn"
            )
        ]

    def __str__(self) -> str:
        return f"{self.session_id} {self.profile} turn {self.turn} {self.key} {self.value}"
