"""`manage.py synthesize --world W --count N --seed S --out TASKS.jsonl`: new tasks over a world."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils.translation import gettext as _

from benchmark.models.failures import ModelFailure
from benchmark.suites import suite_named
from benchmark.suites.base import AnySuite, Option
from benchmark.synthesis import BadOrder, Order, OrderResult, Synthesis
from webapp.catalogue.options import add_suite, world_named
from webapp.catalogue.packs import pack_path
from webapp.commands import BAD_INPUT, INTERRUPT_CODE, DatabaseCommand, add_json, print_result
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.options import endpoint_named
from webapp.sessions.options import add_option_arguments, options_in
from webapp.terminal import progress_bar
from worker.foreground import run_in_threads
from worker.task_making import NotWanted, make_tasks


class Command(DatabaseCommand):
    help = (
        "Make tasks over a world, in the published format. A set has the paper's numbers of sizes, lengths and "
        "archetypes, scaled to --count. Preferences come from a built-in sampler, the same for the same seed, or "
        "from a model. Every task is checked, and solved by the reference agent's planner; what fails is made "
        "again, and reported where it fails for good. Beside TASKS.jsonl go TASKS.proofs.jsonl and "
        "TASKS.report.json. What is broken off goes on when the command is given again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        add_suite(parser)
        parser.add_argument("--world", required=True, help="The world that the tasks are about")
        parser.add_argument("--count", type=int, default=650, help="How many tasks, by default %(default)s")
        parser.add_argument("--seed", type=int, default=1, help="Another seed gives other tasks")
        parser.add_argument("--out", type=Path, required=True, metavar="TASKS.jsonl")
        parser.add_argument("--model", metavar="NAME", help="What writes preferences (endpoint list)")
        parser.add_argument("--language", choices=("zh", "en"), default="zh", help="Of the tasks")
        parser.add_argument(
            "--skeletons",
            type=Path,
            metavar="TASKS.jsonl",
            help="Give these tasks' groups and trips new wishes",
        )
        parser.add_argument(
            "--profiles", type=Path, metavar="PROFILES.jsonl", help="Your own travellers, one a line"
        )
        parser.add_argument("--first", type=date.fromisoformat, metavar="DAY", help="First day of departure")
        parser.add_argument("--last", type=date.fromisoformat, metavar="DAY", help="Last day of departure")
        parser.add_argument(
            "--first-id", type=int, default=1, metavar="N", help="Number of the first task, task_00000N"
        )
        parser.add_argument("--no-proofs", action="store_true", help="Don't let the planner solve each task")
        parser.add_argument("--workers", type=int, help="Processes, or requests to the model at once")
        add_json(parser)
        add_option_arguments(parser, set_options)

    def handle(self, *args: Any, **options: Any) -> None:
        order = _order(options)
        out: Path = options["out"]
        endpoint = endpoint_named(options["model"]) if options["model"] else None
        try:
            made = self._make(_synthesis(options["suite"]), order, out, endpoint, options["workers"])
        except BadOrder as error:
            raise CommandError(str(error), returncode=BAD_INPUT) from error
        except ModelFailure as error:
            raise CommandError(
                _("%(error)s\nFinished tasks are kept: run the command again to continue.")
                % {"error": error},
                returncode=1,
            ) from error
        except OSError as error:
            raise CommandError(f"{error.filename or out}: {error.strerror}", returncode=BAD_INPUT) from error
        except KeyboardInterrupt as stop:
            raise CommandError(
                _("stopped; run the command again to continue"), returncode=INTERRUPT_CODE
            ) from stop
        files = [str(path) for path in made.files]
        result = {"tasks": made.tasks, "files": files, "report": made.report}
        print_result(self, options, result, "\n".join([*made.words, *files]))

    def _make(
        self,
        synthesis: Synthesis,
        order: Order,
        out: Path,
        endpoint: ModelEndpoint | None,
        workers: int | None,
    ) -> OrderResult:
        if workers is not None and workers < 1:
            raise BadOrder(_("--workers: must be 1 or more"))
        figures: list[OrderResult] = []

        def work(wanted: Callable[[], bool]) -> None:
            with suppress(NotWanted):  # interrupted: the thread that waits for this one tells
                made = make_tasks(
                    synthesis, order, out, endpoint=endpoint, workers=workers, wanted=wanted, tell=report
                )
                figures.append(made)

        with progress_bar() as report:
            run_in_threads(1, work, lambda: None)
        return figures[0]


def _order(options: dict[str, Any]) -> Order:
    return Order(
        world=pack_path(world_named(options["world"]).pack),
        count=options["count"],
        seed=options["seed"],
        language=options["language"],
        first=options["first"],
        last=options["last"],
        first_id=options["first_id"],
        prove=not options["no_proofs"],
        profiles=options["profiles"],
        skeletons=options["skeletons"],
        model=options["model"] or "",
        options=options_in(options, options["suite"], set_options),
    )


def set_options(suite: AnySuite) -> Sequence[Option]:
    """What a benchmark lets choose of its sets."""
    return suite.making.order_form.options


def _synthesis(suite: str) -> Synthesis:
    make = suite_named(suite).making.synthesis
    if make is None:
        raise CommandError(_("%(suite)s can't make tasks") % {"suite": suite}, returncode=BAD_INPUT)
    return make()
