"""The reference agent's planner: from believed preferences and tool answers to an itinerary."""

from benchmark.suites.grouptravel.agent.planning.moves import next_move

__all__ = ["next_move"]
