"""Reading task files: all lines, or none and the list of what is wrong."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from benchmark.tasks.task import Task


@dataclass(frozen=True, slots=True)
class LineProblem:
    """line: number from 1. field: dotted path, "" for the line as a whole. message: what is wrong and the remedy."""

    line: int
    field: str
    message: str

    def __str__(self) -> str:
        where = f", {self.field}" if self.field else ""
        return f"line {self.line}{where}: {self.message}"


class TaskFileError(ValueError):
    """The file was refused; `problems` has every bad line."""

    def __init__(self, problems: list[LineProblem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class ReadTask:
    """A task with its line as it stands in the file (no key is lost or moved)."""

    line: int
    task: Task
    raw: dict[str, Any]


def read_tasks(path: Path) -> list[ReadTask]:
    """All tasks of a JSONL file (one object a line; blank lines are skipped).

    Raises:
        TaskFileError: one or more lines are bad; nothing of the file should be used.
        OSError: the file can't be read.
    """
    with path.open("rb") as file:
        return read_lines(file)


def read_lines(lines: Iterable[bytes]) -> list[ReadTask]:
    """As `read_tasks`, over lines already at hand."""
    good: list[ReadTask] = []
    problems: list[LineProblem] = []
    seen: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        found, wrong = _read(line.removeprefix(b"\xef\xbb\xbf"), number)
        problems += wrong
        if found is not None:
            problems += _twice(found, seen)
            good.append(found)
    if not good and not problems:
        problems.append(LineProblem(1, "", "the file holds no task; expected one JSON object a line"))
    if problems:
        raise TaskFileError(problems)
    return good


def _twice(found: ReadTask, seen: dict[str, int]) -> list[LineProblem]:
    first = seen.setdefault(found.task.task_id, found.line)
    if first == found.line:
        return []
    message = f"{found.task.task_id!r} stands on line {first} already; give each task its own id"
    return [LineProblem(found.line, "task_id", message)]


def _read(line: bytes, number: int) -> tuple[ReadTask | None, list[LineProblem]]:
    try:
        raw = json.loads(line)
    except UnicodeDecodeError as error:
        return None, [LineProblem(number, "", f"not UTF-8 at byte {error.start}; save the file as UTF-8")]
    except ValueError as error:
        return None, [LineProblem(number, "", f"not valid JSON: {error}; is the line cut off?")]
    if not isinstance(raw, dict):
        return None, [LineProblem(number, "", f"expected an object, found {type(raw).__name__}")]
    try:
        task = Task.model_validate(raw)
    except ValidationError as error:
        return None, list(_problems(error, number))
    wrong = list(_inconsistent(task, number))
    return (None, wrong) if wrong else (ReadTask(number, task, raw), [])


def _problems(error: ValidationError, number: int) -> Iterator[LineProblem]:
    for item in error.errors():
        yield LineProblem(
            number, ".".join(str(part) for part in item["loc"]), _words(item["msg"], item["input"])
        )


def _words(message: str, value: object) -> str:
    shown = repr(value)
    return message if len(shown) > 60 else f"{message}, found {shown}"


def _inconsistent(task: Task, number: int) -> Iterator[LineProblem]:
    if "Agent" in task.users:
        yield LineProblem(
            number, "user_preferences.Agent", "the name Agent belongs to the agent; rename the user"
        )
    for index, opening in enumerate(task.initial_messages):
        if opening.role not in task.users:
            yield LineProblem(
                number,
                f"initial_messages.{index}.role",
                f"{opening.role!r} has no entry in user_preferences ({', '.join(task.users)})",
            )
