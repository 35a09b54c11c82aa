"""Sets of training from the sessions of a run, as rows that TRL and verl read.

TRL: https://huggingface.co/docs/trl/dataset_formats, conversational; of GRPO the prompt alone.
verl: https://verl.readthedocs.io/en/latest/preparation/prepare_data.html, `data_source`, `prompt`, `ability`,
`reward_model`, `extra_info`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from typing import IO, Any, Final

from benchmark.exports.rows import write_table
from benchmark.jsonlines import json_line

SFT, RFT, PROMPTS, ROLLOUTS = "sft", "rft", "grpo", "rollouts"
SETS: Final = (SFT, RFT, PROMPTS, ROLLOUTS)
"""Answers that pass the gates; of each task the best of them; prompts; all answers with reward and advantage."""
NO_ANSWER, PERSON, NO_REWARD, GATE, NOT_BEST = "no_answer", "person", "no_reward", "gate", "not_best"
"""Why a session is not in a set."""
Message = Mapping[str, str]
Row = dict[str, Any]
_DATA_KEYS: Final = ("prompt", "completion")


@dataclass(frozen=True)
class Candidate:
    """What a session gave. prompt: what asks an agent for the whole answer at once, as chat messages.

    answer: the agent's words, "" for none. reward: by rules, None where there is none. passes: whether it passes the
    gates. personal: whether a person wrote it.
    """

    session: str
    task: str
    trial: int
    prompt: Sequence[Message]
    answer: str
    reward: float | None
    passes: bool
    personal: bool = False

    @property
    def drop_reason(self) -> str:
        """Why nobody should learn from it; "" where they may."""
        if not self.answer.strip():
            return NO_ANSWER
        if self.personal:
            return PERSON
        if self.reward is None:
            return NO_REWARD
        return "" if self.passes else GATE


Advantages = Callable[[Sequence[float]], Sequence[float]]
"""How much better each reward of a group is than the others."""


@dataclass
class TrainingCounts:
    """What was written. drops: sessions that are not in the set, by reason; none of prompts, which are of tasks."""

    rows: int = 0
    drops: Counter[str] = field(default_factory=Counter)


def training_rows(
    name: str, candidates: Iterable[Candidate], suite: str, advantages: Advantages, told: TrainingCounts
) -> Iterator[Row]:
    """The rows of a set. candidates: task by task. suite: the name of their benchmark."""
    for index, (_task, group) in enumerate(groupby(candidates, key=lambda one: one.task)):
        some = list(group)
        best = best_of(some)
        if name == PROMPTS:
            rows = [_prompt_row(some[0], suite, index)]
        elif name == ROLLOUTS:
            rows = _rollout_rows(some, best, advantages)
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
    completion = [{"role": "assistant", "content": one.answer}]
    named = {"task": one.task, "session": one.session, "trial": one.trial, "reward": one.reward}
    return {"prompt": list(one.prompt), "completion": completion, **named}


def _prompt_row(one: Candidate, suite: str, index: int) -> Row:
    return {
        "prompt": list(one.prompt),
        "data_source": suite,
        "ability": "planning",
        "reward_model": {"style": "rule", "ground_truth": one.task},
        "extra_info": {"split": "train", "index": index, "task": one.task},
        "task": one.task,
    }


def _rollout_rows(group: Sequence[Candidate], best: Candidate | None, advantages: Advantages) -> list[Row]:
    """The group of an advantage is all sessions of a task that have a reward."""
    rewarded = [one for one in group if one.reward is not None]
    values = dict(
        zip(
            (one.session for one in rewarded),
            advantages([one.reward or 0.0 for one in rewarded]),
            strict=True,
        )
    )
    return [
        {
            **_answer_row(one),
            "advantage": values.get(one.session),
            "sft_dropped": one.drop_reason,
            "rft_dropped": one.drop_reason or ("" if one is best else NOT_BEST),
        }
        for one in group
    ]


def write_training(file: IO[bytes], name: str, rows: Iterable[Row], *, parquet: bool) -> None:
    """As lines of JSON, or as Parquet. Raises NoParquet."""
    if parquet:
        write_table(file, rows, partial(_schema, name))
    else:
        file.writelines(map(json_line, rows))


def _schema(name: str, pa: Any) -> Any:
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
    fields = [(key, messages) for key in _DATA_KEYS]
    fields += [("task", text), ("session", text), ("trial", pa.int64()), ("reward", pa.float64())]
    if name == ROLLOUTS:
        fields += [("advantage", pa.float64()), ("sft_dropped", text), ("rft_dropped", text)]
    return pa.schema(fields)
