"""`manage.py converse SCENARIOS --out OUT`: canned conversations through the engine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils.translation import ngettext

from benchmark.jsonlines import json_line
from benchmark.outputs import open_output, refuse_own_input
from benchmark.suites import suite_named
from webapp.catalogue.options import add_suite
from webapp.commands import UncheckedCommand
from webapp.sessions.options import add_option_arguments, options_in


class Command(UncheckedCommand):
    help = "Play canned conversations (JSONL) without a world or a database; one JSON line each."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("scenarios", type=Path)
        parser.add_argument("--out", type=Path, required=True)
        add_suite(parser)
        add_option_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        scenarios, out = options["scenarios"], options["out"]
        converse = suite_named(options["suite"]).play.converse
        if converse is None:
            raise CommandError(f"{options['suite']} has no canned conversations", returncode=2)
        chosen = options_in(options, options["suite"])
        try:
            refuse_own_input(out, scenarios)
            count = 0
            with open_output(out) as file:
                for played in converse(scenarios, chosen):
                    file.write(json_line(played))
                    count += 1
        except ValueError as error:
            raise CommandError(str(error), returncode=2) from error
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}", returncode=2) from error
        words = ngettext(
            "%(n)s conversation written to %(out)s", "%(n)s conversations written to %(out)s", count
        )
        self.stdout.write(words % {"n": count, "out": out})
