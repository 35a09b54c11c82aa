"""Sets of training from a run: which there are, and what its sessions give to them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from benchmark.core.events import MessagePosted
from benchmark.core.view import AGENT
from benchmark.exports.session import SessionExport
from benchmark.exports.training import (
    PROMPTS,
    RFT,
    ROLLOUTS,
    SETS,
    SFT,
    Candidate,
    TrainingCounts,
    training_rows,
    write_training,
)
from benchmark.suites import suite_named
from benchmark.suites.base import Training
from webapp.labelling.files import prompts_of
from webapp.sessions.models import Run

PARQUET = "-parquet"
TRAINING_ENDINGS: Mapping[str, str] = {
    **{name: f".{name}.jsonl" for name in SETS},
    **{f"{name}{PARQUET}": f".{name}.parquet" for name in SETS},
}
"""The formats, with the ends of their files' names."""
LABELS: Mapping[str, Promise] = {
    SFT: _("Answers that pass the gates, for SFT"),
    RFT: _("The best answer of each task, for RFT"),
    PROMPTS: _("Prompts, for GRPO"),
    ROLLOUTS: _("All answers with reward and advantage"),
}
"""What menus call them."""


class NoTraining(ValueError):
    """The benchmark has no rewards of single plans."""

    def __init__(self, title: str) -> None:
        super().__init__(f"{title} has no rewards for training; take another format")


def write_training_set(
    run: Run, format_: str, sessions: Iterable[SessionExport], file: IO[bytes], told: TrainingCounts
) -> int:
    """Write a set from the sessions of a run, task by task; how many rows. Raises NoTraining, NoParquet."""
    suite = suite_named(run.suite)
    if suite.training is None:
        raise NoTraining(suite.title)
    training = suite.training()
    candidates = _candidates(sessions, training, run.suite)
    rows = training_rows(format_.removesuffix(PARQUET), candidates, run.suite, training.advantages, told)
    write_training(file, format_.removesuffix(PARQUET), rows, parquet=format_.endswith(PARQUET))
    return told.rows


def _candidates(
    sessions: Iterable[SessionExport], training: Training[Any], suite: str
) -> Iterator[Candidate]:
    prompt = prompts_of(suite)
    for session in sessions:
        values = {score.name: score.value for score in session.scores}
        said = [body for event in session.events if isinstance(body := event.body, MessagePosted)]
        words = [body for body in said if body.role == AGENT]
        told = [body for body in words if body.has_plan] or words
        yield Candidate(
            session=session.id,
            task=session.task,
            trial=session.trial,
            prompt=prompt(session.task, session.id),
            answer=told[-1].content if told else "",
            reward=values.get(training.reward),
            passes=bool(values.get(training.gate)),
            personal=any(seat.get("seat") == AGENT for seat in session.personal),
        )
