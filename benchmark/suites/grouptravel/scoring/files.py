"""Scoring a whole file of run records, for the command line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from benchmark.inputs import LineProblem, Problems
from benchmark.jsonlines import json_line
from benchmark.metrics import evidence_digest
from benchmark.outputs import open_output, refuse_own_input
from benchmark.suites.grouptravel.scoring.catalogue import Catalogue
from benchmark.suites.grouptravel.scoring.profile import CODE_VERSION, PROFILES
from benchmark.suites.grouptravel.scoring.records import BadRecords, load_catalogue, read_records
from benchmark.suites.grouptravel.scoring.run_record import read_record
from benchmark.suites.grouptravel.scoring.score import score_with_trip
from benchmark.suites.grouptravel.scoring.tally import Tally


def score_file(
    records_path: Path | str,
    catalogue_path: Path | str,
    out_path: Path | str,
    progress: Callable[[int], None] | None = None,
    profile: str = "published",
) -> Tally:
    """Score every record of a JSONL file (.gz too) into another, one line each in the same order; what it held.

    A line holds what `score_record` gives, and the `profile`, `code_version` and evidence `digest` of the score.
    `progress` is called with the number of records done so far, after each. The result appears at `out_path` only
    when all is well; else nothing is left behind. A pipe or device there gets each line as it is scored. Raises
    BadRecords with every bad line, OSError, ValueError for a catalogue that is none, a broken
    .gz, a file that is too large or an `out_path` that is one of the files read, KeyError for an unknown profile.
    """
    PROFILES[profile]
    refuse_own_input(Path(out_path), Path(records_path), Path(catalogue_path))
    catalogue = load_catalogue(Path(catalogue_path))
    problems = Problems()
    tally = Tally()
    with open_output(Path(out_path)) as out:
        for number, record in read_records(Path(records_path)):
            if isinstance(record, LineProblem):
                problems.add(record)
                continue
            try:
                out.write(_score_record(record, catalogue, profile, tally))
            except RecursionError:
                problems.add(LineProblem(number, "", "is nested too deeply"))
                continue
            if progress:
                progress(tally.records)
        if problems:
            raise BadRecords(Path(records_path), problems)
    return tally


def _score_record(written: Mapping[str, Any], catalogue: Catalogue, profile: str, tally: Tally) -> bytes:
    record = read_record(written)
    score, trip = score_with_trip(record, catalogue, profile)
    made_by = {"profile": profile, "code_version": CODE_VERSION, "digest": evidence_digest(score["evidence"])}
    line = json_line({**made_by, **score})
    tally.add(record, score, trip, catalogue)
    return line
