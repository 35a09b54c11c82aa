"""What form an answer must have."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sandbox.simulation.model import Form, WrongForm, form_of
from sandbox.toolsets.grouptravel.tools import TOOLS

GEO = TOOLS["maps_geo"].result
LAKE: dict[str, Any] = {"name": "西湖", "city": "杭州市", "kind": "attraction", "location": "120.1,30.2"}
GOOD = json.dumps(LAKE, ensure_ascii=False)
ERROR = '{"error":"没有这个地点"}'


@pytest.mark.parametrize(
    ("texts", "form"),
    [
        ([GOOD], Form(GEO, "object")),
        ([GOOD, ERROR], Form(GEO, "object")),
        ([GOOD, '{"name":"西湖"}'], Form(None, "object")),
        ([ERROR], Form(None, "object")),
        (["[1]", "[]", ERROR], Form(None, "array")),
        (["[1]", "{}"], Form(None, None)),
        (["12", "1.5"], Form(None, "number")),
        ([GOOD, "西湖在杭州"], Form(None, None)),
        ([GOOD, '{"a": NaN}'], Form(None, None)),
    ],
)
def test_the_form_is_what_all_answers_share(texts: list[str], form: Form) -> None:
    assert form_of(GEO, texts) == form


def test_an_answer_that_follows_the_model_is_made_compact_in_its_order() -> None:
    turned = json.dumps(dict(reversed(LAKE.items())), indent=2)
    assert Form(GEO, "object").read(turned) == json.dumps(LAKE, ensure_ascii=False, separators=(",", ":"))


@pytest.mark.parametrize("form", [Form(GEO, "object"), Form(None, "object"), Form(None, "array")])
def test_an_error_is_right_wherever_json_is(form: Form) -> None:
    assert form.read(f" {ERROR} ") == ERROR


@pytest.mark.parametrize(
    ("form", "answer", "problem"),
    [
        (Form(GEO, "object"), "西湖", "it is no valid JSON"),
        (Form(GEO, "object"), "[]", "it must be a JSON object"),
        (Form(GEO, "object"), '{"error":"a","city":"b"}', "field name is missing"),
        (Form(GEO, "object"), json.dumps(LAKE | {"city": 7}), "field city has a wrong type or value: 7"),
        (Form(GEO, "object"), json.dumps(LAKE | {"x": 1}), "field x is unknown"),
        (Form(None, "array"), "{}", "it must be a JSON array"),
        (Form(None, "object"), '{"a": Infinity}', "it is no valid JSON"),
        (Form(None, "number"), "1e999", "it is no valid JSON"),
        (Form(None, "array"), "[" * 100_000, "it is no valid JSON"),
    ],
)
def test_the_problem_names_the_first_field_that_is_wrong(form: Form, answer: str, problem: str) -> None:
    with pytest.raises(WrongForm) as caught:
        form.read(answer)
    assert caught.value.problem.en == problem
    assert caught.value.problem.zh


def test_a_field_deep_in_a_list_is_named_by_its_path() -> None:
    with pytest.raises(WrongForm, match=r"field answers\.1\.text is missing"):
        answers = [{"title": "a", "text": "b", "source": "c"}, {"title": "a", "source": "c"}]
        Form(TOOLS["web_search"].result, "object").read(
            json.dumps({"query": "q", "answers": answers, "note": ""})
        )


def test_any_text_is_right_where_examples_are_text() -> None:
    assert Form(None, None).read("```\n晴") == "```\n晴"
