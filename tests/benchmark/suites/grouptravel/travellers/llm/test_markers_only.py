"""The contract `markers`: only compromise markers are asked for again, and by the engine, as published."""

from __future__ import annotations

import pytest

from benchmark.core.actions import Pass, Redo, Say
from benchmark.core.engine import Conversation, run
from benchmark.core.events import DraftWithdrawn, MessagePosted, SessionStart, TurnPassed
from benchmark.core.view import AGENT
from benchmark.models import Reply
from benchmark.suites.grouptravel.conversation.rules import RULES, opening_step
from benchmark.suites.grouptravel.conversation.scenarios import CannedAgent, NoTools, opening_of
from benchmark.suites.grouptravel.events import Contract, MarkerAttempted, SessionOpened
from benchmark.suites.grouptravel.travellers.llm import LlmUser
from benchmark.suites.grouptravel.travellers.llm.bounds import bounds_of
from benchmark.suites.grouptravel.travellers.llm.contract import faults
from tests.benchmark.agents.cast import ScriptedModel
from tests.benchmark.suites.grouptravel.conversation.play import scenario
from tests.benchmark.suites.grouptravel.travellers.llm.cast import BUDGET_QUESTION, view
from tests.benchmark.suites.grouptravel.travellers.llm.test_session import tasks

BREAKING = (
    "我的 avg_budget 是2500。",
    "@User2 你觉得呢？",
    "@Agent 好，@Agent 再说一次。",
    "User1：我都可以。",
    "User2：我要去灵隐寺。",
    "我先想想，[pass] 之后再说。",
    "作为一个AI，我没有偏好。",
    "<think>嗯</think>好的。",
    "预算 [global_constraints.avg_budget : 9999] 可以吗？",
)


@pytest.mark.parametrize("reply", BREAKING)
def test_a_reply_that_breaks_a_rule_is_said_as_it_came(reply: str) -> None:
    lenient, strict = view(BUDGET_QUESTION, contract="markers"), view(BUDGET_QUESTION, contract="strict")
    assert strict.card is not None and faults(reply, bounds_of(strict, strict.card))
    assert LlmUser(ScriptedModel([reply])).act(lenient) == Say(reply)
    assert isinstance(LlmUser(ScriptedModel([reply])).act(strict), Redo)


def test_an_answer_that_broke_off_is_said_and_a_blank_one_passes() -> None:
    lenient = view(BUDGET_QUESTION, contract="markers")
    assert LlmUser(ScriptedModel([Reply("我觉得", finish_reason="length")])).act(lenient) == Say("我觉得")
    assert LlmUser(ScriptedModel([" \n"])).act(lenient) == Pass("")


def conversation(contract: Contract, *replies: str) -> Conversation:
    """User1 over a model that gives `replies` and then passes, with a canned agent that asks for nothing."""
    given = iter(replies)
    model = ScriptedModel(lambda _: next(given, "[pass]"))
    case = scenario(say={"User1": []}, convergence=["大家好。"], limits=(8, 6), compromisable=True)
    opening = opening_of(case, {"contract": contract})
    seats = {"User1": LlmUser(model), AGENT: CannedAgent(case.agent)}
    return run(Conversation(RULES), seats, NoTools(), opening)


def test_the_engine_asks_again_for_an_unsolicited_marker_three_times_and_for_nothing_else() -> None:
    marked = "预算加一点。\n[global_constraints.avg_budget : 9999]"
    log = conversation("markers", BREAKING[0], *[marked] * 3)
    bodies = [event.body for event in log.events]
    assert not any(isinstance(body, DraftWithdrawn) for body in bodies)
    said = [body.content for body in bodies if isinstance(body, MessagePosted) and body.role == "User1"]
    assert said == ["大家好", BREAKING[0], "预算加一点。"]
    verdicts = [body.verdict for body in bodies if isinstance(body, MarkerAttempted)]
    assert verdicts == ["unsolicited", "unsolicited", "accepted"]


def test_a_pass_is_the_engines_to_find() -> None:
    log = conversation("markers", "[pass]", "[PASS]")
    bodies = [event.body for event in log.events]
    assert any(isinstance(body, TurnPassed) and body.user == "User1" for body in bodies)
    assert "[PASS]" in [body.content for body in bodies if isinstance(body, MessagePosted)]


def test_the_log_names_the_contract_and_an_older_one_was_strict() -> None:
    for protocol, contract in (("published", "markers"), ("paper", "strict")):
        opened = opening_step(tasks()[0], SessionStart(options={"protocol": protocol})).bodies[0]
        assert isinstance(opened, SessionOpened)
        assert (opened.protocol, opened.contract, opened.guards) == (protocol, contract, protocol)
    older = opened.model_dump(exclude={"options", "suite"})
    assert SessionOpened.load({**older, "protocol": "paper"}, 1) == opened
    assert SessionOpened.load({**older, "suite": "grouptravel", "contract": "markers"}, 2).options == {
        "protocol": "published",
        "contract": "markers",
    }
