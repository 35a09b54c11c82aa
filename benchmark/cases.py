"""Scoring files of cases: inputs of a benchmark's rules, a JSON object a line, as golden files hold them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from benchmark.core.setting import Definition
from benchmark.core.taskfiles import ReadTask, TaskFileError, TaskFiles
from benchmark.inputs import MB, LineProblem, Problems, filled_lines, numbered_lines, open_unpacked
from benchmark.jsonlines import json_line, read_json
from benchmark.outputs import open_output, refuse_own_input
from benchmark.suites.base import CaseFault, CaseRefused

LONGEST_CASE = 8 * MB
Score = Callable[[Mapping[str, Any]], dict[str, Any]]
"""A `benchmark.suites.base.cases.ScoreCase` with its context. Raises as that."""
_REMEDY = "give each line the fields of one of the benchmark's kinds of cases"


class BadCases(ValueError):
    """A file with lines that are no cases; nothing was written. `problems` has what is wrong with them."""

    def __init__(self, path: Path, problems: Problems) -> None:
        counted = "1 problem" if problems.count == 1 else f"{problems.count} problems"
        super().__init__(f"{path}: {counted}; nothing was written\n{problems}")
        self.problems = problems


def read_definitions(path: Path, files: TaskFiles[Any]) -> Callable[[str], Definition]:
    """The tasks of a file, or of all task files of a folder, by id.

    Raises:
        OSError: a file can't be read.
        ValueError: a file is damaged or has lines that are no tasks, a folder holds no task file, or two files hold
            the same task.
    """
    tasks: dict[str, tuple[Path, Definition]] = {}
    for file in _task_files(path, files):
        for read in _read_tasks(file, files):
            first, _ = tasks.setdefault(read.task.task_id, (file, read.raw))
            if first != file:
                raise ValueError(f"task {read.task.task_id} is in {first} and in {file}; keep one of them")

    def definition(task_id: str) -> Definition:
        if task_id not in tasks:
            raise CaseRefused("task_id", f"there is no task {task_id} in {path}; name one of its tasks")
        return tasks[task_id][1]

    return definition


def _task_files(path: Path, files: TaskFiles[Any]) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = files.in_folder(path)
    if not found:
        endings = ".jsonl or .jsonl.gz" if files.document is None else ".jsonl, .jsonl.gz, .json or .json.gz"
        raise ValueError(f"{path} holds no task file; name a folder with files that end in {endings}")
    return found


def _read_tasks(path: Path, files: TaskFiles[Any]) -> list[ReadTask[Any]]:
    try:
        return files.whole(path)
    except TaskFileError as error:
        raise ValueError(f"{path}: {error}") from error


def score_cases(path: Path, out: Path, score: Score, fault: CaseFault | None = None) -> int:
    """Score each line of a file (.gz too) into a line of another, in the same order; how many there were.

    fault: makes what is written for a bad line; None where nothing is written if a line is bad.

    Raises:
        BadCases: lines are bad, and there is no `fault`; all of them are told.
        OSError: a file can't be read or written.
        ValueError: the file is damaged or too large, or `out` is the file itself.
    """
    refuse_own_input(out, path)
    problems, count = Problems(), 0
    with open_unpacked(path) as file, open_output(out) as target:
        for item in filled_lines(numbered_lines(file, LONGEST_CASE), LONGEST_CASE, "case"):
            count += 1
            for told in [item] if isinstance(item, LineProblem) else _score_line(*item, score, fault):
                if isinstance(told, bytes):
                    target.write(told)
                elif fault is None:
                    problems.add(told)
                else:
                    target.write(json_line(fault(None, "line", str(told))))
        if problems:
            raise BadCases(path, problems)
    return count


def _score_line(
    number: int, line: bytes, score: Score, fault: CaseFault | None
) -> Iterator[bytes | LineProblem]:
    """The line of figures, or what is wrong; with `fault` what it says of the first thing that is wrong in a case."""
    case: Any = None
    try:
        case = read_json(line, strict=False)
        if not isinstance(case, dict):
            raise ValueError("expected an object")
    except RecursionError:
        yield LineProblem(number, "", "nested too deeply; flatten it")
        return
    except ValueError as error:
        yield LineProblem(number, "", f"{error}; {_REMEDY}")
        return
    told = list(_score_case(number, case, score))
    first = told[0]
    if fault is None or isinstance(first, bytes):
        yield from told
    else:
        yield json_line(fault(_id_of(case), first.field or "line", first.message))


def _id_of(case: Mapping[str, Any]) -> str | int | None:
    inner = case.get("input")
    found = (part["id"] for part in (inner, case) if isinstance(part, dict) and "id" in part)
    given = next(found, None)
    return given if isinstance(given, str | int) else None


def _score_case(number: int, case: Mapping[str, Any], score: Score) -> Iterator[bytes | LineProblem]:
    try:
        yield json_line(score(case))
    except ValidationError as error:
        yield from _problems(number, case.get("kind"), error)
    except CaseRefused as refusal:
        yield LineProblem(number, refusal.field, str(refusal))
    except RecursionError:
        yield LineProblem(number, "", "nested too deeply; flatten it")
    except OverflowError:
        yield LineProblem(number, "", "its figures are too large to count with; write smaller ones")
    except ValueError as error:
        yield LineProblem(number, "", f"{error}; {_REMEDY}")


def _problems(number: int, kind: Any, error: ValidationError) -> Iterator[LineProblem]:
    """kind: of the case, which stands before the path of a field where several kinds are read. Fields may have the
    name of a kind; what follows those is missing, or a number.
    """
    for item in error.errors(include_url=False, include_input=False):
        first, *more = item["loc"] or ("",)
        parts = more if first == kind and more and isinstance(more[0], str) else item["loc"]
        named = ".".join(map(str, parts)) or ("kind" if "discriminator" in item.get("ctx", {}) else "")
        yield LineProblem(number, named, f"{item['msg']}; {_REMEDY}")
