"""Reading the catalogue."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import QuerySet

from benchmark.tasks import Task as TaskDefinition
from sandbox.worlds import World as Pack
from sandbox.worlds import WorldError
from webapp.catalogue.models import Task, World
from webapp.catalogue.packs import pack_of


@dataclass(frozen=True, slots=True)
class TaskFilter:
    """What a list of tasks is narrowed to; empty means everything."""

    size: int | None = None
    city: str = ""
    difficulty: str = ""
    collection: str = ""
    conflicts: str = ""
    children: bool = False


def tasks(wanted: TaskFilter | None = None) -> QuerySet[Task]:
    """Tasks in the order of their collections."""
    found = Task.objects.select_related("collection")
    if wanted is None:
        return found
    if wanted.size:
        found = found.filter(size=wanted.size)
    if wanted.difficulty:
        found = found.filter(difficulty=wanted.difficulty)
    if wanted.collection:
        found = found.filter(collection__name=wanted.collection)
    if wanted.city:
        found = found.filter(cities__contains=wanted.city)
    if wanted.conflicts:
        found = found.filter(conflicts__gt=0) if wanted.conflicts == "yes" else found.filter(conflicts=0)
    return found.filter(children__gt=0) if wanted.children else found


def missing_cities(task: TaskDefinition, pack: Pack) -> list[str]:
    """The cities of a task, its departure city included, that a world does not know."""
    named = [task.metadata.departure_city, *task.metadata.cities]
    return [city for city in dict.fromkeys(named) if pack.city(city) is None]


@dataclass(frozen=True, slots=True)
class Fit:
    """Whether a task can run in a world. missing: cities it lacks; problem: why its pack can't be opened, or ""."""

    world: World
    missing: list[str]
    problem: str = ""

    @property
    def suits(self) -> bool:
        """Whether nothing is in the way."""
        return not self.missing and not self.problem


def fits(task: Task) -> list[Fit]:
    """How every world fits a task."""
    return [_fit(world, task.parsed) for world in World.objects.defer("report")]


def _fit(world: World, task: TaskDefinition) -> Fit:
    try:
        return Fit(world, missing_cities(task, pack_of(world)))
    except WorldError as error:
        return Fit(world, [], str(error))


def worlds_for(task: Task) -> list[World]:
    """The worlds that hold every city of a task; one whose pack can't be opened holds none."""
    return [fit.world for fit in fits(task) if fit.suits]


def known_cities() -> list[str]:
    """The cities that tasks go to, in order."""
    lists = Task.objects.values_list("cities", flat=True)
    return sorted({city for cities in lists for city in cities})
