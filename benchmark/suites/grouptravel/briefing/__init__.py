"""What agents over a model are told of GroupTravelBench, and how their plans are read and reviewed."""

from benchmark.suites.grouptravel.briefing.briefing import BRIEFING

__all__ = ["BRIEFING"]
