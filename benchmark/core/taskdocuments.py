"""Task files that are one JSON document: the tasks in it as numbered lines, as if each stood on a line of its own."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from io import BytesIO
from json.decoder import JSONObject  # type: ignore[attr-defined]
from json.scanner import py_make_scanner  # type: ignore[attr-defined]
from typing import Any, BinaryIO

from benchmark.inputs import BOM, MB, numbered_lines, read_whole

LARGEST_DOCUMENT = 64 * MB
Document = Callable[[Any], list[Any] | None]
"""Gives the tasks of a document, in order; None for a JSON value of another form."""


def document_lines(file: BinaryIO, document: Document, longest: int) -> Iterator[tuple[int, bytes | None]]:
    """The tasks of a document, each with the number of the line on which it begins; the lines of any other file.

    Raises:
        ValueError: a document is no JSON, or of another form; the words say where.
        InputTooLarge: the file is larger than LARGEST_DOCUMENT.
    """
    data = read_whole(file, LARGEST_DOCUMENT).removeprefix(BOM)
    return iter(_placed_tasks(data, document) or numbered_lines(BytesIO(data), longest))


def holds_tasks(file: BinaryIO, document: Document) -> bool:
    """Whether a file is a document with tasks."""
    try:
        return document(json.loads(read_whole(file, LARGEST_DOCUMENT).removeprefix(BOM))) is not None
    except (ValueError, RecursionError):
        return False


def _placed_tasks(data: bytes, document: Document) -> list[tuple[int, bytes | None]] | None:
    """None where the file holds lines."""
    decoder = _PlacedDecoder()
    scattered = data.lstrip().partition(b"\n")[0].rstrip().endswith((b"{", b"[", b","))
    try:
        tasks = document(decoder.decode(data.decode()))
    except RecursionError as error:
        raise ValueError("nested too deeply; flatten it") from error
    except ValueError as error:
        if scattered:
            raise ValueError(f"not valid JSON: {error}; is it cut off?") from error
        return None
    if tasks is None and scattered:
        raise ValueError("the file holds one JSON value without tasks; write each task on one line")
    return None if tasks is None else list(_number_lines(tasks, decoder.starts, data.decode()))


def _number_lines(tasks: list[Any], starts: dict[int, int], text: str) -> Iterator[tuple[int, bytes]]:
    line, counted = 1, 0
    for task in tasks:
        start = max(starts.get(id(task), counted), counted)
        line, counted = line + text.count("\n", counted, start), start
        yield line, json.dumps(task, ensure_ascii=False).encode(errors="backslashreplace")


class _PlacedDecoder(json.JSONDecoder):
    """Keeps where each object begins, by its id; the objects must be kept alive."""

    def __init__(self) -> None:
        super().__init__()
        self.starts: dict[int, int] = {}
        self.parse_object = self._read_object
        self.scan_once = py_make_scanner(self)

    def _read_object(self, text_and_end: tuple[str, int], *how: Any) -> tuple[Any, int]:
        value, end = JSONObject(text_and_end, *how)
        self.starts[id(value)] = text_and_end[1]
        return value, end
