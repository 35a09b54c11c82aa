"""TRIP-Bench's tasks, a line each."""

from benchmark.suites.tripbench.tasks.files import STARTER, TASK_FILES
from benchmark.suites.tripbench.tasks.task import Task

__all__ = ["STARTER", "TASK_FILES", "Task"]
