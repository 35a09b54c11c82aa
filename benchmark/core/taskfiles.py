"""Reading a benchmark's task files as streams: tasks, and what is wrong with lines."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from reprlib import Repr
from typing import Any, BinaryIO, Generic, Protocol, TypeVar

from pydantic import ValidationError

from benchmark.core.taskdocuments import Document, document_lines, holds_tasks
from benchmark.inputs import BOM, MB, LineProblem, Problems, filled_lines, numbered_lines, open_unpacked
from benchmark.jsonlines import Pairs, read_json
from benchmark.remarks import Remark, gettext_noop
from benchmark.text import guarded

LONGEST_TASK = MB
"""Bytes of one line; a published task has 2 to 10 KB."""
_LONGEST_SHOWN = 120
_DEEPEST_SHOWN = 20
_NUL = guarded.compile(r"(?<!\\)(?:\\\\)*\\u0000")
_HALF_CHARACTER = guarded.compile("[\ud800-\udfff]")
_SHORT = Repr()
_SHORT.maxlevel = 2  # a task may hold long lists of objects, which hide the sentence before them


class HasId(Protocol):
    """What a task file needs to know of a task."""

    @property
    def task_id(self) -> str: ...


T = TypeVar("T", bound=HasId)


class TaskFileError(ValueError):
    """The file was refused; `problems` has what is wrong with its lines."""

    def __init__(self, problems: Problems) -> None:
        super().__init__(str(problems))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class ReadTask(Generic[T]):
    """A task with its line as it stands in the file: no key is lost or moved. size: bytes of the line.

    Half a surrogate pair, which no database stores, is U+FFFD here.
    """

    line: int
    task: T
    raw: dict[str, Any]
    size: int


@dataclass(frozen=True)
class TaskFiles(Generic[T]):
    """The task files of a benchmark: one JSON object a line, .gz too; blank lines are skipped.

    task: makes a task of an object, or raises pydantic.ValidationError. inconsistent: what is wrong with a task whose
    fields are right each by itself; it gets the number of the line. document: gives the tasks of a file that is one
    JSON value (.json), where the benchmark has such files. id_key: the key of a task's id in its object.
    """

    task: Callable[[Any], T]
    inconsistent: Callable[[T, int], Iterable[LineProblem]] = lambda task, number: ()
    document: Document | None = None
    id_key: str = "task_id"

    def in_folder(self, folder: Path) -> list[Path]:
        """The task files of a folder, by name; documents without tasks are none. Raises OSError."""
        return [path for path in sorted(folder.iterdir()) if self._is_task_file(path)]

    def _is_task_file(self, path: Path) -> bool:
        if self.document is None or not path.name.endswith((".json", ".json.gz")):
            return path.name.endswith((".jsonl", ".jsonl.gz"))
        with open_unpacked(path) as file:
            return holds_tasks(file, self.document)

    def _numbered_lines(self, file: BinaryIO) -> Iterable[tuple[int, bytes | None]]:
        if self.document is None:
            return numbered_lines(file, LONGEST_TASK)
        return document_lines(file, self.document, LONGEST_TASK)

    def stream(self, path: Path) -> Iterator[ReadTask[T] | LineProblem]:
        """Task by task what a file holds, or what is wrong.

        Raises:
            OSError: the file can't be read.
            ValueError: it can't be unpacked, or is too large.
        """
        with open_unpacked(path) as file:
            yield from self._tasks(self._numbered_lines(file))

    def whole(self, path: Path) -> list[ReadTask[T]]:
        """All tasks of a small file at once.

        Raises:
            TaskFileError: one or more lines are bad; nothing of the file should be used.
            OSError, ValueError: as `stream`.
        """
        return _good(self.stream(path))

    def lines(self, lines: Iterable[bytes]) -> list[ReadTask[T]]:
        """As `whole`, over lines already at hand."""
        return _good(self._tasks((number, line.removeprefix(BOM)) for number, line in enumerate(lines, 1)))

    def line(self, path: Path, wanted: int) -> ReadTask[T] | None:
        """The task on one line of a file, None for a line that is blank or beyond the end. Raises as `whole`."""
        with open_unpacked(path) as file:
            for number, line in self._numbered_lines(file):
                if number == wanted:
                    blank = line is not None and not line.strip()
                    return None if blank else _good(self._tasks([(number, line)]))[0]
        return None

    def _tasks(self, lines: Iterable[tuple[int, bytes | None]]) -> Iterator[ReadTask[T] | LineProblem]:
        seen: dict[bytes, int] = {}
        for item in filled_lines(lines, LONGEST_TASK, "task"):
            if isinstance(item, LineProblem):
                yield item
            else:
                number, line = item
                yield from self._check_line(line, number, seen)

    def _check_line(
        self, line: bytes, number: int, seen: dict[bytes, int]
    ) -> Iterator[ReadTask[T] | LineProblem]:
        read_task, wrong = self._read(line, number)
        yield from wrong
        if read_task is not None:
            yield _repeated_id(read_task, seen, self.id_key) or read_task

    def _read(self, line: bytes, number: int) -> tuple[ReadTask[T] | None, list[LineProblem]]:
        try:
            raw = _parse(line)
            task = self.task(raw)
        except ValidationError as error:
            return None, list(_problems(error, number))
        except ValueError as error:
            return None, [LineProblem(number, "", str(error))]
        except RecursionError:
            return None, [LineProblem(number, "", "nested too deeply")]
        wrong = [
            *_no_address(task, number, self.id_key),
            *_broken_id(task, line, number, self.id_key),
            *self.inconsistent(task, number),
        ]
        return (None, wrong) if wrong else (ReadTask(number, task, raw, len(line)), [])


def _good(read: Iterable[ReadTask[T] | LineProblem]) -> list[ReadTask[T]]:
    tasks: list[ReadTask[T]] = []
    problems = Problems()
    for item in read:
        if isinstance(item, LineProblem):
            problems.add(item)
        else:
            tasks.append(item)
    if problems:
        raise TaskFileError(problems)
    return tasks


def _no_address(task: HasId, number: int, id_key: str) -> Iterator[LineProblem]:
    """A browser takes the address of such a task for the address of another page."""
    if {"", ".", ".."} & set(task.task_id.split("/")):
        why = gettext_noop(
            "%(id)s can't be part of an address: no part before, between or after slashes may be "
            "empty, . or ..; give the task another id"
        )
        yield LineProblem.with_remark(number, id_key, Remark(why, {"id": _SHORT.repr(task.task_id)}))


def _broken_id(task: HasId, line: bytes, number: int, id_key: str) -> Iterator[LineProblem]:
    """What is half a character in the file is U+FFFD here, which would make one id of two."""
    if "\ufffd" in task.task_id and b"\\u" in line:
        why = "holds half a character (a lone surrogate); give the task an id of whole ones"
        yield LineProblem(number, id_key, why)


def _repeated_id(read_task: ReadTask[T], seen: dict[bytes, int], id_key: str) -> LineProblem | None:
    """seen: the line of each id, by its digest, which is smaller than most ids."""
    digest = blake2b(read_task.task.task_id.encode(), digest_size=16).digest()
    first = seen.setdefault(digest, read_task.line)
    if first == read_task.line:
        return None
    message = f"{read_task.task.task_id!r} stands on line {first} already; give each task its own id"
    return LineProblem(read_task.line, id_key, message)


def _parse(line: bytes) -> dict[str, Any]:
    """The object on a line. Raises ValueError that says what is wrong with the line as a whole."""
    raw = read_json(line, hook=_object_of)
    if not isinstance(raw, dict):
        raw_text = _SHORT.repr(raw)
        short = raw_text if len(raw_text) <= _LONGEST_SHOWN else f"{raw_text[:_LONGEST_SHOWN]} …"
        raise ValueError(f"expected an object, found {short}; write one task a line, not a list of them")
    return _storable(raw) if b"\\u" in line else raw


def _object_of(pairs: Pairs) -> dict[str, Any]:
    """An object as it stands; a key twice would hide what stood under it first."""
    made = dict(pairs)
    if len(made) < len(pairs):
        keys = [key for key, _value in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {_SHORT.repr(twice)} stands twice in one object; keep one of them")
    return made


def _storable(raw: dict[str, Any]) -> dict[str, Any]:
    """`raw` without half characters: they come from broken tools, and real files have some."""
    text = json.dumps(raw, ensure_ascii=False)
    if _NUL.search(text):
        raise ValueError("a text holds the character \\u0000, which can't be stored; remove it")
    whole = _HALF_CHARACTER.sub("\ufffd", text)
    repaired: dict[str, Any] = raw if whole == text else json.loads(whole)
    return repaired


def _problems(error: ValidationError, number: int) -> Iterator[LineProblem]:
    for item in error.errors(include_url=False):
        field = _field_of(item["loc"])
        shown = "" if item["type"] == "missing" else f", found {_SHORT.repr(item['input'])}"
        yield LineProblem(number, field, item["msg"].removeprefix("Value error, ") + shown)


def _field_of(loc: Iterable[object]) -> str:
    """A path with dots; of one that is very deep, its begin."""
    parts = [str(part) for part in loc if part not in ("", "[key]")]
    return ".".join([*parts[:_DEEPEST_SHOWN], "…"] if len(parts) > _DEEPEST_SHOWN else parts)
