"""Where a plan is looked for, and where it is not."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.suites.grouptravel.itineraries import is_plan, last_plan, plan_in_message

PLAN = {"days": [{"day": 1, "city_segments": [{"city": "杭州市", "activities": []}]}]}
OTHER = {"days": [{"day": 2, "city_segments": [{"city": "苏州市", "activities": []}]}]}
TEXT, OTHER_TEXT = json.dumps(PLAN, ensure_ascii=False), json.dumps(OTHER, ensure_ascii=False)


@pytest.mark.parametrize(
    "value",
    [
        None, [], {}, {"days": []}, {"days": {}}, {"days": [None]}, {"days": [{}]}, {"days": [{"city_segments": []}]},
        {"days": [{"city_segments": {"a": 1}}]},
    ],
)  # fmt: skip
def test_no_plan(value):
    assert not is_plan(value)


def test_only_the_first_day_is_looked_at():
    assert is_plan({"days": [{"city_segments": [None]}, None]})


class TestLast:
    def test_a_fenced_plan(self):
        assert last_plan([f"好的：\n```json\n{TEXT}\n```\n再见"]) == PLAN

    def test_a_bare_plan_in_prose(self):
        assert last_plan([f"说明 {{}} {TEXT} 完毕 {{}}"]) == PLAN

    def test_the_last_plan_counts(self):
        assert last_plan([TEXT, OTHER_TEXT, "好"]) == OTHER

    def test_an_earlier_one_when_the_last_is_broken(self):
        assert last_plan([TEXT, OTHER_TEXT[:-3]]) == PLAN

    def test_the_first_json_fence_that_opens_with_a_brace_counts(self):
        assert last_plan([f"```json\n[]\n``` ```json {OTHER_TEXT} ``` ```json\n{TEXT}\n```"]) == OTHER

    @pytest.mark.parametrize("fenced", ["{}", '{"a"}', '{"days": []}', "{{}"])
    def test_a_fence_without_a_plan_leaves_the_braces_of_the_whole_message(self, fenced):
        assert last_plan([f"```json\n{fenced}\n```\n{TEXT} city_segments"]) == (
            PLAN if '"days"' not in fenced else None
        )

    def test_a_fence_ends_at_a_brace_before_a_closing_fence(self):
        inside = {"note": "``` } x"} | PLAN
        text = json.dumps(inside, ensure_ascii=False)
        assert last_plan([f"```json{text}  \n```"]) == inside
        assert last_plan([f"```json\n{TEXT}\n好\n``` "]) == PLAN

    @pytest.mark.parametrize("word", ["jsonc", "JSON", "json5", ""])
    def test_another_word_is_no_fence(self, word):
        nested = json.dumps({"meta": {}} | PLAN)
        assert last_plan([f"```{word}\n{nested}\n```"]) is None
        assert last_plan([f"```{word}\n{TEXT}\n```"]) == PLAN

    def test_single_quotes_are_tried_when_double_ones_hold_no_json(self):
        around = {"note": "'days'"} | PLAN
        text = json.dumps(around)
        assert last_plan([f'{{"days" {text}']) == around
        assert last_plan([f'"days" {text}']) == around
        assert last_plan([text]) == around

    def test_what_the_double_quotes_yield_is_final(self):
        around = json.dumps({"note": "'days'"} | PLAN)
        assert last_plan([OTHER_TEXT, f'{{"days": 1}} {around}']) == OTHER
        assert last_plan([f'{{"days": 1}} {around}']) is None

    def test_braces_in_strings_count(self):
        note = json.dumps(PLAN | {"note": "}"})
        assert last_plan([note]) is None
        assert last_plan([f"```json\n{note}\n```"]) == PLAN | {"note": "}"}

    def test_a_bare_fence_is_no_json_block(self):
        assert last_plan([f"```\n{TEXT}\n```"]) == PLAN

    def test_a_fence_that_is_not_closed_is_none(self):
        assert last_plan([f"```json\n{TEXT}"]) == PLAN

    def test_an_object_nested_before_days_loses_the_plan(self):
        text = json.dumps({"meta": {"a": 1}} | PLAN)
        assert last_plan([text]) is None
        assert last_plan([f"```json\n{text}\n```"]) == {"meta": {"a": 1}} | PLAN

    def test_days_quoted_in_the_prose_loses_the_plan(self):
        assert last_plan([f'字段 "days"：{TEXT}']) is None

    def test_nothing_to_find(self):
        assert last_plan([]) is last_plan(["days city_segments"]) is None


class TestMessage:
    @pytest.mark.parametrize(
        "text", [TEXT, f"看：{TEXT}。", f"```json\n{TEXT}\n```", f"```\n{TEXT}\n```", f"```{TEXT}```"]
    )
    def test_a_plan_ends_the_session(self, text):
        assert plan_in_message(text) == PLAN

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "好",
            "{",
            "}{",
            '{"days": []}',
            f'{{"note": 1}} {TEXT}',
            f"```json\n[]\n``` {TEXT}",
            TEXT[:-1],
            f"[{TEXT}"[:9],
        ],
    )
    def test_anything_else_does_not(self, text):
        assert plan_in_message(text) is None

    def test_the_first_fence_counts_whatever_its_kind(self):
        assert plan_in_message(f"```\n{TEXT}\n``` ```json\n{OTHER_TEXT}\n```") == PLAN

    def test_an_object_nested_before_days_is_no_obstacle(self):
        assert plan_in_message(json.dumps({"meta": {}} | PLAN)) == {"meta": {}} | PLAN


@given(st.text(alphabet='{}[]",:`jsondaycityegmt_ 1\n'))
def test_no_text_raises(text):
    plan_in_message(text)
    last_plan([text + "days city_segments", '"days"' + text + "city_segments"])


def test_deep_nesting_is_no_plan():
    assert plan_in_message('{"days":' + "[" * 100_000 + "]" * 100_000 + "}") is None
