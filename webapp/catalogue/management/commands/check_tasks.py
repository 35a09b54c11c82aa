"""`manage.py check_tasks FILE --world W`: what is wrong with tasks over a world."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from django.core.management.base import CommandError, CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from benchmark.inputs import LineProblem
from benchmark.suites import suite_named
from benchmark.synthesis import Review
from webapp.catalogue.models import World
from webapp.catalogue.options import add_suite, world_named
from webapp.catalogue.packs import pack_of
from webapp.commands import BAD_INPUT, DatabaseCommand, add_json, print_result


class _TaskProblem(NamedTuple):
    line: int
    task_id: str
    field: str
    problem: str

    def __str__(self) -> str:
        where = [f"line {self.line}", self.task_id and f"task {self.task_id}", self.field]
        return f"{', '.join(filter(None, where))}: {self.problem}"


class Command(DatabaseCommand):
    help = (
        "Check tasks over a world as those are checked that synthesize makes: names, categories and cities that the "
        "world lacks, items in two tiers, budgets below the cheapest trip, ways of travel that do not run for users "
        "who do not give way, and lines that are no task. Exit code 0: nothing is wrong, 1: a task has a fault, 2: a "
        "line is no task."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="Tasks in the published format, JSONL, .gz too")
        add_suite(parser)
        parser.add_argument("--world", required=True, help="The world that the tasks are about")
        add_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["file"]
        review = _reviewer(options["suite"], world_named(options["world"]))
        count, faults, unread = 0, list[_TaskProblem](), list[_TaskProblem]()
        try:
            for item in suite_named(options["suite"]).tasks.files.stream(path):
                if isinstance(item, LineProblem):
                    unread.append(_TaskProblem(item.line, "", item.field, item.message))
                else:
                    count += 1
                    faults += _faults(item.line, item.task, review)
        except OSError as error:
            raise CommandError(f"{path}: {error.strerror}", returncode=BAD_INPUT) from error
        except ValueError as error:
            raise CommandError(f"{path}: {error}", returncode=BAD_INPUT) from error
        findings = sorted((*faults, *unread), key=lambda finding: finding.line)
        wrong = len({fault.line for fault in faults})
        said = ngettext("%(n)s task checked", "%(n)s tasks checked", count) % {"n": count}
        sound = _("nothing is wrong") if not findings else _("%(n)s with a fault") % {"n": wrong}
        result = {
            "tasks": count,
            "with_faults": wrong,
            "findings": [finding._asdict() for finding in findings],
        }
        print_result(self, options, result, "\n".join([*map(str, findings), f"{said}, {sound}"]))
        if findings:
            told = ngettext("%(n)s problem", "%(n)s problems", len(findings)) % {"n": len(findings)}
            raise CommandError(f"{path}: {told}", returncode=BAD_INPUT if unread else 1)


def _reviewer(suite: str, world: World) -> Review:
    make = suite_named(suite).making.synthesis
    if make is None:
        raise CommandError(_("%(suite)s can't check tasks") % {"suite": suite}, returncode=BAD_INPUT)
    return make().reviewer(pack_of(world))


def _faults(line: int, task: Any, review: Review) -> Iterator[_TaskProblem]:
    for finding in review(task):
        yield _TaskProblem(line, task.task_id, finding.field, str(finding.remark))
