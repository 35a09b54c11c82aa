"""The published program's figures for every golden case that is here."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmark.suites.travelbench.golden import score_case

pytestmark = pytest.mark.reference
CLOSE = 1e-9


def differences(wanted: Any, given: Any, path: str = "") -> Iterator[str]:
    """Where two values differ; the wording of errors is free."""
    if isinstance(wanted, dict) and isinstance(given, dict):
        for key in sorted(wanted.keys() | given.keys()):
            if key in wanted and key in given:
                yield from differences(wanted[key], given[key], f"{path}.{key}")
            else:
                yield f"{path}.{key}: {wanted.get(key, 'nothing')!r} is {given.get(key, 'nothing')!r}"
    elif isinstance(wanted, list) and isinstance(given, list) and len(wanted) == len(given):
        for place, (one, other) in enumerate(zip(wanted, given, strict=True)):
            yield from differences(one, other, f"{path}[{place}]")
    elif not _same(wanted, given):
        yield f"{path}: {wanted!r} is {given!r}"


def _same(wanted: Any, given: Any) -> bool:
    if isinstance(wanted, float) and isinstance(given, int | float):
        return abs(wanted - given) <= CLOSE
    errors = [isinstance(text, str) and text.startswith('{"error":') for text in (wanted, given)]
    return all(errors) or ((type(wanted) is not bool) == (type(given) is not bool) and bool(wanted == given))


def test_every_golden_case_comes_out_as_the_published_program_has_it(reference: Path) -> None:
    folder = reference / "golden-travelbench"
    records, expected = (
        [json.loads(line) for line in (folder / name).read_text("utf-8").splitlines()]
        for name in ("records.jsonl", "expected.jsonl")
    )
    wrong = {
        wanted["id"]: found
        for record, wanted in zip(records, expected, strict=True)
        if (found := list(differences(wanted, json.loads(json.dumps(score_case(record))))))
    }
    assert len(records) == 60 and not wrong
