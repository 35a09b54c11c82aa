"""A model as the writer: the same candidates and checks, and a second chance."""

from __future__ import annotations

import json
from typing import Any

import pytest

from benchmark.models import ChatRequest, Reply
from benchmark.remarks import Remark
from benchmark.suites.grouptravel.preferences import CITY_ROOT, GLOBAL_ROOT
from benchmark.suites.grouptravel.synthesis.by_model import ModelWriter, _fault_line
from benchmark.suites.grouptravel.synthesis.making import Maker, Recipe
from benchmark.suites.grouptravel.synthesis.resources import Resources, Trip
from benchmark.suites.grouptravel.synthesis.sampler import draw_tables
from benchmark.suites.grouptravel.synthesis.validation import FAULT_WORDS, Fault


class ScriptedAnswers:
    """Answers one after the other, the last one again and again."""

    def __init__(self, *answers: str) -> None:
        self.answers, self.prompts = list(answers), list[str]()

    def __call__(self, request: ChatRequest) -> Reply:
        self.prompts.append("\n".join(str(message["content"]) for message in request.messages))
        return Reply(self.answers.pop(0) if len(self.answers) > 1 else self.answers[0])


@pytest.fixture
def couple(make_trip: Any) -> Trip:
    trip: Trip = make_trip(group_id="2-1", cities=("杭州市",), days=3, pattern=("User2",))
    return trip


def answer(table: Any, opening: str = "") -> str:
    return json.dumps({**table, "opening": opening}, ensure_ascii=False)


def test_a_models_table_and_opening_are_taken(resources: Resources, couple: Trip) -> None:
    drawn = draw_tables(couple, 3, 0)
    budget = drawn["User1"][GLOBAL_ROOT]["avg_budget"]
    said = f"我这边人均不能超过{budget}元，别的你们定，出去玩开心最要紧，谁都别迁就谁。"
    ask = ScriptedAnswers(
        f"好的：\n```json\n{answer(drawn['User1'], said)}\n```",
        answer({CITY_ROOT: drawn["User2"][CITY_ROOT]}),
    )
    made = Maker(resources, Recipe(3, prove=False), ModelWriter(ask)).write(couple.skeleton)
    assert made.task is not None
    assert made.task["user_preferences"]["User1"]["preference"] == drawn["User1"]
    assert made.task["user_preferences"]["User2"]["preference"] == drawn["User2"]
    assert made.task["initial_messages"][0]["content"] == said
    assert made.task["initial_messages"][1]["content"], "the built-in words where the model has none"
    assert (made.remade_tables, made.failures) == (0, [])
    assert len(ask.prompts) == 2


def test_the_model_is_told_candidates_fares_and_what_is_copied(resources: Resources, couple: Trip) -> None:
    drawn = draw_tables(couple, 3, 0)
    ask = ScriptedAnswers(answer(drawn["User1"]), answer({CITY_ROOT: drawn["User2"][CITY_ROOT]}))
    Maker(resources, Recipe(3, prove=False), ModelWriter(ask)).write(couple.skeleton)
    first, second = ask.prompts
    for name in ("西湖风景名胜区 (", "杭帮菜", "电竞酒店", "武汉市→杭州市：飞机 ", "最低花费", "说出预算"):
        assert name in first
    assert "User1" in second
    assert json.dumps(drawn["User1"][GLOBAL_ROOT], ensure_ascii=False) in second
    assert "$" not in first + second


def test_a_table_with_faults_is_written_again_with_the_faults_told(
    resources: Resources, couple: Trip
) -> None:
    drawn = draw_tables(couple, 3, 0)
    wrong = json.loads(json.dumps(drawn["User1"]))
    wrong[CITY_ROOT]["杭州市"]["attractions"]["must_visit"] = ["云上仙宫"]
    ask = ScriptedAnswers(
        "I'd rather not.",
        answer(wrong),
        answer(drawn["User1"]),
        answer({CITY_ROOT: drawn["User2"][CITY_ROOT]}),
    )
    made = Maker(resources, Recipe(3, prove=False), ModelWriter(ask)).write(couple.skeleton)
    assert made.task is not None
    assert made.remade_tables == 2
    assert "云上仙宫 is not a sight of 杭州市" in ask.prompts[2]


def test_what_fails_four_times_is_reported_and_not_shipped(resources: Resources, couple: Trip) -> None:
    ask = ScriptedAnswers("{}")
    made = Maker(resources, Recipe(3, prove=False), ModelWriter(ask)).write(couple.skeleton)
    assert made.task is None
    assert len(ask.prompts) == 4
    assert "after 3 regenerations" in str(made.failures[0])


def test_a_copy_takes_over_its_source_whatever_the_model_says(resources: Resources, couple: Trip) -> None:
    drawn = draw_tables(couple, 3, 0)
    changed = json.loads(json.dumps(drawn["User2"]))
    changed[GLOBAL_ROOT]["avg_budget"] = 99
    changed[CITY_ROOT]["杭州市"]["food"]["prefer_eat"] = ["龙肉"]
    ask = ScriptedAnswers(answer(drawn["User1"]), answer(changed))
    made = Maker(resources, Recipe(3, prove=False), ModelWriter(ask)).write(couple.skeleton)
    assert made.task is not None
    assert made.task["user_preferences"]["User2"]["preference"] == drawn["User2"]


def test_an_item_in_two_tiers_goes_from_the_weaker_and_is_told(resources: Resources, couple: Trip) -> None:
    drawn = draw_tables(couple, 3, 0)
    twice = json.loads(json.dumps(drawn["User1"]))
    food = twice[CITY_ROOT]["杭州市"]["food"]
    food["prefer_eat"] = [*food["prefer_eat"], *food["must_eat"]]
    ask = ScriptedAnswers(answer(twice), answer({CITY_ROOT: drawn["User2"][CITY_ROOT]}))
    made = Maker(resources, Recipe(3, prove=False), ModelWriter(ask)).write(couple.skeleton)
    assert made.task is not None
    assert made.removed_items[0][:2] == ("User1", "city_specific_preferences.杭州市.food.prefer_eat")


def test_english_prompts_are_whole(resources: Resources, couple: Trip) -> None:
    drawn = draw_tables(couple, 3, 0)
    ask = ScriptedAnswers(answer(drawn["User1"]), answer({CITY_ROOT: drawn["User2"][CITY_ROOT]}))
    made = Maker(resources, Recipe(3, "en", prove=False), ModelWriter(ask)).write(couple.skeleton)
    assert made.task is not None
    assert "Least cost" in ask.prompts[0]
    assert "This member must name the budget" in ask.prompts[0]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_each_fault_is_told_by_a_template_in_the_words_of_the_page(language: str) -> None:
    values = dict.fromkeys(
        (
            "held",
            "wanted",
            "value",
            "item",
            "known",
            "city",
            "other",
            "budget",
            "fares",
            "food",
            "luxury",
            "least",
        ),
        "$x",
    )
    for text in FAULT_WORDS.values():
        for path in ("", "a.b"):
            fault = Fault("shape", "User1", path, Remark(text, values))
            assert _fault_line(language, fault) == f"- {fault}"
