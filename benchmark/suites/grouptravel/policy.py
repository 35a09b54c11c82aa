"""The policy's seat: an agent with native tool calls, rewarded at the end by what the group makes of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from benchmark.core.engine import Conversation
from benchmark.core.setting import Setting
from benchmark.suites.base import PolicySeat, TurnReward
from benchmark.suites.grouptravel.scoring.catalogue import Catalogue
from benchmark.suites.grouptravel.scoring.sessions import score_session
from benchmark.suites.grouptravel.tasks import Task

PROFILE: Final = "published"


def reward_group(
    conversation: Conversation[Any], setting: Setting[Task, Catalogue], since: int
) -> TurnReward:
    """Group utility of the plan, as sets of training have it (ours: no paper gives a reward); 0 without a plan."""
    if conversation.state.final_event is None:
        return TurnReward()
    figures: Mapping[str, Any] = score_session(conversation.events, setting)[PROFILE].as_json()
    told = {key: figures.get(key) for key in ("gu", "gf", "pc", "pv")}
    return TurnReward(told["gu"] or 0.0, told)


POLICY_SEAT: Final[PolicySeat[Task, Catalogue]] = PolicySeat(agent="llm", reward=reward_group)
