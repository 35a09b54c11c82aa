"""Repairing the failing replies of a run, several sessions at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, as_completed

from django.db import connection
from django.utils.translation import gettext as _

from benchmark.core.events import ModelCalled
from benchmark.models import ChatRequest, ModelFailure, Reply
from sandbox.tools.language import Language
from webapp.endpoints.choice import usable
from webapp.endpoints.models import ModelEndpoint
from webapp.jobs.services import Claim
from webapp.repairs import services
from webapp.repairs.jobs import REPAIR
from webapp.repairs.reading import system_messages
from webapp.repairs.services import REPAIRER
from webapp.repairs.work import AskModel, Work
from worker.lease_keeper import lease_keeper
from worker.model_calls.patient import PatientModel
from worker.steppers.whole_job import JobCancelled, WholeJob

MOST_THREADS = 16


def _repair(claimed: Claim) -> None:
    repair = services.begin_repair(claimed=claimed)
    assert repair.endpoint is not None
    failing = threading.Event()

    def is_wanted() -> bool:
        return not failing.is_set() and not lease_keeper().is_unwanted(claimed)

    work = Work(claimed, system_messages(repair.run.suite), _asker(repair.endpoint, is_wanted))

    def repair_one(pk: int) -> None:
        try:
            if is_wanted():
                work.repair(pk)
        except BaseException:
            failing.set()
            raise
        finally:
            connection.close()

    services.tell_progress(claimed=claimed, repair=repair)
    rows = list(repair.sessions.filter(outcome="").values_list("pk", flat=True))
    pool = ThreadPoolExecutor(max(1, min(MOST_THREADS, repair.endpoint.concurrency)))
    try:
        waiting = [pool.submit(repair_one, pk) for pk in rows]
        for each in as_completed(waiting):
            _raise_of(each, claimed)
            services.tell_progress(claimed=claimed, repair=repair)
    finally:
        failing.set()
        pool.shutdown(cancel_futures=True)
    if lease_keeper().is_unwanted(claimed):
        raise JobCancelled(_("The repair was stopped."))
    services.finish_repair(claimed=claimed)


def _raise_of(done: Future[None], claimed: Claim) -> None:
    """What a thread failed at; that it is not wanted any more is no failure."""
    try:
        done.result()
    except ModelFailure as failure:
        if failure.kind == "cancelled" and lease_keeper().is_unwanted(claimed):
            raise JobCancelled(_("The repair was stopped.")) from failure
        if failure.kind != "cancelled":  # else another thread's failure, which comes by itself, has ended it
            raise


def _asker(endpoint: ModelEndpoint, is_wanted: Callable[[], bool]) -> AskModel:
    setup = usable(endpoint, "model")

    def ask(
        request: ChatRequest, language: Language, name: str, told: Callable[[ModelCalled], None]
    ) -> Reply:
        return PatientModel(setup, endpoint, is_wanted, REPAIRER, told).ask(
            request, language=language, name=name
        )

    return ask


repair_job = WholeJob(REPAIR, _repair, services.end_repair, (ModelFailure,))
