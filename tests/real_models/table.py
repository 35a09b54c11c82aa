"""The table of results: a line a check, kept while the checks run."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.real_models.installation import HOME

RESULTS_FILE = Path(HOME, "results.jsonl")


@dataclass(frozen=True, slots=True)
class Row:
    """server: its switches. what: who was tried. ended: how. said: the reason and remedy as researchers read them."""

    server: str
    what: str
    ending: str
    requests: int
    seconds: float
    error: str = ""


def keep(row: Row) -> None:
    """Add a line."""
    with RESULTS_FILE.open("a") as file:
        file.write(json.dumps(asdict(row), ensure_ascii=False) + "\n")


def rows() -> list[Row]:
    """All lines so far."""
    return (
        [Row(**json.loads(line)) for line in RESULTS_FILE.read_text().splitlines()]
        if RESULTS_FILE.exists()
        else []
    )


def as_markdown(kept: list[Row]) -> str:
    """The table for the documentation."""
    head = "| server | tried | ended | requests | s | what is said |\n|---|---|---|--:|--:|---|\n"
    lines = (
        f"| `{row.server}` | {row.what} | {row.ending} | {row.requests} | {row.seconds:.0f} | {_cell(row.error)} |"
        for row in kept
    )
    return head + "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    """The endpoint's name and address, which change, are left out."""
    return " ".join(re.sub(r"smollm2 \([^)]*\): ", "", text).replace("|", "\\|").split())
