"""Reading run records and catalogues from files: JSON lines, plain or gzip."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from benchmark.inputs import (
    MB,
    InputTooLarge,
    LineProblem,
    Problems,
    filled_lines,
    numbered_lines,
    open_unpacked,
    read_whole,
)
from benchmark.jsonlines import NotText, read_json
from benchmark.suites.base import RecordLine
from benchmark.suites.grouptravel.scoring.catalogue import Catalogue
from benchmark.suites.grouptravel.scoring.run_record import crashed
from sandbox.worlds import WorldError, open_world

PACK_SUFFIX = ".sqlite3"
LONGEST_RECORD = 8 * MB
"""Bytes of one line; a published record has 50 to 300 KB."""
LARGEST_CATALOGUE = 256 * MB
"""Bytes of a catalogue, unpacked; 300,000 places have about 100 MB."""
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


class BadRecords(ValueError):
    """A file with lines that can't be scored; `problems` has what is wrong with them."""

    def __init__(self, path: Path, problems: Problems) -> None:
        counted = "1 bad record" if problems.count == 1 else f"{problems.count} bad records"
        super().__init__(f"{path}: {counted}\n{problems}")
        self.problems = problems


def _is_object(value: Any) -> bool:
    return value is None or isinstance(value, dict)


def _is_list(value: Any) -> bool:
    return value is None or isinstance(value, list)


def _is_names(value: Any) -> bool:
    return value is None or (isinstance(value, list) and all(isinstance(name, str) for name in value))


def _is_id(value: Any) -> bool:
    return isinstance(value, str | int)


_FIELDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "task_id": (_is_id, "must be a text or a number"),
    "user_names": (_is_names, "must be a list of names"),
    "effective_preferences": (_is_object, "must be an object {user: {preference: …}}"),
    "conversation_history": (_is_list, "must be a list"),
}
"""Fields without which, or of another shape, a record would be scored as if it had no plan or no travellers.

Others may hold anything: only a `success` of false is a crash, `plan_generated` counts by its truth, and an agent's
table that is not an object has a warning.
"""

_NEEDED_FIELDS = ("user_names", "effective_preferences", "conversation_history")
"""What a record is scored from; where it goes by another name, the figures would be those of a run without a plan."""
_LACKING = 'missing; rename what stands for it, or say "success": false if the run crashed'


def read_records(path: Path) -> Iterator[tuple[int, dict[str, Any] | LineProblem]]:
    """Stream (line number from 1, record or what is wrong with it); otherwise as `read_lines`."""
    for item in read_lines(path):
        yield (item.line, item) if isinstance(item, LineProblem) else (item.number, item.record)


def read_lines(path: Path) -> Iterator[RecordLine | LineProblem]:
    """Stream the records of a file, or what is wrong with a line; gzip is unpacked, blank lines are skipped.

    A file that is no JSON lines as a whole is one problem, of its first line. Only the fields that scoring reads are
    looked at, and never a plan: a broken plan is scored, not refused. Some must be there, if only as null, unless the
    run crashed.
    Raises OSError when the file can't be read, ValueError when it can't be unpacked or is too large.
    """
    with open_unpacked(path) as file:
        begun = False
        for item in filled_lines(numbered_lines(file, LONGEST_RECORD), LONGEST_RECORD, "record"):
            if isinstance(item, LineProblem):
                yield item
                begun = True
                continue
            number, text = item
            if not begun and (reason := _other_format(text)):
                yield LineProblem(number, "", reason)
                return
            begun = True
            yield _line(number, text)


def _other_format(start: bytes) -> str:
    """What a file is instead of JSON lines, by its first line, and what makes them of it; "" if it may be such."""
    if start.startswith(_UTF16_MARKS) or b"\0" in start[:2]:
        return "not UTF-8: it is UTF-16, of which iconv -f UTF-16 -t UTF-8 makes UTF-8"
    if start.lstrip().startswith(b"["):
        return "is a JSON list, not one record a line; jq -c '.[]' makes lines of it"
    return ""


def load_catalogue(path: Path) -> Catalogue:
    """The published catalogue file, or the pack of a world, indexed.

    Raises OSError, or ValueError when it is neither a JSON object nor a pack.
    """
    if path.suffix == PACK_SUFFIX and path.exists():
        return _catalogue_of_pack(path)
    with open_unpacked(path) as file:
        try:
            raw = _decode(read_whole(file, LARGEST_CATALOGUE))
        except InputTooLarge:
            raise
        except ValueError as error:
            raise ValueError(f"{path}: no JSON ({error})") from error
    if not isinstance(raw, dict) or not raw:
        raise ValueError(f"{path}: must be an object {{city: [place, …]}} with a city at least")
    return Catalogue(raw)


def _catalogue_of_pack(path: Path) -> Catalogue:
    try:
        world = open_world(path)
    except WorldError as error:
        raise ValueError(f"{path}: no world ({error})") from error
    try:
        return Catalogue(world.catalogue())
    finally:
        world.close()


def _line(number: int, text: bytes) -> RecordLine | LineProblem:
    try:
        record, written = _decode(text), text.decode()
    except NotText as error:
        return LineProblem(number, "", str(error))
    except ValueError as error:
        return LineProblem(number, "", f"no JSON ({error})")
    if not isinstance(record, dict):
        return LineProblem(number, "", "must be an object")
    return _bad_field(number, record) or RecordLine(number, written.strip(), record)


def _bad_field(number: int, record: Mapping[str, Any]) -> LineProblem | None:
    for field, (accepts, expected) in _FIELDS.items():
        if not accepts(record.get(field)):
            reason = expected if field in record else "is missing"
            return LineProblem(number, field, reason)
    lacking = [] if crashed(record) else [field for field in _NEEDED_FIELDS if field not in record]
    return LineProblem(number, ", ".join(lacking), _LACKING) if lacking else None


def _decode(text: bytes) -> Any:
    """The JSON value of `text`; what only orjson refuses (NaN, lone surrogates) is read too."""
    try:
        return orjson.loads(text)
    except ValueError:
        return read_json(text, strict=False)
