"""The task files of TRIP-Bench: lines of tasks."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from benchmark.core.taskfiles import TaskFiles
from benchmark.suites.tripbench.tasks.task import Task

TASK_FILES = TaskFiles(Task.model_validate, id_key="id")
STARTER: Final = (Path(__file__).parent / "data" / "starter.jsonl",)
"""Made over the starter world: all subsets but plain hard ones, in the shares of the paper, a quarter in English."""
