"""Whole sessions in memory: several travellers over models against the reference agent."""

from __future__ import annotations

import json
from typing import Any, Literal

import pytest

from benchmark.core.actions import Action, CallTools, Say, ToolCall
from benchmark.core.engine import Conversation, run
from benchmark.core.events import DraftWithdrawn, MessagePosted, SessionStart, ToolCalled, ToolReturned
from benchmark.core.participant import Participant
from benchmark.core.view import AGENT
from benchmark.models import ChatRequest
from benchmark.suites.grouptravel.agent import ReferenceAgent
from benchmark.suites.grouptravel.conversation.rules import RULES, opening_step
from benchmark.suites.grouptravel.conversation.scenarios import CannedAgent, NoTools, opening_of
from benchmark.suites.grouptravel.events import CompromiseApplied, MarkerAttempted
from benchmark.suites.grouptravel.tasks import TASK_FILES, Task
from benchmark.suites.grouptravel.travellers.llm import LlmUser
from benchmark.suites.grouptravel.travellers.llm.bounds import bounds_of
from benchmark.suites.grouptravel.travellers.llm.contract import faults, normalise
from benchmark.suites.grouptravel.travellers.llm.request import PROMPTS
from benchmark.suites.grouptravel.travellers.scripted import ScriptedUser
from benchmark.suites.grouptravel.view import GroupView
from sandbox.toolbox import world_tools
from sandbox.worlds import World
from tests import SHIPPED_TASKS
from tests.benchmark.agents.cast import ScriptedModel
from tests.benchmark.suites.grouptravel.conversation.play import PLAN, scenario

BUDGET = "行，听你的。\n[global_constraints.avg_budget : {}]"


def tasks() -> list[Task]:
    return [read.task for read in TASK_FILES.whole(SHIPPED_TASKS / "starter.jsonl")]


def with_secrets(task: Task) -> Task:
    """Everybody's table with an item of their own that nobody ever says."""
    raw = task.model_dump(mode="json", by_alias=True)
    for user, card in raw["user_preferences"].items():
        card["preference"]["global_constraints"]["hotel_preference"]["prefer"] = [f"secret of {user}"]
    return Task.model_validate(raw)


def play_task(task: Task, seats: dict[str, Any], world: World) -> Conversation:
    conversation = Conversation(RULES)
    conversation.append(opening_step(task, SessionStart(seed=1, options={"contract": "strict"})))
    return run(conversation, seats, world_tools(world))


def polite(language: str) -> Any:
    """A model that answers when mentioned and passes when polled."""
    mentioned = PROMPTS.line(language, "turn", "mentioned")  # type: ignore[arg-type]

    def reply(request: ChatRequest) -> str:
        return "我都可以，听大家的。" if mentioned in str(request.messages[-1]["content"]) else "[pass]"

    return reply


class Searching:
    """An agent that searches and notes before every message, and asks everyone in turn."""

    def act(self, view: GroupView) -> Action:
        if view.turn.kind == "summary":
            return Say("")
        if view.turn.kind == "final":
            return Say(PLAN)
        if view.turn.step == 0:
            keywords = f"place {len(view.messages)}"
            return CallTools(
                (ToolCall("search_poi", {"keywords": keywords, "city": "杭州"}),), note="a private note"
            )
        asked = view.travellers[len(view.messages) % len(view.travellers)].name
        return Say(f"@{asked} What is your budget?")


@pytest.mark.parametrize(
    ("number", "language", "agent"),
    [(2, "zh", ReferenceAgent()), (10, "zh", ReferenceAgent()), (2, "en", Searching())],
)
def test_no_request_holds_anothers_table_or_anything_of_a_tool(
    world: World, number: int, language: Literal["zh", "en"], agent: Participant
) -> None:
    task = with_secrets(tasks()[number]).model_copy(update={"language": language})
    models = {user: ScriptedModel(polite(language)) for user in task.user_preferences}
    log = play_task(task, {**{user: LlmUser(model) for user, model in models.items()}, AGENT: agent}, world)
    assert log.state.final_event is not None
    bodies = [event.body for event in log.events]
    assert any(isinstance(body, ToolCalled) for body in bodies)
    results = [body.result for body in bodies if isinstance(body, ToolReturned) and len(body.result) > 20]
    said = {body.content for body in bodies if isinstance(body, MessagePosted)}
    for user, model in models.items():
        assert model.requests, f"{user} was never asked"
        for request in model.requests:
            sent = json.dumps([dict(message) for message in request.messages], ensure_ascii=False)
            assert f"secret of {user}" in sent
            assert PROMPTS.line(language, "turn", "heading") in sent
            assert not any(f"secret of {other}" in sent for other in models if other != user)
            assert not any(
                result in str(message["content"]) for message in request.messages for result in results
            )
            assert "search_poi" not in sent
            assert "a private note" not in sent
            assert (request.tools, request.temperature) == ((), 0.0)
            assert {str(message["role"]) for message in request.messages} <= {"system", "user", "assistant"}
            assert all(
                own in said or all(part in said for part in own.split("\n\n"))
                for own in (
                    str(message["content"]) for message in request.messages if message["role"] == "assistant"
                )
            )


def play_replies(
    *replies: str, convergence: list[str], compromisable: bool = True
) -> tuple[Conversation, ScriptedModel]:
    """User1 over a model that gives `replies` and then passes, asked by a canned agent."""
    given = iter(replies)
    model = ScriptedModel(lambda _: next(given, "[pass]"))
    case = scenario(say={"User1": []}, convergence=convergence, limits=(6, 1), compromisable=compromisable)
    seats = {"User1": LlmUser(model), AGENT: CannedAgent(case.agent)}
    return run(Conversation(RULES), seats, NoTools(), opening_of(case, {"contract": "strict"})), model


def test_the_table_and_the_attitude_follow_two_compromises() -> None:
    log, model = play_replies(
        BUDGET.format(3200), "[pass]", BUDGET.format(3300), convergence=["@User1 预算能放宽吗？"]
    )
    assert [event.body.value for event in log.events if isinstance(event.body, CompromiseApplied)] == [
        3200,
        3300,
    ]
    first, last = (str(model.requests[index].messages[0]["content"]) for index in (0, -1))
    assert '"avg_budget": 3000' in first
    assert '"avg_budget": 3300' in last
    assert "你还可以答应 2 次" in first
    assert "你已经让步到上限" in last
    assert not any("[global_constraints" in str(m["content"]) for m in model.requests[-1].messages[1:])


def test_a_third_compromise_is_withdrawn_and_counted_and_never_reaches_the_engine() -> None:
    log, _ = play_replies(
        *(BUDGET.format(price) for price in (3200, 3300, 3400)), "不行，我已经让过了。",
        convergence=["@User1 预算能放宽吗？"],
    )  # fmt: skip
    withdrawn = [event.body.why for event in log.events if isinstance(event.body, DraftWithdrawn)]
    assert withdrawn.count("marker_over_quota") == 1
    verdicts = [event.body.verdict for event in log.events if isinstance(event.body, MarkerAttempted)]
    assert verdicts == ["accepted", "accepted"]
    assert "不行，我已经让过了。" in [message.content for message in log.state.messages]


def test_a_path_that_the_table_lacks_is_the_engines_to_refuse_in_the_end_and_is_told() -> None:
    log, model = play_replies(
        *["行。\n[city_specific_preferences.苏州市.food.must_eat : []]"] * 4, BUDGET.format(3200),
        convergence=["@User1 可以吗？"],
    )  # fmt: skip
    verdicts = [event.body.verdict for event in log.events if isinstance(event.body, MarkerAttempted)]
    assert verdicts[:2] == ["unresolvable", "accepted"]
    told = str(model.requests[4].messages[-1]["content"])
    assert PROMPTS.line("zh", "turn", "unresolvable") in told
    assert "苏州市.food.must_eat" in told


def test_the_last_resort_stands_in_the_log_before_the_words() -> None:
    log, _ = play_replies(*["@User2 听你的。"] * 4, convergence=["@User1 可以吗？"])
    bodies = [event.body for event in log.events]
    whys = [body.why for body in bodies if isinstance(body, DraftWithdrawn)]
    assert whys == ["mentions_user"] * 4 + ["trimmed"]
    assert "User2 听你的。" in [message.content for message in log.state.messages]


class CheckedUser:
    """A scripted traveller whose every word is put to the contract."""

    def __init__(self) -> None:
        self.sayings: set[str] = set()
        self.alarms: list[Any] = []

    def act(self, view: GroupView) -> Action:
        action = ScriptedUser().act(view)
        if isinstance(action, Say) and view.card is not None:
            self.sayings.add(action.content)
            self.alarms += faults(normalise(action.content), bounds_of(view, view.card))
        return action


def test_a_traveller_who_keeps_the_contract_is_never_at_fault(world: World) -> None:
    seat = CheckedUser()
    for task in tasks()[::3]:
        play_task(task, {**dict.fromkeys(task.user_preferences, seat), AGENT: ReferenceAgent()}, world)
    assert len(seat.sayings) > 50
    assert seat.alarms == []
