"""Tasks in the published format: model and reader."""

from benchmark.tasks.reading import LineProblem, ReadTask, TaskFileError, read_lines, read_tasks
from benchmark.tasks.task import LIMITS, ChildMember, Difficulty, Metadata, Task, TravellerCard

__all__ = [
    "LIMITS",
    "ChildMember",
    "Difficulty",
    "LineProblem",
    "Metadata",
    "ReadTask",
    "Task",
    "TaskFileError",
    "TravellerCard",
    "read_lines",
    "read_tasks",
]
