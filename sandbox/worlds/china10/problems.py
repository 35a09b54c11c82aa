"""What stops an import."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import ValidationError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Row:
    """One entry of a source file: where it begins (lines from 1) and what it says."""

    file: str
    line: int
    values: dict[str, Any]


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
        self.found: list[Problem] = []

    def add(self, file: str, line: int, message: str) -> None:
        """Note one problem."""
        self.found.append(Problem(file, line, message))

    def convert(self, rows: Iterable[Row], make: Callable[[Row], T]) -> Iterator[tuple[Row, T]]:
        """What `make` makes of each row; a row for which it raises ValueError or KeyError becomes a problem."""
        for row in rows:
            try:
                made = make(row)
            except (ValueError, KeyError) as error:
                self.add(row.file, row.line, _in_words(error))
            else:
                yield row, made

    def raise_any(self) -> None:
        """Raise ImportAborted when there is a problem."""
        if self.found:
            raise ImportAborted(self.found)


def _in_words(error: Exception) -> str:
    if isinstance(error, ValidationError):
        return "; ".join(f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors())
    if isinstance(error, KeyError):
        return f"no {error.args[0]}"
    return str(error)
