"""Files of cases: scored as a whole or not at all, with every bad line named."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from benchmark.cases import BadCases, score_cases
from benchmark.suites import suite_named
from benchmark.suites.base import CaseContext, CaseRefused

UNSOLVED_CASE = {"id": "U1", "kind": "unsolved", "trajectory": {"messages": []}}


def write_cases(folder: Path, *lines: Any) -> Path:
    path = folder / "cases.jsonl"
    path.write_text("\n".join(one if isinstance(one, str) else json.dumps(one) for one in lines), "utf-8")
    return path


def test_each_case_becomes_a_line_in_its_order(tmp_path: Path) -> None:
    path, out = write_cases(tmp_path, UNSOLVED_CASE, "", UNSOLVED_CASE | {"id": "U2"}), tmp_path / "out.jsonl"
    call_command("score-suite", "travelbench", path, "--out", out)
    told = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [one["id"] for one in told] == ["U1", "U2"] and told[0]["unsolved_score"] == 0


def test_every_bad_line_is_named_and_nothing_is_written(tmp_path: Path) -> None:
    bad = [{"id": "T1", "kind": "tools", "time": "x"}, {"id": "?"}, "nope", "[1]", {**UNSOLVED_CASE, "id": 5}]
    path, out = write_cases(tmp_path, UNSOLVED_CASE, *bad), tmp_path / "out.jsonl"
    out.write_text("before")
    cases = suite_named("travelbench").cases
    assert cases is not None
    with pytest.raises(BadCases) as caught:
        score_cases(path, out, lambda case: cases.score(case, CaseContext()))
    problems = caught.value.problems.problems
    assert [(one.line, one.field) for one in problems] == [
        (2, "calls"),
        (3, "kind"),
        (4, ""),
        (5, ""),
        (6, "id"),
    ]
    assert out.read_text() == "before" and {*tmp_path.iterdir()} == {path, out}


def test_a_file_without_cases_is_refused_and_so_is_its_own_place(tmp_path: Path) -> None:
    empty = write_cases(tmp_path)
    for out in (tmp_path / "out.jsonl", empty):
        with pytest.raises(CommandError, match=r"holds no case|over the file"):
            call_command("score-suite", "travelbench", empty, "--out", out)
    with pytest.raises(CommandError, match="No such file"):
        call_command("score-suite", "travelbench", tmp_path / "none", "--out", tmp_path / "out.jsonl")


def test_a_benchmark_may_tell_of_a_bad_line_in_its_place(tmp_path: Path) -> None:
    bad = ["nope", "[1]", {"id": 3}, {"id": "o", "input": {"id": "i"}}, {"input": 1}]
    path = write_cases(tmp_path, *bad, {"id": "ok"})

    def score(case: Mapping[str, Any]) -> dict[str, Any]:
        if case.get("id") != "ok":
            raise CaseRefused("plan" if "id" in case else "id", "no plan")
        return {"id": case["id"]}

    def fault(id_: object, field: str, reason: str) -> dict[str, Any]:
        return {"id": id_, "error": field, "said": bool(reason)}

    assert score_cases(path, tmp_path / "out.jsonl", score, fault) == 6
    told = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()]
    assert [(one["id"], one.get("error")) for one in told] == [
        (None, "line"),
        (None, "line"),
        (3, "plan"),
        ("i", "plan"),
        (None, "id"),
        ("ok", None),
    ]
    assert all(one["said"] for one in told[:-1])
