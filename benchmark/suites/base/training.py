"""How the plans of a benchmark are rewarded one by one, for programs that train models."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple

from benchmark.advantages.gtpo import RewardedTurn
from benchmark.core.options import Options
from benchmark.core.setting import T, W
from benchmark.repairing.verdict import JudgeReply


class Reward(NamedTuple):
    """What the rules say of a plan.

    delivered, feasible: the gates that it passes. reason: why not both, "" where it does. figures: what the reward is
    made of, as JSON.
    """

    value: float
    delivered: bool
    feasible: bool
    reason: str
    figures: Mapping[str, object]


RewardPlan = Callable[[object, Mapping[str, object]], Reward]
"""The reward of a plan of any shape, None where an answer holds none, with what judges say of it (by name)."""


@dataclass(frozen=True)
class Training(Generic[T, W]):
    """What models are trained by. T: the class of the benchmark's tasks. W: what its scores need of a world."""

    gate: str
    """The key of the flag that the sessions of training sets have."""
    reward: str = ""
    """The key of the metric that is the reward of a session; "" where it is the raw reward of its last turn."""
    prepare: Callable[[T, Options], RewardPlan] | None = None
    """Reads a task once, to reward many plans of it; None where no plan is rewarded by itself."""
    is_conversation: bool = False
    """Whether sets hold whole conversations with their tool calls, not one answer to one prompt."""
    turns: Callable[[Mapping[str, object]], Sequence[RewardedTurn]] | None = None
    """The turns of a conversation by the evidence of its first profile; None where only sessions are rewarded."""
    judge_reply: JudgeReply[T, W] | None = None
    """Says what is wrong with a reply of a log, so that a model can write it again; None where replies stay."""
