"""The engine against the 80 canned conversations of the published scheduler."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmark.suites.grouptravel.conversation.scenarios import converse, read_scenarios

pytestmark = pytest.mark.reference


def test_all_golden_conversations_come_out_equal(reference: Path) -> None:
    folder = reference / "golden"
    lines = (folder / "conversations_expected.jsonl").read_text().splitlines()
    expected = {entry["id"]: entry for entry in map(json.loads, lines)}
    different = {}
    for scenario in read_scenarios(folder / "conversations.jsonl"):
        found = converse(scenario)
        wanted = expected.pop(scenario.id)
        if wrong := [key for key in wanted if found[key] != wanted[key]]:
            different[scenario.id] = wrong
    assert different == {}
    assert expected == {}
