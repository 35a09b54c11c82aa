"""Whatever a session's log holds, the chat made from it is one that servers and chat templates take."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark.agents import LlmAgent, ReactAgent
from benchmark.core.actions import Action, CallTools, Pass, Redo, Say, ToolCall
from benchmark.core.engine import Conversation, run
from benchmark.core.events import MessagePosted
from benchmark.core.view import AGENT, Draft, Message, Note, ToolEntry
from benchmark.suites.grouptravel.briefing import BRIEFING
from benchmark.suites.grouptravel.conversation.rules import RULES
from benchmark.suites.grouptravel.events import Member, SessionOpened
from benchmark.suites.grouptravel.view import GroupView
from sandbox.toolbox import ToolOutcome
from tests.properties import examples

from .cast import ScriptedModel, plan_text, view

ROLES = {"system", "user", "assistant", "tool"}
ARGUMENTS = st.one_of(
    st.dictionaries(st.text(max_size=3), st.integers(0, 2), max_size=2),
    st.sampled_from(["", "{", "[1]", '{"a": 1', "\ud800"]),
)
CALLS = st.lists(
    st.builds(ToolCall, st.sampled_from(["web_search", "搜索 x", ""]), ARGUMENTS), min_size=1, max_size=3
)
WORDS = st.sampled_from(["好", "@User1 预算？", "@Agent 想想", '{"User1": {"a": {}}}', "\ud800", plan_text()])
THOUGHTS = st.sampled_from(["", "嗯"])
WHYS = st.sampled_from(["empty", "called_tools", "cut_off", "react_form"])
SAYS = st.builds(Say, WORDS, thought=THOUGHTS)
REDOS = st.builds(Redo, st.sampled_from(["", "半句"]), why=WHYS, thought=THOUGHTS)
TOOLS = st.builds(
    lambda calls, note, thought: CallTools(tuple(calls), note, thought),
    CALLS,
    st.sampled_from(["", "查一下"]),
    THOUGHTS,
)


def problems(messages: Sequence[Any]) -> list[str]:
    """What a strict server would refuse."""
    found = [] if messages[0]["role"] == "system" else ["no system message first"]
    found += ["a second system message"] if any(m["role"] == "system" for m in messages[1:]) else []
    found += ["the last word is the assistant's"] if messages[-1]["role"] not in ("user", "tool") else []
    waiting: list[str] = []
    last = "system"
    for message in messages[1:]:
        role = message["role"]
        if role == "tool":
            if message["tool_call_id"] in waiting:
                waiting.remove(message["tool_call_id"])
            else:
                found.append("a result without a call before it")
        elif waiting:
            found.append("a call without its result")
        if role in ("user", "assistant"):
            if role == last or (role == "assistant" and last == "system"):
                found.append(f"two of {role} in a row")
            if not message["content"] and not message.get("tool_calls"):
                found.append("an empty message")
        calls = message.get("tool_calls", [])
        waiting += [call["id"] for call in calls]
        if not all(isinstance(json.loads(call["function"]["arguments"]), dict) for call in calls):
            found.append("arguments that are no object")
        json.dumps(message, ensure_ascii=False).encode()
        last = role
    return found + (["a call without its result"] if waiting else [])


class Echo:
    """Tools that answer anything."""

    def call(self, name: str, arguments: dict[str, Any] | str) -> ToolOutcome:
        return ToolOutcome(json.dumps([name, arguments]), "none", "world", "")


class RandomAgent:
    """Acts as drawn; checks the request that each agent would make of every view it gets."""

    def __init__(self, data: Any) -> None:
        self.data = data
        self.agents = [make(BRIEFING, ScriptedModel([])) for make in (LlmAgent, ReactAgent)]

    def act(self, view: GroupView) -> Action:
        for agent in self.agents:
            assert problems(agent.request(view).messages) == []
        drafts = len(view.turn.drafts) < 3
        actions: list[st.SearchStrategy[Any]] = [SAYS, *([REDOS] if drafts else [])]
        actions += [TOOLS, TOOLS] if view.turn.tools_allowed else []
        drawn: Action = self.data.draw(st.one_of(actions))
        return drawn


class RandomUser:
    def __init__(self, data: Any) -> None:
        self.data = data

    def act(self, view: GroupView) -> Action:
        drawn: Action = self.data.draw(st.sampled_from([Pass(), Say("好"), Say("@Agent 门票多少？")]))
        return drawn


@settings(max_examples=examples(60))
@given(st.data(), st.booleans(), st.sampled_from(["zh", "en"]))
def test_every_request_of_a_random_session_is_a_valid_chat(data: Any, opening: bool, language: str) -> None:
    users = ("User1", "User2")
    opened = SessionOpened(
        task_id="t", query="苏州市", time="2025-11-02", context="", language=language,
        travellers=tuple(Member(name=user, role="") for user in users), companions=(),
        max_turn=2, convergence_interval=1, seed=0, world="", pack_hash="",
    )  # fmt: skip
    said = (MessagePosted(role="User1", content="大家好", opening=True),) if opening else ()
    seats: dict[str, Any] = {user: RandomUser(data) for user in users}
    run(Conversation(RULES), {**seats, AGENT: RandomAgent(data)}, Echo(), (opened, *said))


def entry(seq: int, turn: int, step: int, **changes: Any) -> ToolEntry:
    given: dict[str, Any] = {"name": "web_search", "arguments": {"query": "雨"}, "result": f"r{seq}"}
    given |= changes
    return ToolEntry(f"call_{seq}", error=False, source="world", seq=seq, turn=turn, step=step, **given)


def chat(seen: GroupView) -> list[Any]:
    return list(LlmAgent(BRIEFING, ScriptedModel([])).request(seen).messages)


def test_speakers_are_named_and_what_comes_in_a_row_is_one_message() -> None:
    system, user = chat(view())
    assert system["role"] == "system"
    assert user["content"].startswith(
        "User1：人均不能超过900元。\n\nUser2：苏州博物馆一定要去。\n\n现在轮到你"
    )


def test_the_agents_own_messages_are_the_assistants_and_nobody_in_between_is_said() -> None:
    roles = [(m["role"], m["content"]) for m in chat(view((AGENT, "一"), (AGENT, "二")))[2:]]
    assert roles[0] == ("assistant", "一")
    assert roles[1][0] == "user" and "没有其他人" in roles[1][1]
    assert roles[2] == ("assistant", "二")


def test_calls_of_one_step_stand_together_at_their_place_in_the_chat() -> None:
    log = (entry(10, 9, 1), entry(11, 9, 1), entry(14, 9, 2))
    notes = (Note(9, 9, "note", "先查天气"),)
    messages = chat(view((AGENT, "x"), tool_log=log, notes=notes))
    roles = [m["role"] for m in messages[2:]]
    assert roles == ["assistant", "user", "assistant", "tool", "tool", "assistant", "tool", "user"]
    steps = [m for m in messages if m.get("tool_calls")]
    assert [len(step["tool_calls"]) for step in steps] == [2, 1]
    assert steps[0]["content"] == "先查天气" and steps[1]["content"] is None
    assert json.loads(steps[0]["tool_calls"][0]["function"]["arguments"]) == {"query": "雨"}


def test_thoughts_go_back_with_every_run_of_tool_calls_and_with_nothing_else() -> None:
    log = (entry(12, 9, 1), entry(14, 9, 2), entry(52, 50, 1))
    notes = (Note(3, 2, "thought", "问"), Note(11, 9, "thought", "旧"), Note(15, 9, "thought", "答"))
    seen = view(tool_log=log, notes=(*notes, Note(51, 50, "thought", "新")))
    said = (Message(4, AGENT, "@User1 预算？"), Message(5, "User1", "900"), Message(16, AGENT, "有雨"))
    sent = [m for m in chat(replace(seen, messages=(*seen.messages, *said))) if m["role"] == "assistant"]
    assert [m.get("reasoning_content") for m in sent] == [None, "旧", "", "答", "新"]


def test_a_model_that_never_thought_gets_no_thoughts() -> None:
    assert not any("reasoning_content" in m for m in chat(view((AGENT, "x"), tool_log=(entry(52, 50, 1),))))


def test_a_thought_before_a_summary_belongs_to_no_later_step() -> None:
    seen = view(tool_log=(entry(52, 50, 1),), notes=(Note(40, 39, "thought", "总结"),))
    (step,) = [m for m in chat(seen) if m.get("tool_calls")]
    assert step["reasoning_content"] == ""


def test_raw_arguments_are_quoted_and_a_strange_name_is_made_one_that_servers_take() -> None:
    log = (entry(52, 50, 1, name="查 天气", arguments='{"query": '),)
    (step,) = [m for m in chat(view(tool_log=log)) if m.get("tool_calls")]
    function = step["tool_calls"][0]["function"]
    assert function == {"name": "____", "arguments": '{"unparsed": "{\\"query\\": "}'}


def test_the_instruction_stands_before_this_turns_steps_so_that_each_request_begins_like_the_last() -> None:
    one = view(tool_log=(entry(51, 50, 1),), step=1)
    two = view(tool_log=(entry(51, 50, 1), entry(53, 50, 2)), step=2)
    assert chat(two)[: len(chat(one))] == chat(one)
    assert chat(one)[: len(chat(view()))] == chat(view())


def test_an_earlier_turns_results_stay_where_they_were_when_the_table_changes() -> None:
    log = (entry(10, 9, 1), entry(12, 9, 2))
    one, two = chat(view(tool_log=log)), chat(view(tool_log=log, table={"User1": {"a": {}}}))
    assert one[:-1] == two[:-1]
    assert one[0] == chat(view((AGENT, "x"), kind="final"))[0]


def test_a_summary_is_made_from_the_chat_alone() -> None:
    asked = LlmAgent(BRIEFING, ScriptedModel([])).request(
        view((AGENT, "x"), kind="summary", tool_log=(entry(2, 1, 1),))
    )
    assert [m["role"] for m in asked.messages] == ["system", "user", "assistant", "user"]


def test_drafts_stand_after_the_instruction_with_what_was_wrong() -> None:
    drafts = (Draft(51, "半句", "cut_off", ""), Draft(52, "", "empty", ""))
    last = chat(view(drafts=drafts))[-1]
    assert last["role"] == "user"
    assert "截断" in last["content"] and last["content"].endswith("你刚才的回答是空的。请写出内容。")
