"""A planner for TRIP-Bench: it looks for a plan that breaks nothing, or proves that there is none."""

from benchmark.suites.tripbench.planner.planning import Outcome, plan_trip
from benchmark.suites.tripbench.planner.proofs import Proof, find_proof

__all__ = ["Outcome", "Proof", "find_proof", "plan_trip"]
