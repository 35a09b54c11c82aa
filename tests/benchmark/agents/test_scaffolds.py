"""The scaffolds: what each asks of its model, and how a plan goes through its stages."""

from __future__ import annotations

import re

import pytest

from benchmark.agents import (
    DirectAgent,
    LlmModuloAgent,
    ReactAgent,
    ReflexionAgent,
    ZeroShotCotAgent,
)
from benchmark.agents.base import ModelAgent
from benchmark.core.actions import Action, CallTools, Redo, Say, ToolCall
from benchmark.core.participant import OverModel, SeatContext
from benchmark.core.view import AGENT, Draft, Note, ToolEntry
from benchmark.models import Reply
from benchmark.suites.grouptravel.briefing import BRIEFING
from benchmark.suites.grouptravel.itineraries import plan_in_message
from benchmark.suites.grouptravel.participants import AGENTS, CAST
from benchmark.suites.grouptravel.view import GroupView

from .cast import ScriptedModel, calling, plan, plan_text, view

ALL = (DirectAgent, ZeroShotCotAgent, ReactAgent, ReflexionAgent, LlmModuloAgent)
WRONG = plan_text(transport_mode="骑马")


def take_turn(
    make: type[ModelAgent], reply: Reply | str, seen: GroupView
) -> tuple[Action, list[dict[str, str]]]:
    model = ScriptedModel([reply])
    action = make(BRIEFING, model).act(seen)
    assert len(model.requests) == 1
    return action, [dict(message) for message in model.requests[0].messages]


@pytest.mark.parametrize("make", ALL)
@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_scaffold_answers_a_summary_with_the_table(make: type[ModelAgent], language: str) -> None:
    action, messages = take_turn(make, '{"User1": {}}', view(kind="summary", language=language))
    assert action == Say('{"User1": {}}')
    assert "preference" in messages[-1]["content"] or "偏好" in messages[-1]["content"]
    assert not any(re.search(r"\$[a-z]", message["content"]) for message in messages)


@pytest.mark.parametrize("make", ALL)
def test_every_scaffold_has_an_empty_answer_written_again(make: type[ModelAgent]) -> None:
    assert take_turn(make, "", view())[0] == Redo("", why="empty")


@pytest.mark.parametrize("make", [DirectAgent, ZeroShotCotAgent, LlmModuloAgent])
def test_planners_get_the_opening_and_no_tools_and_may_not_call_any(make: type[ModelAgent]) -> None:
    model = ScriptedModel([calling(("web_search", "{}"))])
    assert make(BRIEFING, model).act(view(kind="convergence")) == Redo("web_search({})", why="called_tools")
    assert model.requests[0].tools == ()
    system, asked = model.requests[0].messages
    assert "@ 的用法" not in system["content"] and "city_segments" in system["content"]
    assert "User2：苏州博物馆一定要去。" in asked["content"]


@pytest.mark.parametrize("name", [name for name, kind in AGENTS.items() if isinstance(kind, OverModel)])
def test_the_registry_says_which_agents_take_tool_calls(name: str) -> None:
    kind = AGENTS[name]
    assert isinstance(kind, OverModel)
    action = kind.make(SeatContext(seat=AGENT), ScriptedModel([calling(("search_poi", "{}"))])).act(
        view(kind="convergence")
    )
    assert isinstance(action, CallTools) == CAST.offers_tools(name)


def test_direct_says_its_plan_and_repairs_it_in_any_turn() -> None:
    assert take_turn(DirectAgent, plan_text(), view(kind="convergence"))[0] == Say(plan_text())
    action, _ = take_turn(DirectAgent, plan_text()[:-2], view(kind="convergence"))
    assert isinstance(action, Say) and plan_in_message(action.content) == plan()
    assert action.mended_from == plan_text()[:-2]


PLAN_WRAPPINGS = [
    f"```JSON\n{plan_text()}\n```",
    f"```python\n{plan_text()}\n```",
    f'```json\n{{"User1": {{}}}}\n```\n```json\n{plan_text()}\n```',
    f"先算 {{1+2}} 元。\n{plan_text()}",
]


@pytest.mark.parametrize("text", PLAN_WRAPPINGS)
@pytest.mark.parametrize("make", [DirectAgent, ZeroShotCotAgent, LlmModuloAgent])
def test_every_planner_finds_a_sound_plan_wherever_it_stands(make: type[ModelAgent], text: str) -> None:
    action, _ = take_turn(make, Reply(text, reasoning="嗯"), view(kind="convergence"))
    assert isinstance(action, Say)
    assert plan_in_message(action.content) == plan()
    assert action.thought == f"嗯\n\n{text}" and action.mended_from == ""


def test_planners_that_insist_on_tools_are_heard_in_the_end() -> None:
    drafts = tuple(Draft(seq, "", "called_tools", "") for seq in (51, 52, 53))
    for make in (DirectAgent, ZeroShotCotAgent, LlmModuloAgent):
        reply = calling(("web_search", "{}"), text=plan_text())
        action, _ = take_turn(make, reply, view(kind="convergence", drafts=drafts))
        assert isinstance(action, Say) and plan_in_message(action.content) == plan()


@pytest.mark.parametrize(
    "text",
    [
        f"先想需求 {{高铁}}。\n```json\n{{}}\n```\n再排。\n```json\n{plan_text()}\n```",
        f"先想。days 要两天。\n{plan_text()}",
        f"```json\n{plan_text()}\n```\n以上。",
    ],
)
def test_chain_of_thought_says_the_plan_and_keeps_the_reasoning(text: str) -> None:
    action, messages = take_turn(ZeroShotCotAgent, Reply(text, reasoning="嗯"), view(kind="convergence"))
    assert isinstance(action, Say)
    assert action.content.startswith("```json") and plan_in_message(action.content) == plan()
    assert action.thought == f"嗯\n\n{text}" and action.mended_from == ""
    assert "一步一步" in messages[-1]["content"]


def test_chain_of_thought_without_a_plan_is_said_as_it_is() -> None:
    assert take_turn(ZeroShotCotAgent, "想不出来", view())[0] == Say("想不出来")


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ('Thought: 查\nAction: web_search\nAction Input: {"query": "雨"}', {"query": "雨"}),
        ('Thought: 查\n**Action:** web_search\n**Action Input:** {"query": "雨"}', {"query": "雨"}),
        ('Action: web_search({"query": "雨"})', {"query": "雨"}),
        ('Action: web_search\nAction Input:\n```json\n{"query": "雨"}\n```', {"query": "雨"}),
        ("Action: web_search\nAction Input: 雨", "雨"),
        ('Action: web_search\nAction Input: {"query": ', '{"query":'),
        ('Action: web_search\nAction Input: {"query": NaN}', '{"query": NaN}'),
    ],
)
def test_react_acts_in_writing(text: str, arguments: object) -> None:
    action, _ = take_turn(ReactAgent, f"{text}\nObservation: 晴\nAnswer: 晴天", view())
    assert action == CallTools((ToolCall("web_search", arguments),), note=text.strip())  # type: ignore[arg-type]


def test_react_reads_its_observations_as_text() -> None:
    log = (ToolEntry("call_1", "web_search", {"query": "雨"}, '{"a":1}', False, "world", 52, 50, 1),)
    notes = (Note(51, 50, "note", "Thought: 查\nAction: web_search"),)
    action, messages = take_turn(
        ReactAgent, "Thought: 够了\nAnswer: 周六有雨", view(tool_log=log, notes=notes)
    )
    assert action == Say("周六有雨", thought="Thought: 够了")
    assert [m["content"] for m in messages[-2:]] == [
        "Thought: 查\nAction: web_search",
        'Observation: {"a":1}',
    ]
    assert "search_poi" in messages[0]["content"] and not any("tool_calls" in m for m in messages)


def test_react_understands_native_calls_and_words_them_in_its_history() -> None:
    action, _ = take_turn(ReactAgent, calling(("web_search", "{}")), view())
    assert action == CallTools((ToolCall("web_search", {}),))
    log = (ToolEntry("call_1", "web_search", {}, "r", False, "world", 52, 50, 1),)
    _, messages = take_turn(ReactAgent, "Answer: 好", view(tool_log=log))
    assert messages[-2]["content"] == "Action: web_search\nAction Input: {}"


def test_react_may_not_act_once_tools_are_closed() -> None:
    action, messages = take_turn(
        ReactAgent, "Action: web_search\nAction Input: {}", view(tools_allowed=False)
    )
    assert isinstance(action, Redo) and action.why == "called_tools"
    assert "不能再调用工具" in messages[-1]["content"]


def test_react_that_insists_on_acting_is_heard_in_the_end() -> None:
    drafts = tuple(Draft(seq, "", "called_tools", "") for seq in (51, 52, 53))
    for kind in ("polled", "final"):
        seen = view(kind=kind, drafts=drafts, tools_allowed=False)
        text = "Thought: 查\nAction: web_search\nAction Input: {}"
        assert take_turn(ReactAgent, text, seen)[0] == Say(text)


@pytest.mark.parametrize("text", ["周六有雨", "Thought: 想", "Answer:  "])
def test_react_asks_for_its_form_three_times(text: str) -> None:
    assert take_turn(ReactAgent, text, view())[0] == Redo(text.strip(), why="react_form")
    drafts = tuple(Draft(seq, text, "react_form", "") for seq in (51, 52, 53))
    action, messages = take_turn(ReactAgent, text, view(drafts=drafts))
    assert action == Say(text.strip())
    assert "既没有 Action 也没有 Answer" in messages[-1]["content"]


def critiques(count: int, *more: Draft) -> tuple[Draft, ...]:
    return (*(Draft(51 + at, WRONG, "critique", "- 第 1 天：错") for at in range(count)), *more)


def test_modulo_has_a_faulty_plan_repaired_with_the_list_of_faults() -> None:
    action, _ = take_turn(LlmModuloAgent, WRONG, view(kind="convergence"))
    assert isinstance(action, Redo) and action.why == "critique" and action.content == WRONG
    assert "transport_mode 应为 飞机、火车、高铁、自驾 之一" in action.note
    _, messages = take_turn(LlmModuloAgent, plan_text(), view(kind="convergence", drafts=critiques(1)))
    assert messages[-2]["content"] == WRONG
    assert "- 第 1 天：错" in messages[-1]["content"] and "修正" in messages[-1]["content"]


def test_modulo_says_a_sound_plan_at_once_and_a_faulty_one_after_three_repairs() -> None:
    assert take_turn(LlmModuloAgent, plan_text(), view())[0] == Say(plan_text())
    assert isinstance(take_turn(LlmModuloAgent, WRONG, view(drafts=critiques(2)))[0], Redo)
    assert take_turn(LlmModuloAgent, WRONG, view(drafts=critiques(3)))[0] == Say(WRONG)


def test_modulo_takes_an_answer_without_a_plan_for_a_fault() -> None:
    action, _ = take_turn(LlmModuloAgent, "我需要更多信息", view())
    assert isinstance(action, Redo) and action.why == "critique" and action.content == "我需要更多信息"
    assert action.note.startswith("- 没有读到计划：") and "```json 代码块" in action.note


def test_reflexion_reflects_before_the_next_try() -> None:
    first, _ = take_turn(ReflexionAgent, f"Thought: 可以\nAnswer: {WRONG}", view())
    assert isinstance(first, Redo) and first.why == "critique" and first.content == WRONG
    second, messages = take_turn(ReflexionAgent, "车次没有查", view(drafts=critiques(1)))
    assert second == Redo("车次没有查", why="reflection")
    assert "先不要写计划" in messages[-1]["content"]
    drafts = critiques(1, Draft(60, "车次没有查", "reflection", ""))
    third, messages = take_turn(ReflexionAgent, f"Answer: {plan_text()}", view(drafts=drafts))
    assert third == Say(plan_text())
    assert [m["content"] for m in messages[-4:]][::2] == [WRONG, "车次没有查"]


def test_reflexion_may_look_things_up_between_tries_but_not_while_it_reflects() -> None:
    call = calling(("web_search", "{}"))
    assert isinstance(
        take_turn(ReflexionAgent, call, view(drafts=critiques(1, Draft(60, "x", "reflection", ""))))[0],
        CallTools,
    )
    assert take_turn(ReflexionAgent, call, view(drafts=critiques(1)))[0] == Redo(
        "web_search({})", why="called_tools"
    )


def test_reflexion_is_told_one_thing_at_a_time_once_tools_are_closed() -> None:
    def last_message(*more: Draft, kind: str) -> str:
        seen = view(drafts=critiques(1, *more), tools_allowed=False, kind=kind)
        return take_turn(ReflexionAgent, "好", seen)[1][-1]["content"]

    for kind in ("polled", "final"):
        assert last_message(kind=kind).endswith("下一份计划应当怎样避免。")
        again = last_message(Draft(60, "x", "reflection", ""), kind=kind)
        assert again.endswith("不要再提问。") and "@ 相应的成员" not in again


@pytest.mark.parametrize(
    ("why", "reply", "words"),
    [
        ("called_tools", calling(("web_search", "{}"), text="没有查"), "没有查"),
        ("cut_off", Reply("没有查，", finish_reason="length"), "没有查，"),
        ("empty", Reply(""), ""),
    ],
)
def test_a_reflection_that_stays_flawed_is_kept_as_it_is(why: str, reply: Reply, words: str) -> None:
    drafts = critiques(1, *(Draft(60 + at, "", why, "") for at in range(3)))
    assert take_turn(ReflexionAgent, reply, view(drafts=drafts))[0] == Redo(words, why="reflection")


def test_reflexion_repairs_a_plan_that_it_was_told_to_give_again() -> None:
    broken = plan_text()[:-2] + ",}"
    drafts = critiques(1, Draft(60, "x", "reflection", ""))
    action, _ = take_turn(ReflexionAgent, f"Answer: {broken}", view(drafts=drafts))
    assert isinstance(action, Say) and plan_in_message(action.content) == plan()
    assert action.mended_from == broken
    assert take_turn(ReflexionAgent, f"Answer: {broken}", view())[0] == Say(broken)


def test_reflexion_gives_its_third_try_as_it_is_and_lets_ordinary_words_pass() -> None:
    drafts = critiques(2, Draft(60, "x", "reflection", ""))
    assert take_turn(ReflexionAgent, f"Answer: {WRONG}", view(drafts=drafts))[0] == Say(WRONG)
    assert take_turn(ReflexionAgent, "Answer: @User1 预算多少？", view())[0] == Say("@User1 预算多少？")
