"""The step beside the making of sets (`manage.py make_tasks traveleval`): samples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmark.jsonlines import json_line
from benchmark.making import Argument, FileStep, MakingSteps, StepResult, Tools
from benchmark.outputs import open_output, refuse_own_input
from benchmark.suites.traveleval.making.sets import LEVELS, stratified_sample
from benchmark.suites.traveleval.tasks import TASK_FILES


def _sample(given: Mapping[str, Any], tools: Tools) -> StepResult:
    out, files = given["out"], given["files"]
    rows = [row for path in files for row in TASK_FILES.whole(path)]
    raw = {row.task.uid: row.raw for row in rows}
    drawn = stratified_sample([row.task for row in rows], given["count"], given["seed"])
    refuse_own_input(out, *files)
    with open_output(out) as file:
        file.writelines(json_line(dict(raw[query.uid])) for query in drawn)
    counts = Counter(query.tag for query in drawn)
    told: dict[str, int] = {level: counts[level] for level in LEVELS}
    shown = ", ".join(f"{count} {level}" for level, count in told.items())
    return StepResult(told, f"{len(drawn):,} queries, {shown}: {out}")


SAMPLE = FileStep(
    "sample",
    "Draw a sample in which each difficulty and number of days has its share (section B.1 of the paper)",
    (
        Argument("files", {"type": Path, "nargs": "+", "metavar": "QUERIES", "help": "Files of queries"}),
        Argument(
            "--count",
            {"type": int, "default": 250, "metavar": "N", "help": "Queries; by default 250, as in the paper"},
        ),
        Argument("--seed", {"type": int, "default": 0, "help": "The same seed gives the same queries"}),
        Argument(
            "--out", {"type": Path, "required": True, "metavar": "OUT.jsonl", "help": "Where the queries go"}
        ),
    ),
    _sample,
)
STEPS = MakingSteps((SAMPLE,))
