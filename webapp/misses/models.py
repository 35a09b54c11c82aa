"""What was found that sessions lost, read from their logs and scores when it is first asked for; and what models call
groups of it.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from webapp.endpoints.models import ModelEndpoint
from webapp.fields import OrderedJSONField, readable_id
from webapp.judging.joint_values import EPOCH
from webapp.prompts.models import PromptSetVersion
from webapp.sessions.models import Run, Session


class SessionMisses(models.Model):
    """The misses of a session, replaceable. version: as `webapp.misses.reading.version_of` gives it.

    judged_at: when a judge had spoken last, if the benchmark's misses depend on ratings. content: as
    `webapp.misses.reading.as_json` gives it. problem: why nothing could be found, else "".
    """

    session = models.OneToOneField(Session, primary_key=True, on_delete=models.CASCADE, related_name="misses")
    version = models.CharField(max_length=80)
    judged_at = models.DateTimeField(default=EPOCH)
    content: models.Field[Any, Any] = OrderedJSONField(default=dict)
    problem = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"{self.session_id}: misses by {self.version}"


def new_naming_id() -> str:
    """Short, to be read aloud."""
    return readable_id(6)


class GroupNaming(models.Model):
    """A model names the groups of a run. model: the name of the endpoint, should that be deleted. language: of the
    names. prompts: the edition of what it is told. prompt_set: in whose words, None for the shipped ones. calls:
    every request.
    """

    class Status(models.TextChoices):
        QUEUED = "queued", _("Queued")
        RUNNING = "running", _("Running")
        DONE = "done", _("Done")
        FAILED = "failed", _("Failed")
        STOPPED = "stopped", _("Stopped")

    id = models.CharField(primary_key=True, max_length=12, default=new_naming_id, editable=False)
    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="group_namings")
    endpoint = models.ForeignKey(
        ModelEndpoint, null=True, on_delete=models.SET_NULL, related_name="group_namings"
    )
    model = models.CharField(max_length=100)
    language = models.CharField(max_length=10)
    prompts = models.CharField(max_length=60)
    prompt_set = models.ForeignKey(
        PromptSetVersion, null=True, on_delete=models.PROTECT, related_name="group_namings"
    )
    status = models.CharField(max_length=8, choices=Status, default=Status.QUEUED)
    problem = models.TextField(blank=True)
    calls: models.Field[Any, Any] = OrderedJSONField(default=list)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.pk} of {self.run_id}"

    @property
    def going(self) -> bool:
        """Whether names are still to come."""
        return self.status in (self.Status.QUEUED, self.Status.RUNNING)


class NamedGroup(models.Model):
    """What became of a group. key: `benchmark.misses.Group.key`. name: "" where no answer could be used, and problem
    says why. answers: all that the model said, untrusted.
    """

    naming = models.ForeignKey(GroupNaming, on_delete=models.CASCADE, related_name="groups")
    key = models.CharField(max_length=200)
    name = models.CharField(max_length=60, blank=True)
    sentence = models.CharField(max_length=300, blank=True)
    problem = models.CharField(max_length=200, blank=True)
    answers: models.Field[Any, Any] = OrderedJSONField(default=list)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["naming", "key"], name="one_name_a_group")]

    def __str__(self) -> str:
        return f"{self.key}: {self.name}"
