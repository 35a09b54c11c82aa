"""Run records as they tell how requests went: how many turns they took, how many tool calls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from benchmark.inputs import LineProblem
from benchmark.suites.travelbench.modes import Mode
from benchmark.suites.travelbench.records.files import read_lines


class PlayedRun(NamedTuple):
    """A run of a request that did not crash. calls: of tools."""

    turns: int
    calls: int


def runs_by_request(paths: Iterable[Path], *modes: Mode) -> dict[tuple[str, str], list[PlayedRun]]:
    """The runs that did not crash, by trace_id and query, in the order of the files.

    A trace_id alone is not enough: task files number anew. paths: files of records, or folders of such (.jsonl), as
    export_run writes them. modes: those that count, all by default.

    Raises:
        OSError, ValueError: a file can't be read, or holds something else; the message names the place.
    """
    runs: dict[tuple[str, str], list[PlayedRun]] = {}
    for path in _files(paths):
        for record in _records(path):
            if record.get("success") is not False and (not modes or record["mode"] in modes):
                played = PlayedRun(record["turns"], record["tool_calls_count"])
                runs.setdefault((str(record["trace_id"]), record["query"]), []).append(played)
    return runs


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        inside = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
        if not inside:
            raise ValueError(f"{path}: holds no .jsonl file; export a run as a folder")
        yield from inside


def _records(path: Path) -> Iterator[Mapping[str, Any]]:
    for record in read_lines(path):
        if isinstance(record, LineProblem):
            raise ValueError(f"{path}: {record}")
        yield record.record
