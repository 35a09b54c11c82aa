"""How TRIP-Bench's sessions are rewarded: each turn by the constraints of its plan (section 4.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from benchmark.advantages.gtpo import RewardedTurn
from benchmark.suites.base import Training
from benchmark.suites.tripbench.metrics import STRICT
from benchmark.suites.tripbench.repairs import judge_reply
from benchmark.suites.tripbench.rollouts import turn_of_flags
from benchmark.suites.tripbench.tasks.task import Task
from sandbox.toolsets.tripbench.records import TripWorld


def turns_of(evidence: Mapping[str, object]) -> list[RewardedTurn]:
    """The turns of a scored session."""
    turns: Any = evidence.get("turns", ())
    return [
        RewardedTurn(told["message"], turn_of_flags(told["F_feas"], told["soundness"], told["user"]))
        for told in turns
    ]


TRAINING: Final[Training[Task, TripWorld]] = Training(
    gate=STRICT, is_conversation=True, turns=turns_of, judge_reply=judge_reply
)
"""Those may be learned from whose last plan violates nothing."""
