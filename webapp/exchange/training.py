"""Sets of training from a run: which there are, and what its sessions give to them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from typing import IO, Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from benchmark.advantages.gtpo import WHOLE, Normalisation, raw_reward
from benchmark.core.events import MessagePosted
from benchmark.core.view import AGENT
from benchmark.exports.session import SessionExport
from benchmark.exports.talks import read_talk
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
from benchmark.jsonlines import json_line
from benchmark.labelling.files.prompts import talk_request
from benchmark.models import ChatRequest
from benchmark.suites import suite_named
from benchmark.suites.base import Training
from webapp.labelling.files import prompts_of
from webapp.sessions.models import Run, Session
from webapp.sessions.setting import setting_of

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
    """The benchmark has no rewards for training."""

    def __init__(self, title: str) -> None:
        super().__init__(f"{title} has no rewards for training; take another format")


@dataclass(frozen=True)
class TrainingOptions:
    """parts: of GTPO. context: tokens of a request with its answer beyond which a turn is not complete."""

    parts: Normalisation = WHOLE
    context: int | None = None


WHOLE_ROLLOUTS = TrainingOptions()
"""By all of GTPO, of turns of any length."""


def write_training_set(
    run: Run,
    format_: str,
    sessions: Iterable[SessionExport],
    file: IO[bytes],
    told: TrainingCounts,
    options: TrainingOptions = WHOLE_ROLLOUTS,
) -> int:
    """Write a set from the sessions of a run, task by task; how many rows. Raises NoTraining, NoParquet."""
    suite = suite_named(run.suite)
    if suite.training is None:
        raise NoTraining(suite.title)
    training, name = suite.training(), format_.removesuffix(PARQUET)
    candidates = _candidates(sessions, training, run.suite, options.context)
    rows = training_rows(name, candidates, run.suite, told, options.parts)
    is_parquet = format_.endswith(PARQUET)
    write_training(file, name, rows, parquet=is_parquet, talks=training.is_conversation)
    return told.rows


def _candidates(
    sessions: Iterable[SessionExport], training: Training[Any], suite: str, context: int | None
) -> Iterator[Candidate]:
    prompt, request = prompts_of(suite), _talk_requests(suite)
    for session in sessions:
        values = {score.name: score.value for score in session.scores}
        said = [body for event in session.events if isinstance(body := event.body, MessagePosted)]
        words = [body for body in said if body.role == AGENT]
        told = [body for body in words if body.has_plan] or words
        shared: dict[str, Any] = {
            "session": session.id,
            "task": session.task,
            "trial": session.trial,
            "answer": told[-1].content if told else "",
            "passes": bool(values.get(training.gate)),
            "personal": any(seat.get("seat") == AGENT for seat in session.personal),
        }
        reward = values.get(training.reward)
        if not training.is_conversation:
            yield Candidate(prompt=prompt(session.task, session.id), reward=reward, **shared)
            continue
        rewarded = training.turns(session.evidence) if training.turns else None
        asked = request(session)
        tools = json_line([*asked.tools]).decode().strip() if asked else "[]"
        talk = read_talk(session.events, tools, rewarded, context)
        if rewarded is not None:
            complete = list(takewhile(lambda turn: turn.is_complete, talk.turns))
            reward = raw_reward(complete[-1]) if complete else (0.0 if rewarded else None)
        system = [message for message in asked.messages if message["role"] == "system"] if asked else []
        opening = [{"role": each["role"], "content": each["content"]} for each in (*system, *talk.opening)]
        yield Candidate(prompt=opening, reward=reward, talk=talk, **shared)


def _talk_requests(suite_name: str) -> Callable[[SessionExport], ChatRequest | None]:
    """What an agent that calls tools is first asked, by task, made once for each."""
    suite = suite_named(suite_name)
    cast = cache(suite.play.cast)
    known: dict[str, ChatRequest | None] = {}

    def request(session: SessionExport) -> ChatRequest | None:
        if session.task not in known:
            row = Session.objects.select_related("task").get(pk=session.id)
            context = suite.play.seat_context(setting_of(row, session.events[0].body), AGENT)
            known[session.task] = talk_request(suite.play.rules, cast(), context, session.events)
        return known[session.task]

    return request
