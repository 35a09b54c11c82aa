"""`manage.py task_statistics TASKS.jsonl`: what a file of tasks holds, beside the benchmark's paper."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from benchmark.inputs import LineProblem, Problems
from benchmark.reports.dataset import DatasetStatistics
from benchmark.suites import suite_named
from webapp.catalogue.options import add_suite
from webapp.commands import BAD_INPUT, UncheckedCommand, add_json, print_result
from webapp.reports.page import ShownPart, shown_dataset
from webapp.reports.wording import dataset_words
from webapp.terminal import table, text_of

WIDTH = 140
"""Characters of a line where there is no terminal."""


class Command(UncheckedCommand):
    help = (
        "Tell what a file of tasks holds, beside the benchmark's paper. Groups, items, conflicts, budgets, places "
        "and dates stand beside the paper's figures, with ratio and tolerance. The file is JSONL in the published "
        "format, .gz too. Lines that are no task are listed with their field and what helps, and left out; then the "
        "exit code is 2. "
        "--json prints the tasks one by one under tasks, all of them under all, the figures beside the paper's under "
        "compared, and what is odd about tasks that count under remarks."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("tasks", type=Path, metavar="TASKS.jsonl")
        parser.add_argument(
            "--beside",
            type=Path,
            action="append",
            default=[],
            metavar="FILE",
            help="Another file of tasks, to stand beside the first: filtered, sampled. Repeatable",
        )
        add_suite(parser)
        add_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        path, suite = options["tasks"], options["suite"]
        statistics = _statistics(suite)
        problems = Problems()
        try:
            tasks = _tasks(path, suite, problems)
            first = [*islice(tasks, 1)]
            figures = statistics.of(chain(first, tasks))
            sets = _read_others(path, figures, options["beside"], suite, statistics)
        except OSError as error:
            where = error.filename or path
            raise CommandError(f"{where}: {error.strerror}", returncode=BAD_INPUT) from error
        except ValueError as error:
            raise CommandError(str(error), returncode=BAD_INPUT) from error
        if options["json"]:
            print_result(self, options, _as_json(statistics, figures, sets), "")
        elif first:
            parts = shown_dataset(statistics, figures, dataset_words(suite), sets=sets)
            print_result(self, options, None, "\n\n".join(map(_words, parts)))
        if problems:
            told = ngettext(
                "%(path)s: %(n)s problem; these lines are left out:",
                "%(path)s: %(n)s problems; these lines are left out:",
                problems.count,
            )
            head = told % {"path": path, "n": problems.count}
            raise CommandError(f"{head}\n{problems}", returncode=BAD_INPUT)


def _statistics(suite: str) -> DatasetStatistics:
    make = suite_named(suite).tasks.statistics
    if make is None:
        raise CommandError(
            _("the tasks of %(suite)s have no statistics") % {"suite": suite}, returncode=BAD_INPUT
        )
    return make()


def _as_json(statistics: DatasetStatistics, figures: Any, sets: dict[str, Any]) -> dict[str, Any]:
    beside = {name: statistics.as_json(figures_of_set) for name, figures_of_set in sets.items()}
    return {**statistics.as_json(figures), **({"beside": beside} if beside else {})}


def _read_others(
    path: Path, figures: Any, others: list[Path], suite: str, statistics: DatasetStatistics
) -> dict[str, Any]:
    """The statistics of every file by its name, the first one's included; none where there is no other.

    Raises:
        ValueError: a line of another file is no task, two files have one name, or the benchmark compares no sets.
    """
    if not others:
        return {}
    if statistics.comparison_part is None:
        raise ValueError(_("the tasks of %(suite)s can't be shown side by side") % {"suite": suite})
    names = [file.name if file.name != path.name else str(file) for file in others]
    if len({path.name, *names}) <= len(names):
        raise ValueError(_("two files of the same name can't stand side by side; rename one"))
    files = suite_named(suite).tasks.files
    read = {
        name: statistics.of(item.task for item in files.whole(file))
        for name, file in zip(names, others, strict=True)
    }
    return {path.name: figures, **read}


def _tasks(path: Path, suite: str, problems: Problems) -> Iterator[Any]:
    """The good tasks of a file; what is wrong with the others goes to `problems`."""
    for item in suite_named(suite).tasks.files.stream(path):
        if isinstance(item, LineProblem):
            problems.add(item)
        else:
            yield item.task


def _words(part: ShownPart) -> str:
    head = f"{part.title} ({part.counterpart})" if part.counterpart else part.title
    lines = [head, part.about, *part.limits]
    if part.table.rows:
        heads = part.heads
        shown = table(*(head.label for head in heads))
        for column, column_head in zip(shown.columns, heads, strict=True):
            column.justify = "right" if column_head.number else "left"
        for cells in part.lines:
            shown.add_row(*(cell.words for cell in cells))
        lines.append(text_of(shown, None if sys.stdout.isatty() else WIDTH).rstrip())
    return "\n".join([*lines, *part.notes])
