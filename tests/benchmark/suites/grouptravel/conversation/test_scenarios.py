"""Reading canned conversations: a bad line is named with its number and field."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmark.suites.grouptravel.conversation.scenarios import ScenarioError, converse, read_scenarios
from tests.benchmark.suites.grouptravel.conversation.play import scenario


def line(**changes: Any) -> str:
    good = scenario(say={"User1": ["一"], "User2": ["二"]}, limits=(1, 5)).model_dump()
    return json.dumps({**good, **changes})


def read(path: Path, *lines: str) -> list[dict[str, Any]]:
    path.write_text("\n".join(lines))
    return [converse(case) for case in read_scenarios(path)]


@pytest.mark.parametrize(
    ("bad", "named"),
    [
        (line()[:80], "line 2: not valid JSON"),
        ("[]", "line 2, (line)"),
        (line(users=[]), "line 2, users:"),
        (line(users=["User1", "User1"]), "line 2, users.1:"),
        (line(users=["Agent"]), "line 2, users.0:"),
        (line(users=["User3"]), "line 2, preferences.User3.preference:"),
        (line(preferences={"User1": {}}), "line 2, preferences.User1.preference:"),
        (line(say={"User1": ["一"]}), "line 2, say.User2:"),
        (line(max_turn="3"), "line 2, max_turn:"),
        (line(convergence_interval=0), "line 2, convergence_interval:"),
        (
            line(agent={"convergence": [], "turns": [{"say": "", "repetitive": "x"}], "final": []}),
            "line 2, agent.turns.0.repetitive:",
        ),
        (line(say={"User1": [], "User2": []}), "test, say.User1: asked to speak"),
    ],
)
def test_a_bad_line_is_named_with_its_field(tmp_path: Path, bad: str, named: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        read(tmp_path / "cases.jsonl", line(), bad)
    assert str(caught.value).startswith(named)


def test_blank_lines_and_further_keys_are_no_error(tmp_path: Path) -> None:
    found = read(tmp_path / "cases.jsonl", "", line(note="why this case"), "")
    assert [entry["id"] for entry in found] == ["test"]
