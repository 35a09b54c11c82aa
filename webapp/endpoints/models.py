"""Model endpoints, and the places at each of them that all workers share."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from benchmark.models import ModelSetup
from webapp.fields import OrderedJSONField

OF_SESSIONS = ("top_p", "seed")
"""What is chosen of a model for a run or a session alone."""
SETUP_FIELDS = tuple(name for name in ModelSetup.model_fields if name not in OF_SESSIONS)


class Thinking(models.TextChoices):
    DEFAULT = "default", _("the model's default")
    ON = "on", _("on")
    OFF = "off", _("off")


class Dialect(models.TextChoices):
    ENABLE_THINKING = "enable_thinking", "enable_thinking"
    CHAT_TEMPLATE = "chat_template", "chat_template_kwargs.enable_thinking"
    THINKING_TYPE = "thinking_type", "thinking.type"
    REASONING_EFFORT = "reasoning_effort", "reasoning_effort"


class ToolProtocol(models.TextChoices):
    NATIVE = "native", _("native tool calls")
    TEXT = "text", _("text protocol")


class LimitParameter(models.TextChoices):
    BY_ADDRESS = "", _("what the address suggests")
    MAX_TOKENS = "max_tokens", "max_tokens"
    MAX_COMPLETION_TOKENS = "max_completion_tokens", "max_completion_tokens"


class ModelEndpoint(models.Model):
    """A model behind an OpenAI-compatible address. The fields of `ModelSetup` but `OF_SESSIONS` mean what they mean
    there, where "" is None.

    A session copies its setup into its log; a change here concerns later sessions only. concurrency: requests at
    once over all workers. requests_per_minute: None for no limit. not_before: no request starts earlier, since the
    server asked for a pause or the rate is used up. failed_in_row: requests without an answer since the last answer,
    the first at failing_since, the last at failed_at; last_failure: why the last of them had none. findings,
    tested_at: of the last test. retired: no longer offered.
    """

    name = models.SlugField(max_length=60, unique=True)
    base_url = models.CharField(max_length=400)
    model = models.CharField(max_length=200)
    key_variable = models.CharField(max_length=100, blank=True)
    temperature = models.FloatField(null=True)
    max_tokens = models.PositiveIntegerField(default=8192)
    thinking = models.CharField(max_length=10, choices=Thinking, default=Thinking.DEFAULT)
    dialect = models.CharField(max_length=20, choices=Dialect, default=Dialect.ENABLE_THINKING)
    context_limit = models.PositiveIntegerField(null=True)
    tools = models.CharField(max_length=10, choices=ToolProtocol, default=ToolProtocol.NATIVE)
    streams = models.BooleanField(default=True)
    input_price = models.FloatField(null=True)
    cached_price = models.FloatField(null=True)
    output_price = models.FloatField(null=True)
    currency = models.CharField(max_length=3, default="USD")
    timeout_s = models.FloatField(default=120.0)
    deadline_s = models.FloatField(default=900.0)
    patience_s = models.FloatField(default=900.0)
    json_mode = models.BooleanField(default=False)
    limit_parameter = models.CharField(max_length=30, choices=LimitParameter, blank=True)
    logprobs = models.BooleanField(default=False)
    concurrency = models.PositiveSmallIntegerField(default=8)
    requests_per_minute = models.PositiveIntegerField(null=True)
    not_before = models.DateTimeField(null=True)
    failed_in_row = models.PositiveIntegerField(default=0)
    failing_since = models.DateTimeField(null=True)
    failed_at = models.DateTimeField(null=True)
    last_failure = models.TextField(blank=True)
    findings: models.Field[Any, Any] = OrderedJSONField(default=dict)
    tested_at = models.DateTimeField(null=True)
    retired = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("endpoint", args=[self.name])

    def setup(self, *, for_agent: bool = False) -> ModelSetup:
        """How it is called now, as sessions record it.

        for_agent: an agent speaks through it; of nobody else log-probabilities are asked, since only agents are
        trained.

        Raises:
            pydantic.ValidationError: a stored value is none that this version allows.
        """
        stored = {name: getattr(self, name) for name in SETUP_FIELDS}
        stored["logprobs"] = self.logprobs and for_agent
        return ModelSetup(**{**stored, "limit_parameter": self.limit_parameter or None})


class ModelSlot(models.Model):
    """One place at an endpoint. holder: whose request is on its way, empty where the place is free. taken_at: since
    when it is.

    A holder renews `expires_at`; one that died loses its place when that has passed.
    """

    endpoint = models.ForeignKey(ModelEndpoint, on_delete=models.CASCADE, related_name="slots")
    number = models.PositiveSmallIntegerField()
    holder = models.CharField(max_length=40, blank=True)
    expires_at = models.DateTimeField(null=True)
    taken_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["endpoint", "number"], name="one_slot_a_number")]

    def __str__(self) -> str:
        return f"{self.endpoint_id}/{self.number} {self.holder or 'free'}"


class KeyServer(models.Model):
    """The one server that the key in an environment variable is sent to. server: scheme, host and port."""

    variable = models.CharField(max_length=100, unique=True)
    server = models.CharField(max_length=400)

    def __str__(self) -> str:
        return f"{self.variable}: {self.server}"
