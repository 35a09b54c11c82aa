"""What sessions are made from: tasks and worlds."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import models
from django.urls import reverse

from benchmark.tasks import Task as TaskDefinition
from webapp.fields import OrderedJSONField


class TaskCollection(models.Model):
    """Tasks that came together: the shipped set, or one imported file."""

    name = models.CharField(max_length=100, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class Task(models.Model):
    """A task as published, with the figures that lists filter by; `definition` keeps the object whole, in order."""

    task_id = models.CharField(max_length=200, unique=True)
    collection = models.ForeignKey(TaskCollection, on_delete=models.CASCADE, related_name="tasks")
    position = models.PositiveIntegerField(help_text="Line in its collection, from 0")
    definition: models.Field[Any, Any] = OrderedJSONField()
    query = models.TextField()
    departure_date = models.DateField()
    difficulty = models.CharField(max_length=10)
    size = models.PositiveSmallIntegerField(help_text="Users with a table")
    children = models.PositiveSmallIntegerField(default=0)
    city_count = models.PositiveSmallIntegerField()
    cities: models.Field[Any, Any] = OrderedJSONField()
    days = models.PositiveSmallIntegerField(null=True)
    conflicts = models.PositiveIntegerField(default=0)
    archetype = models.CharField(max_length=100, blank=True)
    language = models.CharField(max_length=5, default="zh")

    class Meta:
        ordering = ["collection_id", "position"]

    def __str__(self) -> str:
        return self.task_id

    def get_absolute_url(self) -> str:
        return reverse("task", args=[self.task_id])

    @cached_property
    def parsed(self) -> TaskDefinition:
        return TaskDefinition.model_validate(self.definition)


class World(models.Model):
    """A pack on disk: `worlds/<name>-<hash>.sqlite3` under the data folder. A new import replaces the pointer."""

    name = models.CharField(max_length=60, unique=True)
    pack = models.CharField(max_length=200, help_text="File name under worlds/")
    pack_hash = models.CharField(max_length=64)
    source = models.CharField(max_length=200, blank=True)
    note = models.TextField(blank=True)
    cities: models.Field[Any, Any] = OrderedJSONField(default=list)
    places = models.PositiveIntegerField(default=0)
    report: models.Field[Any, Any] = OrderedJSONField(default=dict)
    imported_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    @property
    def path(self) -> Path:
        return worlds_folder() / self.pack


def worlds_folder() -> Path:
    """Where packs live; made on first use."""
    folder = Path(settings.CARAVAN_DATA) / "worlds"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
