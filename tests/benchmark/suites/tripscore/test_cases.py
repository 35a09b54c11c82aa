"""Cases of TripScore as files hold them: golden ones, bad ones, broken ones."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from benchmark.suites.tripscore.itineraries import find_plan
from tests.differences import differences
from tests.scale.tripscore import REFERENCE, case, outcomes, plan


def score(folder: Path, *lines: Any) -> list[dict[str, Any]]:
    path, out = folder / "cases.jsonl", folder / "out.jsonl"
    path.write_text("\n".join(one if isinstance(one, str) else json.dumps(one) for one in lines), "utf-8")
    call_command("score-suite", "tripscore", path, "--out", out)
    return [json.loads(line) for line in out.read_text("utf-8").splitlines()]


@pytest.mark.reference
def test_every_figure_of_the_golden_cases(reference: Path, tmp_path: Path) -> None:
    lines = (reference / "golden-tripscore" / "cases.jsonl").read_text("utf-8").splitlines()
    told = score(tmp_path, *lines)
    wrong = [
        (given["id"], found)
        for line, own in zip(lines, told, strict=True)
        if (found := differences((given := json.loads(line))["expected"], own))
    ]
    assert not wrong


def refusal(own: dict[str, Any], tmp_path: Path) -> tuple[Any, str]:
    (told,) = score(tmp_path, own)
    assert told["error"]["reason"]
    return told["id"], told["error"]["field"]


def drop_keys(own: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in own.items() if key not in keys}


def with_calendar(**calendar: Any) -> dict[str, Any]:
    first, *others = REFERENCE["attractions"]
    return case(reference={**REFERENCE, "attractions": [{**first, "openTimeCalendar": calendar}, *others]})


def with_first_leg(**own: Any) -> dict[str, Any]:
    first, *others = REFERENCE["transportation"]
    return case(reference={**REFERENCE, "transportation": [{**first, **own}, *others]})


CALENDAR = "reference.attractions.0.openTimeCalendar"


@pytest.mark.parametrize(
    ("own", "field"),
    [
        (drop_keys(case(), "reference"), "reference"),
        (drop_keys(case(), "query"), "query"),
        (case(reference={key: [] for key in REFERENCE}), "reference"),
        (case(reference={**REFERENCE, "hotels": None}), "reference.hotels"),
        (case(reference=drop_keys(REFERENCE, "transportation")), "reference.transportation"),
        (case(reference={**REFERENCE, "hotels": [{**REFERENCE["hotels"][0], "id": "s1"}]}), "reference"),
        (case(preferences={"budget": "dear"}), "query.preferences.budget"),
        (
            case(preferences={"pacing": "relaxed"}, params={"pacing": {"idle": [0, 1]}}),
            "query.preferences.pacing",
        ),
        (case(preferences={"effort": 3}), "query.preferences.effort"),
        (case(cities=[]), "query.cities"),
        (case(days="four"), "query.days"),
        (case(days=True), "query.days"),
        (case(start_date="2026-02-30"), "query.start_date"),
        (case(start_date=1_770_076_800), "query.start_date"),
        (with_first_leg(depart="2026-02-03"), "reference.transportation.0.depart"),
        (with_first_leg(arrive=1_770_076_800), "reference.transportation.0.arrive"),
        (case(params={"w3": True}), "params.w3"),
        (case(params={"daytime_mode": "never"}), "params.daytime_mode"),
        (case(params={"far": 1}), "params.far"),
        (case(params={"w1": {"beauty": 1}}), "params.w1"),
        ({**case(), "kind": ["plan"]}, "kind"),
        ({"id": "x", "kind": "grpo", "rewards": ["a"]}, "rewards.0"),
        ({"id": "x", "kind": "grpo", "rewards": [1, False]}, "rewards.1"),
        ({"id": "x", "kind": "grpo", "rewards": [1e308, -1e308]}, "line"),
        (with_calendar(always_open=True, rules=[{}]), CALENDAR),
        (with_calendar(rules=[{"weekdays": [0]}]), f"{CALENDAR}.rules.0.weekdays.0"),
        (
            with_calendar(rules=[{"date_range": {"start": "02-30", "end": "03-01"}}]),
            f"{CALENDAR}.rules.0.date_range.start",
        ),
    ],
)
def test_a_refused_case_names_its_field(own: dict[str, Any], field: str, tmp_path: Path) -> None:
    assert refusal(own, tmp_path) == (own["id"], field)


def test_what_is_null_is_what_is_left_out(tmp_path: Path) -> None:
    nulls = {"fixed_order": None, "return_required": None, "departure_city": "Home"}
    own = case(**nulls, preferences={"budget": None, "attraction": None}, params={"w3": None}, ratings=None)
    told = score(tmp_path, own, {**own, "kind": None}, case(preferences={}))
    assert [one["reward"] for one in told] == [3, 3, 3]


def test_bad_lines_leave_the_others_scored(tmp_path: Path) -> None:
    inner = {"id": "outer", "input": case(), "expected": {}}
    told = score(tmp_path, case(), '{"id": "cut', "[]", drop_keys(case(), "id"), inner)
    assert [(one["id"], one.get("error", {}).get("field")) for one in told] == [
        ("own", None),
        (None, "line"),
        (None, "line"),
        (None, "id"),
        ("own", None),
    ]


@pytest.mark.parametrize(
    "answer",
    [
        "I can't plan this.",
        "",
        "{" * 100_000,
        "```json\n" + json.dumps(plan())[:-40],
        json.dumps({**plan(), "recommendReason": 1}),
    ],
)
def test_an_answer_without_a_plan_fails_by_its_format(answer: str, tmp_path: Path) -> None:
    (told,) = score(tmp_path, case(plan=None, answer=answer))
    assert told["format"]["response_format"] is False and told["reward"] == -3
    assert told["commonsense"] is None and told["format"]["information_accuracy"] is None


@pytest.mark.parametrize(
    "answer",
    [
        "```json\n{}\n```",
        '```{.json .wide}\n{}\n``` and ```json\n{"b": 1}\n```',
        '```python\nprint()\n```\nSo:\n```JSON title="x"\n{}\n```',
        "The plan: {} – enjoy",
        "```json\n{}",
    ],
)
def test_a_plan_is_read_from_an_answer(answer: str) -> None:
    assert find_plan(answer.replace("{}", '{"a": {"c": 2}}')) == {"a": {"c": 2}}


def test_a_plan_of_five_megabytes_is_judged(tmp_path: Path) -> None:
    whole = plan()
    long = whole["dayInfos"][0]["scheduleDetail"][1]
    long["description"] += " **lost" * 700_000
    long["detailList"] += [{"type": "poi", "id": "", "name": f"Lost {n}"} for n in range(3000)]
    (told,) = score(tmp_path, case(plan=whole))
    assert told["format"]["information_relevance"] is False and told["reward"] == -3


def test_broken_cases_are_scored_or_refused() -> None:
    told = Counter(outcomes(300, seed=5))
    assert told.total() == 300 and {*told} == {"refused", "format", "delivered", "feasible"}


@pytest.mark.parametrize(
    ("own", "figures"),
    [
        (
            {
                "kind": "aggregate",
                "results": [
                    {"delivered": True, "feasible": True, "reward": 3},
                    {"delivered": True, "feasible": False, "reward": 0},
                    {"delivered": False, "feasible": False, "reward": -3},
                ],
            },
            {"DR": 2 / 3, "CPR": 0.5, "CondR": 3, "Reward": 0},
        ),
        (
            {"kind": "ceiling", "K": 3, "A_pair": 0.7169, "A_model": 0.6075},
            {"r": 0.8390, "r_model": 0.6948, "ratio": 0.8281, "A_all": 0.5917},
        ),
        (
            {"kind": "ceiling", "K": 2, "A_pair": 0.5, "A_model": 0.5},
            {"r": 0.5, "r_model": None, "ratio": None},
        ),
        (
            {"kind": "ceiling", "K": 1, "A_pair": 1, "A_model": 0.5},
            {"r": 1, "r_model": None, "ratio": None, "A_all": None},
        ),
        ({"kind": "grpo", "rewards": [1, 1]}, {"advantages": [0, 0]}),
        ({"kind": "grpo", "rewards": [0, 2], "eps": 0}, {"advantages": [-1, 1]}),
        ({"kind": "grpo", "rewards": [], "ddof": 1}, {"advantages": []}),
        (
            {
                "kind": "agreement",
                "pairs": [
                    {"r1": 3, "r2": 2, "votes": ["A", "A", "B"]},
                    {"r1": 3, "r2": 3, "votes": ["A", "A", "B"]},
                    {"r1": 1, "r2": 2, "votes": ["A", "N", "B"]},
                ],
            },
            {"n": 2, "accuracy_ties_in": 0.5, "accuracy_ties_out": 1.0, "tau_b": None},
        ),
    ],
)
def test_figures_over_many_plans(own: dict[str, Any], figures: dict[str, Any], tmp_path: Path) -> None:
    (told,) = score(tmp_path, {"id": 1, **own})
    assert told["id"] == 1
    for key, value in figures.items():
        assert told[key] == (value if value is None else pytest.approx(value, abs=1e-4))
