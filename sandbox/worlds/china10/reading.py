"""Rows of the source's files with their line numbers: CSV, JSON arrays, JSON lines."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

LARGEST_FILE = 64 * 2**20
"""Bytes of one file, which is read whole; the largest of the ten cities has half a megabyte."""
LONGEST_FIGURE = 300
"""Digits of a whole number; floats end there too."""


def _whole(figure: str) -> int:
    if len(figure) > LONGEST_FIGURE:
        raise ValueError(f"a figure has {len(figure)} digits")
    return int(figure)


_DECODER = json.JSONDecoder(parse_int=_whole)
_SCATTERED_OBJECT = (
    "an object stands on several lines (pretty-printed JSON); write each on one line, as jq -c . does"
)
_WHITESPACE = " \t\r\n"


class Source:
    """The source folder. A file that is missing or is no UTF-8 is one problem, at line 1."""

    def __init__(self, folder: Path, problems: Problems) -> None:
        self._folder = folder
        self._problems = problems

    def csv(self, file: str, columns: frozenset[str]) -> Iterator[Row]:
        """Rows under the header; all values are stripped text. `columns` must all be there."""
        text = self._text(file)
        if not text:
            return
        reader = csv.reader(StringIO(text, newline=""), strict=True)
        try:
            header = next(reader, [])
            if columns - set(header):
                self._problems.add(file, 1, f"no column {', '.join(sorted(columns - set(header)))}")
                return
            if "\n" not in text:
                self._problems.add(file, 1, "no rows under the header")
            yield from self._csv_rows(file, reader, header)
        except csv.Error as error:
            self._problems.add(file, reader.line_num, f"not CSV: {error}")

    def _csv_rows(self, file: str, reader: Any, header: list[str]) -> Iterator[Row]:
        line = reader.line_num + 1
        for cells in reader:
            if cells and len(cells) != len(header):
                self._problems.add(file, line, f"{len(cells)} cells, the header has {len(header)}")
            elif cells:
                given = dict(zip(header, cells, strict=True))
                yield Row(file, line, {key: cell.strip() for key, cell in given.items()}, given)
            line = reader.line_num + 1

    def json_array(self, file: str) -> Iterator[Row]:
        """The objects of a top-level array."""
        text = self._text(file).rstrip()
        at = _skip(text, 0)
        yield from self._objects(file, text, at)
        _, end = self._decode(file, text, at, quiet=True)
        self._end(file, text, end)

    def json_arrays(self, file: str) -> Iterator[tuple[str, Row]]:
        """The objects of the arrays that a top-level object holds, each with its key."""
        text = self._text(file).rstrip()
        at = _skip(text, 0)
        while at < len(text) and text[at] in "{,":
            key, at = self._decode(file, text, _skip(text, at + 1))
            if at < 0:
                return
            if _half(key):
                self._problems.add(file, _line(text, at), f"the key {key!a} holds half a character")
                return
            at = _skip(text, _skip(text, at) + 1)
            for row in self._objects(file, text, at):
                yield str(key), row
            _, at = self._decode(file, text, at, quiet=True)
            if at < 0:
                return
            at = _skip(text, at)
        if text and text[at : at + 1] != "}":
            self._problems.add(file, _line(text, at), "not JSON: expected an object of arrays")
        elif text:
            self._end(file, text, at + 1)

    def json_lines(self, file: str) -> Iterator[Row]:
        """One object a line; empty lines are skipped."""
        lines = self._text(file).split("\n")
        for number, line in enumerate(lines, start=1):
            if line.rstrip().endswith(("{", "[", ",")) and _goes_on(lines[number:]):
                self._problems.add(file, number, _SCATTERED_OBJECT)
                return
            if line.strip():
                value, end = self._decode(file, line, _skip(line, 0), number)
                if end >= 0:
                    yield from self._object(file, number, value)

    def _objects(self, file: str, text: str, at: int) -> Iterator[Row]:
        if not text:
            return
        if text[at : at + 1] != "[":
            self._problems.add(file, _line(text, at), "not JSON: expected an array")
            return
        line, counted = _line(text, at), at
        while text[at : at + 1] in ("[", ","):
            at = _skip(text, at + 1)
            line, counted = line + text.count("\n", counted, at), at
            if text[at : at + 1] == "]":
                return
            value, end = self._decode(file, text, at, line)
            if end < 0:
                return
            yield from self._object(file, line, value)
            at = _skip(text, end)
        if text[at : at + 1] != "]":
            self._problems.add(file, _line(text, at), "not JSON: the array is not closed")

    def _end(self, file: str, text: str, at: int) -> None:
        """Nothing may follow what was read; a negative position was reported before."""
        if 0 <= at < len(text):
            self._problems.add(file, _line(text, _skip(text, at)), "not JSON: something follows the end")

    def _object(self, file: str, line: int, value: Any) -> Iterator[Row]:
        if not isinstance(value, dict):
            self._problems.add(file, line, "not an object")
        elif field := _broken_field(value):
            self._problems.add(
                file, line, f"{field} holds half a character (a lone surrogate); write whole ones"
            )
        else:
            yield Row(file, line, value, value)

    def _decode(
        self, file: str, text: str, at: int, line: int | None = None, *, quiet: bool = False
    ) -> tuple[Any, int]:
        """The value at a position and where it ends, -1 when it can't be read."""
        try:
            return _DECODER.raw_decode(text, at)
        except json.JSONDecodeError as error:
            if not quiet:
                where = line or _line(text, at)
                self._problems.add(file, where, f"not JSON: {error.msg}")
        except RecursionError:
            if not quiet:
                self._problems.add(file, line or _line(text, at), "not JSON: nested too deeply")
        except ValueError as error:
            if not quiet:
                self._problems.add(file, line or _line(text, at), f"not JSON: {error}")
        return None, -1

    def _text(self, file: str) -> str:
        """Without blank lines at the end; spaces behind the last word stay, which a cell may consist of."""
        path = self._folder / file
        if path.exists() and path.stat().st_size > LARGEST_FILE:
            self._problems.add(file, 1, f"larger than {LARGEST_FILE // 2**20} MB, the most that is read")
            return ""
        try:
            text = path.read_text("utf-8-sig")
        except FileNotFoundError:
            self._problems.add(file, 1, "the file is missing")
        except OSError as error:
            self._problems.add(file, 1, f"the file can't be read: {error.strerror}")
        except UnicodeDecodeError as error:
            self._problems.add(file, error.object.count(b"\n", 0, error.start) + 1, "not UTF-8")
        else:
            if not text.strip():
                self._problems.add(file, 1, "the file is empty")
                return ""
            last = text.find("\n", len(text.rstrip()))
            return text if last < 0 else text[:last]
        return ""


def _half(text: Any) -> bool:
    """Whether a text holds half a surrogate pair, which no pack stores."""
    return isinstance(text, str) and not text.isascii() and any("\ud800" <= c <= "\udfff" for c in text)


def _broken_field(values: dict[str, Any]) -> str:
    """The field of an object in which half a character stands, however deep; "" for none."""
    open_ = [(str(key), part) for key, value in values.items() for part in (key, value)]
    while open_:
        field, part = open_.pop()
        if _half(part):
            return field if not _half(field) else ascii(field)
        if isinstance(part, dict):
            open_ += [(field, node) for pair in part.items() for node in pair]
        elif isinstance(part, list):
            open_ += [(field, node) for node in part]
    return ""


def _goes_on(rest: list[str]) -> bool:
    """Whether the next line that is not empty begins no object of its own."""
    return next((not line.lstrip().startswith("{") for line in rest if line.strip()), False)


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in _WHITESPACE:
        at += 1
    return at


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Row:
    """One entry of a source file: where it begins (lines from 1) and what it says.

    source_values: the same as it stands in the file, with the spaces around the cells of a CSV file.
    """

    file: str
    line: int
    values: dict[str, Any]
    source_values: dict[str, Any]


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """A row that can't be used."""

    file: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}"


MOST_TOLD = 200
"""Problems that the message tells one by one."""


class ImportAborted(ValueError):
    """The source has rows that can't be used. `problems` lists all of them, by file and line."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(problems))
        left = len(self.problems) - MOST_TOLD
        more = [f"… and {left:,} more"] if left > 0 else []
        super().__init__("\n".join([*map(str, self.problems[:MOST_TOLD]), *more]))


class Problems:
    """Gathers problems, so that one run finds all of them."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self._places: set[tuple[str, int]] = set()

    def add(self, file: str, line: int, message: str) -> None:
        """Note one problem."""
        self.problems.append(Problem(file, line, message))
        self._places.add((file, line))

    def convert(self, rows: Iterable[Row], make: Callable[[Row], T]) -> Iterator[tuple[Row, T]]:
        """What `make` makes of each row; a row for which it raises ValueError or KeyError becomes a problem."""
        for row in rows:
            try:
                made = make(row)
            except (ValueError, KeyError, ArithmeticError, RecursionError) as error:
                self.add(row.file, row.line, _in_words(error))
            else:
                yield row, made

    def concern(self, row: Row) -> bool:
        """Whether there is one with this row."""
        return (row.file, row.line) in self._places

    def raise_any(self) -> None:
        """Raise ImportAborted when there is a problem."""
        if self.problems:
            raise ImportAborted(self.problems)


def _in_words(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "nested too deeply"
    if isinstance(error, ArithmeticError):
        return "a figure is too large"
    if isinstance(error, ValidationError):
        return "; ".join(f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors())
    if isinstance(error, KeyError):
        return f"no {error.args[0]}"
    return str(error)
