"""TripScore's tasks: queries with all their data, a line each."""

from benchmark.suites.tripscore.tasks.task import Task

__all__ = ["Task"]
