"""What agents over a model are told of TravelEval, and how their plans are read."""

from benchmark.suites.traveleval.briefing.briefing import briefing_of

__all__ = ["briefing_of"]
