"""A turn as GTPO takes it: soundness and the user's constraints (section 4.2)."""

from __future__ import annotations

from benchmark.advantages.gtpo import RolloutTurn
from benchmark.suites.tripbench.scoring.verdict import Flags, Verdict


def turn_of(verdict: Verdict) -> RolloutTurn:
    """The turn of a verdict; what was not judged is not met."""
    return turn_of_flags(verdict.feasibility_violations, verdict.soundness, verdict.user)


def turn_of_flags(violations: int, soundness: Flags, user: Flags) -> RolloutTurn:
    """The same by the violations of feasibility and by which constraints are met."""
    flags = {f"sound:{key}": met for key, met in soundness.items()}
    flags |= {f"user:{id_}": met for id_, met in user.items()}
    return RolloutTurn(violations == 0, True, {key: float(met is True) for key, met in flags.items()})
