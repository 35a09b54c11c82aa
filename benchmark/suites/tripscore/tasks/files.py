"""The task files of TripScore: lines of queries with their data."""

from __future__ import annotations

from benchmark.core.taskfiles import TaskFiles
from benchmark.suites.tripscore.tasks.task import Task

TASK_FILES = TaskFiles(Task.model_validate)
