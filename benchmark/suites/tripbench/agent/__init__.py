"""The reference agent of TRIP-Bench, which needs no model."""

from benchmark.suites.tripbench.agent.agent import ReferenceAgent

__all__ = ["ReferenceAgent"]
