"""Sessions of TripScore: what a model is told, what becomes of its answer, and how long that took."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchmark.agents.briefing import fence_plan
from benchmark.core.engine import Conversation, run
from benchmark.core.events import Event, EventBody, ModelCalled, PlanProposed
from benchmark.core.participant import OverModel, SeatContext
from benchmark.core.setting import Setting
from benchmark.core.view import AGENT
from benchmark.suites.tripscore.conversation import plan_record
from benchmark.suites.tripscore.participants import AGENTS
from benchmark.suites.tripscore.plans import view_plan
from benchmark.suites.tripscore.scoring.sessions import check_plan, score_session, seconds_of_models
from benchmark.suites.tripscore.suite import SUITE
from benchmark.suites.tripscore.tasks import Task
from sandbox.toolbox import world_tools
from sandbox.worlds import open_world
from tests.benchmark.agents.cast import ScriptedModel
from tests.scale.tripscore import DAYS, REFERENCE, plan, query

TASK = Task.model_validate({"id": "own", "query": query(), "reference": {**REFERENCE, "note": "kept"}})
CHINESE = Task.model_validate(
    {"id": "zh", "query": query(user_request="我想玩四天。"), "reference": REFERENCE}
)
SETTING: Setting[Task, None] = Setting(read_task=lambda: TASK)


def play(agent: str, reply: str, pack: Path, task: Task = TASK) -> tuple[Conversation, ScriptedModel]:
    kind, model = AGENTS[agent], ScriptedModel([reply])
    assert isinstance(kind, OverModel)
    conversation = Conversation(SUITE.play.rules)
    conversation.append(SUITE.play.opening(task))
    context = SeatContext(seat=AGENT, task=task, tools=None, language=task.language)
    run(conversation, {AGENT: kind.make(context, model)}, world_tools(open_world(pack), task.language))
    return conversation, model


def prompt_ends(model: ScriptedModel) -> tuple[str, str]:
    """The system prompt, and the last words to the model."""
    messages: Any = model.requests[0].messages
    assert not model.requests[0].tools
    return messages[0]["content"], messages[-1]["content"]


@pytest.mark.parametrize("agent", ["direct", "zero_shot_cot"])
def test_a_model_is_told_all_data_and_its_plan_is_scored(agent: str, starter_pack: Path) -> None:
    conversation, model = play(agent, f"Here it is.\n{fence_plan(plan())}", starter_pack)
    system, asked = prompt_ends(model)
    assert (
        '"openTimeCalendar"' in system
        and '"No 3"' in system
        and '"days":4' in system
        and "Pier Hotel" in system
    )
    assert ("step by step" in asked) is (agent == "zero_shot_cot")
    assert plan_record(conversation.events) == {"id": "own", "trial_id": 0, "plan": plan()}
    sheet = score_session(conversation.events, SETTING)["published"]
    assert sheet.figures["feasible"] is True and sheet.figures["reward"] > 3
    assert sheet.missing["iconic_landmarks"].reason == "unjudged" and "user" not in sheet.missing
    assert conversation.state.planned


def test_a_chinese_request_is_told_in_chinese(starter_pack: Path) -> None:
    _, model = play("direct", fence_plan(plan()), starter_pack, CHINESE)
    system, asked = prompt_ends(model)
    assert "规划规则" in system and "完整行程" in asked


def test_an_answer_without_a_plan_has_the_least_reward(starter_pack: Path) -> None:
    conversation, _ = play("direct", "I can't.", starter_pack)
    sheet = score_session(conversation.events, SETTING)["published"]
    assert sheet.figures["reward"] == -3 and sheet.figures["feasible"] is None
    assert sheet.missing["schedule_density"] == ("not_reached", "format")
    assert plan_record(conversation.events)["plan"] is None


def log_of(*bodies: EventBody) -> list[Event]:
    return [Event(n, AGENT, "research", body, datetime.now(UTC)) for n, body in enumerate(bodies, 1)]


def call(ms: float, outcome: str = "answered", pause: float | None = None) -> ModelCalled:
    return ModelCalled(seat=AGENT, endpoint="e", outcome=outcome, latency_ms=ms, retry_in_s=pause)


def test_time_leaves_out_waits_for_rate_limits_and_what_follows_the_plan() -> None:
    calls = call(50, "rate_limit", 60), call(1000, "server", 2), call(3000)
    assert seconds_of_models(log_of(*calls)) == 6
    assert seconds_of_models(log_of(*calls, PlanProposed(plan={}), call(9000))) == 6
    assert seconds_of_models(log_of(PlanProposed(plan={}))) is None


def test_a_check_tells_what_shuts_a_gate() -> None:
    assert check_plan(plan(), SETTING).is_enough and not check_plan(plan(), SETTING).marks
    found = check_plan(plan(DAYS[:3]), SETTING)
    assert {mark.key for mark in found.marks} == {"day_count", "no_leg_to", "last_leg"} and found.value == 0


def test_long_texts_are_told_and_cost_nothing(starter_pack: Path) -> None:
    own = {**plan(), "recommendReason": "many words " * 26, "tips": {"title": "", "info": "字" * 50}}
    conversation, _ = play("direct", fence_plan(own), starter_pack)
    sheet = score_session(conversation.events, SETTING)["published"]
    assert sheet.evidence["long_texts"] == ["recommendReason"] and sheet.figures["delivered"] is True


def test_a_plan_is_viewed_by_day_and_period_whatever_its_shape() -> None:
    view = view_plan(plan(), SETTING)
    first = view.days[0]
    assert (first.label, first.date, first.cities) == ("1", "2026-05-01", ("Elm",))
    assert [(entry.kind, entry.when.text) for entry in first.entries] == [
        ("leg", "08:00–10:00"),
        ("visit", "Afternoon"),
        ("stay", "Evening"),
    ]
    assert first.entries[1].place is not None and first.entries[1].place.point is not None
    night = view_plan(plan([[("Evening", "4")]]), SETTING).days[0].entries[0]
    assert night.when.text == "20:00–06:00 +1"
    odd = {"dayInfos": [1, {"scheduleDetail": [{"detailList": [None, {"type": 3, "id": []}]}]}]}
    assert [entry.kind for entry in view_plan(odd, SETTING).days[0].entries] == ["other"]
