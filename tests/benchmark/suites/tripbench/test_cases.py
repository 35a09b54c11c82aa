"""Cases of TRIP-Bench as files hold them: golden ones, bad ones, broken ones."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from pydantic import ValidationError

from benchmark.suites.base import CaseContext, CaseRefused
from benchmark.suites.tripbench.scoring.cases import score_case
from tests.differences import differences
from tests.scale.tripbench import CONSTRAINTS, WORLD, case, outcomes, sound_plan


def score(own: Mapping[str, Any]) -> Any:
    return json.loads(json.dumps(score_case(own, CaseContext()), allow_nan=False))


@pytest.mark.reference
def test_every_figure_of_the_golden_cases(reference: Path) -> None:
    lines = (reference / "golden-tripbench" / "cases.jsonl").read_text("utf-8").splitlines()
    wrong = [
        (given["id"], against)
        for given in map(json.loads, lines)
        if (against := differences(given["expected"], score(given)))
    ]
    assert lines and not wrong


@pytest.mark.parametrize(
    "own",
    [
        {"id": "x", "kind": "none"},
        {"id": None, "kind": "passk", "trials": [], "k": []},
        {"id": "x", "input": []},
        {"id": "x", "kind": "passk", "trials": [[2]], "k": [1]},
        {
            "id": "x",
            "kind": "gtpo",
            "rollouts": [{"turns": [{"feasible": True, "c": {"a": "1"}}]}],
            "eps": -1,
        },
        case(meta={}),
        case(params={"gap": 3}),
        case(params={"meal": [90, 45]}),
        case(params={"day_start": ["6", "11"]}),
        case(constraints=[{"rubric": "hotel.star"}]),
    ],
)
def test_a_case_that_is_none_is_refused(own: dict[str, Any]) -> None:
    with pytest.raises((ValidationError, CaseRefused)):
        score_case(own, CaseContext())


def test_broken_cases_are_refused_or_scored() -> None:
    told = outcomes(300)
    assert sum(told.values()) == 300 and {"refused", "infeasible", "strict"} <= told.keys()


@pytest.mark.parametrize(
    ("reply", "is_plan"),
    [
        ("No change.", False),
        ('{"days": []}', False),
        ('```json\n{"trip_plan": 1}\n```\n```\n%s\n```', True),
        ("Here: %s Enjoy!", True),
        ("```\n%s", True),
    ],
)
def test_a_plan_is_found_in_a_reply(reply: str, is_plan: bool) -> None:
    text = reply.replace("%s", json.dumps(sound_plan()))
    told = score(case("", reply=text) | {"plan": None})
    assert told["feasibility"]["structural_validity"] is is_plan


def empty(**changes: Any) -> dict[str, Any]:
    return {"trip_plan": {**sound_plan()["trip_plan"], "daily_schedule": [], **changes}}


@pytest.mark.parametrize(
    ("own", "carried", "strict"),
    [
        (case(empty(), previous=sound_plan()), True, True),
        (case(empty(number_of_people=3), previous=sound_plan()), True, False),
        (case(empty(), previous={"trip_plan": {}}), False, False),
        (case(empty(note=""), previous=sound_plan()), False, False),
        (case(previous=sound_plan()), False, True),
        (case(previous=sound_plan(), needs_plan=False) | {"plan": None}, True, True),
        (case(previous=sound_plan(), needs_plan=True) | {"plan": None}, False, False),
        (case(previous="text", needs_plan=False) | {"plan": None}, False, False),
    ],
)
def test_a_plan_that_changes_nothing_is_the_one_before(
    own: dict[str, Any], carried: bool, strict: bool
) -> None:
    told = score(own)
    assert (told["carried"], told["strict"]) == (carried, strict)


def test_what_lies_behind_a_plan_that_can_not_be_read_is_not_judged() -> None:
    told = score(case({"trip_plan": []}, constraints=CONSTRAINTS[:2]))
    assert [*told["feasibility"].values()] == [False, None, None, None]
    assert {*told["soundness"].values()} == {None} and told["user"] == {"c0": None, "c1": None}
    assert (told["F_feas"], told["F_sound"], told["F_user"]) == (1, None, None)


def test_what_is_wrong_with_a_case_is_told_by_its_field(tmp_path: Path) -> None:
    turn = {"F_feas": -1}
    wrong = [
        {"id": "x", "kind": "sessions"},
        {"id": "x", "kind": "sessions", "sessions": [{"subset": "easy", "turns": [turn]}]},
        {"id": "x", "kind": "passk", "trials": [[0, 2]], "k": [1]},
        {**case(), "params": {"meal": [90, 45]}},
    ]
    cases, out = tmp_path / "cases.jsonl", tmp_path / "out.jsonl"
    cases.write_text("\n".join(map(json.dumps, wrong)), "utf-8")
    call_command("score-suite", "tripbench", cases, "--out", out)
    told = [json.loads(line)["error"]["field"] for line in out.read_text("utf-8").splitlines()]
    assert told == ["sessions", "sessions.0.turns.0.F_feas", "trials.0.1", "params.meal"]


def test_fields_of_a_world_that_are_null_count_as_missing() -> None:
    world = json.loads(json.dumps(WORLD))
    world["services"] = [{**own, "day_offset": None, "number": None} for own in world["services"]]
    world["attractions"][1]["products"][0]["name"] = None
    assert score(case(world=world))["strict"]
    world["hotels"][0]["products"][0]["occupancy"] = None
    assert not score(case(world=world))["soundness"]["product_consistency"]
