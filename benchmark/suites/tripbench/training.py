"""How TRIP-Bench's sessions are rewarded: each turn by the constraints of its plan (section 4.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from benchmark.advantages.gtpo import RewardedTurn, RolloutTurn
from benchmark.suites.base import Training
from benchmark.suites.tripbench.metrics import STRICT
from benchmark.suites.tripbench.scoring.verdict import Flags, Verdict
from benchmark.suites.tripbench.tasks.task import Task


def turn_of(verdict: Verdict) -> RolloutTurn:
    """A turn as GTPO takes it: soundness and the user's constraints; what was not judged is not met."""
    return _turn(verdict.feasibility_violations, verdict.soundness, verdict.user)


def _turn(violations: int, soundness: Flags, user: Flags) -> RolloutTurn:
    flags = {f"sound:{key}": met for key, met in soundness.items()}
    flags |= {f"user:{id_}": met for id_, met in user.items()}
    return RolloutTurn(violations == 0, True, {key: float(met is True) for key, met in flags.items()})


def turns_of(evidence: Mapping[str, object]) -> list[RewardedTurn]:
    """The turns of a scored session."""
    turns: Any = evidence.get("turns", ())
    return [
        RewardedTurn(told["message"], _turn(told["F_feas"], told["soundness"], told["user"]))
        for told in turns
    ]


TRAINING: Final[Training[Task]] = Training(gate=STRICT, is_conversation=True, turns=turns_of)
"""Those may be learned from whose last plan violates nothing."""
