"""Tasks in the published format: model, files, and what lists show."""

from benchmark.suites.grouptravel.tasks.files import (
    STARTER,
    TASK_FILES,
    read_line,
    read_lines,
    read_tasks,
    stream_tasks,
)
from benchmark.suites.grouptravel.tasks.task import LIMITS, Task

__all__ = ["LIMITS", "STARTER", "TASK_FILES", "Task", "read_line", "read_lines", "read_tasks", "stream_tasks"]
