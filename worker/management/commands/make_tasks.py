"""`manage.py make_tasks SUITE STEP …`: data of a benchmark, made from requests step by step."""

from __future__ import annotations

from argparse import ArgumentParser
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from benchmark.making import AnswerFile, FileStep, ModelStep, Row, Tools, Unusable, Vectors
from benchmark.models import ModelFailure, ModelSetup
from benchmark.suites import SUITES, suite_named
from sandbox.calls import Call
from sandbox.retrieval import EmbeddingFailed
from webapp.caches.resources import embedder_named
from webapp.commands import BAD_INPUT, INTERRUPT_CODE, DatabaseCommand, add_json, print_result
from webapp.endpoints.choice import usable
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.options import endpoint_named
from webapp.terminal import Report, progress_bar
from worker.foreground import run_in_threads
from worker.model_calls.patient import PatientModel

MOST_THREADS = 16
MOST_TOLD = 10
"""Rows without an answer that are told one by one; the others are counted."""


class Command(DatabaseCommand):
    help = "Make the data of a benchmark. Exit code 0: done, 1: some rows have no answer, 2: bad input."

    def add_arguments(self, parser: CommandParser) -> None:
        suites = parser.add_subparsers(dest="suite", required=True, metavar="SUITE")
        for suite in SUITES:
            if (making_steps := suite_named(suite).making.steps) is None:
                continue
            steps = suites.add_parser(suite).add_subparsers(dest="step", required=True, metavar="STEP")
            for step in making_steps().steps:
                own = steps.add_parser(step.name, help=step.help, description=step.help)
                own.set_defaults(do=step)
                _add_model_arguments(own, step) if isinstance(step, ModelStep) else _add_arguments(own, step)
                add_json(own)

    def handle(self, *args: Any, **options: Any) -> None:
        step = options["do"]
        try:
            with progress_bar() as report:
                if isinstance(step, ModelStep):
                    self._ask(step, options, report)
                else:
                    told = step.work(options, Tools(report, _embed))
                    print_result(self, options, told.result, told.words)
        except KeyboardInterrupt:
            words = "interrupted; the same command goes on where it was"
            raise CommandError(words, returncode=INTERRUPT_CODE) from None
        except (ValueError, EmbeddingFailed) as error:
            raise CommandError(str(error), returncode=BAD_INPUT) from error
        except OSError as error:
            raise CommandError(
                f"{error.filename}: {error.strerror or error}", returncode=BAD_INPUT
            ) from error

    def _ask(self, step: ModelStep, options: Mapping[str, Any], report: Report) -> None:
        asking = Asking(step, step.rows(options["requests"]), _models(step, options), options)
        asking.run(report)
        lacking = len(asking.lacking)
        result = {"answers": len(asking.file.answered_keys), "new": asking.new, "lacking": lacking}
        words = f"{len(asking.file.answered_keys):,} answers in {options['out']}, {asking.new:,} of them new"
        print_result(self, dict(options), result, words)
        if lacking:
            told = [f"{key} by {model}: {why}" for (key, model), why in asking.lacking.items()]
            more = [f"… and {lacking - MOST_TOLD} more"] if lacking > MOST_TOLD else []
            head = f"{lacking} answers are lacking; the same command asks for them again"
            raise CommandError("\n".join([head, *told[:MOST_TOLD], *more]))


def _add_arguments(parser: ArgumentParser, step: FileStep) -> None:
    for name, given in step.arguments:
        parser.add_argument(name, **given)


def _add_model_arguments(parser: ArgumentParser, step: ModelStep) -> None:
    parser.add_argument("requests", type=Path, metavar="REQUESTS.jsonl")
    how_often = "" if step.models == 1 else f"; {step.models} different ones, say it for each"
    parser.add_argument(
        "--model",
        action="append",
        required=True,
        metavar="NAME",
        help=f"Who is asked (endpoint list){how_often}",
    )
    parser.add_argument(
        "--out", type=Path, required=True, metavar="ANSWERS.jsonl", help="Where answers go; it goes on there"
    )
    parser.add_argument("--workers", type=int, default=4, help=f"Threads, 1 to {MOST_THREADS}")


def _embed(embedder: str, texts: Sequence[str]) -> Vectors:
    calls = [Call("query", {"query": text}) for text in texts]
    return embedder_named(embedder).embed(calls)  # type: ignore[arg-type]


def _models(step: ModelStep, options: Mapping[str, Any]) -> dict[str, tuple[ModelEndpoint, ModelSetup]]:
    names = options["model"]
    if len(names) != step.models or len(set(names)) != len(names):
        wanted = "one model" if step.models == 1 else f"{step.models} different models"
        raise CommandError(
            f"--model: {step.name} asks {wanted}; {len(set(names))} given", returncode=BAD_INPUT
        )
    if not 1 <= options["workers"] <= MOST_THREADS:
        raise CommandError(f"--workers must be 1 to {MOST_THREADS}", returncode=BAD_INPUT)
    endpoints = [endpoint_named(name) for name in names]
    return {endpoint.name: (endpoint, usable(endpoint, "model")) for endpoint in endpoints}


@dataclass
class Asking:
    """Models asked about rows, in threads.

    new: answers of this time. lacking: why there is none, by row and model.
    """

    step: ModelStep
    rows: Sequence[Row]
    models: Mapping[str, tuple[ModelEndpoint, ModelSetup]]
    options: Mapping[str, Any]
    new: int = 0
    lacking: dict[tuple[str, str], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        out = self.options["out"]
        if out.exists() and out.samefile(self.options["requests"]):
            raise ValueError(f"{out}: would be written over the file that is read; choose another")
        self.file = AnswerFile.at(out)
        self._open_questions = deque(self.file.open_questions(self.rows, self.models))
        self._whole = len(self.rows) * len(self.models)

    def run(self, report: Report) -> None:
        """Ask for everything that is not there; raises KeyboardInterrupt where it was interrupted."""

        def look() -> None:
            report(
                self._whole - len(self._open_questions), self._whole, f"{len(self.lacking)} without an answer"
            )

        threads = min(self.options["workers"], len(self._open_questions))
        if threads:
            run_in_threads(threads, self._work, look)
        look()

    def _work(self, wanted: Callable[[], bool]) -> None:
        while wanted():
            try:
                row, model = self._open_questions.popleft()
            except IndexError:
                return
            self._one(row, model, wanted)

    def _one(self, row: Row, model: str, wanted: Callable[[], bool]) -> None:
        why = ""
        for _ in range(self.step.tries):
            text = self._answer(row, model, wanted)
            if text is None:
                return
            try:
                self.file.add(row, model, self.step.read(row, text))
            except Unusable as unusable:
                why = str(unusable)
                continue
            self.new += 1
            return
        self.lacking[row.key, model] = f"no answer of {self.step.tries} can be used: {why}"

    def _answer(self, row: Row, model: str, wanted: Callable[[], bool]) -> str | None:
        """One answer; None where there is none."""
        endpoint, setup = self.models[model]
        try:
            patient = PatientModel(setup, endpoint, wanted)
            return patient.ask(self.step.request(row), language=row.language, name=row.key).text
        except ModelFailure as failure:
            if failure.kind != "cancelled":
                self.lacking[row.key, model] = str(failure)
            return None
