"""Whole sessions in memory: each agent with scripted travellers and the real tools, in both languages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmark.agents import (
    DirectAgent,
    LlmAgent,
    LlmModuloAgent,
    ReactAgent,
    ReflexionAgent,
    ZeroShotCotAgent,
)
from benchmark.core.engine import Conversation
from benchmark.models import ChatRequest, Reply
from benchmark.suites.grouptravel.briefing import BRIEFING
from benchmark.suites.grouptravel.conversation.record import run_record

from .cast import TABLE, ScriptedModel, calling, plan_text, play_session
from .test_transcript import problems

WRONG = plan_text(start_time="8点")
SEARCH = '{"keywords": "苏州博物馆", "city": "苏州市"}'


def contents_of(request: ChatRequest, role: str) -> list[str]:
    return [str(m["content"] or "") for m in request.messages if m["role"] == role]


def talker(request: ChatRequest) -> Reply:
    """Asks each traveller's budget, looks one place up, then plans."""
    assert problems(request.messages) == []
    if request.json_object:
        return Reply(json.dumps(TABLE), reasoning="归纳")
    own = " ".join(contents_of(request, "assistant"))
    for user in ("User2", "User1"):
        if f"@{user}" not in own:
            return Reply(f"@{user} 人均预算上限是多少？")
    if not contents_of(request, "tool"):
        return calling(("search_poi", SEARCH), ("search_poi", "{"), text="查一下", reasoning="先查")
    return Reply(f"```json\n{plan_text()}\n```")


def planner(request: ChatRequest) -> Reply:
    assert problems(request.messages) == []
    return Reply(json.dumps(TABLE) if request.json_object else f"想好了。\n```json\n{plan_text()}\n```")


def repairer(request: ChatRequest) -> Reply:
    """Has its first plan corrected."""
    corrected = WRONG in contents_of(request, "assistant")
    return Reply(json.dumps(TABLE) if request.json_object else plan_text(avg_cost=41) if corrected else WRONG)


def writer(request: ChatRequest) -> Reply:
    """ReAct in writing; where it is to reflect, it does."""
    assert problems(request.messages) == []
    text = "\n".join(contents_of(request, "user"))
    if request.json_object:
        return Reply(json.dumps(TABLE))
    if (
        "先不要写计划" in request.messages[-1]["content"]
        or "Do not write a plan yet" in request.messages[-1]["content"]
    ):
        return Reply("时间格式写错了")
    if "Observation:" not in text:
        return Reply(f"Thought: 先查\nAction: search_poi\nAction Input: {SEARCH}\nObservation: 无")
    made = plan_text() if "时间格式写错了" in contents_of(request, "assistant") else WRONG
    return Reply(f"Thought: 可以了\nAnswer: {made}")


def kinds(conversation: Conversation) -> list[str]:
    return [str(event.body.type) for event in conversation.events]


def record(conversation: Conversation) -> dict[str, Any]:
    assert conversation.state.final_event is not None
    assert conversation.state.final_event.reason == "plan_generated"
    assert conversation.state.table == TABLE
    return run_record(conversation.events)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_llm_agent_asks_looks_up_and_plans(starter_pack: Path, language: str) -> None:
    model = ScriptedModel(talker)
    conversation = play_session(LlmAgent(BRIEFING, model), starter_pack, language)
    stats = record(conversation)["agent_tool_stats"]
    assert stats["tool_calls_executed"] == 2 and stats["tool_errors"] == 1
    tool_results = contents_of(model.requests[-2], "tool")  # the last one is for the summary
    assert "苏州博物馆" in tool_results[0] and "error" in tool_results[1]
    assert any(m.get("reasoning_content") == "先查" for request in model.requests for m in request.messages)
    asked = sum(kind == "turn_granted" for kind in kinds(conversation))
    assert len(model.requests) <= asked + 1


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("make", [DirectAgent, ZeroShotCotAgent, LlmModuloAgent])
def test_planners_end_the_session_at_their_first_chance(starter_pack: Path, make: Any, language: str) -> None:
    model = ScriptedModel(planner)
    conversation = play_session(make(BRIEFING, model), starter_pack, language)
    record(conversation)
    assert len(model.requests) == 3
    assert ("想好了" in conversation.state.messages[-1].content) == (make is not ZeroShotCotAgent)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_modulo_repairs_within_the_session(starter_pack: Path, language: str) -> None:
    conversation = play_session(LlmModuloAgent(BRIEFING, ScriptedModel(repairer)), starter_pack, language)
    record(conversation)
    assert "draft_withdrawn" in kinds(conversation)
    assert WRONG not in conversation.state.messages[-1].content


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize(("make", "withdrawn"), [(ReactAgent, 0), (ReflexionAgent, 2)])
def test_writers_use_the_tools_in_text(starter_pack: Path, make: Any, withdrawn: int, language: str) -> None:
    model = ScriptedModel(writer)
    conversation = play_session(make(BRIEFING, model), starter_pack, language)
    assert record(conversation)["agent_tool_stats"]["tool_calls_executed"] == 1
    assert kinds(conversation).count("draft_withdrawn") == withdrawn
    assert all(not request.tools for request in model.requests)


FORECAST = '{"location": "苏州市", "date": "2025-11-02"}'


@pytest.mark.parametrize("text", ["信息已经查到，@User1 预算多少？", ""])
def test_a_model_that_insists_on_tools_ends_by_the_guards(starter_pack: Path, text: str) -> None:
    def insisting(request: ChatRequest) -> Reply:
        return (
            Reply(json.dumps(TABLE))
            if request.json_object
            else calling(("maps_weather", FORECAST), text=text)
        )

    conversation = play_session(LlmAgent(BRIEFING, ScriptedModel(insisting)), starter_pack)
    assert conversation.state.final_event is not None
    assert conversation.state.final_event.reason == "multiple_repeated_tool_calls"
    assert kinds(conversation).count("draft_withdrawn") % 3 == 0


@pytest.mark.parametrize(
    "flawed", [Reply(""), Reply('{"User1": {"gl', finish_reason="length"), calling(("web_search", "{}"))]
)
def test_summaries_that_stay_flawed_change_nothing(starter_pack: Path, flawed: Reply) -> None:
    def forgetful(request: ChatRequest) -> Reply:
        return flawed if request.json_object else Reply(f"好 {len(request.messages)}")

    conversation = play_session(LlmAgent(BRIEFING, ScriptedModel(forgetful)), starter_pack)
    assert conversation.state.final_event is not None
    assert conversation.state.final_event.reason == "max_turn_reached"
    assert not conversation.state.table
    assert "table_inferred" in kinds(conversation)


def test_a_sketch_in_an_ordinary_turn_ends_no_session(starter_pack: Path) -> None:
    sketch = '{"days": [{"day": 1, "city_segments": [{"city": "苏州市",}]}]}'

    def sketching(request: ChatRequest) -> Reply:
        if request.json_object:
            return Reply(json.dumps(TABLE))
        if "轮次已达上限" in str(request.messages[-1]["content"]):
            return Reply(plan_text())
        return Reply(f"大致这样：\n```json\n{sketch}\n```\n{len(request.messages)}")

    conversation = play_session(LlmAgent(BRIEFING, ScriptedModel(sketching)), starter_pack)
    assert conversation.state.final_event is not None
    assert conversation.state.final_event.reason == "max_turn_reached"
    assert conversation.state.plan == json.loads(plan_text())


def test_an_agent_that_never_plans_is_heard_to_the_limit(starter_pack: Path) -> None:
    def chatty(request: ChatRequest) -> Reply:
        return Reply(json.dumps(TABLE) if request.json_object else f"好 {len(request.messages)}")

    model = ScriptedModel(chatty)
    conversation = play_session(LlmAgent(BRIEFING, model), starter_pack)
    assert conversation.state.final_event is not None
    assert conversation.state.final_event.reason == "max_turn_reached"
    assert [m["role"] for m in model.requests[-1].messages][-4:] == ["assistant", "user"] * 2
