"""Scoring a whole file of run records, for the command line."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from benchmark.jsonlines import json_line
from benchmark.scoring.catalogue import Catalogue
from benchmark.scoring.evidence import evidence_digest
from benchmark.scoring.profile import CODE_VERSION, PROFILES
from benchmark.scoring.records import BadRecords, RecordError, load_catalogue, read_records
from benchmark.scoring.score import score_record


def score_file(
    records_path: Path | str,
    catalogue_path: Path | str,
    out_path: Path | str,
    progress: Callable[[int], None] | None = None,
    profile: str = "published",
) -> int:
    """Score every record of a JSONL file (.gz too) into another, one line each in the same order; how many there are.

    A line holds what `score_record` gives, and the `profile`, `code_version` and evidence `digest` of the score.
    `progress` is called with the number of records done so far, after each. The result appears at `out_path` only
    when all is well; else nothing is left behind. A pipe or device there gets each line as it is scored. Raises
    BadRecords with every bad line, OSError, ValueError for a catalogue that is none, a broken .gz or an `out_path`
    that is one of the files read, KeyError for an unknown profile.
    """
    PROFILES[profile]
    _refuse_own_input(Path(out_path), Path(records_path), Path(catalogue_path))
    catalogue = load_catalogue(Path(catalogue_path))
    errors: list[RecordError] = []
    done = 0
    with _written(Path(out_path)) as out:
        for number, record in read_records(Path(records_path)):
            line = record if isinstance(record, RecordError) else _scored(number, record, catalogue, profile)
            if isinstance(line, RecordError):
                errors.append(line)
                continue
            out.write(line)
            done += 1
            if progress:
                progress(done)
        if errors:
            raise BadRecords(Path(records_path), errors)
    return done


def _refuse_own_input(out: Path, *inputs: Path) -> None:
    for path in inputs:
        if out.exists() and path.exists() and out.samefile(path):
            raise ValueError(f"{out}: would be written over the file that is read; choose another")


@contextmanager
def _written(path: Path) -> Iterator[BinaryIO]:
    """What stands at `path`: a file, or that to which a link leads, as a whole; anything else as it comes."""
    whole = path.is_file() or not path.exists()
    target = Path(os.path.realpath(path)) if path.is_symlink() else path
    try:
        with _replaced(target) if whole else path.open("wb") as file:
            yield file
    except OSError as error:
        error.filename = error.filename or str(path)
        raise


@contextmanager
def _replaced(path: Path) -> Iterator[BinaryIO]:
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


def _scored(
    number: int, record: Mapping[str, Any], catalogue: Catalogue, profile: str
) -> bytes | RecordError:
    try:
        score = score_record(record, catalogue, profile)
        made_by = {
            "profile": profile,
            "code_version": CODE_VERSION,
            "digest": evidence_digest(score["evidence"]),
        }
        return json_line({**made_by, **score})
    except RecursionError:
        return RecordError(number, "", "is nested too deeply")
