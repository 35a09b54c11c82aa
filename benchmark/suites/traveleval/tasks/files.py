"""The query files of TravelEval: three with a list of queries, one with groups of three, and lines of queries."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from benchmark.core.taskfiles import TaskFiles
from benchmark.suites.traveleval.tasks.query import Query


def queries_of(document: Any) -> list[Any] | None:
    """The queries of a published file, groups one after another; None for JSON of another form."""
    if not isinstance(document, dict):
        return None
    if isinstance(queries := document.get("queries"), list):
        return queries
    groups = document.get("query_groups")
    if not isinstance(groups, list):
        return None
    return [query for group in groups for query in (group if isinstance(group, list) else [group])]


TASK_FILES = TaskFiles(Query.model_validate, document=queries_of)
STARTER: Final = (Path(__file__).parent / "data" / "starter.jsonl",)
"""Queries of our own over the starter world, drawn by `making` with one seed; every fourth is in English alone."""
