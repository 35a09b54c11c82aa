"""The paper's agent: one request an act, what it holds in each kind of turn, and what its answers mean."""

from __future__ import annotations

import json

import pytest

from benchmark.agents import LlmAgent
from benchmark.core.actions import Action, CallTools, Redo, Say, ToolCall
from benchmark.core.view import AGENT, Draft
from benchmark.models import ModelFailure, Reply
from benchmark.suites.grouptravel.briefing import BRIEFING
from benchmark.suites.grouptravel.itineraries import plan_in_message
from benchmark.suites.grouptravel.view import GroupView, Traveller
from sandbox.toolsets.grouptravel import TOOLSET

from .cast import TABLE, ScriptedModel, calling, plan, plan_text, view


def take_turn(reply: Reply | str, seen: GroupView) -> tuple[Action, ScriptedModel]:
    model = ScriptedModel([reply])
    return LlmAgent(BRIEFING, model).act(seen), model


def last_prompt(seen: GroupView) -> str:
    """The last thing that the model is told."""
    _, model = take_turn("好", seen)
    return str(model.requests[0].messages[-1]["content"])


@pytest.mark.parametrize("kind", ["summary", "convergence", "polled", "mentioned", "final"])
@pytest.mark.parametrize("language", ["zh", "en"])
def test_each_turn_is_one_request_and_its_words_are_said(kind: str, language: str) -> None:
    action, model = take_turn(Reply(" 好 ", reasoning="想"), view(kind=kind, language=language))
    assert action == Say("好", thought="想")
    (request,) = model.requests
    assert request.temperature == 0.7
    assert request.json_object == (kind == "summary")
    assert list(request.tools) == ([] if kind == "summary" else list(TOOLSET.definitions(language)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("summary", "只输出一个 JSON 对象"),
        ("convergence", "三件事必须做一件"),
        ("polled", "现在轮到你"),
        ("mentioned", "@ 了自己"),
        ("final", "轮次已达上限"),
    ],
)
def test_each_turn_says_what_is_asked(kind: str, words: str) -> None:
    assert words in last_prompt(view(kind=kind))


def test_the_system_prompt_holds_the_task_and_its_members() -> None:
    _, model = take_turn("好", view(companions=(Traveller("User3", "宝宝"),)))
    system = model.requests[0].messages[0]["content"]
    assert "苏州市，两天一夜，2人的旅行计划" in system and "2025-11-02" in system and "上海市" in system
    assert "- User2（女友）\n- User1（男友）\n- User3（宝宝）：同行的幼儿" in system
    assert "$" not in system


def test_the_agents_own_table_goes_with_the_instruction() -> None:
    assert json.dumps(TABLE, separators=(",", ":")) in last_prompt(view(table=TABLE))
    assert json.dumps(TABLE, separators=(",", ":")) in last_prompt(view(table=TABLE, kind="summary"))
    assert "偏好表" not in last_prompt(view())


def test_a_forced_message_comes_without_tools_and_says_so_last() -> None:
    _, model = take_turn("好", view(tools_allowed=False, step=20))
    assert model.requests[0].tools == ()
    assert "不能再调用工具" in model.requests[0].messages[-1]["content"]


@pytest.mark.parametrize(("language", "words"), [("zh", "不要再提问"), ("en", "ask nothing")])
def test_a_forced_message_in_the_final_turn_is_to_be_the_plan_and_no_question(
    language: str, words: str
) -> None:
    last = last_prompt(view(kind="final", tools_allowed=False, step=20, language=language))
    assert last.endswith((f"{words}。", f"{words}."))
    assert "@" not in last


@pytest.mark.parametrize(
    ("language", "words"), [("zh", "提问、调解，或者给出计划"), ("en", "a question, a mediation")]
)
def test_an_ordinary_turn_sends_only_facts_to_the_tools(language: str, words: str) -> None:
    last = last_prompt(view(language=language))
    assert words in last
    assert "缺少信息" not in last and "missing" not in last


def test_native_calls_become_the_sandboxes_calls_with_note_and_thought() -> None:
    reply = calling(
        ("search_poi", '{"city": "苏州市"}'), ("web_search", "{}"), text="查一下", reasoning="先查"
    )
    action, _ = take_turn(reply, view())
    calls = (ToolCall("search_poi", {"city": "苏州市"}), ToolCall("web_search", {}))
    assert action == CallTools(calls, note="查一下", thought="先查")


@pytest.mark.parametrize("written", ['{"city": ', "", "[1]", '"x"', "{'city': 1}", '{"a": NaN}', "[" * 9999])
def test_arguments_that_are_no_object_stay_as_they_were_written(written: str) -> None:
    action, _ = take_turn(calling(("search_poi", written)), view())
    assert action == CallTools((ToolCall("search_poi", written),))


@pytest.mark.parametrize(
    ("reply", "why", "content"),
    [
        (Reply("  ", reasoning="想"), "empty", ""),
        (Reply("说到一半", finish_reason="length"), "cut_off", "说到一半"),
        (Reply("", calling(("web_search", "{")).calls, finish_reason="length"), "cut_off", "web_search({)"),
    ],
)
def test_a_flawed_answer_is_asked_for_again(reply: Reply, why: str, content: str) -> None:
    action, _ = take_turn(reply, view())
    assert action == Redo(content, why=why, thought=reply.reasoning)


@pytest.mark.parametrize("seen", [view(kind="summary"), view(tools_allowed=False)])
def test_calls_where_none_are_allowed_are_asked_for_again(seen: GroupView) -> None:
    action, _ = take_turn(calling(("web_search", "{}")), seen)
    assert action == Redo("web_search({})", why="called_tools")


def flawed_drafts(why: str, times: int = 3) -> tuple[Draft, ...]:
    return tuple(Draft(51 + at, "", why, "") for at in range(times))


@pytest.mark.parametrize(
    ("why", "reply"), [("empty", Reply("")), ("cut_off", Reply("x", finish_reason="length"))]
)
def test_three_times_at_most_and_then_the_error_names_model_fault_and_remedy(why: str, reply: Reply) -> None:
    assert isinstance(take_turn(reply, view(drafts=flawed_drafts(why, 2)))[0], Redo)
    with pytest.raises(RuntimeError, match=r"4 times in one turn the model scripted-1 .*; .*raise"):
        take_turn(reply, view(drafts=flawed_drafts(why)))


@pytest.mark.parametrize(
    ("why", "reply", "said"),
    [
        ("empty", Reply(" "), ""),
        ("cut_off", Reply('{"User1": {"gl', finish_reason="length"), '{"User1": {"gl'),
        ("called_tools", calling(("web_search", "{}")), "web_search({})"),
        ("called_tools", calling(("web_search", "{}"), text="查一下"), "查一下"),
    ],
)
def test_a_summary_that_stays_flawed_is_given_as_it_is(why: str, reply: Reply, said: str) -> None:
    assert isinstance(take_turn(reply, view(kind="summary", drafts=flawed_drafts(why, 2)))[0], Redo)
    assert take_turn(reply, view(kind="summary", drafts=flawed_drafts(why)))[0] == Say(said)


@pytest.mark.parametrize(
    ("text", "said"), [("@User1 预算多少？", "@User1 预算多少？"), ("", "web_search({})\nsearch_poi({)")]
)
def test_a_model_that_insists_on_tools_is_heard_in_the_end(text: str, said: str) -> None:
    reply = calling(("web_search", "{}"), ("search_poi", "{"), text=text)
    assert isinstance(
        take_turn(reply, view(drafts=flawed_drafts("called_tools", 2), tools_allowed=False))[0], Redo
    )
    action, _ = take_turn(reply, view(drafts=flawed_drafts("called_tools"), tools_allowed=False))
    assert action == Say(said)


def test_a_failure_of_the_model_passes_through() -> None:
    class FailingModel(ScriptedModel):
        def ask(self, request: object) -> Reply:
            raise ModelFailure("server", "500")

    with pytest.raises(ModelFailure):
        LlmAgent(BRIEFING, FailingModel([])).act(view())


def test_refused_plans_are_shown_with_what_was_wrong() -> None:
    _, model = take_turn(
        "好", view(kind="final", refused=("没有计划", "还是没有"), attempt=3, problem="no_plan")
    )
    *_, first, wrong, second, again = model.requests[0].messages
    assert [first["content"], second["content"]] == ["没有计划", "还是没有"]
    assert "没有读到计划" in wrong["content"] and again == wrong


def test_a_message_to_two_members_goes_out() -> None:
    assert take_turn("@User1 预算？@User2 呢？", view())[0] == Say("@User1 预算？@User2 呢？")


BROKEN_PLAN = plan_text()[:-2] + ",}"


def test_a_broken_final_plan_is_repaired_and_the_original_kept() -> None:
    action, _ = take_turn(f"计划如下：\n{BROKEN_PLAN}\n祝愉快", view(kind="final"))
    assert isinstance(action, Say)
    assert plan_in_message(action.content) == plan()
    assert action.content.startswith("计划如下：") and action.content.endswith("祝愉快")
    assert action.mended_from == f"计划如下：\n{BROKEN_PLAN}\n祝愉快"


def test_the_word_days_in_the_prose_before_it_hides_no_plan() -> None:
    for broken in (BROKEN_PLAN, plan_text().replace('"', "'")):
        action, _ = take_turn(f"共两天（days）。{broken}", view(kind="final"))
        assert isinstance(action, Say) and plan_in_message(action.content) == plan()


@pytest.mark.parametrize("opening", ["```json", "```JSON", "```"])
@pytest.mark.parametrize("end", ["\n```", ""])
def test_a_broken_fenced_plan_is_repaired_even_without_its_end(opening: str, end: str) -> None:
    action, _ = take_turn(f"{opening}\n{BROKEN_PLAN}{end}", view(kind="final"))
    assert isinstance(action, Say) and plan_in_message(action.content) == plan() and action.mended_from


@pytest.mark.parametrize("kind", ["polled", "convergence", "mentioned"])
def test_only_the_final_turn_repairs(kind: str) -> None:
    text = f"```json\n{BROKEN_PLAN}\n```"
    assert take_turn(text, view(kind=kind))[0] == Say(text)


STAY = '"city_segments": [{"city": "苏州市", "activities": []}]'


@pytest.mark.parametrize(
    "sketch",
    [
        '{"days": [{"day": 1, "city_segments": [...]}]}',
        f'{{"days": [{{"day": 1, {STAY}}}, …]}}',
        f'{{"days": [{{"day": 1, {STAY} /* 待定 */}}]}}',
        f'{{"days": [{{"day": 1, {STAY}, // 待定\n}}]}}',
        f'{{"days": [{{"day": 1, "date": "<YYYY-MM-DD>", {STAY},}}]}}',
        f'{{"days": [{{"day": 1, {STAY}}}, {{"day": 2, 未定}}]}}',
        f'{{"days": [{{"day": 1, {STAY}}}, "第二天",]}}',
    ],
)
@pytest.mark.parametrize("fence", [True, False])
def test_a_sketch_is_no_plan(sketch: str, fence: bool) -> None:
    text = f"```json\n{sketch}\n```" if fence else sketch
    assert take_turn(text, view(kind="final"))[0] == Say(text)


def test_an_address_leaves_nothing_out() -> None:
    text = plan_text(note="http://a.example/b")[:-2] + ",}"
    action, _ = take_turn(text, view(kind="final"))
    assert isinstance(action, Say) and action.mended_from == text


TABLE_BLOCK = f"```json\n{json.dumps(TABLE)}\n```\n"


@pytest.mark.parametrize(
    "text",
    [
        f"{TABLE_BLOCK}计划：\n```json\n{BROKEN_PLAN}\n```",
        f"{TABLE_BLOCK}计划：\n```json\n{plan_text()}\n```",
        f"{json.dumps(TABLE)}\n```json\n{BROKEN_PLAN}\n```",
        f"{json.dumps(TABLE)} {BROKEN_PLAN}",
    ],
)
def test_a_broken_plan_is_read_nowhere_where_a_sound_one_is_not(text: str) -> None:
    assert take_turn(text, view(kind="final"))[0] == Say(text)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (plan_text(), "final"),
        (BROKEN_PLAN, "polled"),
        ("days 和 city_segments 怎么填？", "final"),
        ('```json\n{"plan": ' + plan_text() + "}\n```", "final"),
        ('{"days": [}', "final"),
    ],
)
def test_nothing_else_is_touched(text: str, kind: str) -> None:
    assert take_turn(text, view(kind=kind))[0] == Say(text)


def test_a_summary_is_never_repaired() -> None:
    assert take_turn(f"```json\n{BROKEN_PLAN}\n```", view(kind="summary"))[0] == Say(
        f"```json\n{BROKEN_PLAN}\n```"
    )


def test_the_english_agent_reads_and_is_told_english() -> None:
    _, model = take_turn("Fine", view((AGENT, "Hello"), language="en", kind="convergence"))
    system, first, _, last = model.requests[0].messages
    assert "You are the planning assistant" in system["content"]
    assert first["content"].startswith("User1: 人均")
    assert "take stock" in last["content"]
