"""What judges of TravelBench see and are asked, what they say over HTTP, and what becomes of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from string import Template
from typing import Any

import pytest

from benchmark.core.engine import Conversation, Step
from benchmark.core.events import Event, EventBody, SessionFinished, ToolCalled, ToolReturned
from benchmark.judging import PUBLISHED, Fault, Judge, Judgement, MetaJudge, judge_request, meta_request
from benchmark.suites.travelbench import judging
from benchmark.suites.travelbench.conversation.rules import RULES, opening_step
from benchmark.suites.travelbench.events import MessagePosted
from benchmark.suites.travelbench.judging.comparing import compared_case
from benchmark.suites.travelbench.judging.rubric import RUBRIC
from benchmark.suites.travelbench.modes import DIMENSIONS
from benchmark.suites.travelbench.scoring.sessions import PAPER
from benchmark.suites.travelbench.tasks.task import Task
from tests.model_server import ModelServer, model_server
from tests.model_server.playing import HttpModel

FOLDER = Path(judging.__file__).parent / "prompts"
FORM, BY_PAPER = RUBRIC.forms[PUBLISHED], RUBRIC.forms[PAPER]
SINGLE, MULTI = DIMENSIONS["single_turn"], DIMENSIONS["multi_turn"]
SECRET, INTENT, LONG = "喜欢安静", "找快充站", "电" * 5_000
TASK: dict[str, Any] = {
    "trace_id": "7",
    "time": "2025-10-24 10:00",
    "query": "附近的充电站",
    "primary_intent": "discovery.poi_search",
    "context": "**用户当前位置描述**\n安徽省亳州市",
    "intent": INTENT,
}
PROFILE = f"### 基本信息\n- 年龄：25-29岁\n- 性格：{SECRET}"
ANSWER = MessagePosted(role="Agent", content="有三家")


def events(*bodies: EventBody, query: str = "附近的充电站", profile: str = "") -> Sequence[Event]:
    """The log of a session in which this was done."""
    played = Conversation(RULES)
    played.append(opening_step(Task.model_validate(TASK | {"query": query, "user_profile": profile})))
    for body in bodies:
        played.append(Step("Agent", (body,)))
    return played.events


def tool_call_events(
    number: int, *, wrong: bool = False, text: str = "[]", **arguments: Any
) -> tuple[EventBody, EventBody]:
    id_ = f"c{number}"
    kind: Any = "arguments" if wrong else ""
    given = {"query": "充电站", **arguments}
    call = ToolCalled(call_id=id_, name="map_search_places", arguments=given, step=number)
    return call, ToolReturned(call_id=id_, result=text, error_kind=kind)


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


def test_the_transcript_has_context_query_schemas_and_messages_uncut() -> None:
    shown = FORM.transcript(events(*tool_call_events(1, text=LONG), ANSWER))
    for words in ("安徽省亳州市", "user: 附近的充电站", "assistant: 有三家", f"map_search_places {LONG}"):
        assert words in shown.text
    assert 'assistant tool_calls: map_search_places ({\n  "query": "充电站"\n})' in shown.text
    assert all(f'"name": "{name}"' in shown.text for name in ("web_search", "map_compute_routes"))
    assert shown.turns == frozenset() and "出行助手，为一位旅行者" not in shown.text


def test_who_compares_is_shown_the_query_its_time_and_situation_and_the_tools() -> None:
    case = compared_case(events(ANSWER))
    query, asked_at, situation, *tools = case.request.split("\n\n")
    assert (query, asked_at) == ("附近的充电站", "提问时间: 2025-10-24 10:00")
    assert situation == "情境: **用户当前位置描述**\n安徽省亳州市"
    assert "\n\n".join(tools).startswith("助手可用的工具: - map_search_places: ")
    assert case.request.count("\n- ") == 9 and INTENT not in case.request


def test_profile_and_intent_are_not_shown() -> None:
    shown = FORM.transcript(events(ANSWER, profile=PROFILE))
    assert SECRET not in shown.text and INTENT not in shown.text


@pytest.mark.parametrize(("profile", "dimensions"), [("", SINGLE), (PROFILE, MULTI)])
def test_how_the_user_was_asked_is_rated_only_where_they_could_be(
    profile: str, dimensions: tuple[str, ...]
) -> None:
    shown = FORM.transcript(events(ANSWER, profile=profile))
    assert shown.dimensions == dimensions
    assert re.findall(r"^<(\w+)><reasoning>", shown.text, re.M) == list(dimensions)
    assert ("user_interaction" in shown.text) == (profile != "")


def test_tool_errors_weigh_on_the_score_by_their_share_of_the_calls() -> None:
    shown = FORM.transcript(
        events(
            *tool_call_events(1),
            *tool_call_events(2, wrong=True),
            *tool_call_events(3),
            *tool_call_events(4),
            ANSWER,
        )
    )
    assert shown.weight == pytest.approx(0.75)
    assert FORM.transcript(events(ANSWER)).weight == 1


def test_by_the_paper_s_rules_every_breach_of_a_schema_is_an_error() -> None:
    log = events(*tool_call_events(1), *tool_call_events(2, sort_by="beauty"), ANSWER)
    assert [form.transcript(log).weight for form in (FORM, BY_PAPER)] == [1, 0.5]


def test_a_crash_is_judged_as_an_empty_conversation_and_by_the_paper_s_rules_counts_0() -> None:
    crash = events(*tool_call_events(1, wrong=True), SessionFinished(reason="runtime_error"))
    shown, by_paper = FORM.transcript(crash), BY_PAPER.transcript(crash)
    assert (shown.weight, by_paper.weight) == (1, 0)
    assert "tool_calls" not in shown.text.split("【记录】")[1].split("【要评的维度】")[0]
    assert FORM.empty_asked and not BY_PAPER.empty_asked


def test_a_log_without_its_opening_is_refused() -> None:
    for form in RUBRIC.forms.values():
        with pytest.raises(ValueError, match="opening"):
            form.transcript(events(ANSWER)[1:])


@pytest.mark.parametrize("query", ["附近的充电站", "charging stations nearby"])
def test_requests_name_the_five_words_and_ask_for_no_json(query: str) -> None:
    request = judge_request(FORM, FORM.transcript(events(ANSWER, query=query)))
    assert not request.json_object and not request.tools
    assert all(word in request.messages[0]["content"] for word in ("极差", "较差", "一般", "较好", "优秀"))
    assert ("Rate now" in request.messages[1]["content"]) == (query != "附近的充电站")


def test_the_last_three_of_ten_answers_are_asked_for_at_another_temperature() -> None:
    shown = FORM.transcript(events(ANSWER))
    temperatures = [judge_request(FORM, shown, tries=tries).temperature for tries in range(FORM.tries)]
    assert temperatures == [0.0] * 7 + [0.7] * 3
    assert meta_request(FORM, shown, Judgement("")).temperature == 0


def test_the_published_judges_draw_from_95_per_cent_of_the_probability() -> None:
    for form, top_p in ((FORM, 0.95), (BY_PAPER, None)):
        shown = form.transcript(events(ANSWER))
        requests = (judge_request(form, shown), meta_request(form, shown, Judgement("")))
        assert [request.top_p for request in requests] == [top_p, top_p]


def test_the_meta_judge_sees_reasons_and_ratings_by_the_same_rules() -> None:
    shown = FORM.transcript(events(ANSWER))
    text = (
        "<response>"
        + "".join(f"<{n}><reasoning>因为</reasoning><rating>较好</rating></{n}>" for n in SINGLE)
        + "</response>"
    )
    reading = FORM.reading
    assert reading is not None
    request = meta_request(FORM, shown, reading.judgement(text, RUBRIC.dimensions[:3], ()))
    asked = request.messages[1]["content"]
    told = json.loads(asked.split("【他的评级】\n")[1].split("\n\n现在检查")[0])
    assert told == {name: {"score": 4, "rationale": "因为"} for name in SINGLE}
    assert (FOLDER / "zh" / "rubric.txt").read_text("utf-8").strip() in request.messages[0]["content"]


def test_both_languages_have_the_same_templates_with_the_same_fields() -> None:
    names = sorted(path.name for path in (FOLDER / "zh").glob("*.txt"))
    assert names == sorted(path.name for path in (FOLDER / "en").glob("*.txt"))
    for name in names:
        zh, en = ((FOLDER / language / name).read_text("utf-8") for language in ("zh", "en"))
        assert len(zh.splitlines()) == len(en.splitlines()), name
        assert sorted(Template(zh).get_identifiers()) == sorted(Template(en).get_identifiers()), name


# What is said over HTTP, and what it comes to.


def judge_log(server: ModelServer, personality: str, log: Sequence[Event], form: Any = FORM) -> Judgement:
    model = HttpModel(server.url, personality)
    return Judge(model, form, RUBRIC.dimensions).judge(form.transcript(log))


@pytest.mark.parametrize(("profile", "dimensions"), [("", SINGLE), (PROFILE, MULTI)])
def test_a_session_is_judged_over_http(
    server: ModelServer, profile: str, dimensions: tuple[str, ...]
) -> None:
    log = events(*tool_call_events(1), *tool_call_events(2, wrong=True), ANSWER, profile=profile)
    found = judge_log(server, "good-judge", log)
    assert found.complete and not found.faults and found.weight == 0.5
    assert found.scores == dict.fromkeys(dimensions, 5)
    assert found.ratings[dimensions[-1]].rationale == f"As to {dimensions[-1]}."
    calibration = MetaJudge(HttpModel(server.url, "good-judge"), FORM).calibrate(FORM.transcript(log), found)
    assert (calibration.score, calibration.reasoning, calibration.faults) == (5, "The reasons hold.", ())


def test_broken_xml_is_mended_once(server: ModelServer) -> None:
    found = judge_log(server, "sloppy-judge", events(*tool_call_events(1), ANSWER))
    assert found.complete and found.scores == dict.fromkeys(SINGLE, 4)


def test_an_essay_is_no_answer(server: ModelServer) -> None:
    found = judge_log(server, "broken-judge", events(ANSWER))
    assert not found.complete and [fault.kind for fault in found.faults] == ["no_xml"]


def test_a_rating_that_is_none_of_the_words_leaves_out_its_dimension_or_by_the_paper_all(
    server: ModelServer,
) -> None:
    log = events(ANSWER)
    published, by_paper = (judge_log(server, "seven-judge", log, form) for form in (FORM, BY_PAPER))
    assert published.scores == by_paper.scores == dict.fromkeys(SINGLE[1:], 3)
    assert published.faults == (Fault("no_word", SINGLE[0], "7"),)
    assert published.complete and not by_paper.complete


def test_a_meta_judge_that_says_no_word_has_no_score(server: ModelServer) -> None:
    model = HttpModel(server.url, "seven-judge")
    found = MetaJudge(model, FORM).calibrate(FORM.transcript(events(ANSWER)), Judgement(""))
    assert found.score is None and found.faults == (Fault("no_word", "", "7"),)


@pytest.mark.parametrize(
    ("ratings", "meta", "score"),
    [((5, 5, 5), None, 100), ((1, 1, 1), 5, 0), ((3, 4), None, 62.5), ((5, 4, 3, 4), 4, 60)],
)
def test_the_score_is_the_normalised_mean_rating_weighted_by_the_meta_judge(
    ratings: tuple[int, ...], meta: int | None, score: float
) -> None:
    given = dict(zip(MULTI, ratings, strict=False))
    assert RUBRIC.score(given, meta) == pytest.approx(score)


@pytest.mark.reference
def test_golden_judgements_come_to_the_same_scores(reference: Path) -> None:
    folder = reference / "golden-travelbench"
    cases, expected = (
        [json.loads(line) for line in (folder / name).read_text("utf-8").splitlines()]
        for name in ("records.jsonl", "expected.jsonl")
    )
    seen = 0
    for case, told in zip(cases, expected, strict=True):
        if case["kind"] == "judge" and told["judged"]:
            asked = told["requests"]
            replies = [case["judge_replies"][min(n, len(case["judge_replies"]) - 1)] for n in range(asked)]
            dimensions = RUBRIC.dimensions[: 4 if case["mode"] == "multi-turn" else 3]
            assert FORM.reading is not None
            texts = (reply for reply in replies if isinstance(reply, str) and reply)
            judgements = [FORM.reading.judgement(text, dimensions, ()) for text in texts]
            counts = next(one for one in judgements if one.complete)
            scores = {name: told["scores"][f"{name}_score"] for name in counts.scores}
            assert counts.scores == scores
            score = RUBRIC.score(counts.scores, told["meta_score"]) * (1 - told["tool_error_rate"])
            assert score == pytest.approx(told["final_scores"]["average_score"], abs=1e-9)
            seen += 1
    assert seen > 10
