from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from benchmark.core.engine import Conversation, run
from benchmark.core.events import PlanProposed, SessionFinished, SessionStart
from benchmark.core.participant import OverModel, SeatContext
from benchmark.core.setting import Setting
from benchmark.core.view import AGENT
from benchmark.metrics import values_of
from benchmark.models import Reply
from benchmark.plans.view import Mark
from benchmark.suites import suite_named
from benchmark.suites.base import fill_options
from benchmark.suites.traveleval.conversation.rules import follows_schema, plan_record
from benchmark.suites.traveleval.itineraries import find_plan, view_plan
from benchmark.suites.traveleval.tasks import Query
from benchmark.suites.traveleval.world import Tables
from sandbox.toolbox import world_tools
from sandbox.worlds import open_world
from tests.benchmark.agents.cast import ScriptedModel, calling
from tests.scale.traveleval import query, sound_plan

SUITE = suite_named("traveleval")
TASK = query(nature_language="我们两个人从北京去杭州玩3天，预算6000元。")
CALL = calling(("search_poi", '{"city": "杭州市", "keywords": "景点"}'))


@pytest.fixture
def plan(starter: Tables) -> dict[str, Any]:
    return sound_plan(starter, Random(7))


def fence(plan: Any) -> str:
    return f"Here it is.\n```json\n{json.dumps(plan, ensure_ascii=False)}\n```"


def play(
    agent: str, replies: Sequence[Reply | str], pack: Path, task: Query = TASK, **options: Any
) -> tuple[Conversation, ScriptedModel]:
    chosen = fill_options(SUITE.options, options)
    world = open_world(pack)
    context = SeatContext(
        seat=AGENT, task=task, options=chosen, language=task.language, open_pack=lambda: world
    )
    kind = SUITE.play.cast().agents[agent]
    assert isinstance(kind, OverModel)
    model = ScriptedModel(replies)
    conversation = Conversation(SUITE.play.rules)
    conversation.append(SUITE.play.opening(task, SessionStart(options=chosen)))
    run(conversation, {AGENT: kind.make(context, model)}, world_tools(world, task.language))
    return conversation, model


def setting(tables: Tables | None, task: Query = TASK, **options: Any) -> Setting[Query, Tables]:
    return Setting(read_task=lambda: task, world=tables, options=fill_options(SUITE.options, options))


def test_a_direct_answer_is_the_plan_and_is_scored(
    starter: Tables, starter_pack: Path, plan: dict[str, Any]
) -> None:
    conversation, model = play("direct", [fence(plan)], starter_pack)
    log = conversation.events
    assert isinstance(log[-1].body, SessionFinished) and log[-1].body.reason == "planned"
    assert plan_record(log) == {"query_uid": "own-1", "itinerary": plan}
    told = model.requests[0].messages[0]["content"]
    assert "杭州东站" in told and "own-1" in told and "G1" in told
    assert model.requests[0].tools == () and TASK.nature_language in str(model.requests[0].messages)
    sheet, by_paper = SUITE.scoring.score(log, setting(starter)).values()
    assert {
        *(m.key for m in SUITE.scoring.metrics if m.source == "rules"),
        "failures",
    } == sheet.figures.keys()
    assert not sheet.missing and sheet.evidence["run"] == "success"
    assert len(values_of(SUITE.scoring.metrics, sheet.as_json())) == 41
    json.dumps([sheet.as_json(), by_paper.as_json()], allow_nan=False)
    assert {*by_paper.missing} == {"frtc"} and by_paper.missing["frtc"].field == "service_hours"


def test_in_english_the_model_is_told_in_english(starter_pack: Path, plan: dict[str, Any]) -> None:
    task = query(nature_language_en="Two of us go from Beijing to Hangzhou for three days.")
    _, model = play("zero_shot_cot", [fence(plan)], starter_pack, task)
    assert "Railway stations between the two cities: 北京" in model.requests[0].messages[0]["content"]
    assert "step by step" in model.requests[0].messages[-1]["content"]


def test_react_looks_things_up_so_often_and_then_plans(starter_pack: Path, plan: dict[str, Any]) -> None:
    action = 'Thought: look\nAction: search_poi\nAction Input: {"city": "杭州市", "keywords": "景点%d"}'
    replies = [action % 1, action % 2, f"Thought: enough\nAnswer: {fence(plan)}"]
    conversation, model = play("react", replies, starter_pack, rounds=2)
    assert "不能再调用工具" in model.requests[-1].messages[-1]["content"]
    assert "不能再调用工具" not in model.requests[1].messages[-1]["content"]
    assert plan_record(conversation.events)["itinerary"] == plan


def test_reflexion_looks_back_once(starter_pack: Path, plan: dict[str, Any]) -> None:
    better = {**plan, "accommodation": {}}
    conversation, model = play("reflexion", [fence(plan), f"1. good\n{fence(better)}"], starter_pack)
    assert len(model.requests) == 2 and "优点" in model.requests[1].messages[-1]["content"]
    assert plan_record(conversation.events)["itinerary"] == better
    assert [isinstance(event.body, PlanProposed) for event in conversation.events].count(True) == 1
    _, model = play("reflexion", [fence(plan)], starter_pack, reflections=0)
    assert len(model.requests) == 1


def test_the_agent_with_tools_calls_them(starter_pack: Path, plan: dict[str, Any]) -> None:
    conversation, model = play("llm", [CALL, fence(plan)], starter_pack)
    assert model.requests[0].tools and plan_record(conversation.events)["itinerary"] == plan


def test_an_answer_without_a_plan_ends_the_session_without_figures(
    starter: Tables, starter_pack: Path
) -> None:
    conversation, _ = play("direct", ["I can't."], starter_pack)
    last = conversation.events[-1].body
    assert isinstance(last, SessionFinished) and last.reason == "no_plan"
    sheet = SUITE.scoring.score(conversation.events, setting(starter))["published"]
    assert {why.reason for why in sheet.missing.values()} == {"not_reached"}
    assert {*sheet.figures.values()} == {None}


def test_a_plan_off_the_schema_is_none_where_that_is_chosen(starter_pack: Path, plan: dict[str, Any]) -> None:
    assert not follows_schema(plan)
    assert (
        plan_record(play("direct", [fence(plan)], starter_pack, schema="strict")[0].events)["itinerary"]
        is None
    )


def test_what_the_published_program_loses_is_shown_and_does_not_count(
    starter: Tables, starter_pack: Path, plan: dict[str, Any]
) -> None:
    plan["daily_plans"][0]["activities"][0]["start_time"] = "soon"
    log = play("direct", [fence(plan)], starter_pack)[0].events
    sheet = SUITE.scoring.score(log, setting(starter))["published"]
    assert sheet.evidence["dimensions"] == ["accuracy", "constraint"] or sheet.evidence["dimensions"] == [
        "accuracy"
    ]
    assert sheet.missing["str"].reason == "unreadable"
    assert sheet.missing["str"].field == "daily_plans.0.activities.0.start_time"
    assert sheet.figures["edi"] is not None and "edi" in sheet.uncounted_keys
    assert "edi" not in values_of(SUITE.scoring.metrics, sheet.as_json())


def test_without_queues_visits_are_longer(starter: Tables, starter_pack: Path, plan: dict[str, Any]) -> None:
    log = play("direct", [fence(plan)], starter_pack)[0].events
    usual = SUITE.scoring.score(log, setting(starter))["published"].figures
    quiet = SUITE.scoring.score(log, setting(starter, queue="none"))["published"].figures
    assert quiet["str"] >= usual["str"]  # type: ignore[operator]
    assert {key for key in usual if usual[key] != quiet[key]} <= {"str", "dtu", "otu", "ttcs"}


def test_scores_before_and_after_names_are_changed_stand_side_by_side(
    starter: Tables, starter_pack: Path, plan: dict[str, Any]
) -> None:
    first = plan["daily_plans"][0]["activities"][0]
    first["location_name"] = f"参观{first['location_name']}"
    log = play("direct", [fence(plan)], starter_pack)[0].events
    as_written = SUITE.scoring.score(log, setting(starter))["published"]
    changed = SUITE.scoring.score(log, setting(starter, names="standard"))["published"]
    assert as_written.figures["far"] == pytest.approx(1 / 6) and changed.figures["far"] == 0
    assert changed.evidence["as_written"] == as_written.figures and "names" not in as_written.evidence
    assert len(changed.evidence["names"]) == 1  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text", ["no plan", "```json\n{}\n```", "[1, 2]", '{"days": []}', "```json\n{\n```", ""]
)
def test_other_texts_hold_no_plan(text: str) -> None:
    assert find_plan(text) is None


def test_a_line_of_a_file_of_plans_holds_one(plan: dict[str, Any]) -> None:
    assert find_plan(fence({"query_uid": "T0001", "itinerary": plan})) == plan


def test_a_plan_is_shown_day_by_day(starter: Tables, plan: dict[str, Any]) -> None:
    shown = view_plan(plan, setting(starter))
    assert [day.label for day in shown.days] == ["1", "2", "3"]
    kinds = [entry.kind for entry in shown.days[0].entries]
    assert kinds == ["leg", "other", "move", "visit", "move", "meal", "move", "visit", "move", "stay"]
    assert shown.days[-1].entries[-1].kind == "leg"
    assert shown.costs[-1].limit == 6000 and shown.costs[-1].amount == sum(c.amount for c in shown.costs[:-1])
    sight = shown.days[0].entries[3]
    assert sight.at == ("daily_plans", 0, "activities", 0) and sight.cost and sight.cost.per == "party"


@pytest.mark.parametrize("plan", [{}, {"daily_plans": "x"}, {"summary": 5, "daily_plans": [{}, None, 3]}])
def test_a_plan_of_any_shape_is_shown(plan: Any) -> None:
    assert view_plan(plan, setting(None)).costs == ()


def test_every_mark_has_words(starter: Tables) -> None:
    from webapp.suites.traveleval.plans import PLAN_PAGES, WORDS

    told = {"name": "x", "opens": "9:00", "closes": "10:00", "to": "x", "people": 2, "room": 1.0, "nights": 2.0,
            "feature": "x", "mode": "x", "cuisine": "x", "hours": 1.0, "least": 1.0, "most": 2.0}  # fmt: skip
    assert all(PLAN_PAGES.words(Mark((), key, told)).text for key in WORDS)
