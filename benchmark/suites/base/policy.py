"""How a policy, a model that is trained, takes the seat of a benchmark's agent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, NamedTuple

from benchmark.advantages.gtpo import RolloutTurn
from benchmark.core.engine import AnyConversation
from benchmark.core.setting import Setting, T, W


class TurnReward(NamedTuple):
    """The reward of a turn. figures: what it is made of, as JSON. turn: as GTPO takes it, None where it does not."""

    value: float = 0.0
    figures: Mapping[str, object] = {}
    turn: RolloutTurn | None = None


RewardTurn = Callable[[AnyConversation, Setting[T, W], int], TurnReward]
"""The reward of what the agent has done after event `since`; it is asked after each message and at the end."""


@dataclass(frozen=True)
class PolicySeat(Generic[T, W]):
    """Who a policy is in a benchmark's sessions. T: the class of its tasks. W: what its scores need of a world."""

    agent: str
    """The kind of the agent whose model the policy is."""
    reward: RewardTurn[T, W]
    """How its turns are rewarded."""
    users: str = "scripted"
    """The kind of those who talk with it; it needs no model."""
