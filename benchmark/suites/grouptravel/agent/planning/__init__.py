"""The reference agent's planner: from believed preferences and tool answers to an itinerary."""

from benchmark.suites.grouptravel.agent.planning.memory import PlanMemory
from benchmark.suites.grouptravel.agent.planning.moves import next_move

__all__ = ["PlanMemory", "next_move"]
