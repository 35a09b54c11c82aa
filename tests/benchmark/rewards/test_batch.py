"""Batches of plans: what each item gets, whatever is wrong with the others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import orjson
import pytest

from benchmark.agents.briefing import fence_plan
from benchmark.rewards.batch import MOST_PLAN, BadBatch, Rewards
from tests.scale.tripscore import DAYS, REFERENCE, plan, query

TASK = {"id": "own", "query": query(), "reference": REFERENCE}
REAL = {"id": "real", "query": query(type="real", preferences={}), "reference": REFERENCE}


@pytest.fixture(scope="module")
def rewards(tmp_path_factory: pytest.TempPathFactory) -> Rewards:
    return Rewards.load(
        "tripscore", [write_tasks(tmp_path_factory.mktemp("tasks") / "a.jsonl", TASK, REAL)], {}
    )


def write_tasks(path: Path, *tasks: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(task) + "\n" for task in tasks))
    return path


def results(rewards: Rewards, *items: str | dict[str, Any]) -> list[dict[str, Any]]:
    """items: as JSON, or as text that stands in its place."""
    parts = ",".join(item if isinstance(item, str) else json.dumps(item) for item in items)
    told: list[dict[str, Any]] = orjson.loads(rewards.answer(f'{{"items": [{parts}]}}'.encode()))["results"]
    return told


def test_plans_and_answers_have_the_same_reward_in_order(rewards: Rewards) -> None:
    closer = [*DAYS[:3], [("Morning", "p2"), ("Afternoon", "p2"), ("Evening", "3")]]
    told = results(
        rewards,
        {"task": "own", "plan": plan()},
        {"task": "own", "answer": f"Here:\n{fence_plan(plan())}", "ratings": None},
        {"task": "own", "plan": plan(closer)},
        {"task": "own", "plan": plan(DAYS[:3])},
    )
    assert told[0] == told[1] and told[2]["reward"] > told[0]["reward"] > 3
    assert told[0]["feasible"] is told[0]["delivered"] is True and told[0]["reason"] == ""
    assert told[0]["figures"].keys() == {"format", "commonsense", "soft", "pref"}
    assert told[3]["reward"] == 0 and (told[3]["delivered"], told[3]["feasible"]) == (True, False)
    assert "information_completeness: day_count (wanted 4, found 3)" in told[3]["reason"]


def test_ratings_of_judges_count(rewards: Rewards) -> None:
    best, rules = results(
        rewards,
        {"task": "real", "plan": plan(), "ratings": {"iconic": 5, "diversity": 5, "user": 5}},
        {"task": "real", "plan": plan()},
    )
    assert best["reward"] == pytest.approx(rules["reward"] + 1.4, abs=0.3)
    assert best["figures"]["pref"]["user"] == 1 and rules["figures"]["pref"]["user"] is None


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        ({"task": "own", "answer": "I can't."}, "response_format: no_plan"),
        ({"task": "own", "answer": None}, "response_format: no_plan"),
        ({"task": "own", "plan": [1]}, "response_format: no_plan"),
        ({"task": "own", "answer": f"```\n{'[' * 100_000}\n```"}, "response_format: no_plan"),
        (
            {"task": "own", "plan": {**plan(), "itineraryName": " "}},
            "response_format: no_text (field itineraryName)",
        ),
        (
            {"task": "own", "answer": "x" * (MOST_PLAN + 1)},
            "the plan is larger than 5 MB; write a shorter one",
        ),
        (
            {"task": "own", "plan": {"x": "行" * (MOST_PLAN // 3 + 1)}},
            "the plan is larger than 5 MB; write a shorter one",
        ),
    ],
)
def test_a_bad_plan_fails_by_its_format_alone(rewards: Rewards, item: dict[str, Any], reason: str) -> None:
    bad, good = results(rewards, item, {"task": "own", "plan": plan()})
    assert bad["reward"] == -3 and bad["reason"].startswith(reason)
    assert (bad["delivered"], bad["feasible"]) == (False, False) and good["reward"] > 3


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        ({"task": "other", "plan": plan()}, "task: there is no 'other'"),
        ({"task": ["own"], "plan": plan()}, "task: there is no"),
        ({"task": "own"}, "plan, answer: both are missing"),
        ({"task": "own", "answer": 7}, "answer: this is no text"),
        ({"task": "own", "plan": plan(), "ratings": [5]}, "ratings: this is no object"),
        ("[1]", "the item is no object"),
        (f'{{"task": "own", "plan": {"[" * 5000}{"]" * 5000}}}', "the item can't be read: nested too deeply"),
        ('{"task": "own" "plan": {}}', "the item can't be read: not valid JSON"),
    ],
)
def test_an_item_that_cant_be_scored_says_why_alone(
    rewards: Rewards, item: str | dict[str, Any], reason: str
) -> None:
    bad, good = (
        results(rewards, item, {"task": "own", "plan": plan()})
        if item != "[1]"
        else (*results(rewards, item), {"reward": 4})
    )
    assert bad["reward"] is None and bad["reason"].startswith(reason) and good["reward"] > 3


def test_what_only_lenient_readers_take_is_read(rewards: Rewards) -> None:
    odd = {**plan(), "more": [float("nan"), 10**30]}
    half = {**plan(), "itineraryName": "\ud83d"}
    told = results(rewards, {"task": "own", "plan": odd}, {"task": "own", "plan": half})
    assert [each["delivered"] for each in told] == [True, True]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b'{"items": 1}',
        b"\xff\xfe",
        b'{"items": [{"task": "own"}',
        b'{"items": [{]}',
        b'{"items": [{} x]}',
    ],
)
def test_a_body_without_items_is_refused(rewards: Rewards, body: bytes) -> None:
    with pytest.raises(BadBatch, match="items"):
        rewards.answer(body)


def test_an_id_that_two_files_have_is_refused(tmp_path: Path) -> None:
    paths = [write_tasks(tmp_path / name, TASK) for name in ("a.jsonl", "b.jsonl")]
    with pytest.raises(ValueError, match=r"task own is in .*a\.jsonl and in .*b\.jsonl; keep one"):
        Rewards.load("tripscore", paths, {})
    with pytest.raises(ValueError, match=r"line 1, reference\.hotels: Field required"):
        Rewards.load("tripscore", [write_tasks(tmp_path / "c.jsonl", {**TASK, "reference": {}})], {})
