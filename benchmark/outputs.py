"""Where a command writes: never over what it reads, and a file as a whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


def refuse_own_input(out: Path, *inputs: Path) -> None:
    """Raise ValueError where `out` is one of the files read, by whatever name or link."""
    for path in inputs:
        if out.exists() and path.exists() and out.samefile(path):
            raise ValueError(f"{out}: would be written over the file that is read; choose another")


@contextmanager
def open_output(path: Path) -> Iterator[BinaryIO]:
    """What stands at `path`: a file, or that to which a link leads, as a whole; anything else as it comes.

    A file appears, or takes the place of an older one, when the block ends well; else nothing is left behind. Raises
    OSError, with a `filename`.
    """
    whole = path.is_file() or not path.exists()
    target = Path(os.path.realpath(path)) if path.is_symlink() else path
    try:
        with _replace_file(target) if whole else path.open("wb") as file:
            yield file
    except OSError as error:
        error.filename = error.filename or str(path)
        raise


@contextmanager
def _replace_file(path: Path) -> Iterator[BinaryIO]:
    """A temporary file beside `path` that takes its place when the block ends well, and vanishes otherwise."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            yield file
        temporary.replace(path)
    except BaseException as error:
        temporary.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename == str(temporary):
            error.filename = str(path)
        raise
