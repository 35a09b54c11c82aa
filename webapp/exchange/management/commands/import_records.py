"""`manage.py import_records FILE`: published run records become a run, all or none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from webapp.catalogue.options import add_suite, world_named
from webapp.commands import BAD_INPUT, DatabaseCommand, add_json, page_address, print_result
from webapp.exchange.imports import (
    AGENT,
    Choice,
    RecordFileError,
    RecordImportResult,
    import_records,
    incoming_of,
)
from webapp.exchange.places import keep_places
from webapp.terminal import progress_bar


class Command(DatabaseCommand):
    help = "Import published run records (JSONL, .gz too) as a run. A file with a bad line changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        add_suite(parser)
        parser.add_argument("--name", help="Name of the run, by default the file's name")
        parser.add_argument(
            "--agent", default=AGENT, help="What lists call the agent, by default %(default)s"
        )
        parser.add_argument(
            "--collection", help="Of the tasks that are not here yet, by default the name of the run"
        )
        where = parser.add_mutually_exclusive_group()
        where.add_argument(
            "--world", help="The world of the records, by default that of each task's collection"
        )
        where.add_argument(
            "--catalogue", type=Path, help="A file of the places of the records, in place of a world"
        )
        add_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["file"]
        name = options["name"] or path.name.removesuffix(".gz").removesuffix(".jsonl")
        world = world_named(options["world"]).name if options["world"] else ""
        given = {"world": world, "agent": options["agent"][:60], "suite": options["suite"]}
        choice = Choice(run=name[:100], collection=(options["collection"] or name)[:100], **given)
        try:
            if options["catalogue"]:
                choice = replace(choice, places=keep_places(options["catalogue"], choice))
            done = _import_file(path, choice)
        except RecordFileError as error:
            raise CommandError(refusal_words(str(path), error), returncode=BAD_INPUT) from error
        except ValueError as error:
            raise CommandError(f"{error}\n{_('nothing was imported')}", returncode=BAD_INPUT) from error
        except OSError as error:
            raise CommandError(f"{error.filename or path}: {error.strerror}", returncode=BAD_INPUT) from error
        result = {"run": done.run.pk, "sessions": done.sessions, "tasks": done.tasks}
        print_result(self, options, result | {"page": page_address(done.run)}, _outcome(done))


def _import_file(path: Path, choice: Choice) -> RecordImportResult:
    incoming = incoming_of(name=path.name, choice=choice)
    try:
        with progress_bar() as report:
            return import_records(
                read=choice.records.stream(path),
                choice=choice,
                incoming=incoming,
                progress=lambda count: report(count, None, "records"),
            )
    except BaseException:
        incoming.delete()
        raise


def refusal_words(name: str, error: RecordFileError) -> str:
    """What is wrong with a file, problem by problem."""
    words = ngettext(
        "%(path)s: nothing was imported, %(n)s problem:",
        "%(path)s: nothing was imported, %(n)s problems:",
        error.problems.count,
    )
    return f"{words % {'path': name, 'n': error.problems.count}}\n{error}"


def _outcome(done: RecordImportResult) -> str:
    words = ngettext(
        "%(n)s record imported as run “%(run)s”", "%(n)s records imported as run “%(run)s”", done.sessions
    )
    tasks = ngettext("%(n)s task was new", "%(n)s tasks were new", done.tasks) % {"n": done.tasks}
    scored = _("workers score the sessions now, or as soon as one starts")
    return (
        f"{words % {'n': done.sessions, 'run': done.run.name}}; {tasks}; {scored}\n{page_address(done.run)}"
    )
