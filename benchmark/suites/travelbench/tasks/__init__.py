"""TravelBench's tasks: as published, in files, in lists, and what their files tell together."""

from benchmark.suites.travelbench.tasks.files import STARTER, TASK_FILES
from benchmark.suites.travelbench.tasks.task import Task

__all__ = ["STARTER", "TASK_FILES", "Task"]
