"""Runs whose models do not answer: what is told of them, and the pause that follows."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.db import transaction
from django.db.models import F, QuerySet

from benchmark.core.events import ModelCalled
from webapp.endpoints.outages import Outage, shorten_message
from webapp.sessions.models import ENDED_STATUSES, Run, RunOutage, Session
from webapp.sessions.services import pause_sessions
from webapp.statements import delete_rows, row_about


def note_calls(*, run_id: str | None, calls: Iterable[ModelCalled]) -> None:
    """Count requests without an answer by their endpoint, in the transaction that stores them; an answer ends the
    count. What was broken off here is neither. Rows are taken by name, so that no two workers wait for each other."""
    if run_id is None:
        return
    for call in sorted(calls, key=lambda call: call.endpoint):
        if call.answered:
            delete_rows(RunOutage, {"run": run_id, "endpoint": call.endpoint})
        elif call.outcome != "cancelled":
            _fail(run_id, call)


def _fail(run_id: str, call: ModelCalled) -> None:
    rows = RunOutage.objects.filter(run=run_id, endpoint=call.endpoint)
    last = shorten_message(call.detail)
    if not rows.update(failed=F("failed") + 1, last=last):
        RunOutage.objects.bulk_create(
            [RunOutage(run_id=run_id, endpoint=call.endpoint, last=last)], ignore_conflicts=True
        )
        rows.update(failed=F("failed") + 1)


def outages_of(runs: Collection[Run]) -> dict[str, list[Outage]]:
    """The models that do not answer each run, by its id."""
    by_run: dict[str, list[Outage]] = {run.pk: [] for run in runs}
    rows = RunOutage.objects.filter(run__in=list(by_run)).order_by("endpoint")
    for row in rows:
        if (outage := Outage(row.endpoint, row.failed, row.since, row.last)).told:
            by_run[row.run_id].append(outage)
    return by_run


def failing() -> list[tuple[Run, list[Outage]]]:
    """The runs with sessions that have not ended and models that do not answer, the newest first."""
    going = Session.objects.exclude(status__in=ENDED_STATUSES).values("run")
    runs = list(Run.objects.filter(pk__in=RunOutage.objects.values("run")).filter(pk__in=going))
    told = outages_of(runs)
    return [(run, told[run.pk]) for run in runs if told[run.pk]]


def pause_where_failing(run_id: str | None) -> bool:
    """Pause a run in which so many requests to one model in a row had no answer, and say whether it is so."""
    if run_id is None or not _fails(run_id):
        return False
    with transaction.atomic():
        run = Run.objects.select_for_update(no_key=True).filter(pk=run_id).first()
        if run is None or not _fails(run_id):  # deleted, resumed or answered meanwhile
            return False
        Run.objects.filter(pk=run_id).update(paused_failing=True)
        pause_sessions(run.sessions.all())
    return True


def _fails(run_id: str) -> bool:
    return row_about(run_id, _failing_rows) is not None


def _failing_rows(run_id: str) -> QuerySet[RunOutage, int]:
    many = RunOutage.objects.filter(run=run_id, failed__gte=F("run__pause_after"), run__pause_after__gt=0)
    return many.values_list("pk", flat=True)
