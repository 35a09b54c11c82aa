"""Reading labels that were made elsewhere: our own table and JSON lines, and what Label Studio exports."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from benchmark.inputs import BOM, MB, open_unpacked, read_whole
from benchmark.labelling.files.checks import ItemAnswers, Reading, Terms, refusal
from benchmark.labelling.files.label_studio_in import read_tasks
from benchmark.labelling.files.lines_in import read_lines
from benchmark.labelling.files.table_in import read_table
from benchmark.labelling.tables import BadTable
from benchmark.text.spelling import FieldSpellings

LARGEST = 64 * MB
"""Bytes of a file of labels, unpacked."""
_READERS: Mapping[str, Callable[[Reading, str], None]] = {
    "csv": read_table,
    "jsonl": read_lines,
    "label-studio": read_tasks,
}
FORMATS = tuple(_READERS)


def format_of(name: str, begin: bytes) -> str:
    """Which of FORMATS a file is, by its name and its first bytes."""
    plain = name.lower().removesuffix(".gz")
    begun = begin.removeprefix(BOM).lstrip()
    if plain.endswith(".csv") or begun[:1] not in (b"[", b"{"):
        return "csv"
    return "label-studio" if begun[:1] == b"[" else "jsonl"


def read_labels(
    path: Path, terms: Terms, *, name: str = "", format_: str = "", names: FieldSpellings | None = None
) -> list[ItemAnswers]:
    """What a file says, item by item, every problem of it told at once.

    name: of the file as its sender calls it. names: gathers how names and labels are written.

    Raises:
        BadTable: something is wrong with it; `problems` says line, field and remedy.
        InputTooLarge: more than LARGEST bytes or MOST_LINES labels.
        ValueError, OSError: it can't be unpacked or read.
    """
    with open_unpacked(path) as file:
        data = read_whole(file, LARGEST).removeprefix(BOM)
    reader = _READERS[format_ or format_of(name or path.name, data[:200])]
    if not data.strip():
        raise refusal(1, "", "the file is empty; expected labels as CSV, JSON lines or Label Studio’s JSON")
    reading = Reading(terms, names=FieldSpellings() if names is None else names)
    reader(reading, _decode_text(data))
    if reading.problems:
        raise BadTable(reading.problems)
    return list(reading.items.values())


def _decode_text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise refusal(line, "", "not UTF-8; save the file as UTF-8") from error
