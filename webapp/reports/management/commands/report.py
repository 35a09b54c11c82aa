"""`manage.py report RUN…`: the report of runs as a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from benchmark.scoring import PROFILES
from webapp.commands import BAD_INPUT, DatabaseCommand
from webapp.progress import progress_bar
from webapp.reports.files import FORMATS
from webapp.reports.folding import catch_up
from webapp.reports.selectors import MOST_RUNS, report_of
from webapp.runs.models import Run
from webapp.runs.selectors import runs_named
from webapp.sessions.selectors import PROFILE


class Command(DatabaseCommand):
    help = "Write the report of one run or several, the first being what the others are compared with."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("runs", nargs="+", metavar="RUN", help="Ids of runs")
        parser.add_argument("--format", default="md", choices=FORMATS)
        parser.add_argument("--out", type=Path, help="By default it is printed")
        parser.add_argument("--profile", default=PROFILE, choices=PROFILES)

    def handle(self, *args: Any, **options: Any) -> None:
        runs = _runs(options["runs"])
        with progress_bar() as told:
            catch_up(runs, told=lambda done, whole: told(done, whole, "sessions counted"))
        report = report_of(runs, options["profile"])
        text = FORMATS[options["format"]][1](report)
        if options["out"] is None:
            self.stdout.write(text, ending="")
            return
        try:
            options["out"].write_text(text, encoding="utf-8")
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}", returncode=BAD_INPUT) from error
        sessions = sum(len(run.sessions) for run in report.runs)
        self.stdout.write(f"{len(runs)} run(s), {sessions} sessions: {options['out']}")


def _runs(ids: list[str]) -> list[Run]:
    found = runs_named(ids)
    if lacking := sorted(set(ids) - {run.pk for run in found}):
        raise CommandError(
            f"there is no run {', '.join(lacking)}; the page of a run tells its id", returncode=BAD_INPUT
        )
    if len(found) > MOST_RUNS:
        raise CommandError(f"{len(found)} runs; a report holds at most {MOST_RUNS}", returncode=BAD_INPUT)
    return found
