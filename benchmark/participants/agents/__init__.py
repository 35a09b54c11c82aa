"""The agents that plan for a group."""

from benchmark.participants.agents.reference.agent import ReferenceAgent

__all__ = ["ReferenceAgent"]
