"""`manage.py score RECORDS --catalogue POI --out OUT`: run records into figures with evidence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from benchmark.scoring import score_file
from webapp.progress import progress_bar


class Command(BaseCommand):
    help = "Score published run records (JSONL, .gz too) without touching the database."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("records", type=Path)
        parser.add_argument("--catalogue", type=Path, required=True)
        parser.add_argument("--out", type=Path, required=True)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with progress_bar() as report:
                count = score_file(
                    options["records"],
                    options["catalogue"],
                    options["out"],
                    lambda done: report(done, None, "records"),
                )
        except ValueError as error:  # BadRecords among them
            raise CommandError(f"{error}\nnothing was written", returncode=2) from error
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}", returncode=2) from error
        self.stdout.write(f"{count} record(s) scored into {options['out']}")
