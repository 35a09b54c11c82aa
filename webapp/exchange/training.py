"""Sets of training from a run: which there are, and what its sessions give to them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import IO, Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from benchmark.advantages.gtpo import WHOLE, Normalisation, raw_reward
from benchmark.core.events import Event, MessagePosted
from benchmark.core.model_use import ModelUse, total
from benchmark.core.view import AGENT
from benchmark.exports.session import SessionExport
from benchmark.exports.talks import Talk, read_talk
from benchmark.exports.tokens import OTHERS, Authorship, MessageTokens, read_written, tokens_of
from benchmark.exports.training import (
    PROMPTS,
    RFT,
    ROLLOUTS,
    SETS,
    SFT,
    Candidate,
    CandidateRepair,
    TrainingCounts,
    training_rows,
    write_training,
)
from benchmark.jsonlines import json_line
from benchmark.repairing import rewrite_replies
from benchmark.repairing.loop import taught_turns
from benchmark.suites import suite_named
from benchmark.suites.base import Training
from webapp.labelling.files import prompts_of, talk_requests
from webapp.repairs.models import Repair
from webapp.repairs.selectors import turns_written_anew
from webapp.repairs.services import is_outdated
from webapp.sessions.models import ENDED_STATUSES, Run

PARQUET = "-parquet"
TRAINING_ENDINGS: Mapping[str, str] = {
    **{name: f".{name}.jsonl" for name in SETS},
    **{f"{name}{PARQUET}": f".{name}.parquet" for name in SETS},
}
"""The formats, with the ends of their files' names."""
OUTDATED, NOT_REPAIRED = "outdated", "not_repaired"
"""Why a session of a repair is in no set, beside the repair's own reasons: other rules than today's have judged it,
or it has not come to its end."""
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


class NotOfRepairs(ValueError):
    """A repair gives no such set."""

    def __init__(self, repair: Repair) -> None:
        super().__init__(f"repair {repair.pk} is of run {repair.run_id}, and gives the format {SFT} alone")


@dataclass(frozen=True)
class TrainingOptions:
    """parts: of GTPO. context: tokens of a request with its answer beyond which a turn is not complete. repair: by
    which replies are written anew, for SFT alone; None for sessions as they were.
    """

    parts: Normalisation = WHOLE
    context: int | None = None
    repair: Repair | None = None


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
    """Write a set from the sessions of a run, task by task; how many rows.

    Raises NoTraining, NotOfRepairs, NoParquet.
    """
    suite = suite_named(run.suite)
    if suite.training is None:
        raise NoTraining(suite.title)
    training, name = suite.training(), format_.removesuffix(PARQUET)
    if options.repair is not None and (name != SFT or options.repair.run_id != run.pk):
        raise NotOfRepairs(options.repair)
    has_tokens = name == ROLLOUTS and logprobs_of(run).answers > 0
    candidates = _candidates(sessions, training, run.suite, options, has_tokens=has_tokens)
    rows = training_rows(name, candidates, run.suite, told, options.parts)
    write_training(
        file,
        name,
        rows,
        parquet=format_.endswith(PARQUET),
        talks=training.is_conversation,
        repairs=options.repair is not None,
        tokens=has_tokens,
    )
    return told.rows


@dataclass(frozen=True)
class Logprobs:
    """answers: of the agent, in sessions that have ended, which have the log-probabilities of their tokens; of: all
    its answers.
    """

    answers: int
    of: int


def logprobs_of(run: Run) -> Logprobs:
    """What is kept of the tokens of a run."""
    ended = run.sessions.filter(status__in=ENDED_STATUSES)
    stored = [use for uses in ended.values_list("model_use", flat=True) for use in uses]
    whole = total(ModelUse.of(use) for use in stored if use["role"] == "agent")
    return Logprobs(whole.with_logprobs, whole.answered)


def _candidates(
    sessions: Iterable[SessionExport],
    training: Training[Any, Any],
    suite: str,
    options: TrainingOptions,
    *,
    has_tokens: bool,
) -> Iterator[Candidate]:
    prompt, request = prompts_of(suite), talk_requests(suite)
    for session in sessions:
        repair, events = _repair_of(session, suite, options.repair)
        values = {score.name: score.value for score in session.scores}
        said = [(event.seq, body) for event in events if isinstance(body := event.body, MessagePosted)]
        words = [(seq, body) for seq, body in said if body.role == AGENT]
        told = [(seq, body) for seq, body in words if body.has_plan] or words
        shared: dict[str, Any] = {
            "session": session.id,
            "task": session.task,
            "trial": session.trial,
            "answer": told[-1][1].content if told else "",
            "passes": bool(values.get(training.gate)) or options.repair is not None,
            "personal": any(seat.get("seat") == AGENT for seat in session.personal),
            "repair": repair.candidate if repair else None,
        }
        reward = repair.reward if repair else values.get(training.reward)
        written = read_written(session.events, session.exchanges) if has_tokens else None
        if not training.is_conversation:
            seq, answer = told[-1][0] if told else 0, {"content": shared["answer"]}
            tokens = None if written is None else [tokens_of(answer, written.get(seq, Authorship()))]
            asking = prompt(session.task, session.id)
            yield Candidate(prompt=asking, reward=reward, tokens=tokens, **shared)
            continue
        rewarded = training.turns(session.evidence) if training.turns and not repair else None
        asked = request(session.task, session.id, session.events)
        tools = json_line([*asked.tools]).decode().strip() if asked else "[]"
        talk = read_talk(events, tools, rewarded, options.context)
        if rewarded is not None:
            complete = list(takewhile(lambda turn: turn.is_complete, talk.turns))
            reward = raw_reward(complete[-1]) if complete else (0.0 if rewarded else None)
        system = [message for message in asked.messages if message["role"] == "system"] if asked else []
        opening = [{"role": each["role"], "content": each["content"]} for each in (*system, *talk.opening)]
        tokens = None if written is None else _tokens_in(talk, written)
        yield Candidate(prompt=opening, reward=reward, talk=talk, tokens=tokens, **shared)


def _tokens_in(talk: Talk, written: Mapping[int, Authorship]) -> list[MessageTokens]:
    return [
        tokens_of(said.message, written.get(said.seq, Authorship())) if said.is_agents else OTHERS
        for said in talk.messages
    ]


class _RepairedSession(NamedTuple):
    """What a repair made of a session. reward: of its last reply."""

    candidate: CandidateRepair
    reward: float | None


def _repair_of(
    session: SessionExport, suite: str, repair: Repair | None
) -> tuple[_RepairedSession | None, Sequence[Event]]:
    """What a repair made of a session, and its log with what was written again; as it was without one."""
    if repair is None:
        return None, session.events
    row = repair.sessions.filter(session=session.id).first()
    reason = (
        OUTDATED if is_outdated(repair) else NOT_REPAIRED if row is None or not row.outcome else row.reason
    )
    if row is None or reason:
        return _RepairedSession(CandidateRepair(repair.pk, reason), None), session.events
    events = rewrite_replies(suite_named(suite).play.rules, session.events, row.new_words)
    candidate = CandidateRepair(repair.pk, "", taught_turns(row.turns), turns_written_anew(repair, row))
    return _RepairedSession(candidate, row.reward), events
