"""The model as a simulator: what it is asked, what of its answers counts, and what ends a call."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from sandbox.calls import Call, Example
from sandbox.simulation import ModelSimulator, WrittenAnswer
from sandbox.simulation.model import MOST_ASKED, answer_in, fenced_in
from sandbox.simulation.prompt import PROMPT_VERSION
from sandbox.tools.errors import ToolFailure
from sandbox.tools.language import Language, Says
from sandbox.toolsets.base import Question, ValidCall
from sandbox.toolsets.grouptravel import TOOLSET
from tests.sandbox.simulation.conftest import MakeExample

TEMPLE = {"name": "灵隐寺景区", "city": "杭州市", "kind": "attraction", "location": "120.0967,30.2406"}
GOOD = json.dumps(TEMPLE, ensure_ascii=False, indent=2)
COMPACT = json.dumps(TEMPLE, ensure_ascii=False, separators=(",", ":"))

Messages = Sequence[Mapping[str, str]]


class Model:
    """Answers one after another, the last one for ever; seen: what it was asked."""

    def __init__(self, *answers: str | WrittenAnswer | Exception) -> None:
        self.answers = list(answers)
        self.prompts: list[Messages] = []

    def __call__(self, messages: Messages) -> WrittenAnswer:
        self.prompts.append(messages)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, WrittenAnswer) else WrittenAnswer(answer)

    @property
    def words(self) -> str:
        return "".join(message["content"] for message in self.prompts[-1])


@pytest.fixture
def examples(example_of: MakeExample) -> list[Example]:
    return [example_of("maps_geo", address=address) for address in ("西湖", "武林广场", "杭州东站")]


def call(language: Language = "zh", tool: str = "maps_geo", **arguments: Any) -> ValidCall:
    return TOOLSET.validate(tool, arguments or {"address": "灵隐寺景区"}, language)


def text(result: str, **arguments: Any) -> Example:
    return Example(Call("maps_geo", arguments or {"address": "西湖"}), result, 0.7)


def simulate_call(
    model: Model, examples: Sequence[Example], asked: ValidCall | None = None, language: Language = "zh"
) -> str:
    question = Question(asked or call(language), examples, language, lambda _: ())
    return ModelSimulator("tiny-chat", model).simulate(question)


def failure(model: Model, examples: Sequence[Example], asked: ValidCall | None = None) -> ToolFailure:
    with pytest.raises(ToolFailure) as caught:
        simulate_call(model, examples, asked)
    return caught.value


def test_a_good_answer_is_handed_on_compact(examples: list[Example]) -> None:
    assert simulate_call(Model(GOOD), examples) == COMPACT


def test_the_request_has_examples_and_call(examples: list[Example]) -> None:
    model = Model(GOOD)
    simulate_call(model, examples)
    assert all(example.result in model.words for example in examples)
    assert '{"address":"灵隐寺景区"}' in model.words


def test_the_id_names_model_and_prompt() -> None:
    assert ModelSimulator("tiny-chat", Model("")).id == f"model:tiny-chat:{PROMPT_VERSION}"


@pytest.mark.parametrize("answer", [f"```json\n{GOOD}\n```", f"Here:\n```\n{GOOD}\n```"])
def test_fences_are_taken_off(examples: list[Example], answer: str) -> None:
    assert simulate_call(Model(answer), examples) == COMPACT


@pytest.mark.parametrize("bad", [json.dumps(TEMPLE | {"city": None}), "灵隐寺在杭州", "[]"])
def test_a_malformed_answer_is_asked_for_again_with_its_problem(examples: list[Example], bad: str) -> None:
    model = Model(bad, GOOD)
    assert simulate_call(model, examples, language="en") == COMPACT
    problems = {"[": "it must be a JSON object", "灵": "it is no valid JSON"}
    assert model.prompts[1][-2] == {"role": "assistant", "content": bad}
    assert problems.get(bad[0], "field city has a wrong") in model.prompts[1][-1]["content"]


def test_answers_that_stay_malformed_are_a_schema_failure(examples: list[Example]) -> None:
    model = Model('{"name":"灵隐寺景区"}')
    failed = failure(model, examples)
    assert (failed.kind, len(model.prompts)) == ("schema", MOST_ASKED)
    assert failed.describe("zh") == "模拟结果不符合工具的格式：字段 city 缺失"
    assert failed.describe("en") == "The simulated answer is malformed: field city is missing"


def test_an_error_in_the_tools_format_is_an_answer(examples: list[Example]) -> None:
    assert simulate_call(Model('{"error": "没有这个地点"}'), examples) == '{"error":"没有这个地点"}'


def test_any_text_that_names_it_is_taken_where_the_examples_are_text() -> None:
    told = "灵隐寺景区位于东经 120.10 度"
    assert simulate_call(Model(told), [text("西湖位于东经 120.14 度")]) == told


def test_foreign_json_keeps_its_type_and_its_bytes() -> None:
    bare = [text('[{"at": "西湖", "lng": 120.2}]'), text("[]")]
    model = Model('{"lng": 120.1}', '[ {"at": "灵隐寺景区", "lng": 120.1} ]')
    assert simulate_call(model, bare) == '[ {"at": "灵隐寺景区", "lng": 120.1} ]'
    assert "JSON 数组" in model.prompts[1][-1]["content"]


@pytest.mark.parametrize("content", ["", "  \n", "```\n```"])
def test_an_empty_answer_is_a_failure(examples: list[Example], content: str) -> None:
    model = Model(content)
    assert (failure(model, examples).kind, len(model.prompts)) == ("simulator", 1)


def test_an_answer_that_was_cut_off_is_a_failure(examples: list[Example]) -> None:
    failed = failure(Model(WrittenAnswer(GOOD[:20], cut_off=True)), examples)
    assert failed.kind == "simulator" and "cut off" in failed.describe("en")


def test_what_the_line_to_the_model_raises_is_raised(examples: list[Example]) -> None:
    """A tool error ends the call, anything else is the session's."""
    late = ToolFailure("timeout", Says("太慢", "too slow"))
    assert failure(Model(late), examples) is late
    with pytest.raises(OSError, match="away"):
        simulate_call(Model(OSError("away")), examples)


def test_arguments_too_long_for_the_prompt_are_told_to_be_shortened(examples: list[Example]) -> None:
    model = Model(GOOD)
    failed = failure(model, examples, call(address="长" * 70_000))
    assert (failed.kind, model.prompts) == ("simulator", [])
    assert "参数过长" in failed.describe("zh")


GEO, DETAIL = {"address": "上海市"}, {"id": "hz-a4"}
TRIP = {"origin": "上海", "destination": "杭州", "date": "2026-05-01"}
ENDS = {"origin": "120.10,30.20", "destination": "灵隐寺"}


@pytest.mark.parametrize(
    ("tool", "asked", "other", "right"),
    [
        ("maps_geo", GEO, {"name": "苏州市", "city": "苏州市"}, {"name": "上海", "city": "上海"}),
        ("maps_geo", GEO, {"name": "上海站", "city": "上海市"}, {"name": "上海市", "city": "上海市"}),
        (
            "maps_geo",
            {"address": "杭州市西湖", "city": "杭州"},
            {"name": "杭州市灵隐寺"},
            {"name": "西湖", "city": "杭州市"},
        ),
        ("get_poi_detail", DETAIL, {"id": "hz-a1", "name": "西湖"}, {"id": "hz-a4", "name": "灵隐寺"}),
        (
            "maps_weather",
            {"location": "苏州", "date": "2026-05-01"},
            {"city": "杭州市", "days": [{"date": "2026-05-01"}]},
            {"city": "苏州市", "days": [{"date": "2026-05-01"}]},
        ),
        (
            "maps_weather",
            {"location": "苏州", "date": "2026-05-01"},
            {"city": "苏州市", "days": [{"date": "2026-05-02"}]},
            {"city": "苏州市", "days": [{"date": "2026年5月1日"}]},
        ),
        ("travel_search_trains", TRIP, TRIP | {"origin": "苏州", "trains": [1]}, TRIP | {"trains": [1]}),
        ("travel_search_flights", TRIP, TRIP | {"date": "2026-05-02"}, TRIP | {"flights": []}),
        (
            "search_poi",
            {"keywords": "火锅", "city": "Suzhou"},
            {"pois": [{"city": "Hangzhou"}]},
            {"pois": [{"city": "Suzhou"}]},
        ),
        ("plan_route", ENDS, {"from": "120.3,30.2", "to": "灵隐寺"}, {"from": "120.1,30.2", "to": "灵隐寺"}),
        ("compare_routes", ENDS, {"from": "120.1,30.2"}, {"from": [120.1, 30.2], "to": "灵隐寺"}),
        (
            "search_along_route",
            ENDS | {"keywords": "茶"},
            {"route": "120.1,30.2 - 灵谷寺"},
            {"route": "120.1,30.2 - 灵隐寺"},
        ),
        (
            "web_search",
            {"query": "灵隐寺 门票"},
            {"query": "灵隐寺 门票", "answers": ["灵谷寺门票 35 元"]},
            {"query": "灵隐寺 门票", "answers": ["灵隐寺 75 元"]},
        ),
    ],
)
def test_an_answer_about_something_else_is_asked_for_again_and_then_a_failure(
    tool: str, asked: dict[str, Any], other: object, right: object
) -> None:
    """The examples are of a foreign form, so that only what is named decides."""
    examples = [Example(Call(tool, {}), '{"some": 1}', 0.5)]
    wrong, good = (json.dumps(each, ensure_ascii=False) for each in (other, right))
    model = Model(wrong, wrong, good)
    assert simulate_call(model, examples, call(tool=tool, **asked)) == good
    assert "没有针对本次调用" in model.prompts[1][-1]["content"] and len(model.prompts) == 3
    model = Model(wrong)
    failed = failure(model, examples, call(tool=tool, **asked))
    assert (failed.kind, len(model.prompts)) == ("simulator", MOST_ASKED)
    assert "没有得到针对本次查询的模拟结果" in failed.describe("zh")


@pytest.mark.parametrize("empty", [{"pois": [], "total": 0}, {"error": "no such city"}])
def test_an_empty_answer_need_name_nothing(empty: dict[str, Any]) -> None:
    examples = [Example(Call("search_poi", {}), '{"some": 1}', 0.5)]
    asked = call(tool="search_poi", keywords="火锅", city="苏州")
    assert json.loads(simulate_call(Model(json.dumps(empty)), examples, asked)) == empty


def test_a_city_may_be_named_as_cached_answers_to_its_name_do(example_of: MakeExample) -> None:
    examples = [example_of("search_poi", keywords="火锅", city="Hangzhou")]
    answer = json.loads(examples[0].result)
    assert answer["pois"][0]["city"] == "杭州市"
    asked = call("en", tool="search_poi", keywords="面", city="Hangzhou")
    assert json.loads(simulate_call(Model(json.dumps(answer)), examples, asked, "en")) == answer
    elsewhere = call("en", tool="search_poi", keywords="面", city="Suzhou")
    assert failure(Model(json.dumps(answer)), examples, elsewhere).kind == "simulator"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ('  {"a":1}\n', '{"a":1}'),
        ('```json\n{"a":1}\n```', '{"a":1}'),
        ('```\n{"a":1}\n```\n', '{"a":1}'),
        ("```", "```"),
        ("", ""),
    ],
)
def test_a_fence_is_taken_off(text: str, answer: str) -> None:
    assert answer_in(text) == answer


def test_a_fence_among_words_is_found() -> None:
    assert fenced_in('Here it is:\n```json\n{"a":1}\n```\nAnything else?') == '{"a":1}'


def test_without_a_fence_the_answer_stays() -> None:
    assert fenced_in('{"a":"``"}') == '{"a":"``"}'
