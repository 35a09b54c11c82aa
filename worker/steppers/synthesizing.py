"""Making tasks: some to look at, and whole sets that go into the catalogue."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from django.utils.translation import gettext as _

from benchmark.synthesis import BeingMade, Synthesis
from webapp.jobs.services import Claim
from webapp.synthesis import services
from webapp.synthesis.jobs import PREVIEW, SET
from webapp.synthesis.models import TaskSynthesis
from worker.lease_keeper import lease_keeper
from worker.steppers.whole import Cancelled, Whole
from worker.synthesizing import Unwanted, asker, made_of

SHOWN = 3
"""Tasks of a preview, one of each difficulty."""
TELL_S = 1.0
LOOK_S = 1.0
"""A file that another worker still writes, whose lease is over, is asked for again after this."""


def _wanted(claimed: Claim) -> Callable[[], bool]:
    return lambda: not lease_keeper().unwanted(claimed)


class _Progress:
    """Tells how far it is once a second, and at the end."""

    def __init__(self, claimed: Claim) -> None:
        self._claimed = claimed
        self._tell_at = 0.0

    def __call__(self, done: int, total: int | None, label: str) -> None:
        now = time.monotonic()
        if now >= self._tell_at or done == total:
            self._tell_at = now + TELL_S
            services.tell_progress(claimed=self._claimed, done=done, total=total or 0)


def _preview(claimed: Claim) -> None:
    row = TaskSynthesis.objects.select_related("endpoint").get(pk=claimed.subject)
    order, wanted = row.ordered(), _wanted(claimed)
    ask = asker(row.endpoint, order.language, wanted) if row.endpoint else None

    def look(done: int, total: int | None, label: str) -> None:
        if not wanted():
            raise Cancelled(_("The preview was cancelled."))

    sample = _synthesis(row).sample(order, SHOWN, ask=ask, progress=look)
    services.keep_sample(claimed=claimed, sample=sample)


def _make(claimed: Claim) -> None:
    row, wanted = services.begun(claimed=claimed), _wanted(claimed)
    if _lacks_model(row):
        raise ValueError(f"there is no model “{row.order['model']}” any more; make another set")
    try:
        if not row.out.exists():  # it appears whole, so it is not made twice
            _write(row, wanted, _Progress(claimed))
    except Unwanted:
        raise Cancelled(_("The making of tasks was cancelled.")) from None

    def look(done: int) -> None:
        if not wanted():
            raise Cancelled(_("The making of tasks was cancelled."))

    services.deliver(claimed=claimed, row=row, progress=look)


def _lacks_model(row: TaskSynthesis) -> bool:
    """Whether the model that was to write the tasks was deleted."""
    return bool(row.order["model"]) and row.endpoint is None


def _write(row: TaskSynthesis, wanted: Callable[[], bool], tell: _Progress) -> None:
    while True:
        try:
            made_of(_synthesis(row), row.ordered(), row.out, endpoint=row.endpoint, wanted=wanted, tell=tell)
            return
        except BeingMade:
            if not wanted():
                raise Unwanted from None
            threading.Event().wait(LOOK_S)


def _synthesis(row: TaskSynthesis) -> Synthesis:
    found = services.synthesis_of(row.suite)
    if found is None:
        raise ValueError(f"{row.suite} makes no tasks")
    return found


task_preview = Whole(PREVIEW, _preview, services.end_preview)
task_set = Whole(SET, _make, services.end)
