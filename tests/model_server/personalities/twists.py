"""Agents that go wrong, each in one way."""

from __future__ import annotations

import json

from benchmark.suites.grouptravel.itineraries import plan_in_message
from tests.model_server.personalities.agent import (
    good_agent,
    look_up_and_plan,
    question_to,
)
from tests.model_server.personalities.understanding import believed_tables
from tests.model_server.personalities.wording import words
from tests.model_server.request import Refusal
from tests.model_server.scene import Scene
from tests.model_server.wire import Answer, Call

_LIMIT = 8192


def planner_at_once(scene: Scene) -> Answer:
    """Plans in its first message, without a question."""
    return look_up_and_plan(scene) if scene.task == "speak" else good_agent(scene)


def loops(scene: Scene) -> Answer:
    """Makes the very same call whenever it may."""
    if scene.task == "speak" and scene.may_call:
        return Answer("", (_search(scene, 1),))
    return _kept_open(scene)


def loops_in_two_turns(scene: Scene) -> Answer:
    """In every turn one call twice in a row, in another turn another one."""
    if scene.task == "speak" and scene.may_call:
        return Answer("", (_search(scene, len(scene.agent_texts) + 1),))
    return _kept_open(scene)


def talks_forever(scene: Scene) -> Answer:
    """Asks and asks; plans when that is demanded at last, and with the option `never` not even then."""
    if scene.task == "final" and "never" not in scene.request.name.options:
        return look_up_and_plan(scene)
    return good_agent(scene) if scene.task == "summary" else _kept_open(scene)


def malformed_json(scene: Scene) -> Answer:
    """Breaks the JSON of its first calls and of its plan, so that the plan can be mended where one is awaited."""
    answer = good_agent(scene)
    if answer.calls and not scene.results:
        return Answer(answer.text, tuple(Call(call.name, call.arguments[:-1] + ",") for call in answer.calls))
    if plan_in_message(answer.text) is not None:
        return Answer(answer.text.replace("]}]}\n```", "],}],}\n```"))
    return answer


def mentions_two(scene: Scene) -> Answer:
    """Addresses two travellers in its first message."""
    if scene.task == "speak" and not scene.agent_texts and len(scene.travellers) > 1:
        user, other = scene.travellers[:2]
        return Answer(words(scene.english).two.format(user=user, other=other))
    return good_agent(scene)


def overflows(scene: Scene) -> Answer:
    """Runs out of context when the chat has more than `after` messages (6)."""
    if len(scene.chat) > scene.request.name.number("after", 6):
        used = _LIMIT + 100 * len(scene.chat)
        raise Refusal(
            400,
            f"This model's maximum context length is {_LIMIT} tokens. However, your messages resulted in "
            f"{used} tokens. Please reduce the length of the messages.",
            "context_length_exceeded",
        )
    return good_agent(scene)


def wordless(scene: Scene) -> Answer:
    """Says nothing at all."""
    return Answer()


def thinks(scene: Scene) -> Answer:
    """The good agent, thinking aloud before every answer."""
    answer = good_agent(scene)
    thought = words(scene.english).thought.format(lines=len(scene.chat))
    return Answer(answer.text, answer.calls, thought)


def text_tools(scene: Scene) -> Answer:
    """The good agent on a server that knows no tools."""
    if scene.request.tools:
        raise Refusal(400, "tools: this model does not support tool calling", "unsupported_parameter")
    return good_agent(scene)


def _search(scene: Scene, page: int) -> Call:
    return Call.of(
        "search_poi", keywords=("景点", "attraction")[scene.english], city=scene.cities[0], page=page
    )


def _kept_open(scene: Scene) -> Answer:
    """A question, new every time, that leads nowhere."""
    if scene.task == "summary":
        return Answer(json.dumps(believed_tables(scene), ensure_ascii=False))
    if scene.task == "final" and "never" not in scene.request.name.options:
        return look_up_and_plan(scene)
    number = len(scene.agent_texts)
    if number < len(scene.travellers):
        return Answer(question_to(scene, number))
    user = scene.travellers[number % len(scene.travellers)]
    return Answer(words(scene.english).waiting.format(user=user, number=number))
