"""What sessions are made from: tasks and worlds."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.urls import reverse
from pydantic import ValidationError

from benchmark.suites import DEFAULT_SUITE, suite_named
from benchmark.suites.base import Needs, TaskField
from webapp.fields import OrderedJSONField

SEARCH_TEXT_LENGTH = 500
"""Characters of a task's search text."""


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

    def get_absolute_url(self) -> str:
        return reverse("world", args=[self.name])

    @property
    def path(self) -> Path:
        return worlds_folder() / self.pack


class TaskCollection(models.Model):
    """Tasks that came together: the shipped set, or imported files. A collection is seen once its first file is in.

    world: the world that the tasks were made for, None where nobody has named it.
    """

    name = models.CharField(max_length=100, unique=True)
    world = models.ForeignKey(World, null=True, on_delete=models.SET_NULL, related_name="collections")
    complete = models.BooleanField(default=True, help_text="Not while its first file is on its way in")
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class TaskImport(models.Model):
    """One file's way into a collection. Nobody sees its tasks before it is complete.

    touched_at: when tasks came last; an import that is not touched for long was broken off. records: it was one of
    run records, which tell too little of their tasks for others to play them: no list shows these. superseded: no
    import, but where a collection keeps the tasks that have a newer version: no list shows these either.
    """

    collection = models.ForeignKey(TaskCollection, on_delete=models.CASCADE, related_name="imports")
    complete = models.BooleanField(default=False)
    records = models.BooleanField(default=False)
    superseded = models.BooleanField(default=False)
    touched_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.pk} into {self.collection_id}"


class SearchText(models.CharField):  # type: ignore[type-arg]  # django-stubs makes it generic, Django does not
    """What a search for tasks looks through, written whenever a task is."""

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        """As the task has it now."""
        assert isinstance(model_instance, Task)
        search_words = model_instance.found_by = model_instance.search_words()
        return search_words


def _unfinished_imports() -> models.QuerySet[TaskImport]:
    return TaskImport.objects.filter(
        models.Q(complete=False) | models.Q(records=True) | models.Q(superseded=True)
    )


class VisibleTasks(models.Manager["Task"]):
    """The newest version of each, without those of imports on their way, and those that only run records tell of."""

    def get_queryset(self) -> models.QuerySet[Task]:
        """All tasks that may be shown and run."""
        return super().get_queryset().exclude(brought_by__in=_unfinished_imports())


class Task(models.Model):
    """A task as published, with the figures that lists filter by; `definition` keeps the object whole, in order.

    suite: the name of the benchmark whose task it is. Figures that it has none of are empty. A task never changes:
    whoever changes it makes another one, whose `first` is the first version and whose `version` counts from 1.
    """

    suite = models.CharField(max_length=40, default=DEFAULT_SUITE)
    task_id = models.CharField(max_length=200, unique=True)
    collection = models.ForeignKey(TaskCollection, on_delete=models.CASCADE, related_name="tasks")
    brought_by = models.ForeignKey(TaskImport, null=True, on_delete=models.CASCADE, related_name="tasks")
    position = models.PositiveIntegerField(help_text="Line in its collection, from 0")
    definition: models.Field[Any, Any] = OrderedJSONField()
    query = models.TextField(blank=True, default="")
    departure_date = models.DateField(null=True)
    difficulty = models.CharField(max_length=10, blank=True, default="")
    size = models.PositiveSmallIntegerField(default=0, help_text="Users with a table")
    children = models.PositiveSmallIntegerField(default=0)
    city_count = models.PositiveSmallIntegerField(default=0)
    cities: models.Field[Any, Any] = OrderedJSONField(default=list)
    days = models.PositiveSmallIntegerField(null=True)
    conflicts = models.PositiveIntegerField(default=0)
    archetype = models.CharField(max_length=100, blank=True)
    language = models.CharField(max_length=5, default="zh")
    facets: models.Field[Any, Any] = models.JSONField(default=dict, help_text="By the benchmark's own facets")
    first = models.ForeignKey("self", null=True, on_delete=models.RESTRICT, related_name="later")
    version = models.PositiveSmallIntegerField(default=1)
    found_by = SearchText(max_length=SEARCH_TEXT_LENGTH, default="", editable=False)

    objects = VisibleTasks()
    staged_too: ClassVar[models.Manager[Task]] = models.Manager()

    class Meta:
        ordering = ["collection_id", "position"]
        # a search and an order read these indexes alone, not the rows with their definitions
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["collection", "position", "brought_by", "found_by"], name="task_search"),
            models.Index(
                fields=[
                    *("collection", "position", "brought_by", "difficulty", "size", "children", "conflicts"),
                    *("days", "city_count", "departure_date", "archetype", "task_id"),
                ],
                name="task_table",
            ),
        ]

    def __str__(self) -> str:
        return self.task_id

    def get_absolute_url(self) -> str:
        return reverse("task", args=[self.task_id])

    def stored_cell(self, own: TaskField[Any]) -> Any:
        """What a field with one column, or none, says of it; None where it says nothing."""
        return getattr(self, own.column) if own.column else self.facets.get(own.key)

    def search_words(self) -> str:
        """Its id and what its benchmark's `Tasks.search_keys` names, as far as an index takes them."""
        tasks = suite_named(self.suite).tasks
        fields = {own.key: own for own in tasks.fields if own.value is not None}
        words = [self.task_id]
        for key in tasks.search_keys:
            cell = self.stored_cell(fields[key])
            words += cell if isinstance(cell, list | tuple) else ["" if cell is None else cell]
        return " ".join(map(str, words)).lower()[:SEARCH_TEXT_LENGTH]

    @property
    def of_records(self) -> bool:
        """Whether only run records tell of it: too little to play it."""
        return self.brought_by is not None and self.brought_by.records

    @property
    def superseded(self) -> bool:
        """Whether there is a newer version."""
        return self.brought_by is not None and self.brought_by.superseded

    @cached_property
    def parsed_definition(self) -> Any:
        """The definition as its benchmark reads it; what only run records tell of may lack parts, which are empty."""
        suite = suite_named(self.suite)
        try:
            return suite.tasks.files.task(self.definition)
        except ValidationError:
            if suite.records is None or not self.of_records:
                raise
            return suite.records.definition(self.definition)

    @property
    def needs(self) -> Needs:
        """What it needs of a world."""
        return suite_named(self.suite).tasks.needs(self.parsed_definition)


def worlds_folder() -> Path:
    """Where packs live; made on first use."""
    folder = Path(settings.CARAVAN_DATA) / "worlds"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
