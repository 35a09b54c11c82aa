"""`manage.py converse SCENARIOS --out OUT`: canned conversations through the engine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
from django.core.management.base import BaseCommand, CommandError, CommandParser

from benchmark.conversation.scenarios import ScenarioError, converse, read_scenarios


class Command(BaseCommand):
    help = "Play canned conversations (JSONL) without a world or a database; one JSON line each."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("scenarios", type=Path)
        parser.add_argument("--out", type=Path, required=True)
        parser.add_argument("--protocol", choices=["published", "paper"], default="published")

    def handle(self, *args: Any, **options: Any) -> None:
        out: Path = options["out"]
        count = 0
        draft = out.with_name(f".{out.name}.part")
        try:
            with draft.open("wb") as lines:
                for scenario in read_scenarios(options["scenarios"]):
                    lines.write(orjson.dumps(converse(scenario, options["protocol"])) + b"\n")
                    count += 1
            draft.replace(out)
        except ScenarioError as error:
            raise CommandError(
                f"{options['scenarios']}: {error}; nothing was written", returncode=2
            ) from error
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}", returncode=2) from error
        finally:
            draft.unlink(missing_ok=True)
        self.stdout.write(f"{count} conversation(s) written to {out}")
