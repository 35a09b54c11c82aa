"""`manage.py import_tasks FILE`: tasks in the published format, all or none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

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
            raise CommandError(
                f"{path}: nothing was imported, {len(error.problems)} problem(s):\n{error}",
                returncode=BAD_INPUT,
            ) from error
        except OSError as error:
            raise CommandError(f"{path}: {error.strerror}", returncode=BAD_INPUT) from error
        self.stdout.write(
            f"{done.created} task(s) imported into “{done.collection}”, {done.unchanged} already there"
        )
