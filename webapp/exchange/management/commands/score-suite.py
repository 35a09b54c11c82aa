"""`manage.py score-suite SUITE CASES --out OUT`: what a benchmark's rules make of each case of a golden file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils.translation import ngettext

from benchmark.cases import Score, read_definitions, score_cases
from benchmark.suites import SUITES, suite_named
from benchmark.suites.base import AnySuite, CaseContext, Cases, no_task, read_options, read_pairs
from webapp.caches.roads import open_roads
from webapp.catalogue.options import world_named
from webapp.catalogue.packs import pack_of
from webapp.commands import DatabaseCommand, UncheckedCommand, add_json, print_result


class Command(DatabaseCommand):
    help = (
        "Score the cases of a benchmark's golden file (JSONL, .gz too) without touching the database, unless they "
        "are scored over a world. A benchmark's cases need some of --profile, --world and --tasks, or none."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        suites = [name for name in SUITES if suite_named(name).cases is not None]
        parser.add_argument("suite", choices=suites, help="Whose rules are applied")
        parser.add_argument(
            "records", type=Path, metavar="cases", help="The cases, one JSON object a line; .gz is unpacked"
        )
        parser.add_argument("--out", type=Path, required=True, help="Where the figures go, one line a case")
        parser.add_argument("--profile", metavar="P", help="The profile of scoring that is applied")
        parser.add_argument("--world", metavar="W", help="The name of the world that the cases are about")
        parser.add_argument(
            "--tasks", type=Path, metavar="FILE|FOLDER", help="The tasks that the cases name; .gz is unpacked"
        )
        parser.add_argument(
            "--option",
            action="append",
            default=[],
            metavar="KEY=VALUE",
            help="An option of the benchmark's scoring; again for another one",
        )
        add_json(parser)

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Worlds are in the database; without one it is not asked for."""
        if options["world"]:
            return super().execute(*args, **options)
        return UncheckedCommand.execute(self, *args, **options)

    def handle(self, *args: Any, **options: Any) -> None:
        suite, out = suite_named(options["suite"]), options["out"]
        assert suite.cases is not None  # a choice of the argument
        try:
            scorer = _scorer(suite, suite.cases, options)
            count = score_cases(options["records"], out, scorer, suite.cases.fault)
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


def _scorer(suite: AnySuite, cases: Cases, options: dict[str, Any]) -> Score:
    """Raises ValueError for what is missing, not needed, or can't be, and what reading tasks raises."""
    profile, world, tasks = options["profile"], options["world"], options["tasks"]
    cases.refuse_context({"profile": profile, "world": world, "tasks": tasks})
    if profile is not None and profile not in suite.scoring.profiles:
        raise ValueError(
            f"--profile: there is no {profile}; choose one of {', '.join(suite.scoring.profiles)}"
        )
    context = CaseContext(
        profile=profile or "",
        options=read_options(suite.scoring.options, read_pairs(options["option"])),
        open_roads=open_roads,
        pack=pack_of(world_named(world)) if world else None,
        task=read_definitions(tasks, suite.tasks.files) if tasks else no_task,
    )
    return lambda case: cases.score(dict(case), context)
