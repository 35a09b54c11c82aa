"""What a benchmark brings for making its data: steps that ask models about rows, and steps from files to files."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from benchmark.jsonlines import json_line
from benchmark.models import ChatRequest
from sandbox.tools.language import Language

Vectors = NDArray[np.float32]
Progress = Callable[[int, int, str], None]
"""Told how many of how many are done, and of what."""


class Row(Protocol):
    """What models are asked about. key: no other row's of the file."""

    @property
    def key(self) -> str: ...

    @property
    def language(self) -> Language: ...


class Unusable(ValueError):
    """A model's answer that can't be used; the message says why."""


@dataclass(frozen=True, slots=True)
class ModelStep:
    """Asks each of some models about every row of a file; an answer a line goes into another file.

    models: how many different ones are wanted. tries: answers of one model to one row until one can be used. rows: of
    a file; raises OSError, ValueError. request: what is asked. read: what an answer says, as fields of its line;
    raises Unusable.
    """

    name: str
    help: str
    models: int
    rows: Callable[[Path], Sequence[Any]]
    request: Callable[[Any], ChatRequest]
    read: Callable[[Any, str], Mapping[str, Any]]
    tries: int = 3


class Argument(NamedTuple):
    """An argument of a command: its name or flag, and what argparse takes beside it."""

    name: str
    options: Mapping[str, Any]


class StepResult(NamedTuple):
    """What a step tells. result: as JSON; words: for people."""

    result: Mapping[str, Any]
    words: str


class Tools(NamedTuple):
    """What a step may use. embed: turns texts into rows of length 1, by the name of an embedder."""

    progress: Progress
    embed: Callable[[str, Sequence[str]], Vectors]


@dataclass(frozen=True, slots=True)
class FileStep:
    """Reads files and writes files. work: gets the arguments by name; raises OSError, ValueError for bad input."""

    name: str
    help: str
    arguments: Sequence[Argument]
    work: Callable[[Mapping[str, Any], Tools], StepResult]


@dataclass(frozen=True)
class MakingSteps:
    """All steps by which a benchmark's data is made, in the order in which they are done."""

    steps: Sequence[ModelStep | FileStep]


# The answers of models, a line each, so that a step which was broken off goes on where it was.


@dataclass
class AnswerFile:
    """A file of answers that grows: `key`, `model`, then what the model said. Threads may share it.

    A last line that was cut off is taken away; any other bad line is an error.
    """

    path: Path
    answered_keys: set[tuple[str, str]] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def at(cls, path: Path) -> AnswerFile:
        """Where it is, with what it holds.

        Raises:
            OSError: it can't be read or written.
            ValueError: a line is no answer.
        """
        path.touch()
        _take_away_cut_line(path)
        return cls(path, {(answer["key"], answer["model"]) for answer in answers_in(path)})

    def open_questions(self, rows: Sequence[Row], models: Collection[str]) -> list[tuple[Row, str]]:
        """What is still to be asked, row by row."""
        return [
            (row, model) for row in rows for model in models if (row.key, model) not in self.answered_keys
        ]

    def add(self, row: Row, model: str, said: Mapping[str, Any]) -> None:
        """Keep an answer; it is on the disk when this returns."""
        line = json_line({"key": row.key, "model": model, **said})
        with self._lock, self.path.open("ab") as file:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())
            self.answered_keys.add((row.key, model))


def answers_in(path: Path) -> Iterator[dict[str, Any]]:
    """The answers of a file. Raises OSError, and ValueError with the line that is none."""
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                answer = json.loads(line)
                if isinstance(answer["key"], str) and isinstance(answer["model"], str):
                    yield answer
                    continue
            except (ValueError, KeyError, TypeError):
                pass
            raise ValueError(
                f"{path}: line {number} is no answer (an object with key and model); take it out"
            )


def _take_away_cut_line(path: Path) -> None:
    """What stands after the last line end was being written when its writer was ended."""
    with path.open("rb+") as file:
        whole = file.read()
        if whole and not whole.endswith(b"\n"):
            file.truncate(whole.rfind(b"\n") + 1)
