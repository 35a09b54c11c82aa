"""TripScore's tasks: queries with all their data, a line each."""

from benchmark.suites.tripscore.tasks.files import TASK_FILES
from benchmark.suites.tripscore.tasks.task import Task

__all__ = ["TASK_FILES", "Task"]
