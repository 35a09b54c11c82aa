"""`manage.py repair_run RUN --model NAME`: failing replies written again by a model, from start to figures."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from webapp.commands import (
    BAD_INPUT,
    INTERRUPT_CODE,
    DatabaseCommand,
    add_json,
    page_address,
    print_result,
    say,
)
from webapp.endpoints.options import endpoint_named
from webapp.endpoints.wording import cost_words, tokens_words
from webapp.repairs import selectors
from webapp.repairs.models import Repair
from webapp.repairs.options import repair_named
from webapp.repairs.selectors import RepairCounts
from webapp.repairs.services import continue_repair, start_repair
from webapp.repairs.wording import reason_words, reply_words, rounds_words
from webapp.sessions.options import run_named
from webapp.terminal import Report, progress_bar, table, text_of
from worker.foreground import run_in_threads
from worker.steppers.repairs import repair_job

AGAIN_S = 0.5
"""A repair that another worker does is looked at again after this."""


class Command(DatabaseCommand):
    help = (
        "Have a model write the failing replies of a run again (docs/training.md). Exit code 0: it came to its end, "
        "1: it did not, 2: bad input."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("run", metavar="RUN", help="A run's id or its name")
        which = parser.add_mutually_exclusive_group(required=True)
        which.add_argument("--model", metavar="NAME", help="Who writes them (endpoint list)")
        which.add_argument(
            "--continue", dest="repair", metavar="ID", help="Go on with this repair of the run"
        )
        add_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        repair = _begin_repair(options)
        count = repair.sessions.count()
        words = ngettext("%(n)s session", "%(n)s sessions", count) % {"n": count}
        say(self, options, f"{_('repair')} {repair.pk}: {words}, {page_address(repair)}")
        try:
            with progress_bar() as report:
                _do(repair, report)
        except KeyboardInterrupt:
            words = _("interrupted; the workers go on (make run), unless it is stopped on %(page)s")
            raise CommandError(words % {"page": page_address(repair)}, returncode=INTERRUPT_CODE) from None
        self._tell(repair, options)

    def _tell(self, repair: Repair, options: dict[str, Any]) -> None:
        repair.refresh_from_db()
        counts, use = selectors.counts_of(repair), selectors.use_of(repair)
        rows = table(_("what became of them"), _("number"))
        for what, number in _figures(counts):
            rows.add_row(what, str(number))
        spent = table("requests", "retries", "failed", "in", "out", "cost")
        tokens = (tokens_words(use, name) for name in ("prompt", "completion"))
        spent.add_row(str(use.calls), str(use.retries), str(use.failure_count), *tokens, cost_words(use))
        result = {
            "repair": repair.pk,
            "status": repair.status,
            **counts.as_json(),
            "use": use.summary(),
        }
        export = f"manage.py export_run {repair.run_id} --format sft --repair {repair.pk} --out FILE"
        print_result(self, options, result, f"{text_of(rows)}{text_of(spent)}{export}")
        if repair.status != Repair.Status.DONE:
            why = f": {repair.problem}" if repair.problem else ""
            words = _("%(status)s%(why)s\nWhat is done stays: repair_run %(run)s --continue %(id)s goes on.")
            told = {"status": repair.get_status_display(), "why": why, "run": repair.run_id, "id": repair.pk}
            raise CommandError(words % told)


def _begin_repair(options: dict[str, Any]) -> Repair:
    run = run_named(options["run"])
    if options["model"]:
        return start_repair(run=run, endpoint=endpoint_named(options["model"]))
    repair = repair_named(options["repair"])
    if repair.run_id != run.pk:
        words = _("repair %(id)s is of run %(run)s") % {"id": repair.pk, "run": repair.run_id}
        raise CommandError(words, returncode=BAD_INPUT)
    continue_repair(repair=repair)
    return repair


def _do(repair: Repair, report: Report) -> None:
    """Do it here, or watch the worker that does."""

    def work(wanted: Callable[[], bool]) -> None:
        while wanted() and Repair.objects.get(pk=repair.pk).going:
            if not repair_job(repair.pk):
                threading.Event().wait(AGAIN_S)

    def look() -> None:
        counts = selectors.counts_of(repair)
        report(counts.ended, counts.all, "sessions")

    run_in_threads(1, work, look)


def _figures(counts: RepairCounts) -> list[tuple[str, int]]:
    """What is told of it, a line each."""
    rows = [
        (_("sessions that passed as they were"), counts.sessions["sound"]),
        (_("sessions that were repaired"), counts.sessions["repaired"]),
        (_("sessions that were dropped"), counts.sessions["dropped"]),
    ]
    rows += [(f"  {reason_words(reason)}", count) for reason, count in counts.reasons]
    rows += [(_("replies: %(what)s") % {"what": reply_words(one)}, n) for one, n in counts.replies.items()]
    took = _("repaired replies that took %(what)s")
    return rows + [(took % {"what": rounds_words(number)}, count) for number, count in counts.rounds]
