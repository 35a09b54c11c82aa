"""Benchmarks and worlds as commands name them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from django.core.management.base import CommandError, CommandParser
from django.db.models import QuerySet

from benchmark.suites import DEFAULT_SUITE, SUITES, suite_named
from benchmark.suites.base import AnySuite, Needs
from webapp.catalogue.fitting import MAX_CHECKED_TASKS, fits, made_for
from webapp.catalogue.models import Task, World
from webapp.commands import BAD_INPUT, row_named


def add_suite(parser: CommandParser) -> None:
    """The option that names a benchmark."""
    parser.add_argument(
        "--suite", choices=SUITES, default=DEFAULT_SUITE, help="The benchmark, by default %(default)s"
    )


def reads(path: Path, line: int, *, but: str) -> AnySuite | None:
    """A benchmark other than `but` whose task stands on a line of a file, None where there is none."""
    for name in SUITES:
        if name != but:
            try:
                read_task = suite_named(name).tasks.files.line(path, line)
            except (OSError, ValueError):
                continue
            if read_task is not None:
                return suite_named(name)
    return None


def world_named(name: str) -> World:
    """The world of this name. Raises CommandError with the names that there are."""
    return row_named(World.objects.all(), name, "world")


def world_of(tasks: QuerySet[Task], named: str | None) -> World:
    """The world that `--world` names, else the one that the tasks were made for.

    tasks: at least one. Raises CommandError where there is no such world, or the tasks were made for several or for
    none that is known: nothing is chosen in silence.
    """
    if named:
        return world_named(named)
    worlds = made_for(tasks)
    if len(worlds) > 1:
        named = ", ".join(sorted(world.name if world else "none" for world in worlds))
        raise CommandError(
            f"these tasks were made for different worlds ({named}); name one with --world",
            returncode=BAD_INPUT,
        )
    (world,) = worlds
    if world is None:
        some = list(tasks[:MAX_CHECKED_TASKS])
        raise world_unnamed([task.needs for task in some], some[0].collection.name)
    return world


def world_unnamed(needs: Sequence[Needs], collection: str) -> CommandError:
    """The refusal of tasks for which nobody has named a world, with the worlds that would do."""
    fitting = [fit.world.name for fit in fits(needs) if fit.suits]
    which = (
        f"all that the tasks need is in: {', '.join(fitting)}" if fitting else "none has all that they need"
    )
    return CommandError(
        f"no world is named for the tasks of “{collection}”; say --world ({which}), or name it once for all with "
        f"import_tasks FILE --collection {collection} --world W",
        returncode=BAD_INPUT,
    )
