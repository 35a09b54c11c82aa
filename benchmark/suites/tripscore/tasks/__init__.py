"""TripScore's tasks: queries with all their data, a line each."""

from benchmark.suites.tripscore.tasks.files import STARTER, TASK_FILES
from benchmark.suites.tripscore.tasks.task import Task

__all__ = ["STARTER", "TASK_FILES", "Task"]
