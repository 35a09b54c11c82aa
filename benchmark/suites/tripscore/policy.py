"""The policy's seat: an agent that answers once, rewarded as its plan is."""

from __future__ import annotations

from typing import Final

from benchmark.core.engine import Conversation
from benchmark.core.setting import Setting
from benchmark.suites.base import PolicySeat, TurnReward
from benchmark.suites.tripscore.conversation import SessionState
from benchmark.suites.tripscore.tasks import Task
from benchmark.suites.tripscore.training import prepare_task


def reward_plan(
    conversation: Conversation[SessionState], setting: Setting[Task, None], since: int
) -> TurnReward:
    """The reward by rules at the end, that of no plan where there is none."""
    if conversation.state.final_event is None:
        return TurnReward()
    told = prepare_task(setting.task, setting.options)(conversation.state.plan, {})
    figures = {**told.figures, "delivered": told.delivered, "feasible": told.feasible, "reason": told.reason}
    return TurnReward(told.value, figures)


POLICY_SEAT: Final[PolicySeat[Task, None]] = PolicySeat(agent="direct", reward=reward_plan)
