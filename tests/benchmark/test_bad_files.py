"""Files of others that are none, by every reader of lines: one problem, which names the line, and no traceback."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmark.cases import score_cases
from benchmark.inputs import LineProblem, filled_lines, numbered_lines, open_unpacked
from benchmark.labelling.files.checks import ItemClues, Terms
from benchmark.labelling.files.read import read_labels
from benchmark.labelling.weights import read_pairs
from benchmark.suites.grouptravel.conversation.scenarios import read_scenarios
from benchmark.suites.grouptravel.scoring.records import load_catalogue
from benchmark.suites.grouptravel.scoring.records import read_lines as group_records
from benchmark.suites.grouptravel.synthesis.profiles import read_profiles
from benchmark.suites.grouptravel.tasks import TASK_FILES as GROUP_TASKS
from benchmark.suites.travelbench.golden import score_case
from benchmark.suites.travelbench.records.files import read_lines as travel_records
from benchmark.suites.travelbench.tasks.files import TASK_FILES as TRAVEL_TASKS

TERMS = Terms(("left", "right"), {}, {1: ItemClues()})


def problems_of(read: Callable[[], Any]) -> list[str]:
    """What a reader finds wrong, whether it gives problems or raises one."""
    try:
        found = read()
        items = list(found) if isinstance(found, Iterator) else []
    except ValueError as error:
        return str(error).splitlines()
    return [str(item) for item in items if isinstance(item, LineProblem)]


def _pairs(path: Path) -> Any:
    with open_unpacked(path) as file:
        return read_pairs(line for _, line in numbered_lines(file, 1_000_000))


READERS: dict[str, Callable[[Path], Any]] = {
    "tasks": GROUP_TASKS.stream,
    "travelbench tasks": TRAVEL_TASKS.stream,
    "records": group_records,
    "travelbench records": travel_records,
    "cases": lambda path: score_cases(path, path.with_suffix(".out"), score_case),
    "pairs": _pairs,
    "scenarios": read_scenarios,
    "profiles": read_profiles,
    "labels": lambda path: read_labels(path, TERMS, format_="jsonl"),
}
PRETTY = json.dumps(
    {"task_id": "t", "trace_id": "1", "item": {"a": [1, {"b": "}"}]}, "z": 0}, indent=1
).encode()
NOT_ONE = {
    "empty": b"",
    "blank": b" \n\n\t\n",
    "mark": b"\xef\xbb\xbf",
    "mark and blank": b"\xef\xbb\xbf\n\n",
    "deep": b'{"id": ' + b"[" * 100_000,
    "huge": b'{"id": ' + b"9" * 5_000 + b"}",
    "cut": b'{"id": "x", "a": {"m"',
    "latin": b'{"id": "caf\xe9"}',
    "pretty": PRETTY,
    "pretty, twice": PRETTY + b"\n" + PRETTY,
    "pretty, flat": json.dumps({"task_id": "t", "item": {"a": [1]}}, indent=0).encode(),
}


@pytest.mark.parametrize("kind", NOT_ONE)
@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("packed", [False, True])
def test_a_file_that_is_none_is_one_problem(tmp_path: Path, reader: str, kind: str, packed: bool) -> None:
    path = tmp_path / ("x.jsonl.gz" if packed else "x.jsonl")
    path.write_bytes(gzip.compress(NOT_ONE[kind]) if packed else NOT_ONE[kind])
    found = [line for line in problems_of(lambda: READERS[reader](path)) if "1 problem" not in line]
    if reader == "profiles":
        found = found[1:]
    assert len(found) == 1
    if "pretty" in kind:
        assert "jq -c" in found[0]
    assert "traceback" not in found[0].lower() and "set_int_max_str_digits" not in found[0]


SURROGATES = {
    "tasks": ({"task_id": "t\ud83d"}, "task_id"),
    "travelbench tasks": ({"trace_id": "t\ud83d"}, "task_id"),
    "pairs": ({"id": "t\ud83d", "label": "A", "a": {}, "b": {}}, "id"),
    "scenarios": ({"id": "t\ud83d"}, "id"),
    "profiles": ({"id": "t\ud83d"}, "id"),
    "labels": ({"item": 1, "labels": [{"rater": "t\ud83d", "label": "A"}]}, "labels[0].rater"),
}


@pytest.mark.parametrize("reader", SURROGATES)
def test_half_a_character_in_an_id_is_named_by_line_and_field(tmp_path: Path, reader: str) -> None:
    value, field = SURROGATES[reader]
    whole = json.loads(GOOD[reader]) | value if reader in GOOD else value
    path = tmp_path / "x.jsonl"
    path.write_text(f"\n{json.dumps(whole)}\n", "ascii")
    found = problems_of(lambda: READERS[reader](path))
    assert any(one.startswith(f"line 2, {field}: holds half a character") for one in found), found


GOOD = {
    "tasks": (Path(__file__).parents[1] / "data" / "china10_tasks.jsonl").read_text("utf-8").splitlines()[0],
    "travelbench tasks": json.dumps(
        {"trace_id": "1", "time": "2026-01-02 10:00", "query": "q", "primary_intent": "a.b", "intent": "i"}
    ),
}


def test_only_what_goes_on_on_the_next_line_is_taken_for_pretty_printed() -> None:
    """A record that is cut off at a comma hides none of the records after it."""
    lines = [
        b'{"a": 1,\n',
        b'{"a": 2}\n',
        b"{\n",
        b'"a": [\n',
        b"1]\n",
        b"}\n",
        b'{"a": 3}\n',
        b'{"b": "{",\n',
    ]
    found = list(filled_lines(enumerate(lines, 1), 100, "record"))
    assert [item if isinstance(item, LineProblem) else item[0] for item in found][:2] == [1, 2]
    assert isinstance(found[2], LineProblem) and found[2].line == 3
    assert [item[0] for item in found[3:] if not isinstance(item, LineProblem)] == [7, 8]


def test_a_catalogue_may_begin_with_a_mark_and_has_to_hold_something(tmp_path: Path) -> None:
    path = tmp_path / "places.json"
    path.write_bytes(b"\xef\xbb\xbf" + '{"杭州市": [{"name": "西湖"}]}'.encode())
    assert load_catalogue(path)
    for text in (b"", b"\n", b"{}", b"[]", b"[" * 99_999, b'{"x": [{"longitude": ' + b"9" * 5_000 + b"}]}"):
        path.write_bytes(text)
        with pytest.raises(ValueError, match=r"places\.json: "):
            load_catalogue(path)
