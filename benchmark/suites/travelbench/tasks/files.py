"""The task files of TravelBench: three as published, or any mixture of their rows."""

from __future__ import annotations

from pathlib import Path

from benchmark.core.taskfiles import TaskFiles
from benchmark.suites.travelbench.tasks.task import Task

TASK_FILES = TaskFiles(Task.model_validate)
STARTER = (Path(__file__).parent / "data" / "starter.jsonl",)
"""Tasks of our own over the starter world, in all three subtasks. Their `avg_tool_calls` is the number of calls of an
answer that the tests hold: no model's mean.
"""
