"""Agents that refine their plan: by what rules find in it, and along a tree; over the answers of the test models."""

from __future__ import annotations

import json
from typing import Any, cast

import pytest

from benchmark.core.engine import Conversation, run
from benchmark.core.events import DraftWithdrawn, PlanProposed, ThoughtKept
from benchmark.core.options import Options
from benchmark.core.participant import OverModel, SeatContext
from benchmark.core.view import Draft
from benchmark.models import ChatRequest
from benchmark.suites.tripscore.briefing import PROMPTS
from benchmark.suites.tripscore.conversation import RULES, opening_step
from benchmark.suites.tripscore.participants import AGENTS
from benchmark.suites.tripscore.refining.critic import Critic
from benchmark.suites.tripscore.refining.hypertree import MOST_NODES, Tree
from benchmark.suites.tripscore.scoring.parameters import DEFAULTS
from benchmark.suites.tripscore.scoring.reward import score_plan
from benchmark.suites.tripscore.tasks import Task
from tests.benchmark.agents.cast import ScriptedModel
from tests.model_server.personalities import answer_of
from tests.model_server.request import ModelRequest
from tests.scale.tripscore import case, plan
from webapp.suites.tripscore.plans import FINDINGS

TASK = Task.model_validate(case())


def ask_model(request: ChatRequest) -> str:
    """What the model server's good agent says."""
    body = {"model": "good-agent:plan=forgets", "messages": list(request.messages)}
    return answer_of(ModelRequest.read(json.dumps(body).encode())).text


def play(agent: str, answers: Any, options: Options | None = None) -> tuple[list[Any], ScriptedModel]:
    """The events of a session, and the model with all that it was asked."""
    model, kind = ScriptedModel(answers), AGENTS[agent]
    assert isinstance(kind, OverModel) and not kind.tools
    seat = kind.make(
        SeatContext(seat="Agent", task=TASK, options=options or {}, language=TASK.language), model
    )
    conversation = Conversation(RULES)
    conversation.append(opening_step(TASK))
    run(conversation, {"Agent": seat}, cast(Any, None))
    return [event.body for event in conversation.events], model


def rewards(events: list[Any]) -> list[float]:
    return [score_plan(e.plan, TASK, DEFAULTS, {}).reward for e in events if isinstance(e, PlanProposed)]


def test_rules_mend_what_direct_prompting_gets_wrong() -> None:
    direct, _ = play("direct", ask_model)
    events, model = play("llm_modulo", ask_model)
    assert rewards(direct) == [0.0] and rewards(events)[0] > 3
    [draft] = [event for event in events if isinstance(event, DraftWithdrawn)]
    assert "- information_completeness, day 1: night 1 has no hotel; wanted: add a hotel" in draft.note
    assert draft.note in model.requests[1].messages[-1]["content"]
    assert not model.requests[0].tools


def fence_json(value: Any) -> str:
    return f"```json\n{json.dumps(value, ensure_ascii=False)}\n```"


def bad_plan(**more: Any) -> dict[str, Any]:
    """A plan that is against common sense, told apart by its name."""
    made = plan()
    made["dayInfos"][0]["scheduleDetail"] = made["dayInfos"][0]["scheduleDetail"][:1]
    return {**made, **more}


def test_the_best_draft_goes_out_where_three_repairs_do_not_help() -> None:
    drafts = ["no plan at all", fence_json(bad_plan(itineraryName="second")), "nothing", "nothing either"]
    events, model = play("llm_modulo", drafts)
    assert len(model.requests) == 4 and rewards(events) == [0.0]
    [given] = [event.plan for event in events if isinstance(event, PlanProposed)]
    assert given["itineraryName"] == "second"
    thoughts = [event.content for event in events if isinstance(event, ThoughtKept)]
    assert any("nothing either" in thought for thought in thoughts)


def test_it_stops_by_the_reward_or_near_the_most_that_the_query_can_have() -> None:
    def find_faults(**changed: Any) -> list[str]:
        return Critic(TASK, DEFAULTS.model_copy(update=changed), PROMPTS).faults(plan())

    reward = score_plan(plan(), TASK, DEFAULTS, {}).reward
    assert 2 < reward < 3.1 and find_faults(stop_margin=0)
    assert not find_faults(stop_margin=0, stop_reward=reward - 0.01) and find_faults(
        stop_margin=0, stop_reward=reward + 0.01
    )
    assert not find_faults(stop_margin=3.1 - reward + 0.01) and find_faults(stop_margin=3.1 - reward - 0.01)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_finding_has_words_for_models(language: str) -> None:
    for key in FINDINGS:
        assert PROMPTS.has_line(language, "faults", key), key


def test_a_tree_is_divided_filled_and_written_down() -> None:
    events, model = play("hypertree", ask_model)
    drafts = [event for event in events if isinstance(event, DraftWithdrawn)]
    levels = [draft.why for draft in drafts].count("tree_level")
    assert levels == 3 and {draft.why for draft in drafts[levels:]} == {"tree_leaf"}
    assert len(model.requests) == len(drafts) + 1 and rewards(events)[0] > 3
    last = model.requests[-1].messages[-1]["content"]
    assert drafts[-1].note in last and "hotel in Elm: " in last and "<area_and_hotel>" in last
    assert "as the data has it" in last and "tree_leaf" not in last


def tree_of(drafts: list[tuple[str, dict[str, str]]], **query: Any) -> Tree:
    own = TASK.model_copy(update={"query": TASK.query.model_copy(update=query)})
    made = [Draft(at, json.dumps(picks), why, "") for at, (why, picks) in enumerate(drafts)]
    return Tree(own, made, json.loads)


def test_rules_that_were_not_picked_are_the_first_and_trees_stay_small() -> None:
    level: tuple[str, dict[str, str]] = ("tree_level", {"1": "turned", "2": "no such rule"})
    tree = tree_of([level, ("tree_level", {}), ("tree_level", {})])
    cities = [node.city for node in tree.root.children if node.kind == "destination"]
    assert cities == list(reversed(TASK.query.cities)) and tree.root.children[0].rule == "stay_over"
    assert max(node.depth for node in tree.root.walk()) == 3
    days = [node.day for node in tree.leaves if node.kind == "sights_of_day"]
    assert days == list(range(1, TASK.query.days + 1))
    many = tuple(f"C{n}" for n in range(30))
    large = tree_of(3 * [("tree_level", {})], cities=many, days=30)
    assert sum(1 for _ in large.root.walk()) == large.count <= MOST_NODES and not large.open
    assert {leaf.number for leaf in large.leaves} and all(not leaf.children for leaf in large.leaves)


def test_a_query_with_a_fixed_order_is_not_turned() -> None:
    tree = tree_of([("tree_level", {"1": "turned"})], fixed_order=True)
    assert [node.city for node in tree.root.children if node.kind == "destination"] == list(TASK.query.cities)
