"""The built-in agent: needs no model, understands by lexicon and tone, plans by search."""

from benchmark.suites.grouptravel.agent.agent import ReferenceAgent

__all__ = ["ReferenceAgent"]
