"""Run records as they tell how requests went: how many turns they took, how many tool calls."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from benchmark.inputs import MB, numbered_lines, opened, read_whole, too_long

LONGEST_RECORD = 16 * MB
LARGEST_FILE = 1024 * MB


class Played(BaseModel):
    """A run of a request. success: false where it crashed, and tells nothing."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)
    trace_id: str
    success: bool = True
    turns: int = Field(default=0, ge=0)
    tool_calls_count: int = Field(default=0, ge=0)


def runs_by_request(paths: Iterable[Path]) -> dict[str, list[Played]]:
    """The runs that did not crash, by trace_id, in the order of the files.

    Raises:
        OSError, ValueError: a file can't be read, or holds something else; the message names the place.
    """
    found: dict[str, list[Played]] = {}
    for path in paths:
        for played in _records(path):
            if played.success:
                found.setdefault(played.trace_id, []).append(played)
    return found


def _records(path: Path) -> Iterator[Played]:
    """Of a published file (`{summary, results}`) or of lines with a record each."""
    for where, found in _objects(path):
        try:
            yield Played.model_validate(found)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            name = ".".join(map(str, first["loc"])) or "the record"
            raise ValueError(f"{path}: {where}, {name}: {first['msg']}") from None


def _objects(path: Path) -> Iterator[tuple[str, Any]]:
    """Each with words for its place. A file named .json (.gz) is a published one."""
    with opened(path) as file:
        if path.name.removesuffix(".gz").endswith(".json"):
            yield from _results(path, _parsed(read_whole(file, LARGEST_FILE), str(path)))
            return
        for number, line in numbered_lines(file, LONGEST_RECORD):
            if line is None:
                raise ValueError(f"{path}: {too_long(number, LONGEST_RECORD)}")
            if line.strip():
                yield f"line {number}", _parsed(line, f"{path}: line {number}")


def _results(path: Path, found: Any) -> Iterator[tuple[str, Any]]:
    results = found.get("results") if isinstance(found, dict) else None
    if not isinstance(results, list):
        raise ValueError(
            f"{path}: expected an object with `results`; name a file with a record a line .jsonl"
        )
    yield from ((f"results.{number}", one) for number, one in enumerate(results))


def _parsed(data: bytes, where: str) -> Any:
    try:
        return json.loads(data)
    except ValueError as error:
        raise ValueError(f"{where}: not valid JSON ({error})") from None
