"""The reference agent: it answers with the tools and without a model."""

from benchmark.suites.travelbench.agent.agent import ReferenceAgent

__all__ = ["ReferenceAgent"]
