"""The reference agent's planner: from believed preferences and tool answers to an itinerary."""

from benchmark.participants.agents.reference.planning.moves import next_move

__all__ = ["next_move"]
