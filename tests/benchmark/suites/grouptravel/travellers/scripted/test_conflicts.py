"""Every conflict in the shipped tasks, reported in many wordings to everybody, and proposed to those it hurts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from benchmark.core.actions import Pass, Say
from benchmark.core.view import AGENT, Message
from benchmark.suites.grouptravel.tasks import Task
from benchmark.suites.grouptravel.travellers.scripted import ScriptedUser
from benchmark.suites.grouptravel.view import Card, GroupTurn, GroupView, Traveller
from tests.benchmark.suites.grouptravel.travellers.scripted.sessions import starter_tasks

TASKS = starter_tasks()
REPORTS = {
    "zh": [
        "{fan}想去{item}，{foe}不去。",
        "意见不一的有：{item}（{fan}想去，{foe}不去）。我先照顾更坚决的一方，兼顾不了就分头走。",
        "小结：{fan}必去{item}，{foe}坚决不去{item}，其余大家都没有意见。",
        "**待协调**\n- {item}：{fan} ✓，{foe} ✗",
        "关于{item}有分歧，{fan}很期待，而{foe}比较抗拒，我会尽量想办法兼顾。",
        "新记下的必去之处有{item}（{fan}）。大部分都有数了。",
        "好，要去{item}，记住了。",
        "@{fan} 你提到一定要去{item}，这一点{foe}不同意，你愿意让一步吗？",
        "{item}的门票约50元/人，开放时间是上午9点到下午5点。",
    ],
    "en": [
        "{fan} would like to see {item}, but {foe} does not want to go there.",
        "Opinions differ on {item} ({fan} for it, {foe} against).",
        "So far: {fan} insists on {item}, {foe} refuses it.",
        "**Open points**\n- {item}: {fan} yes, {foe} no",
        "There is a conflict about {item}: {fan} really wants it, while {foe} would rather skip it.",
        "Places newly noted as musts are {item} ({fan}).",
        "Good, {item} stays in, I will remember that.",
        "@{fan} You said {item} is a must, {foe} disagrees. Would you give it up?",
        "The ticket for {item} is about 50 yuan, it opens at 9 in the morning.",
    ],
}
VISITS = {
    "zh": [
        "那我们就去{item}吧。",
        "第一天上午安排{item}。",
        "综合大家的意见，我建议统一去{item}。",
        "### 行程\n- Day 1：{item}",
    ],
    "en": [
        "So let's all go to {item}.",
        "On day 1 we visit {item} in the morning.",
        "All things considered, I suggest that we visit {item}.",
        "Here is the plan:\n- Day 1: {item}",
    ],
}
OMISSIONS = {
    "zh": ["那{item}就不去了。", "我打算取消{item}。"],
    "en": ["So we will skip {item}.", "{item} will be dropped, I'm afraid: let's leave it out."],
}


@dataclass(frozen=True)
class Conflict:
    """A sight that one traveller must see and another refuses to."""

    task: Task
    item: str
    fan: str
    foe: str


def conflicts() -> Iterator[Conflict]:
    for task in TASKS:
        for city in task.metadata.cities:
            sights = {
                user: card.preference["city_specific_preferences"][city]["attractions"]
                for user, card in task.user_preferences.items()
            }
            for fan, liked in sights.items():
                for foe, disliked in sights.items():
                    for item in {*liked["must_visit"]} & {*disliked["reject_visit"]}:
                        yield Conflict(task, item, fan, foe)


CONFLICTS = sorted(conflicts(), key=lambda one: (one.task.task_id, one.item, one.fan, one.foe))


def view(task: Task, me: str, text: str) -> GroupView:
    """What `me` sees when polled after the opening and one message of the agent, so late that no facts are asked."""
    opening = [(message.role, message.content) for message in task.initial_messages]
    said = [*opening, (AGENT, text)]
    card = task.user_preferences[me]
    return GroupView(
        me=me,
        language=task.language,
        seed=1,
        query=task.query,
        time=task.time,
        context=task.context,
        travellers=tuple(Traveller(user, task.user_preferences[user].role) for user in task.users),
        companions=(),
        max_turn=15,
        convergence_interval=3,
        round=15,
        messages=tuple(Message(seq, role, content) for seq, (role, content) in enumerate(said, 1)),
        turn=GroupTurn("polled"),
        card=Card(card.role, card.preference, card.preference, card.compromisable, 2),
    )


def reply_to(task: Task, me: str, text: str) -> str:
    action = ScriptedUser().act(view(task, me, text))
    assert isinstance(action, Say | Pass)
    return action.content if isinstance(action, Say) else ""


def test_there_are_conflicts_in_both_languages() -> None:
    assert {conflict.task.language for conflict in CONFLICTS} == {"zh", "en"}
    assert len(CONFLICTS) >= 10


def name(conflict: Conflict) -> str:
    return f"{conflict.task.task_id}-{conflict.fan}-{conflict.foe}"


@pytest.mark.parametrize("conflict", CONFLICTS, ids=name)
def test_nobody_objects_to_a_report(conflict: Conflict) -> None:
    for report in REPORTS[conflict.task.language]:
        text = report.format(item=conflict.item, fan=conflict.fan, foe=conflict.foe)
        for user in conflict.task.users:
            assert reply_to(conflict.task, user, text) == "", (user, text)


@pytest.mark.parametrize("conflict", CONFLICTS, ids=name)
def test_a_proposal_is_objected_to_by_those_it_hurts(conflict: Conflict) -> None:
    for wordings, hurt, other in (
        (VISITS, conflict.foe, conflict.fan),
        (OMISSIONS, conflict.fan, conflict.foe),
    ):
        for wording in wordings[conflict.task.language]:
            text = wording.format(item=conflict.item)
            assert conflict.item in reply_to(conflict.task, hurt, text), (hurt, text)
            assert conflict.item not in reply_to(conflict.task, other, text), (other, text)
