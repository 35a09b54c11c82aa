"""`manage.py converse`: canned conversations, written whole or not at all."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from benchmark.suites.grouptravel.conversation.scenarios import LONGEST_SCENARIO
from tests.benchmark.suites.grouptravel.conversation.play import scenario


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    case = scenario(say={"User1": ["一"], "User2": ["二"]}, limits=(1, 5)).model_dump_json()
    (tmp_path / "cases.jsonl").write_text(f"{case}\n{case}\n", encoding="utf-8")
    return tmp_path / "cases.jsonl"


def run(cases: Path, out: Path) -> str:
    told = StringIO()
    call_command("converse", str(cases), "--out", str(out), stdout=told)
    return told.getvalue()


def test_every_conversation_gets_a_line(cases: Path) -> None:
    out = cases.with_name("out.jsonl")
    assert run(cases, out) == f"2 conversations written to {out}\n"
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [line["completion_reason"] for line in lines] == ["max_turn_reached"] * 2


def test_a_bad_line_leaves_the_older_file_as_it_was(cases: Path) -> None:
    out = cases.with_name("out.jsonl")
    out.write_text("older")
    cases.write_text(cases.read_text(encoding="utf-8") + "{", encoding="utf-8")
    with pytest.raises(CommandError, match=r"line 3: not valid JSON.*nothing was written") as raised:
        run(cases, out)
    assert raised.value.returncode == 2
    assert [path.name for path in sorted(cases.parent.iterdir())] == ["cases.jsonl", "out.jsonl"]
    assert out.read_text() == "older"


def test_an_endless_line_is_told_by_its_number(cases: Path) -> None:
    cases.write_text(cases.read_text(encoding="utf-8") + " " * (LONGEST_SCENARIO + 1), encoding="utf-8")
    with pytest.raises(CommandError, match=r"line 3: longer than 8 MB.*nothing was written"):
        run(cases, cases.with_name("out.jsonl"))


def test_the_file_that_is_read_is_not_written_over(cases: Path) -> None:
    before = cases.read_bytes()
    with pytest.raises(CommandError, match="would be written over the file that is read"):
        run(cases, cases)
    assert cases.read_bytes() == before


@pytest.mark.parametrize("figure", ["1" * 30, "[" * 400 + "]" * 400])
def test_figures_and_nesting_beyond_usual_json_are_written_as_they_came(cases: Path, figure: str) -> None:
    line = json.loads(cases.read_text(encoding="utf-8").splitlines()[0])
    table = next(iter(line["preferences"].values()))["preference"]
    table["global_constraints"]["intensity"] = "FIGURE"
    cases.write_text(json.dumps(line).replace('"FIGURE"', figure) + "\n", encoding="utf-8")
    out = cases.with_name("out.jsonl")
    run(cases, out)
    assert figure in out.read_text(encoding="utf-8").replace(" ", "").replace(",", "")
