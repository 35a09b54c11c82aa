"""Cases of the golden form that the golden files do not show, by the sentences of the rules."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from benchmark.cases import BadCases, score_cases
from benchmark.jsonlines import json_line
from benchmark.suites.travelbench.conversation.answers import OUT_OF_STEPS
from benchmark.suites.travelbench.golden import score_case
from benchmark.suites.travelbench.modes import DIMENSIONS, END_MARK, UNSOLVED_MARK
from sandbox.toolsets.travelbench import NOTHING_FOUND
from sandbox.toolsets.travelbench.rules import EMPTY_END

WORDS = ("极差", "较差", "一般", "较好", "优秀")
SINGLE, MULTI = DIMENSIONS["single_turn"], DIMENSIONS["multi_turn"]


def xml(*words: str, root: str = "response", names: tuple[str, ...] = SINGLE) -> str:
    parts = [
        f"<{name}>\n<reasoning>\nr\n</reasoning>\n<rating>{word}</rating>\n</{name}>"
        for name, word in zip(names, words, strict=False)
    ]
    return f"<{root}>\n" + "\n".join(parts) + f"\n</{root}>"


GOOD = xml("优秀", "一般", "极差")
META = "<meta_evaluation><reasoning>r</reasoning><rating>较好</rating></meta_evaluation>"
RATE_LIMIT_ERROR, CONNECTION_ERROR = {"error": "RateLimitError"}, {"error": "APIConnectionError"}


def judge(*replies: Any, meta: Any = None, mode: str = "single-turn", **trajectory: Any) -> dict[str, Any]:
    case = {"id": "J", "kind": "judge", "mode": mode, "trajectory": {"messages": [], **trajectory}}
    return score_case({**case, "judge_replies": list(replies), "meta_replies": meta})


# Judgements: what is asked, and what is read of an answer.


@pytest.mark.parametrize(
    ("replies", "requests", "warm", "is_judged"),
    [
        ((GOOD,), 1, 0, True),
        (("", GOOD), 2, 0, True),  # an empty answer is an answer
        ((None, None, GOOD), 3, 0, True),  # null content is asked for again
        ((RATE_LIMIT_ERROR, GOOD), 2, 0, True),
        ((RATE_LIMIT_ERROR,), 100, 30, False),  # ten answers with ten tries each
        ((*[RATE_LIMIT_ERROR] * 9, "", GOOD), 11, 0, True),
        ((*["x"] * 7, GOOD), 8, 1, True),
        (("x",), 10, 3, False),
        ((CONNECTION_ERROR,), 1, 0, False),
        (("x", RATE_LIMIT_ERROR, CONNECTION_ERROR, GOOD), 3, 0, False),
    ],
)
def test_how_often_a_judge_is_asked(replies: Any, requests: int, warm: int, is_judged: bool) -> None:
    told = judge(*replies)
    assert (told["requests"], told["judged"]) == (requests, is_judged)
    assert told["temperatures"].count(0.7) == warm and ("scores" in told) == is_judged


@pytest.mark.parametrize(
    ("meta", "requests", "score"),
    [
        (None, 0, None),
        ([META], 1, 4),
        (["", META], 2, 4),
        ([None, RATE_LIMIT_ERROR, META], 3, 4),
        ([RATE_LIMIT_ERROR], 10, None),
        ([CONNECTION_ERROR, META], 1, None),
        ([META.removesuffix("</meta_evaluation>"), META], 2, 4),  # no repair
        ([f"```xml\n{META}\n```"], 1, 4),
        ([f"审核：{META}{META.replace('较好', '极差')}"], 1, 4),
        ([META.replace("较好", " 较好\n")], 1, 4),
        ([META.replace("较好", "4"), META.replace("较好", "較好")], 10, None),
        ([META.replace("meta_evaluation", "result")], 1, 4),  # any root is read where there is no other
    ],
)
def test_how_often_a_meta_judge_is_asked(meta: Any, requests: int, score: int | None) -> None:
    told = judge(GOOD, meta=meta)
    assert (told["meta_requests"], told["meta_score"]) == (requests, score)
    weight = 1 if score is None else score / 5
    assert told["final_scores"]["average_score"] == pytest.approx(50 * weight)


def test_no_meta_judge_is_asked_of_what_was_not_judged() -> None:
    assert judge("x", meta=[META])["meta_requests"] == 0


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (f"\u3000\n{GOOD}\n```", ["优秀", "一般", "极差"]),
        (f"```xml{GOOD}```", ["优秀", "一般", "极差"]),
        (GOOD + "\n以上。" + GOOD.replace("优秀", "极差"), ["优秀", "一般", "极差"]),
        (GOOD.replace("<rating>优秀", "<rating>\u3000优秀\t"), ["优秀", "一般", "极差"]),
        (GOOD.replace("优秀", "<![CDATA[优秀]]>"), ["优秀", "一般", "极差"]),
        (GOOD.replace("优秀", "&#x4f18;秀"), ["优秀", "一般", "极差"]),
        (GOOD.replace("优秀</rating>", "优秀</rating><rating>极差</rating>"), ["优秀", "一般", "极差"]),
        (GOOD.replace("<rating>优秀</rating>", "<rating/>"), ["", "一般", "极差"]),
        (GOOD.replace("<response>", '<response version="1">'), ["优秀", "一般", "极差"]),
        (xml("优秀", "一般", "较好", "极差", names=(*SINGLE[::-1], MULTI[3])), ["较好", "一般", "优秀"]),
        (GOOD.split("<presentation>")[0], ["优秀", "一般", ""]),
        (GOOD[: GOOD.index("极差") + 1], ["优秀", "一般", "极"]),
        (GOOD.replace("\n<rating>优秀</rating>", "").removesuffix("</response>"), ["", "一般", "极差"]),
    ],
)  # fmt: skip
def test_what_is_read_of_an_answer(reply: str, words: list[str]) -> None:
    told = judge(reply)
    assert [one["rating"] for one in told["parsed_result"].values()] == words
    expected = [WORDS.index(word) + 1 if word in WORDS else None for word in words]
    assert [told["scores"][f"{name}_score"] for name in SINGLE] == expected


@pytest.mark.parametrize(
    "reply",
    [
        "<Response>"
        + xml("优秀", root="x").replace("reasoning_planning", "Reasoning_Planning")
        + "</Response>",
        "<response><scores>"
        + GOOD.removeprefix("<response>").removesuffix("</response>")
        + "</scores></response>",
        GOOD.replace("r\n", "A & B\n"),
        "<response></response>" + GOOD,
        '{"reasoning_planning": "优秀"}',
    ],
)
def test_what_has_no_rating_of_a_dimension_is_asked_for_again(reply: str) -> None:
    assert judge(reply, GOOD)["requests"] == 2


def test_a_mode_has_its_dimensions_and_no_others() -> None:
    told = judge(xml(*WORDS[1:], names=MULTI), mode="multi-turn")
    assert [*told["parsed_result"]] == [*MULTI] and told["scores"]["average_score"] == 3.5
    assert "user_interaction" not in judge(xml(*WORDS[1:], names=MULTI))["parsed_result"]


@pytest.mark.parametrize(
    ("counts", "rate"),
    [
        ({}, 0),
        ({"tool_errors": 2}, 0),
        ({"tool_calls_count": None, "tool_errors": None}, 0),
        ({"tool_calls_count": 3, "tool_errors": 1}, 1 / 3),
        ({"tool_calls_count": 2, "tool_errors": 3}, 1.5),
    ],
)
def test_the_penalty_is_the_share_of_errors(counts: dict[str, Any], rate: float) -> None:
    told = judge(GOOD, **counts)
    assert told["tool_error_rate"] == rate
    assert told["penalized_scores"]["average_score"] == pytest.approx(50 * (1 - rate))


def test_the_transcript_holds_words_calls_and_results_uncut_and_no_system_messages() -> None:
    arguments = {"query": "火锅", "near": {"b": [1, None]}}
    told = judge(
        "x",
        messages=[
            {"role": "system", "content": "秘密"},
            {"role": "user", "content": "你好"},
            {"role": "assistant", "content": "", "tool_calls": [{"name": "web_search", "arguments": arguments}, {}]},
            {"role": "tool", "name": "web_search", "content": "x" * 5_000},
            {"role": "tool", "content": "y"},
            {"role": "assistant", "content": None, "tool_calls": None},
            {"role": "assistant", "content": "完", "tool_calls": []},
            {"role": "developer", "content": "z"},
        ],
    )  # fmt: skip
    assert told["history"] == "\n".join(
        [
            "user: 你好",
            f"assistant tool_calls: web_search ({json.dumps(arguments, ensure_ascii=False, indent=2)})",
            "assistant tool_calls: unknown ({})",
            f"tool_response: web_search {'x' * 5_000}",
            "tool_response: unknown y",
            "assistant: 完",
        ]
    )
    assert judge("x", messages=None)["history"] == ""


# Tool calls.


def tools(
    *calls: tuple[str, Any], time: str = "2025-10-22 10:00", cached: list[int] | None = None
) -> dict[str, Any]:
    given = [{"name": name, "arguments": arguments} for name, arguments in calls]
    return score_case({"id": "T", "kind": "tools", "time": time, "calls": given, "cached": cached or []})


def test_a_key_holds_the_arguments_sorted_and_the_task_s_time_and_nothing_is_made_alike() -> None:
    told = tools(
        ("web_search", {"z": {"b": 1, "a": [1.0, "é"]}, "query": "北京\u2028", "a": None}),
        ("web_search", {"query": "x", "limit": 1}),
        ("web_search", {"query": "x", "limit": 1.0}),
        ("web_search", {}),
    )
    keys = [one["cache_key"] for one in told["calls"]]
    params = '{"a": null, "query": "北京\u2028", "z": {"a": [1.0, "é"], "b": 1}}'
    assert keys[0] == json.dumps(
        [["params", params], ["time", "2025-10-22 10:00"]], ensure_ascii=False, separators=(",", ":")
    )
    assert len({*keys}) == 4 and keys[3] == '[["params","{}"],["time","2025-10-22 10:00"]]'


def test_a_cached_call_is_a_hit_whoever_makes_it_and_errors_are_misses() -> None:
    good = ("web_search", {"query": "x"})
    told = tools(good, ("web_search", {"q": "x"}), good, ("web_search", {"query": "y"}), cached=[0, 1])
    assert (told["cache_hits"], told["cache_misses"], told["tool_errors"]) == (2, 2, 1)
    assert [one["content"] for one in told["calls"]][::2] == ['{"error": "cached text"}'] * 2
    assert [one["error"] for one in told["calls"]] == [False, True, False, False]


def test_each_tool_has_a_cache_of_its_own() -> None:
    trip = {"origin": "北京市", "destination": "上海市", "date": "2025-10-23"}
    told = tools(("travel_search_trains", trip), ("travel_search_flights", trip), cached=[0])
    assert [one["content"] for one in told["calls"]] == [
        '{"error": "cached text"}',
        "SIM travel_search_flights",
    ]
    assert (told["cache_hits"], told["cache_misses"]) == (1, 1)


def test_what_finds_nothing_has_the_published_sentence() -> None:
    (call,) = tools(("map_search_ranking_list", {"query": "美食", "region": "北京市"}))["calls"]
    assert call["content"] == NOTHING_FOUND and not call["error"]


@pytest.mark.parametrize("arguments", ['{"query": ', "", "[]", [], None, 5])
def test_unreadable_arguments_are_raw_arguments(arguments: Any) -> None:
    (call,) = tools(("web_search", arguments))["calls"]
    assert call["error"] and "raw_arguments" in call["cache_key"]


@pytest.mark.parametrize(
    ("name", "arguments", "content"),
    [
        ("", {}, "Error executing tool: Tool not found: "),
        ("Web_Search", {"query": "x"}, "Error executing tool: Tool not found: Web_Search"),
        ("web_search", {"query": "x", "time": None}, "<exception>"),
        ("map_search_places", {"query": "x", "limit": None}, "<exception>"),
        ("map_search_places", {"query": "x", "limit": True}, "SIM map_search_places"),
        ("map_search_places", {"query": "x", "price_min": "5", "price_category": "price"}, "<exception>"),
        ("travel_search_trains", {"origin": "北京市", "destination": "上海市", "date": 20251023}, "<exception>"),
        ("travel_search_flights", {"origin": "北", "destination": "", "date": None}, EMPTY_END),
        ("weather_forecast_days", {"location": ["x"], "date": None, "days": 15.0}, "SIM weather_forecast_days"),
    ],
)  # fmt: skip
def test_which_text_an_agent_gets(name: str, arguments: Any, content: str) -> None:
    (call,) = tools((name, arguments))["calls"]
    assert call["content"] == content


# Sessions.

CALL = {"content": None, "tool_calls": [{"name": "web_search", "arguments": {"query": "x"}}]}
BAD_CALL = {"content": "查", "tool_calls": [{"name": "web_search", "arguments": {}}] * 2}


def session(mode: str, agent: list[Any], user: list[Any] | None = None, **data: Any) -> dict[str, Any]:
    task = {"trace_id": "7", "time": "2025-10-22 10:00", "query": "q", "intent": "i", **data}
    return score_case(
        {"id": "S", "kind": "session", "mode": mode, "data": task, "agent": agent, "user": user or []}
    )


def test_a_model_that_fails_after_calls_keeps_them_and_has_taken_no_steps() -> None:
    told = session("single_turn", [CALL, BAD_CALL, {"error": "boom"}])
    assert (told["success"], told["completion_reason"], told["total_steps"]) == (True, "completed", 0)
    assert (told["tool_calls_count"], told["cache_misses"], told["tool_errors"]) == (3, 3, 2)
    assert [one["role"] for one in told["messages"]].count("tool") == 3
    assert "boom" in told["messages"][-1]["content"] and told["agent_requests"] == 3


def test_a_turn_has_twenty_steps_and_the_next_turn_as_many_again() -> None:
    told = session("multi_turn", [CALL], [{"content": "再说"}, {"content": f"{END_MARK}！"}])
    assert (told["turns"], told["agent_requests"], told["tool_calls_count"]) == (2, 40, 40)
    assert (told["total_steps"], told["completion_reason"]) == (0, "user_ended")
    assert [one["content"] for one in told["messages"] if one["content"] == OUT_OF_STEPS] == [
        OUT_OF_STEPS
    ] * 2


def test_an_answer_in_the_twentieth_step_is_the_agent_s_own() -> None:
    told = session("single_turn", [*[CALL] * 19, {"content": "好"}])
    assert (told["total_steps"], told["messages"][-1]["content"]) == (20, "好")


def test_a_user_s_model_that_fails_says_a_stock_sentence_and_the_talk_goes_on() -> None:
    told = session("multi_turn", [{"content": "a"}], [{"error": "x"}, {"content": END_MARK}])
    assert [one["content"] for one in told["messages"][1:]] == ["q", "a", "<fallback>", "a", END_MARK]
    assert (told["turns"], told["user_requests"]) == (2, 2)


@pytest.mark.parametrize("data", [{"query": ""}, {"query": None}])
@pytest.mark.parametrize("mode", ["single_turn", "multi_turn", "unsolved"])
def test_without_a_query_a_run_crashes_and_nobody_is_asked(mode: str, data: dict[str, Any]) -> None:
    told = session(mode, [{"content": "a"}], [{"content": "b"}], **data)
    assert not told["success"] and "turns" not in told and "messages" not in told
    assert (told["agent_requests"], told["user_requests"]) == (0, 0)


def test_whatever_a_task_lacks_beside_its_query_a_session_is_held() -> None:
    case = {"id": "S", "kind": "session", "mode": "unsolved", "data": {"query": "q", "context": None}}
    told = score_case({**case, "agent": [{"content": f"抱歉{UNSOLVED_MARK}", "tool_calls": []}]})
    assert told["completion_reason"] == "completed" and told["mode"] == "single_turn"


# [Unsolved], and sets of runs.


@pytest.mark.parametrize(
    ("messages", "reply", "score"),
    [
        (None, None, 0),
        ([{"role": "user", "content": UNSOLVED_MARK}], None, 0),
        (
            [{"role": "assistant", "tool_calls": [{}]}, {"role": "assistant", "content": UNSOLVED_MARK}],
            None,
            0,
        ),
        ([{"role": "assistant", "content": f"x\n{UNSOLVED_MARK}y"}], f"x\n{UNSOLVED_MARK}y", 1),
        ([{"role": "assistant", "content": "[unsolved]"}], "[unsolved]", 0),
        ([{"role": "assistant", "content": "[ Unsolved ]"}], "[ Unsolved ]", 0),
        ([{"role": "Assistant", "content": UNSOLVED_MARK}], None, 0),
    ],
)
def test_the_first_message_of_the_assistant_decides(messages: Any, reply: str | None, score: int) -> None:
    told = score_case({"id": "U", "kind": "unsolved", "trajectory": {"messages": messages}})
    assert (told["first_assistant_reply"], told["unsolved_score"], told["has_unsolved"]) == (
        reply,
        score,
        bool(score),
    )


def aggregate(items: list[Any], *flags: bool, other: float = 50) -> dict[str, Any]:
    case = {"id": "A", "kind": "aggregate", "mode": "single-turn", "items": items, "other_final": other}
    return score_case({**case, "unsolved_flags": list(flags)})


def test_where_nothing_is_judged_there_is_nothing_to_print() -> None:
    for items in ([], [{"evaluation": None}], [{"evaluation": {"scores": None}}, {"cache_hits": None}]):
        told = aggregate(items, True)
        assert told["subset_scores_printed"] is None and told["overall_printed"] is None
        assert (told["statistics"]["total_trajectories"], told["statistics"]["valid_evaluations"]) == (
            len(items),
            0,
        )
        assert told["unsolved_accuracy"] == 1


def test_runs_are_pooled_and_those_without_a_judgement_dropped() -> None:
    first = judge(GOOD, meta=[META], tool_calls_count=2, tool_errors=1)
    second = judge(xml("较好", "", "优秀"))
    items = [{"evaluation": one, "cache_hits": 1, "cache_misses": 3} for one in (first, second)]
    told = aggregate([*items, {"evaluation": None, "cache_hits": 9}], True, False, False)
    figures = told["statistics"]
    assert (figures["total_trajectories"], figures["valid_evaluations"]) == (3, 2)
    assert figures["average_scores"]["summarization_extraction"] == 3
    assert figures["average_scores"]["overall_average"] == pytest.approx((3 + 4.5) / 2)
    finals = [(100 * 0.4 + 75) / 2, 50 * 0.4, (0 + 100) / 2]
    assert figures["final_average_scores_100"]["overall_average"] == pytest.approx(sum(finals) / 3)
    assert figures["cache_statistics"]["cache_hit_rate_percentage"] == 25
    printed = [f"{sum(finals) / 3:.2f}", "50.00", "33.33"]
    assert told["subset_scores_printed"] == printed
    assert told["overall_printed"] == f"{round(sum(map(float, printed)) / 3, 2):.2f}"


# Whatever stands in a case, it is scored or refused with the place of what is wrong.

ODD: tuple[Any, ...] = (
    *(None, "", [], {}, 0, -1, 1.5, True, 10**30, float("nan"), float("inf")),
    *("１２", "x" * 5_000, "\ud800", "\u2028", "<a" * 300, "<!DOCTYPE a>", "&#0;", "```xml```"),
    *(UNSOLVED_MARK, END_MARK),
    *(["a"], {"a": 1}, [None], [[1]], {"error": "X"}, {"error": 1}, " 39.9 , 116.3 "),
    *("朝阳区", "2025-02-30", "99999-01-01"),
)  # fmt: skip


def places_in(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield from places_in(one, (*path, key))


def mutated_case(case: dict[str, Any], chosen: random.Random) -> dict[str, Any]:
    changed = copy.deepcopy(case)
    path = chosen.choice([path for path in places_in(changed) if path and path[0] not in ("id", "kind")])
    holder: Any = changed
    for key in path[:-1]:
        holder = holder[key]
    if chosen.random() < 0.15:
        del holder[path[-1]]
    else:
        holder[path[-1]] = copy.deepcopy(chosen.choice(ODD))
    return changed


@pytest.mark.reference
def test_mutated_golden_cases_are_scored_or_refused_by_field(reference: Path) -> None:
    lines = (reference / "golden-travelbench" / "records.jsonl").read_text("utf-8").splitlines()
    cases, chosen = [json.loads(line) for line in lines], random.Random(7)
    scored = refused = 0
    for _ in range(600):
        case = mutated_case(chosen.choice(cases), chosen)
        try:
            told = json_line(score_case(json.loads(json.dumps(case))))
            scored += told.endswith(b"\n")
        except ValidationError as error:
            refused += all(one["loc"] for one in error.errors(include_url=False, include_input=False))
    assert scored + refused == 600 and scored > 200 and refused > 100


@pytest.mark.parametrize(
    ("line", "field", "says"),
    [
        ('{"id": "1", "kind": "unsolved", "trajectory": {}} x', "", "not valid JSON at character"),
        ('{"id": "1", "kind": "unsolved"', "", "not valid JSON at character"),
        ('{"id": "1", "kind": "unknown"}', "kind", "give each line the fields"),
        ('{"id": 1, "kind": "unsolved", "trajectory": {}}', "id", "string"),
        (
            '{"id": "1", "kind": "unsolved", "trajectory": {"messages": ["x"]}}',
            "trajectory.messages.0",
            "dictionary",
        ),
        (
            '{"id": "1", "kind": "unsolved", "trajectory": {"messages": [{"tool_calls": ["x"]}]}}',
            "trajectory.messages.0.tool_calls.0",
            "dictionary",
        ),
        (
            '{"id": "1", "kind": "tools", "time": "", "calls": [{"name": "x"}]}',
            "calls.0.arguments",
            "required",
        ),
        (
            '{"id": "1", "kind": "session", "mode": "single_turn", "data": {"query": 5}, "agent": [{}]}',
            "data.query",
            "string",
        ),
        (
            '{"id": "1", "kind": "judge", "mode": "single-turn", "trajectory": {}, "judge_replies": []}',
            "judge_replies",
            "at least 1 item",
        ),
        ("[" * 100_000, "", "nested too deeply"),
    ],
)
def test_a_bad_case_is_named_and_nothing_is_written(tmp_path: Path, line: str, field: str, says: str) -> None:
    good = json.dumps({"id": "0", "kind": "unsolved", "trajectory": {}})
    path, out = tmp_path / "cases.jsonl", tmp_path / "out.jsonl"
    path.write_text(f"{good}\n\n{line}\n{good}\n", "utf-8")
    with pytest.raises(BadCases) as caught:
        score_cases(path, out, score_case)
    (problem,) = caught.value.problems.problems
    assert (problem.line, problem.field) == (3, field) and says in problem.message
    assert not out.exists()
