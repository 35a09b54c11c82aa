"""The policy's seat: an agent with native tool calls, rewarded turn by turn as GTPO's raw reward (section 4.2)."""

from __future__ import annotations

from typing import Final

from benchmark.advantages.gtpo import raw_reward
from benchmark.core.engine import Conversation
from benchmark.core.setting import Setting
from benchmark.suites.base import PolicySeat, TurnReward
from benchmark.suites.tripbench.conversation.state import SessionState
from benchmark.suites.tripbench.rollouts import turn_of
from benchmark.suites.tripbench.scoring.turns import TurnJudge
from benchmark.suites.tripbench.tasks.task import Task
from sandbox.toolsets.tripbench.records import TripWorld


def reward_turn(
    conversation: Conversation[SessionState], setting: Setting[Task, TripWorld], since: int
) -> TurnReward:
    """The share of the constraints of soundness and of the user that a feasible reply meets, else 0."""
    turns = conversation.state.turns
    if not turns or turns[-1].seq <= since:
        return TurnReward()
    verdict = setting.once(TurnJudge).verdict(turns[-1])
    if verdict is None:
        return TurnReward()
    turn = turn_of(verdict)
    return TurnReward(raw_reward(turn), verdict.as_json(), turn)


POLICY_SEAT: Final[PolicySeat[Task, TripWorld]] = PolicySeat(agent="llm", reward=reward_turn)
