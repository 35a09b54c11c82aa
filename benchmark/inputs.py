"""Reading files of lines that other people made: as streams, within bounds that are said, gzip or plain."""

from __future__ import annotations

import gzip
import io
import re
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, BinaryIO, cast

from benchmark.remarks import Remark

MB = 1024 * 1024
MOST_LINES = 500_000
"""Lines of one file: what is kept of each line while the file is read fits into the memory budget of 500 MB."""
FREE_UNPACKED = 256 * MB
"""What any packed file may unpack to."""
MOST_RATIO = 200
"""Beyond that, how many bytes one packed byte may unpack to; JSON lines come to 5 to 50, a bomb to 1,000."""
MOST_LISTED = 200
"""Problems that are told one by one; the others are counted."""
BOM = b"\xef\xbb\xbf"
_GZIP_MAGIC = b"\x1f\x8b"
_OTHER_PACKERS = {
    "gzip in gzip": _GZIP_MAGIC,
    "zip": b"PK\x03\x04",
    "bzip2": b"BZh",
    "xz": b"\xfd7zXZ\0",
    "Zstandard": b"\x28\xb5\x2f\xfd",
}
"""How other packers begin."""
_SKIPPED_AT_ONCE = MB


class InputTooLarge(ValueError):
    """A file beyond a bound; the message names the bound and what helps."""


@dataclass(frozen=True, slots=True)
class LineProblem:
    """line: number from 1. field: dotted path, "" for the line as a whole. message: what is wrong and the remedy.

    remark: the same to be translated, None where it is in English alone.
    """

    line: int
    field: str
    message: str
    remark: Remark | None = None

    @classmethod
    def with_remark(cls, line: int, field: str, remark: Remark) -> LineProblem:
        """A problem that pages can tell in any language."""
        return cls(line, field, str(remark), remark)

    def __str__(self) -> str:
        where = f", {self.field}" if self.field else ""
        return f"line {self.line}{where}: {self.message}"


@dataclass(slots=True)
class Problems:
    """What is wrong with a file: the first MOST_LISTED problems, and how many there are."""

    problems: list[LineProblem] = field(default_factory=list)
    count: int = 0

    def add(self, problem: LineProblem) -> None:
        """Count a problem, and keep it while there is room."""
        self.count += 1
        if len(self.problems) < MOST_LISTED:
            self.problems.append(problem)

    def __bool__(self) -> bool:
        return self.count > 0

    def __str__(self) -> str:
        left = self.count - len(self.problems)
        more = [f"… and {left:,} more"] if left else []
        return "\n".join([*map(str, self.problems), *more])


@contextmanager
def open_unpacked(path: Path) -> Iterator[BinaryIO]:
    """The file's bytes, unpacked if it is gzip or so named.

    Raises:
        OSError: the file can't be read.
        InputTooLarge: it unpacks to far more than its size, or the block found it too large.
        ValueError: it is cut, damaged, or only named .gz, which shows while it is read.
    """
    try:
        with path.open("rb") as packed:
            if path.suffix == ".gz" or packed.peek(2).startswith(_GZIP_MAGIC):
                with io.BufferedReader(_UnpackingStream(packed), MB) as file:
                    _refuse_packed(path, file.peek(8))
                    yield cast("BinaryIO", file)
            else:
                _refuse_packed(path, packed.peek(8))
                yield packed
    except InputTooLarge as error:
        raise InputTooLarge(f"{path}: {error}") from error
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise ValueError(f"{path}: can't be unpacked ({error})") from error


def _refuse_packed(path: Path, begin: bytes) -> None:
    for kind, mark in _OTHER_PACKERS.items():
        if begin.startswith(mark):
            raise ValueError(f"{path}: is packed as {kind}; unpack it, or pack it with gzip, once")


class _CountingFile:
    """A packed file, and how many bytes of it have been taken."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.count = 0

    def read(self, size: int = -1) -> bytes:
        """As a file's."""
        data = self._file.read(size)
        self.count += len(data)
        return data


class _UnpackingStream(io.RawIOBase):
    """The content of a gzip file, which stops where it unpacks to far more than its size."""

    def __init__(self, packed: BinaryIO) -> None:
        super().__init__()
        self._packed_file = _CountingFile(packed)
        self._file = gzip.GzipFile(fileobj=cast("BinaryIO", self._packed_file), mode="rb")
        self._bytes_given = 0

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int:
        """As a raw file's; raises InputTooLarge."""
        data = self._file.read1(len(buffer))
        buffer[: len(data)] = data
        self._bytes_given += len(data)
        if self._bytes_given > max(FREE_UNPACKED, MOST_RATIO * self._packed_file.count):
            raise InputTooLarge(
                f"unpacks to more than {FREE_UNPACKED // MB} MB and more than {MOST_RATIO} times "
                "its size, as a decompression bomb does; if you trust it, unpack it yourself and give the result"
            )
        return len(data)


def numbered_lines(file: BinaryIO, longest: int) -> Iterator[tuple[int, bytes | None]]:
    """The lines with their numbers from 1, None for one of more than `longest` bytes. A byte order mark is left out.

    Raises InputTooLarge for a file of more than MOST_LINES lines, once those are given.
    """
    number = 0
    while line := file.readline(longest + 1):
        number += 1
        if number > MOST_LINES:
            raise InputTooLarge(f"more than {MOST_LINES:,} lines; split the file")
        whole = len(line) <= longest or line.endswith(b"\n")
        if not whole:
            _skip_line(file)
        yield number, (line.removeprefix(BOM) if number == 1 else line) if whole else None


def too_long(number: int, longest: int) -> LineProblem:
    """The problem of a line that `numbered_lines` gives as None."""
    return LineProblem(
        number,
        "",
        f"longer than {longest // MB} MB; expected one JSON object a line, with a line end after each",
    )


def filled_lines(
    lines: Iterable[tuple[int, bytes | None]], longest: int, what: str
) -> Iterator[tuple[int, bytes] | LineProblem]:
    """The lines that are not blank, or what is wrong with one as a line of JSON.

    An object that stands on several lines is one problem, and only the first such object is told. A file without a
    line that is not blank is a problem too.

    lines: as `numbered_lines` gives them. what: a line holds, such as "record".
    """
    filled = (item for item in lines if item[1] is None or item[1].strip())
    begun = told = False
    depth = 0
    for (number, line), (_, after) in pairwise(chain(filled, [(0, None)])):
        begun = True
        if depth > 0:
            depth += _depth(line or b"")
        elif line is None:
            yield too_long(number, longest)
        elif _is_scattered(line, after):
            depth = _depth(line)
            if not told:
                yield LineProblem(number, "", scattered_problem(what))
            told = True
        else:
            yield number, line
    if not begun:
        yield LineProblem(1, "", f"the file holds no {what}; expected one JSON object a line")


def scattered_problem(what: str) -> str:
    """The problem of an object that does not stand on one line."""
    return f"a {what} stands on several lines (pretty-printed JSON); write each {what} on one line, as jq -c . does"


_JSON_STRING = re.compile(rb'"(?:[^"\\]|\\.?)*(?:"|\Z)', re.DOTALL)
"""A string, or one that is not closed: whatever follows a quotation mark is read once."""


def _is_scattered(line: bytes, after: bytes | None) -> bool:
    """Whether an object begins on a line and goes on on the next one, as pretty-printed JSON does."""
    begun = line.strip()
    if after is None or not (begun.startswith(b"{") and begun.endswith((b"{", b"[", b","))):
        return False
    return _depth(begun) > 0 and not (after.startswith(b"{") and after.rstrip().endswith(b"}"))


def _depth(line: bytes) -> int:
    """How many brackets a line of JSON opens beyond those that it closes."""
    bare = _JSON_STRING.sub(b"", line)
    return sum(bare.count(each) for each in (b"{", b"[")) - sum(bare.count(each) for each in (b"}", b"]"))


def _skip_line(file: BinaryIO) -> None:
    while (rest := file.readline(_SKIPPED_AT_ONCE)) and not rest.endswith(b"\n"):
        pass


def read_whole(file: BinaryIO, most: int) -> bytes:
    """All bytes. Raises InputTooLarge for more than `most`."""
    data = file.read(most + 1)
    if len(data) > most:
        raise InputTooLarge(f"larger than {most // MB} MB, the most that is read")
    return data
