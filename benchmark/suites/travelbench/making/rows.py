"""The rows that data is made of: requests as they were collected, or tasks, a JSON object a line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmark.core.taskfiles import TaskFiles
from benchmark.jsonlines import json_line
from benchmark.outputs import open_output, refuse_own_input
from benchmark.suites.travelbench.tasks.task import Task
from sandbox.tools.language import Language

FIELDS = (
    *("trace_id", "time", "query", "primary_intent", "context", "intent"),
    *("missing_tool", "missing_info", "no_actionable", "user_profile", "avg_tool_calls"),
)
"""In the published order."""


@dataclass(frozen=True, slots=True)
class Request:
    """A row with the object that it stands in the file as. key: its trace_id."""

    task: Task
    raw: Mapping[str, Any]

    @property
    def key(self) -> str:
        """Its trace_id."""
        return self.task.trace_id

    @property
    def identity(self) -> tuple[str, str]:
        """What tells it from requests of other files: trace_id and query."""
        return self.key, self.task.query

    @property
    def language(self) -> Language:
        """By the query."""
        return "zh" if self.task.language == "zh" else "en"


class _CollectedRow(Task):
    """A row whose trace_id is its id: at this stage nobody knows the subtask."""

    @property
    def task_id(self) -> str:
        return self.trace_id


_FILES = TaskFiles(_CollectedRow.model_validate)


def requests_in(path: Path) -> list[Request]:
    """The rows of a file, .gz too.

    Raises:
        TaskFileError: bad lines, or one trace_id twice. OSError, ValueError: it can't be read.
    """
    return [Request(read_task.task, read_task.raw) for read_task in _FILES.whole(path)]


def row_of(request: Request, **changed: Any) -> dict[str, Any]:
    """The row with some fields changed, the published ones in their order, then whatever else it has."""
    given = {**request.raw, **changed}
    named = {name: given[name] for name in FIELDS if name in given}
    return named | {name: value for name, value in given.items() if name not in named}


def write_rows(path: Path, rows: Iterable[Mapping[str, Any]], *inputs: Path) -> int:
    """Write a line a row, as a whole or not at all; how many. Raises OSError, and ValueError over an input."""
    refuse_own_input(path, *inputs)
    count = 0
    with open_output(path) as file:
        for row in rows:
            file.write(json_line(dict(row)))
            count += 1
    return count
