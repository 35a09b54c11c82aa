"""The user that a model speaks for, and the one without: what they know, what they tell, when they end the talk."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from benchmark.core.actions import Say
from benchmark.core.view import AGENT, Message, Turn
from benchmark.models import ChatRequest, Reply
from benchmark.suites.travelbench.conversation.answers import FALLBACKS, OUT_OF_STEPS, Answer
from benchmark.suites.travelbench.conversation.views import RequestView
from benchmark.suites.travelbench.events import USER
from benchmark.suites.travelbench.modes import END_MARK
from benchmark.suites.travelbench.travellers.llm import LlmUser
from benchmark.suites.travelbench.travellers.scripted import ScriptedUser
from benchmark.suites.travelbench.travellers.scripted.user import said_once

VIEW = RequestView(
    me=USER,
    language="zh",
    seed=0,
    round=1,
    messages=(),
    turn=Turn(kind="reply"),
    subtask="multi",
    query="找个酒店",
    time="2025-11-15 10:00",
    context="**用户当前位置描述**\n广东省深圳市",
    intent="今晚在华侨城附近住一晚，用户希望预算每晚150元以内",
    profile="### 基本信息\n- 常驻城市：佛山市\n\n### 兴趣偏好\n#### 出行方式\n- 乘地铁",
)


def chat_view(*contents: str, language: str = "zh", **fields: Any) -> RequestView:
    """The chat: the query, then agent and user by turns."""
    speakers = [USER, *(AGENT if place % 2 == 0 else USER for place in range(len(contents)))]
    said = zip(speakers, (VIEW.query, *contents), strict=True)
    messages = tuple(Message(seq, role, content) for seq, (role, content) in enumerate(said, 1))
    return replace(VIEW, messages=messages, language=language, **fields)


def reply_to(view: RequestView) -> str:
    action = ScriptedUser().act(view)
    assert isinstance(action, Say)
    return action.content


def test_the_scripted_user_tells_what_is_asked_and_no_more() -> None:
    assert reply_to(chat_view("请问预算多少？")) == "我希望预算每晚150元以内。"
    assert reply_to(chat_view("您想住在哪里？")) == "今晚在华侨城附近住一晚。"
    assert reply_to(chat_view("您怎么去，地铁还是打车？")) == "乘地铁。"


def test_the_scripted_user_names_the_kitchen_where_it_is_asked_what_it_looks_for() -> None:
    intent = "Dinner for four in Futian: Cantonese, up to 150 CNY a head"
    asked = chat_view(
        "What are you looking for and what is your budget?", language="en", intent=intent, profile=""
    )
    assert "Cantonese" in reply_to(asked)


@pytest.mark.parametrize(
    ("intent", "asked", "whole"),
    [
        ("在苏州古城里逛一座人少、安静的小园林，之后喝茶", "您想看什么景点？", "逛一座人少、安静的小园林"),
        ("10:30从武汉站出发，二等座", "您从哪里出发，几点？", "10:30从武汉站出发"),
        ("预算1,500元以内，评分4.5以上", "预算多少？", "1,500元以内"),
        ("想看西湖和博物馆、植物园", "请问您具体想找什么？", "西湖和博物馆、植物园"),
    ],
)
def test_the_scripted_user_cuts_no_wish_in_two(intent: str, asked: str, whole: str) -> None:
    assert whole in reply_to(chat_view(asked, intent=intent, profile=""))


def test_the_scripted_user_has_no_preference_where_nothing_tells_one() -> None:
    assert "没有特别要求" in reply_to(chat_view("您喜欢吃什么菜系？"))


def test_the_scripted_user_speaks_english_where_the_session_does() -> None:
    view = chat_view("What is your budget?", language="en", intent="The user wants a hotel, at most 300 CNY")
    assert reply_to(view) == "at most 300 CNY."
    assert reply_to(chat_view("Which cuisine do you like?", language="en")) == "I have no preference there."


@pytest.mark.parametrize(
    "message",
    [
        "1. 城市客栈：约 140 元，离欢乐谷 1.2 公里。",
        "推荐城市客栈，140 元一晚。需要我再找几家吗？",
        OUT_OF_STEPS,
        "I apologize, but I encountered an error: x. Please try again.",
        "抱歉，没有查到。",
    ],
)
def test_the_scripted_user_ends_the_talk_at_an_answer_and_at_a_failure(message: str) -> None:
    assert reply_to(chat_view(message)) == END_MARK


def test_the_scripted_user_ends_the_talk_where_the_agent_repeats_itself() -> None:
    assert reply_to(chat_view("请问预算多少？", "150元以内", "请问预算多少？")) == END_MARK


def test_the_scripted_user_waits_once_for_an_announced_answer() -> None:
    assert reply_to(chat_view("好的，我来查一下")) == "好的，你说。"
    assert reply_to(chat_view("好的，我来查一下", "好的，你说。", "马上就好")) == END_MARK


class Model:
    def __init__(self, text: str) -> None:
        self.text, self.requests = text, list[ChatRequest]()

    def ask(self, request: ChatRequest) -> Reply:
        self.requests.append(request)
        return Reply(self.text)


def test_the_simulator_is_given_what_the_user_knows_and_the_chat_without_tools() -> None:
    model = Model("150 元以内")
    action = LlmUser(model).act(chat_view("预算多少？"))  # type: ignore[arg-type]
    assert action == Answer("150 元以内")
    (request,) = model.requests
    system, *chat = request.messages
    assert request.temperature == 0 and not request.tools
    known = (VIEW.intent, VIEW.profile, VIEW.context, VIEW.time, END_MARK)
    assert all(part in system["content"] for part in known if part)
    assert [message["role"] for message in chat] == ["user", "assistant", "user"]
    assert chat[1]["content"] == VIEW.query and "预算多少？" in chat[2]["content"]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_simulator_is_asked_in_the_session_s_language(language: str) -> None:
    model = Model("x")
    LlmUser(model).act(chat_view("?", language=language))  # type: ignore[arg-type]
    assert ("旅行者" in model.requests[0].messages[0]["content"]) is (language == "zh")


def test_an_empty_reply_of_the_simulator_becomes_a_stock_sentence() -> None:
    action = LlmUser(Model("  ")).act(chat_view("?"))  # type: ignore[arg-type]
    assert isinstance(action, Answer) and action.failed and action.content in FALLBACKS


@pytest.mark.parametrize(
    ("pieces", "told"),
    [
        (["爱喝早茶", "想看岭南建筑、喝早茶"], ["爱喝早茶", "想看岭南建筑"]),
        (["一家三口", "带孩子的一家三口"], ["带孩子的一家三口"]),
        (["看西湖、博物馆", "不吃辣"], ["看西湖、博物馆", "不吃辣"]),
    ],
)
def test_nothing_is_said_twice_in_one_answer(pieces: list[str], told: list[str]) -> None:
    assert said_once(pieces) == told
