"""Sets of training from the sessions of a run, as rows that TRL and verl read: answers, or whole conversations.

TRL: https://huggingface.co/docs/trl/dataset_formats, conversational; of GRPO the prompt alone.
verl: https://verl.readthedocs.io/en/latest/preparation/prepare_data.html, `data_source`, `prompt`, `ability`,
`reward_model`, `extra_info`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby, zip_longest
from typing import IO, Any, Final

from benchmark.advantages import grpo
from benchmark.advantages.gtpo import WHOLE, Normalisation, last_turn_advantages, turn_advantages
from benchmark.exports.rows import write_table
from benchmark.exports.talks import Talk, message_row
from benchmark.exports.tokens import MessageTokens, token_columns
from benchmark.jsonlines import json_line

SFT, RFT, PROMPTS, ROLLOUTS = "sft", "rft", "grpo", "rollouts"
SETS: Final = (SFT, RFT, PROMPTS, ROLLOUTS)
"""Answers that pass the gates; of each task the best of them; prompts; all answers with reward and advantage."""
NO_ANSWER, PERSON, NO_REWARD, GATE, NOT_BEST = "no_answer", "person", "no_reward", "gate", "not_best"
"""Why a session is not in a set; a repair has reasons of its own."""
Message = Mapping[str, Any]
Row = dict[str, Any]
TURN_FIGURES: Final = ("raw", "gin", "trd", "gtpo", "grpo")
"""Of a turn: its share of constraints met, that by GIN, by GIN and TRD, and its advantages by GTPO and by GRPO."""


@dataclass(frozen=True)
class CandidateRepair:
    """What a model wrote again in a session. reason: why nobody should learn from it all the same, "" where they may.

    taught_turns: those that may be learned from. rows: of each reply that is written anew `turn`, `rounds`, `model`,
    `prompt_tokens`, `completion_tokens`, `cost` and `currency`.
    """

    id: str
    reason: str = ""
    taught_turns: frozenset[int] = frozenset()
    rows: Sequence[Row] = ()


@dataclass(frozen=True)
class Candidate:
    """What a session gave. prompt: what asks an agent for the whole answer at once, as chat messages.

    answer: the agent's words, "" for none. reward: by rules, None where there is none. passes: whether it passes the
    gates. personal: whether a person wrote it. talk: the whole conversation, where the benchmark trains by those.
    repair: None where the session is as it was.
    tokens: of each message of the completion, where the run has any; None where it has none.
    """

    session: str
    task: str
    trial: int
    prompt: Sequence[Message]
    answer: str
    reward: float | None
    passes: bool
    personal: bool = False
    talk: Talk | None = None
    repair: CandidateRepair | None = None
    tokens: Sequence[MessageTokens] | None = None

    @property
    def drop_reason(self) -> str:
        """Why nobody should learn from it; "" where they may."""
        if self.repair and self.repair.reason:
            return self.repair.reason
        if not self.answer.strip():
            return NO_ANSWER
        if self.personal:
            return PERSON
        if self.reward is None:
            return NO_REWARD
        return "" if self.passes else GATE


@dataclass
class TrainingCounts:
    """What was written. drops: sessions that are not in the set, by reason; none of prompts, which are of tasks.

    offsets: messages of agents in rollouts with tokens, by how those are placed (`tokens`, `message`).
    """

    rows: int = 0
    drops: Counter[str] = field(default_factory=Counter)
    offsets: Counter[str] = field(default_factory=Counter)


def training_rows(
    name: str,
    candidates: Iterable[Candidate],
    suite: str,
    told: TrainingCounts,
    parts: Normalisation = WHOLE,
) -> Iterator[Row]:
    """The rows of a set. candidates: task by task. suite: the name of their benchmark. parts: of GTPO."""
    for index, (_task, group) in enumerate(groupby(candidates, key=lambda one: one.task)):
        some = list(group)
        best = best_of(some)
        if name == PROMPTS:
            rows = [_prompt_row(some[0], suite, index)]
        elif name == ROLLOUTS:
            rows = _rollout_rows(some, best, parts)
            told.offsets.update(way for row in rows for way in row.get("message_offsets", ()) if way)
        else:
            kept = [one for one in some if not one.drop_reason and (name == SFT or one is best)]
            told.drops.update(one.drop_reason or NOT_BEST for one in some if one not in kept)
            rows = [_answer_row(one) for one in kept]
        told.rows += len(rows)
        yield from rows


def best_of(group: Sequence[Candidate]) -> Candidate | None:
    """The one with the highest reward that passes the gates, the first of equals; None where none passes."""
    return max((one for one in group if not one.drop_reason), key=lambda one: one.reward or 0.0, default=None)


def _answer_row(one: Candidate) -> Row:
    named: Row = {"task": one.task, "session": one.session, "trial": one.trial, "reward": one.reward}
    if one.repair:
        named |= {"repair": one.repair.id, "repairs": list(one.repair.rows)}
    if one.talk is None:
        return {
            "prompt": list(one.prompt),
            "completion": [{"role": "assistant", "content": one.answer}],
            **named,
        }
    said = one.talk.messages
    return {
        "prompt": list(one.prompt),
        "completion": [message_row(each.message) for each in said],
        "tools": one.talk.tools,
        "message_turn": [each.turn for each in said],
        "message_mask": [int(each.is_agents and _is_taught(one, each.turn)) for each in said],
        **named,
    }


def _is_taught(one: Candidate, turn: int) -> bool:
    return one.repair is None or turn in one.repair.taught_turns


def _prompt_row(one: Candidate, suite: str, index: int) -> Row:
    return {
        "prompt": list(one.prompt),
        "data_source": suite,
        "ability": "planning",
        "reward_model": {"style": "rule", "ground_truth": one.task},
        "extra_info": {"split": "train", "index": index, "task": one.task},
        "task": one.task,
    }


def _rollout_rows(group: Sequence[Candidate], best: Candidate | None, parts: Normalisation) -> list[Row]:
    """The group of an advantage is all sessions of a task that have a reward."""
    rewarded = [one for one in group if one.reward is not None]
    values = grpo.advantages([one.reward or 0.0 for one in rewarded])
    known = {one.session: value for one, value in zip(rewarded, values, strict=True)}
    turns = _turn_rows([one for one in rewarded if one.talk], parts, known)
    return [
        {
            **_answer_row(one),
            **_turn_columns(one, turns.get(one.session, [])),
            **_token_columns(one, turns.get(one.session, []), known.get(one.session)),
            "advantage": known.get(one.session),
            "sft_dropped": one.drop_reason,
            "rft_dropped": one.drop_reason or ("" if one is best else NOT_BEST),
        }
        for one in group
    ]


def _turn_columns(one: Candidate, turns: list[Row]) -> Row:
    """The turns of a conversation; in the mask of messages those of masked turns, and of unrewarded ones, are 0."""
    if one.talk is None:
        return {}
    counts = {turn["turn"] for turn in turns if turn["mask"]}
    mask = [int(each.is_agents and each.turn in counts) for each in one.talk.messages]
    return {"message_mask": mask, "turns": turns}


def _token_columns(one: Candidate, turns: list[Row], advantage: float | None) -> Row:
    """The tokens of all messages, with the mask and the advantage of their turn: by GTPO where turns are rewarded."""
    if one.tokens is None:
        return {}
    if one.talk is None:
        return token_columns(one.tokens, [int(advantage is not None)], [advantage])
    by_turn = {turn["turn"]: turn for turn in turns}
    own = [by_turn.get(each.turn) if each.is_agents else None for each in one.talk.messages]
    mask = [turn["mask"] if turn else 0 for turn in own]
    values = [(turn["gtpo"] if one.talk.turns else turn["grpo"]) if turn else None for turn in own]
    return token_columns(one.tokens, mask, values)


def _turn_rows(
    group: Sequence[Candidate], parts: Normalisation, advantages: Mapping[str, float]
) -> dict[str, list[Row]]:
    """By session what each turn is worth.

    A benchmark that rewards only sessions has neither raw rewards nor GTPO: its turns have the session's advantage.
    """
    talks = [one.talk for one in group if one.talk]
    rollouts = [[*talk.turns] for talk in talks]
    gtpo, last = turn_advantages(rollouts, parts), last_turn_advantages(rollouts, parts.eps)
    rows: dict[str, list[Row]] = {}
    for at, (one, talk) in enumerate(zip(group, talks, strict=True)):
        own = zip_longest(gtpo["raw"][at], gtpo["r"][at], gtpo["d"][at], gtpo["advantages"][at], last[at])
        figures = [*own] or [(None, None, None, None, advantages[one.session])] * talk.length
        rows[one.session] = [
            {"turn": number, "mask": int(None not in (told[3:] if talk.turns else told[4:]))}
            | dict(zip(TURN_FIGURES, told, strict=True))
            for number, told in enumerate(figures, 1)
        ]
    return rows


def write_training(
    file: IO[bytes],
    name: str,
    rows: Iterable[Row],
    *,
    parquet: bool,
    talks: bool = False,
    repairs: bool = False,
    tokens: bool = False,
) -> None:
    """As lines of JSON, or as Parquet. talks: whether they hold whole conversations; repairs: and what was written
    again in them; tokens: whether rollouts hold tokens. Raises NoParquet.
    """
    if parquet:
        write_table(file, rows, partial(_schema, name, talks, repairs, tokens))
    else:
        file.writelines(map(json_line, rows))


def _schema(name: str, talks: bool, repairs: bool, tokens: bool, pa: Any) -> Any:
    text, messages = pa.string(), pa.list_(pa.struct([("role", pa.string()), ("content", pa.string())]))
    if name == PROMPTS:
        return pa.schema(
            [
                ("prompt", messages),
                ("data_source", text),
                ("ability", text),
                ("reward_model", pa.struct([("style", text), ("ground_truth", text)])),
                ("extra_info", pa.struct([("split", text), ("index", pa.int64()), ("task", text)])),
                ("task", text),
            ]
        )
    fields = [("prompt", messages), ("completion", messages)]
    if talks:
        function = pa.struct([("name", text), ("arguments", text)])
        call = pa.struct([("id", text), ("type", text), ("function", function)])
        said = [("role", text), ("content", text), ("tool_calls", pa.list_(call)), ("tool_call_id", text)]
        numbers = pa.list_(pa.int64())
        fields = [("prompt", messages), ("completion", pa.list_(pa.struct(said))), ("tools", text)]
        fields += [("message_turn", numbers), ("message_mask", numbers)]
    fields += [("task", text), ("session", text), ("trial", pa.int64()), ("reward", pa.float64())]
    if repairs:
        whole, figure = pa.int64(), pa.float64()
        own = [("turn", whole), ("rounds", whole), ("model", text), ("prompt_tokens", whole)]
        own += [("completion_tokens", whole), ("cost", figure), ("currency", text)]
        fields += [("repair", text), ("repairs", pa.list_(pa.struct(own)))]
    if name == ROLLOUTS and talks:
        turn = [("turn", pa.int64()), ("mask", pa.int64()), *((key, pa.float64()) for key in TURN_FIGURES)]
        fields += [("turns", pa.list_(pa.struct(turn)))]
    if name == ROLLOUTS and tokens:
        texts, wholes, figures = (pa.list_(kind) for kind in (text, pa.int64(), pa.float64()))
        fields += [("message_offsets", texts), ("message_tokens", wholes), ("token_message", wholes)]
        fields += [("token_text", texts), ("token_bytes", texts)]
        fields += [("token_start", wholes), ("token_end", wholes)]
        fields += [("token_logprob", figures), ("token_mask", wholes), ("token_advantage", figures)]
    if name == ROLLOUTS:
        fields += [("advantage", pa.float64()), ("sft_dropped", text), ("rft_dropped", text)]
    return pa.schema(fields)
