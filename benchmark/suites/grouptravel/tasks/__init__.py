"""Tasks in the published format: model and reader."""

from benchmark.suites.grouptravel.tasks.reading import (
    ReadTask,
    TaskFileError,
    read_line,
    read_lines,
    read_tasks,
    stream_tasks,
)
from benchmark.suites.grouptravel.tasks.task import (
    LIMITS,
    ChildMember,
    Difficulty,
    Metadata,
    Task,
    TravellerCard,
)

__all__ = [
    "LIMITS",
    "ChildMember",
    "Difficulty",
    "Metadata",
    "ReadTask",
    "Task",
    "TaskFileError",
    "TravellerCard",
    "read_line",
    "read_lines",
    "read_tasks",
    "stream_tasks",
]
