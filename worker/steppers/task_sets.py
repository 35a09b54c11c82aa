"""Making tasks: some to look at, and whole sets that go into the catalogue."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from django.utils.translation import gettext as _

from benchmark.core.events import ModelCalled
from benchmark.core.model_use import ModelUse
from benchmark.synthesis import BadOrder, BeingMade, Synthesis
from webapp.jobs.services import Claim
from webapp.storage import STORAGE_ERRORS
from webapp.synthesis import services
from webapp.synthesis.jobs import PREVIEW, SET
from webapp.synthesis.models import TaskSynthesis
from worker.lease_keeper import lease_keeper
from worker.steppers.whole_job import JobCancelled, WholeJob
from worker.task_making import NotWanted, make_tasks, model_asker

PREVIEW_SIZE = 3
"""Tasks of a preview, one of each difficulty."""
TELL_S = 1.0
LOOK_S = 1.0
"""A file that another worker still writes, whose lease is over, is asked for again after this."""


def _check_wanted(claimed: Claim) -> Callable[[], bool]:
    return lambda: not lease_keeper().is_unwanted(claimed)


class _Progress:
    """Tells how far it is once a second, and at the end."""

    def __init__(self, claimed: Claim) -> None:
        self._claim = claimed
        self._tell_at = 0.0

    def __call__(self, done: int, total: int | None, label: str) -> None:
        now = time.monotonic()
        if now >= self._tell_at or done == total:
            self._tell_at = now + TELL_S
            services.tell_progress(claimed=self._claim, done=done, total=total or 0)


class _Counting:
    """Counts what a set asks of its model, from any thread; stored once a second, and at the end."""

    def __init__(self, row: TaskSynthesis) -> None:
        self._row, self._lock = row, threading.Lock()
        self._use, self._store_at = ModelUse(), 0.0

    def __call__(self, call: ModelCalled) -> None:
        with self._lock:
            self._use.add_call(call)
            if time.monotonic() >= self._store_at:
                with suppress(*STORAGE_ERRORS):  # it is stored with the next one
                    self.store()

    def store(self) -> None:
        """Add what was asked since the last time to what the set has asked."""
        self._store_at = time.monotonic() + TELL_S
        if self._use.calls:
            services.count_use(row=self._row, use=self._use)
            self._use = ModelUse()


@contextmanager
def _store_progress(row: TaskSynthesis) -> Iterator[_Counting]:
    counting = _Counting(row)
    try:
        yield counting
    finally:
        counting.store()


def _preview(claimed: Claim) -> None:
    row = TaskSynthesis.objects.select_related("endpoint").get(pk=claimed.subject)
    order, wanted = row.make_order(), _check_wanted(claimed)

    def look(done: int, total: int | None, label: str) -> None:
        if not wanted():
            raise JobCancelled(_("The preview was cancelled."))

    with _store_progress(row) as told:
        ask = model_asker(row.endpoint, order.language, wanted, told) if row.endpoint else None
        sample = _synthesis(row).sample(order, PREVIEW_SIZE, ask=ask, progress=look)
    services.keep_sample(claimed=claimed, sample=sample)


def _make(claimed: Claim) -> None:
    row, wanted = services.begun_set(claimed=claimed), _check_wanted(claimed)
    if _lacks_model(row):
        raise ValueError(f"there is no model “{row.order['model']}” any more; make another set")
    try:
        if not row.output_file.exists():  # it appears whole, so it is not made twice
            with _store_progress(row) as told:
                _write(row, wanted, _Progress(claimed), told)
    except NotWanted:
        raise JobCancelled(_("The making of tasks was cancelled.")) from None

    def look(done: int) -> None:
        if not wanted():
            raise JobCancelled(_("The making of tasks was cancelled."))

    services.deliver(claimed=claimed, row=row, progress=look)


def _lacks_model(row: TaskSynthesis) -> bool:
    """Whether the model that was to write the tasks was deleted."""
    return bool(row.order["model"]) and row.endpoint is None


def _write(
    row: TaskSynthesis, wanted: Callable[[], bool], tell: _Progress, told: Callable[[ModelCalled], None]
) -> None:
    given: dict[str, Any] = {"endpoint": row.endpoint, "wanted": wanted, "tell": tell, "told": told}
    while True:
        try:
            make_tasks(_synthesis(row), row.make_order(), row.output_file, **given)
            return
        except BeingMade:
            if not wanted():
                raise NotWanted from None
            threading.Event().wait(LOOK_S)


def _synthesis(row: TaskSynthesis) -> Synthesis:
    synthesis = services.synthesis_of(row.suite)
    if synthesis is None:
        raise ValueError(f"{row.suite} makes no tasks")
    return synthesis


task_preview = WholeJob(PREVIEW, _preview, services.end_preview, (BadOrder,))
task_set = WholeJob(SET, _make, services.end, (BadOrder,))
