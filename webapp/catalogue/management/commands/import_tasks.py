"""`manage.py import_tasks FILE`: tasks in the published format, all or none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from benchmark.core.taskfiles import TaskFileError
from benchmark.suites import suite_named
from webapp.catalogue.imports import ImportResult, import_tasks
from webapp.catalogue.options import add_suite, reads, world_named
from webapp.commands import BAD_INPUT, DatabaseCommand, add_json, print_result
from webapp.terminal import progress_bar


class Command(DatabaseCommand):
    help = "Import a JSONL file of tasks in the published format (.gz too). A file with a bad line changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        add_suite(parser)
        parser.add_argument("--collection", help="Name of the collection, by default the file's name")
        parser.add_argument(
            "--world",
            help="The world that the tasks were made for; without it, whoever starts a session chooses one",
        )
        add_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["file"]
        world = world_named(options["world"]) if options["world"] else None
        name = path.name.removesuffix(".gz").removesuffix(".jsonl").removesuffix(".json")
        collection = options["collection"] or name
        try:
            with progress_bar() as report:
                done = import_tasks(
                    read=suite_named(options["suite"]).tasks.files.stream(path),
                    collection=collection,
                    world=world,
                    suite=options["suite"],
                    progress=lambda count: report(count, None, "tasks"),
                )
        except TaskFileError as error:
            raise CommandError(_refusal(path, error, options["suite"]), returncode=BAD_INPUT) from error
        except ValueError as error:
            raise CommandError(f"{error}\n{_('nothing was imported')}", returncode=BAD_INPUT) from error
        except OSError as error:
            raise CommandError(f"{path}: {error.strerror}", returncode=BAD_INPUT) from error
        made_for = done.collection.world
        result = {
            "collection": done.collection.name,
            "created": done.created_count,
            "unchanged": done.unchanged_count,
            "world": made_for and made_for.name,
        }
        print_result(self, options, result, _outcome(done))


def _refusal(path: Path, error: TaskFileError, suite: str) -> str:
    words = ngettext(
        "%(path)s: nothing was imported, %(n)s problem:",
        "%(path)s: nothing was imported, %(n)s problems:",
        error.problems.count,
    )
    told = f"{words % {'path': path, 'n': error.problems.count}}\n{error}"
    line = error.problems.problems[0].line
    other = reads(path, line, but=suite)
    if other is None:
        return told
    hint = _(
        "line %(line)s is a task of %(title)s; import such tasks from a file of their own with "
        "--suite %(name)s"
    )
    return f"{told}\n{hint % {'line': line, 'title': other.title, 'name': other.name}}"


def _outcome(done: ImportResult) -> str:
    words = ngettext(
        "%(n)s task imported into “%(collection)s”, %(unchanged)s already there",
        "%(n)s tasks imported into “%(collection)s”, %(unchanged)s already there",
        done.created_count,
    )
    given = {"n": done.created_count, "collection": done.collection, "unchanged": done.unchanged_count}
    if done.collection.world is None:
        made_for = _("they name no world: choose one for each session, or import them again with --world")
    else:
        made_for = _("they run in world “%(world)s”") % {"world": done.collection.world}
    return f"{words % given}; {made_for}"
