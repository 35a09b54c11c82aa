"""Sets of tasks that are made here."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from benchmark.core.model_use import ModelUse
from benchmark.suites import DEFAULT_SUITE, suite_named
from benchmark.suites.base import Options, fill_options
from benchmark.synthesis import Order
from webapp.catalogue.models import TaskCollection, TaskImport, World
from webapp.catalogue.packs import pack_path
from webapp.endpoints.models import ModelEndpoint
from webapp.fields import OrderedJSONField, readable_id


def new_synthesis_id() -> str:
    """Short, to be read aloud."""
    return readable_id(6)


def synthesis_folder() -> Path:
    """Where sets of tasks are made; made on first use."""
    folder = Path(settings.CARAVAN_DATA) / "synthesis"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


class TaskSynthesis(models.Model):
    """A set of tasks that is asked for, looked at, made and brought into the catalogue.

    collection: the name that the set gets. pack: of the world as it was when it was asked for, a file in the folder
    of worlds. order: what else decides the tasks, by the names of `Order`, and whether a researcher's own travellers
    go. sample: some of the tasks, made before the others, None before
    that. done, of: progress of what goes on. report: on what was made, None before its end.
    model_use: what was asked of the model, as `ModelUse.stored` gives it, None without one.
    brought_by: the import of the tasks, so that one that was broken off is cleared away.
    """

    class Status(models.TextChoices):
        LOOKING = "looking", _("Preview is being made")
        DRAFT = "draft", _("Not begun")
        QUEUED = "queued", _("Queued")
        RUNNING = "running", _("Running")
        DONE = "done", _("Done")
        FAILED = "failed", _("Failed")
        STOPPED = "stopped", _("Stopped")

    id = models.CharField(primary_key=True, max_length=12, default=new_synthesis_id, editable=False)
    suite = models.CharField(max_length=40, default=DEFAULT_SUITE)
    collection = models.CharField(max_length=100)
    world = models.ForeignKey(World, null=True, on_delete=models.SET_NULL, related_name="syntheses")
    pack = models.CharField(max_length=200)
    endpoint = models.ForeignKey(
        ModelEndpoint, null=True, on_delete=models.SET_NULL, related_name="syntheses"
    )
    order: models.Field[Any, Any] = OrderedJSONField(default=dict)
    status = models.CharField(max_length=8, choices=Status, default=Status.DRAFT)
    sample: models.Field[Any, Any] = OrderedJSONField(null=True, default=None)
    done = models.PositiveIntegerField(default=0)
    of = models.PositiveIntegerField(default=0)
    report: models.Field[Any, Any] = OrderedJSONField(null=True, default=None)
    problem = models.TextField(blank=True)
    model_use: models.Field[Any, Any] = models.JSONField(null=True, default=None)
    brought_by = models.ForeignKey(TaskImport, null=True, on_delete=models.SET_NULL, related_name="+")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.pk}, {self.collection}"

    def get_absolute_url(self) -> str:
        return reverse("synthesis", args=[self.pk])

    @property
    def folder(self) -> Path:
        """Where its files are."""
        return synthesis_folder() / self.pk

    @property
    def output_file(self) -> Path:
        """The file of the tasks; it appears whole."""
        return self.folder / "tasks.jsonl"

    @property
    def travellers(self) -> Path:
        """The file of a researcher's own travellers, where there is one."""
        return self.folder / "travellers.jsonl"

    @property
    def count(self) -> int:
        """How many tasks are asked for."""
        return int(self.order["count"])

    @property
    def options(self) -> Options:
        """What was chosen of what its benchmark lets choose, with the defaults of the rest."""
        declared = suite_named(self.suite).making.order_form.options
        return fill_options(declared, self.order.get("options", {}))

    @property
    def going(self) -> bool:
        """Whether something is about to change."""
        return self.status in (self.Status.LOOKING, self.Status.QUEUED, self.Status.RUNNING)

    @property
    def making(self) -> bool:
        """Whether the set itself is being made, or about to be."""
        return self.status in (self.Status.QUEUED, self.Status.RUNNING)

    @property
    def begun(self) -> bool:
        """Whether it was ever more than a preview."""
        return self.status not in (self.Status.LOOKING, self.Status.DRAFT)

    @property
    def is_short(self) -> bool:
        """Whether it is made and has fewer tasks than were asked for."""
        return self.status == self.Status.DONE and self.done < self.count

    @property
    def made_collection(self) -> TaskCollection | None:
        """The collection that its tasks are in."""
        return TaskCollection.objects.filter(name=self.collection, complete=True).first()

    @property
    def use(self) -> ModelUse | None:
        """What was asked of the model that writes the tasks, None for nothing."""
        return ModelUse.of(self.model_use) if self.model_use else None

    def make_order(self) -> Order:
        """What a benchmark is asked for."""
        given = dict(self.order)
        own_travellers = given.pop("own_travellers")
        first, last = _day(given.pop("first")), _day(given.pop("last"))
        profiles = self.travellers if own_travellers else None
        return Order(world=pack_path(self.pack), profiles=profiles, first=first, last=last, **given)


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None
