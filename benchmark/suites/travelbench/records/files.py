"""Files of run records: `{summary, results[]}` as published, or one record a line; gzip too."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmark.inputs import (
    BOM,
    MB,
    InputTooLarge,
    LineProblem,
    filled_lines,
    numbered_lines,
    open_unpacked,
    read_whole,
    scattered_problem,
)
from benchmark.jsonlines import NotText, read_json
from benchmark.suites.base import RecordLine
from benchmark.suites.travelbench.scoring.subtasks import SUBTASK_KEY, told_subtask

LONGEST_RECORD = 8 * MB
"""Bytes of one line; a published record has 10 to 200 KB."""
LARGEST_FILE = 512 * MB
"""Bytes of a `{summary, results[]}` file, unpacked; 1,500 records have about 100 MB."""
MODES = ("single_turn", "multi_turn")


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


_FIELDS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "trace_id": (lambda value: isinstance(value, str | int) and value != "", "must be a text or a number"),
    "mode": (lambda value: value in MODES, f"must be {' or '.join(MODES)}"),
    "query": (lambda value: isinstance(value, str), "must be a text"),
    "messages": (
        lambda value: isinstance(value, list) and all(isinstance(item, dict) for item in value),
        "must be a list of objects {role, content, …}",
    ),
    "turns": (_is_count, "must be a number from 0"),
    "tool_calls_count": (_is_count, "must be a number from 0"),
    "tool_errors": (_is_count, "must be a number from 0"),
}
"""What a record is told and scored from. All else may hold anything, and is kept."""
_OF_CRASHES = ("trace_id", "mode", "query")
"""What a record has whose `success` is false."""


def read_lines(path: Path) -> Iterator[RecordLine | LineProblem]:
    """The records of a file in their order, or what is wrong with one; `number` counts lines, or results.

    Raises:
        OSError: the file can't be read.
        ValueError: it can't be unpacked, is too large, or is no file of records.
    """
    if _is_whole(path):
        yield from _results(path)
        return
    with open_unpacked(path) as file:
        for item in filled_lines(numbered_lines(file, LONGEST_RECORD), LONGEST_RECORD, "record"):
            yield item if isinstance(item, LineProblem) else _line(*item)


def _is_whole(path: Path) -> bool:
    """Whether the first line begins an object that has `summary` or `results`, or does not end in it."""
    with open_unpacked(path) as file:
        for _, text in numbered_lines(file, LONGEST_RECORD):
            if text is None:
                return True
            if text.strip():
                return _begins_a_whole(text)
    return False


def _begins_a_whole(line: bytes) -> bool:
    try:
        first_value = json.loads(line)
    except (ValueError, RecursionError):
        return line.strip() in (b"{", b"[") or line.lstrip().startswith((b'{"summary"', b'{"results"', b"[{"))
    if isinstance(first_value, dict):
        return isinstance(first_value.get("results"), list)
    return isinstance(first_value, list)


def _results(path: Path) -> Iterator[RecordLine | LineProblem]:
    """A whole file has one subset, so what one of its records tells of the subtask holds for all."""
    with open_unpacked(path) as file:
        try:
            whole = read_json(read_whole(file, LARGEST_FILE).removeprefix(BOM), strict=False)
        except InputTooLarge:
            raise
        except ValueError as error:
            raise ValueError(
                f"{path}: neither one record a line nor a {{summary, results[]}} file ({error}); write each "
                "record on one line, as jq -c . does"
            ) from error
    if isinstance(whole, dict) and not whole.keys() & {"results", "summary"}:
        yield LineProblem(1, "", scattered_problem("record"))
        return
    results = whole if isinstance(whole, list) else whole.get("results") if isinstance(whole, dict) else None
    if not isinstance(results, list):
        raise ValueError(f"{path}: has no list `results`")
    if not results:
        yield LineProblem(1, "results", "the file holds no record; expected an object a run")
    told = {subtask for result in results if isinstance(result, dict) and (subtask := told_subtask(result))}
    noted = {SUBTASK_KEY: told.pop()} if len(told) == 1 else {}
    for number, result in enumerate(results, 1):
        if not isinstance(result, dict):
            yield LineProblem(number, "", "must be an object")
            continue
        text = json.dumps(result, ensure_ascii=False)
        yield _problem(number, result) or RecordLine(number, text, {**noted, **result})


def _line(number: int, text: bytes) -> RecordLine | LineProblem:
    try:
        record, written = read_json(text, strict=False), text.decode()
    except NotText as error:
        return LineProblem(number, "", str(error))
    except ValueError as error:
        return LineProblem(number, "", f"no JSON ({error})")
    if not isinstance(record, dict):
        return LineProblem(number, "", "must be an object")
    return _problem(number, record) or RecordLine(number, written.strip(), record)


def _problem(number: int, record: Mapping[str, Any]) -> LineProblem | None:
    needed = _OF_CRASHES if record.get("success") is False else (*_FIELDS,)
    for field in needed:
        accepts, expected = _FIELDS[field]
        if field not in record:
            more = "" if field in _OF_CRASHES else ', or say "success": false if the run crashed'
            return LineProblem(number, field, f"is missing; add it{more}")
        if not accepts(record[field]):
            return LineProblem(number, field, expected)
    return None
