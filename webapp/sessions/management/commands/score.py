"""`manage.py score RECORDS --catalogue POI --out OUT --profile PROFILE`: run records into figures with evidence."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from benchmark.scoring import CODE_VERSION, PROFILES, aggregate, score_file
from webapp.progress import progress_bar


class Command(BaseCommand):
    help = "Score published run records (JSONL, .gz too) without touching the database."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("records", type=Path, help="Run records, one JSON object a line; .gz is unpacked")
        parser.add_argument(
            "--catalogue", type=Path, required=True, help="The places, {city: [place, …]} or a world's pack"
        )
        parser.add_argument("--out", type=Path, required=True, help="Where the scores go, one line a record")
        parser.add_argument("--profile", choices=list(PROFILES), default="published")

    def handle(self, *args: Any, **options: Any) -> None:
        out, profile = options["out"], options["profile"]
        try:
            with progress_bar() as report:
                count = score_file(
                    options["records"],
                    options["catalogue"],
                    out,
                    lambda done: report(done, None, "records"),
                    profile,
                )
        except ValueError as error:  # BadRecords among them
            raise CommandError(f"{error}\nnothing was written", returncode=2) from error
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}", returncode=2) from error
        told = f"{count} record(s) scored into {out} by {profile}, code version {CODE_VERSION}"
        if not out.is_file():  # a pipe or device, perhaps this very output: it holds scores alone, read once
            self.stderr.write(told, self.style.SUCCESS)
            return
        self.stdout.write(told)
        means = aggregate(_scores(out), profile=profile)
        self.stdout.write("  " + ", ".join(f"{figure.upper()} {mean}" for figure, mean in means.items()))


def _scores(path: Path) -> Iterator[dict[str, Any]]:
    """What aggregation needs of each line, so that a long file is never held whole."""
    with path.open("rb") as lines:
        for line in lines:
            score = json.loads(line)
            yield {name: score[name] for name in ("task_id", "pc", "gu", "gf", "pv")}
