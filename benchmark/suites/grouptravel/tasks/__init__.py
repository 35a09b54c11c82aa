"""Tasks in the published format: model, files, and what lists show."""

from benchmark.suites.grouptravel.tasks.files import (
    STARTER,
    TASK_FILES,
)
from benchmark.suites.grouptravel.tasks.task import LIMITS, Task

__all__ = ["LIMITS", "STARTER", "TASK_FILES", "Task"]
