"""`manage.py export_tasks COLLECTION`: tasks in the published format of their benchmark, to be imported again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from benchmark.outputs import open_output
from webapp.catalogue.models import Task
from webapp.catalogue.selectors import definition_line
from webapp.commands import BAD_INPUT, DatabaseCommand


class Command(DatabaseCommand):
    help = "Write the tasks of a collection in the published format, each as it came in, in their order."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("collection")
        parser.add_argument("--out", type=Path, help="File to write, by default standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        tasks = Task.objects.filter(collection__name=options["collection"]).order_by("position")
        if not tasks.exists():
            raise CommandError(
                f"there are no tasks in a collection {options['collection']!r}; the page Tasks lists all collections",
                returncode=BAD_INPUT,
            )
        path: Path | None = options["out"]
        lines = (definition_line(task) for task in tasks.iterator(chunk_size=1000))
        if path is None:
            for line in lines:
                self.stdout.write(line.decode(), ending="")
            return
        try:
            with open_output(path) as file:
                for line in lines:
                    file.write(line)
        except OSError as error:
            raise CommandError(f"{error.filename or path}: {error.strerror}", returncode=BAD_INPUT) from error
        self.stdout.write(f"{tasks.count()} tasks written to {path}")
