"""The task files of TravelBench: three as published, or any mixture of their rows."""

from __future__ import annotations

from benchmark.core.taskfiles import TaskFiles
from benchmark.suites.travelbench.tasks.task import Task

TASK_FILES = TaskFiles(Task.model_validate)
