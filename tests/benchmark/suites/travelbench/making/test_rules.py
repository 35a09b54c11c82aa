"""The rules of making data: who can be helped, in how many turns, how hard it is, whom a profile gives away."""

from __future__ import annotations

import json
from pathlib import Path
from string import Template
from typing import Any

import pytest

from benchmark.making import Unusable
from benchmark.suites.travelbench import making
from benchmark.suites.travelbench.making.difficulty import mean_calls
from benchmark.suites.travelbench.making.executability import ANNOTATE, read_answer, verdict
from benchmark.suites.travelbench.making.profiles import ANONYMISE, leaks, read_profile
from benchmark.suites.travelbench.making.rows import Request, row_of
from benchmark.suites.travelbench.making.turns import turn_type
from benchmark.suites.travelbench.tasks import Task

FOLDER = Path(making.__file__).parent / "prompts"
ROW: dict[str, Any] = {
    "extra": 1,
    "trace_id": "1",
    "time": "2025-10-24 10:00",
    "query": "到路口提醒我",
    "primary_intent": "discovery.poi_search",
    "context": "在苏州",
    "intent": "请助手提醒",
}
PROFILE = "### 基本信息\n- 常驻城市：苏州市\n\n### 兴趣偏好\n\n#### 1. 餐饮\n- 爱吃面"


def request(**changed: Any) -> Request:
    raw = ROW | changed
    return Request(Task.model_validate(raw), raw)


def answers_with(*causes: str | None) -> list[dict[str, Any]]:
    return [{"executable": cause is None, "cause": cause} for cause in causes]


# Executability.


@pytest.mark.parametrize(
    ("causes", "fate", "flag"),
    [
        ((None, None, None), "solvable", ""),
        ((None, None, "tool"), "dropped", ""),
        (("tool", None, "tool"), "dropped", ""),
        (("tool", "tool", "tool"), "unsolvable", "missing_tool"),
        (("context", "tool", "context"), "unsolvable", "missing_info"),
        (("intent", "intent", "context"), "unsolvable", "no_actionable"),
        (("tool", "context", "intent"), "doubtful", ""),
    ],
)
def test_only_what_all_three_models_call_impossible_is_unsolvable(
    causes: tuple[str | None, ...], fate: str, flag: str
) -> None:
    assert verdict(answers_with(*causes)) == (fate, flag)


def test_models_see_the_request_and_the_tools_and_not_what_was_meant() -> None:
    asked = ANNOTATE.request(request())
    system, user = (str(message["content"]) for message in asked.messages)
    assert "到路口提醒我" in user and "在苏州" in user and "2025-10-24 10:00" in user
    assert "请助手提醒" not in system + user
    assert system.count("\n- ") == 10 and "travel_search_trains: " in system
    assert (asked.temperature, asked.json_object) == (0, True)
    assert "You judge" in str(ANNOTATE.request(request(query="Remind me")).messages[0]["content"])


def test_an_answer_is_read_with_its_cause() -> None:
    text = '想一想。```json\n{"reasoning": " 没有提醒的工具 ", "executable": false, "cause": "tool"}\n```'
    assert read_answer(request(), text) == {
        "executable": False,
        "cause": "tool",
        "reasoning": "没有提醒的工具",
    }
    assert read_answer(request(), '{"executable": true, "cause": "tool"}')["cause"] is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("It can.", "no JSON object"),
        ('{"executable": "yes"}', r"`executable` is \"yes\""),
        ('{"executable": false}', "`cause` is null, none of tool, context, intent"),
        ('{"executable": false, "cause": "weather"}', "`cause` is"),
    ],
)
def test_an_answer_that_says_neither_is_unusable(text: str, why: str) -> None:
    with pytest.raises(Unusable, match=why):
        read_answer(request(), text)


# Turn types and difficulty.


@pytest.mark.parametrize(
    ("turns", "type_"),
    [
        ((1, 1, 1, 1, 1, 1), "single"),
        ((1, 1, 1, 1, 2, 10), "single"),
        ((1, 1, 1, 2, 2, 2), None),
        ((2, 2, 1, 2, 2, 2), None),
        ((2, 2, 3, 2, 4, 2), "multi"),
    ],
)
def test_the_turn_type_follows_from_the_runs_with_one_turn(turns: tuple[int, ...], type_: str | None) -> None:
    assert turn_type(turns) == type_


def test_the_difficulty_is_a_mean_over_twelve_runs_to_two_places() -> None:
    assert mean_calls([1] * 11 + [0]) == 0.92
    assert mean_calls([0] * 8 + [1] * 4) == 0.33
    assert mean_calls([2, 3], runs=2) == 2.5


@pytest.mark.parametrize(("rule", "needed"), [(turn_type, 6), (mean_calls, 12)])
def test_too_few_runs_say_nothing(rule: Any, needed: int) -> None:
    with pytest.raises(ValueError, match=f"5 runs that did not crash; {needed} are needed"):
        rule([1] * 5)


# Profiles.


@pytest.mark.parametrize(
    ("text", "kind", "found"),
    [
        ("开一辆苏E·12A45的车", "licence plate", "苏E·12A45"),
        ("车牌粤B D12345", "licence plate", "粤B D12345"),
        ("沪A1234警", "licence plate", "沪A1234警"),
        ("电话 138-1234-5678", "telephone number", "138-1234-5678"),
        ("证件11010519491231002X", "identity card", "11010519491231002X"),
        ("写信到 a.b@example.com", "e-mail address", "a.b@example.com"),
        ("家在人民路123号", "address", "家在人民路123号"),
        ("住3栋2单元501室", "address", "3栋2单元"),
        ("lives at 12 Peace Road", "address", "12 Peace Road"),
    ],
)
def test_what_tells_who_somebody_is_is_found(text: str, kind: str, found: str) -> None:
    assert (kind, found) in leaks(text)


@pytest.mark.parametrize(
    "text",
    [
        PROFILE,
        "常坐地铁2号线，通勤60-70分钟，400–600元的酒店",
        "关注4A级景区，25-29岁，13:00 到 15:00 出门",
        "likes 3 quiet Roads and the Ring Road",
    ],
)
def test_tastes_give_nobody_away(text: str) -> None:
    assert leaks(text) == []


@pytest.mark.reference
def test_the_published_profiles_give_nobody_away(reference: Path) -> None:
    lines = (reference / "travelbench" / "multi_turn.jsonl").read_text("utf-8").splitlines()
    profiles = [json.loads(line)["user_profile"] for line in lines]
    assert [leaks(profile) for profile in profiles] == [[]] * 500


def test_a_rewritten_profile_is_taken_out_of_its_fence() -> None:
    assert read_profile(request(), f"```markdown\n{PROFILE}\n```") == {"user_profile": PROFILE}
    assert ANONYMISE.request(request(user_profile=PROFILE)).messages[1]["content"] == PROFILE


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("好的，已改写。", "the heading ### 基本信息 is missing"),
        (PROFILE.replace("苏州市", "苏州市人民路8号"), "still holds an address: .*人民路8号"),
        (PROFILE + "\n- 车：苏E12345", "still holds a licence plate: 苏E12345"),
    ],
)
def test_a_profile_that_lacks_its_form_or_still_gives_somebody_away_is_unusable(text: str, why: str) -> None:
    with pytest.raises(Unusable, match=why):
        read_profile(request(), text)


# Rows, prompts, people.


def test_fields_stand_in_the_published_order_and_others_after_them() -> None:
    row = row_of(request(), avg_tool_calls=1.5, missing_tool=False)
    assert list(row) == [
        *("trace_id", "time", "query", "primary_intent", "context", "intent"),
        *("missing_tool", "avg_tool_calls", "extra"),
    ]


def test_both_languages_have_the_same_templates_with_the_same_fields() -> None:
    names = sorted(path.name for path in (FOLDER / "zh").glob("*.txt"))
    assert names == sorted(path.name for path in (FOLDER / "en").glob("*.txt"))
    for name in names:
        zh, en = ((FOLDER / language / name).read_text("utf-8") for language in ("zh", "en"))
        assert sorted(Template(zh).get_identifiers()) == sorted(Template(en).get_identifiers()), name
