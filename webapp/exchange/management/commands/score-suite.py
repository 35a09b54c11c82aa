"""`manage.py score-suite SUITE RECORDS --out OUT`: what a benchmark's rules make of each case of a golden file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils.translation import ngettext

from benchmark.cases import score_cases
from benchmark.suites import SUITES, suite_named
from webapp.commands import UncheckedCommand, add_json, print_result


class Command(UncheckedCommand):
    help = "Score the cases of a benchmark's golden file (JSONL, .gz too) without touching the database."

    def add_arguments(self, parser: CommandParser) -> None:
        suites = [name for name in SUITES if suite_named(name).cases is not None]
        parser.add_argument("suite", choices=suites, help="Whose rules are applied")
        parser.add_argument("records", type=Path, help="The cases, one JSON object a line; .gz is unpacked")
        parser.add_argument("--out", type=Path, required=True, help="Where the figures go, one line a case")
        add_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        cases, out = suite_named(options["suite"]).cases, options["out"]
        assert cases is not None  # a choice of the argument
        try:
            count = score_cases(options["records"], out, cases.score)
        except ValueError as error:
            raise CommandError(str(error), returncode=2) from error
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}", returncode=2) from error
        told = ngettext("%(n)s case scored into %(out)s", "%(n)s cases scored into %(out)s", count)
        words = told % {"n": count, "out": out}
        if out.is_file():
            print_result(self, options, {"cases": count, "out": str(out)}, words)
        else:  # a pipe or device, perhaps this very output: it holds figures alone
            self.stderr.write(words)
