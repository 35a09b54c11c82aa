"""`manage.py converse SCENARIOS --out OUT`: canned conversations through the engine."""

from __future__ import annotations

from pathlib import Path
from typing import Any, BinaryIO

import orjson
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import ngettext

from benchmark.core.events import Protocol
from benchmark.outputs import refuse_own_input, written
from benchmark.suites.grouptravel.conversation.scenarios import ScenarioError, converse, read_scenarios


class Command(BaseCommand):
    help = "Play canned conversations (JSONL) without a world or a database; one JSON line each."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("scenarios", type=Path)
        parser.add_argument("--out", type=Path, required=True)
        parser.add_argument("--protocol", choices=["published", "paper"], default="published")

    def handle(self, *args: Any, **options: Any) -> None:
        scenarios, out = options["scenarios"], options["out"]
        try:
            refuse_own_input(out, scenarios)
            with written(out) as file:
                count = _play(scenarios, options["protocol"], file)
        except ScenarioError as error:
            raise CommandError(f"{scenarios}: {error}; nothing was written", returncode=2) from error
        except ValueError as error:
            raise CommandError(str(error), returncode=2) from error
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}", returncode=2) from error
        told = ngettext(
            "%(n)s conversation written to %(out)s", "%(n)s conversations written to %(out)s", count
        )
        self.stdout.write(told % {"n": count, "out": out})


def _play(scenarios: Path, protocol: Protocol, out: BinaryIO) -> int:
    """Write one line a conversation; how many there were."""
    count = 0
    for scenario in read_scenarios(scenarios):
        out.write(orjson.dumps(converse(scenario, protocol)) + b"\n")
        count += 1
    return count
