"""Making tasks over a world: for a command as for a job, by the built-in sampler or over a model."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import count
from pathlib import Path

from benchmark.core.events import ModelCalled
from benchmark.models import ChatRequest, ModelFailure, Reply
from benchmark.synthesis import WRITER, Ask, Order, OrderResult, Progress, Synthesis
from sandbox.tools.language import Language
from webapp.endpoints.choice import usable
from webapp.endpoints.models import ModelEndpoint
from worker.model_calls.patient import PatientModel


class NotWanted(Exception):
    """The tasks are not wanted any more; what is done of them is kept."""


def make_tasks(
    synthesis: Synthesis,
    order: Order,
    out: Path,
    *,
    endpoint: ModelEndpoint | None = None,
    workers: int | None = None,
    wanted: Callable[[], bool],
    tell: Progress,
    told: Callable[[ModelCalled], None] = lambda call: None,
) -> OrderResult:
    """Make the tasks of an order into a file; made again, it goes on where it was.

    workers: processes, or requests to the model at once; None for as many as there are processors or places. wanted:
    asked between two tasks, and while a model answers. tell: how far it is. told: of each request to the model.

    Raises:
        Unwanted: they are not wanted any more.
        ChoiceRefused: the endpoint can't be used.
        BadOrder, OSError, WorldError, ModelFailure: as `Produce` has it.
    """

    def progress(done: int, total: int | None, label: str) -> None:
        if not wanted():
            raise NotWanted
        tell(done, total, label)

    usual = endpoint.concurrency if endpoint else processors()
    ask = model_asker(endpoint, order.language, wanted, told) if endpoint else None
    try:
        return synthesis.produce(order, out, ask=ask, workers=workers or usual, progress=progress)
    except ModelFailure as failure:
        if failure.kind == "cancelled":
            raise NotWanted from failure
        raise


def model_asker(
    endpoint: ModelEndpoint,
    language: str,
    wanted: Callable[[], bool],
    told: Callable[[ModelCalled], None] = lambda call: None,
) -> Ask:
    """What asks this model, and tells of each request. Raises ChoiceRefused where it can't be used."""
    patient = PatientModel(usable(endpoint, "model"), endpoint, wanted, WRITER, told)
    spoken: Language = "en" if language == "en" else "zh"
    numbers = count(1)

    def ask(request: ChatRequest) -> Reply:
        return patient.ask(request, language=spoken, name=str(next(numbers)))

    return ask


def processors() -> int:
    """Those that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
