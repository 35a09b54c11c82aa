"""The task files of TripScore: lines of queries with their data."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from benchmark.core.taskfiles import TaskFiles
from benchmark.suites.tripscore.tasks.task import Task

TASK_FILES = TaskFiles(Task.model_validate, id_key="id")
STARTER: Final = (Path(__file__).parent / "data" / "starter.jsonl",)
"""Queries of our own over the starter world, drawn by `making` with one seed; every third is in English."""
