"""`manage.py import_tasks FILE`: tasks in the published format, all or none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils.translation import ngettext

from benchmark.tasks import TaskFileError, read_tasks
from webapp.catalogue.services import import_tasks
from webapp.commands import BAD_INPUT, DatabaseCommand


class Command(DatabaseCommand):
    help = "Import a JSONL file of tasks in the published format. A file with a bad line changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--collection", help="Name of the collection, by default the file's name")

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["file"]
        try:
            done = import_tasks(read=read_tasks(path), collection=options["collection"] or path.stem)
        except TaskFileError as error:
            bad = len(error.problems)
            told = ngettext(
                "%(path)s: nothing was imported, %(n)s problem:",
                "%(path)s: nothing was imported, %(n)s problems:",
                bad,
            )
            raise CommandError(f"{told % {'path': path, 'n': bad}}\n{error}", returncode=BAD_INPUT) from error
        except OSError as error:
            raise CommandError(f"{path}: {error.strerror}", returncode=BAD_INPUT) from error
        told = ngettext(
            "%(n)s task imported into “%(collection)s”, %(unchanged)s already there",
            "%(n)s tasks imported into “%(collection)s”, %(unchanged)s already there",
            done.created,
        )
        given = {"n": done.created, "collection": done.collection, "unchanged": done.unchanged}
        self.stdout.write(told % given)
