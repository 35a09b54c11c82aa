"""`manage.py export_run RUN`: the sessions of a run for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils.translation import ngettext

from benchmark.exports.rows import NoParquet
from webapp.commands import BAD_INPUT, DatabaseCommand, add_json, print_result
from webapp.exchange.formats import RUN_ENDINGS, write_run
from webapp.sessions.options import run_named
from webapp.terminal import progress_bar


class Command(DatabaseCommand):
    help = "Write the sessions of a run that have ended: a log for Inspect, a folder, JSON lines or Parquet."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("run", help="A run's id or its name")
        parser.add_argument("--format", choices=list(RUN_ENDINGS), required=True)
        parser.add_argument("--out", type=Path, required=True, help="File to write, of folder a new folder")
        parser.add_argument(
            "--pseudonyms", action="store_true", help="People are P1, P2 … in it, without names"
        )
        add_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        run = run_named(options["run"])
        path: Path = options["out"]
        try:
            with progress_bar() as report:
                count = write_run(
                    run,
                    options["format"],
                    path,
                    lambda done: report(done, None, "sessions"),
                    pseudonyms=options["pseudonyms"],
                )
        except NoParquet as error:
            raise CommandError(str(error), returncode=BAD_INPUT) from error
        except OSError as error:
            raise CommandError(f"{error.filename or path}: {error.strerror}", returncode=BAD_INPUT) from error
        left = run.sessions.count() - count
        written = ngettext("%(n)s session of run %(run)s", "%(n)s sessions of run %(run)s", count)
        unended = ngettext("%(n)s has not ended", "%(n)s have not ended", left)
        words = f"{path}: {written % {'n': count, 'run': run.pk}}"
        words += f"; {unended % {'n': left}}" if left else ""
        result = {"run": run.pk, "sessions": count, "not_ended": left, "out": str(path)}
        print_result(self, options, result, words)
