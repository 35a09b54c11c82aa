"""How the plans of a benchmark are rewarded one by one, for programs that train models."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple

from benchmark.core.options import Options
from benchmark.core.setting import T


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
class Training(Generic[T]):
    """What models are trained by. T: the class of the benchmark's tasks."""

    prepare: Callable[[T, Options], RewardPlan]
    """Reads a task once, for many plans."""
    reward: str
    """The key of the metric that is the reward of a session."""
    gate: str
    """The key of the flag that the plans of training sets have."""
    advantages: Callable[[Sequence[float]], Sequence[float]]
    """How much better each reward of a group of rollouts is than the others (GRPO)."""
