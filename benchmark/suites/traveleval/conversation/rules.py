"""How a session begins, who speaks next, and what becomes of the words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from benchmark.core.actions import Say
from benchmark.core.engine import Step
from benchmark.core.events import (
    USUAL_START,
    Event,
    EventBody,
    MessagePosted,
    SessionStart,
)
from benchmark.core.plan_answer import answer_events, next_turn
from benchmark.core.rules import Rules
from benchmark.core.setting import Check
from benchmark.core.state import fold_events
from benchmark.plans.view import Plan
from benchmark.suites.base import fill_options
from benchmark.suites.traveleval.conversation.state import SessionState, ViewFold
from benchmark.suites.traveleval.events import USER, SessionOpened
from benchmark.suites.traveleval.itineraries import SCHEMA, find_plan
from benchmark.suites.traveleval.options import OPTIONS, SCHEMA_OPTION, SCORING_OPTIONS, STRICT
from benchmark.suites.traveleval.tasks import Query


def opening_step(task: Query, start: SessionStart = USUAL_START) -> Step:
    """The first events of a session: the query, the seat, the words of the query."""
    opened = SessionOpened(
        task_id=task.task_id,
        query=task.words,
        start_city=task.start_city,
        target_city=task.target_city,
        language=task.language,
        **start.fields(options=dict(fill_options((*OPTIONS, *SCORING_OPTIONS), start.options))),
    )
    return Step("system", (opened, *start.seats, MessagePosted(role=USER, content=task.words, opening=True)))


def utterance_events(state: SessionState, said: Say, check: Check | None = None) -> list[EventBody]:
    """The events that an answer makes."""
    plan = find_plan(said.content)
    if plan is not None and state.opening and state.opening.options.get(SCHEMA_OPTION.key) == STRICT:
        plan = plan if follows_schema(plan) else None
    return answer_events(said.content, plan)


def follows_schema(plan: Plan) -> bool:
    """Whether a plan is of the released schema."""
    from jsonschema import Draft202012Validator  # takes long to import, and most sessions do not ask

    return bool(Draft202012Validator(SCHEMA).is_valid(plan))


def plan_record(events: Iterable[Event], *, task_index: int = 0, trial_id: int = 0) -> dict[str, Any]:
    """A session as an item of a published file of plans; `itinerary` is None where there is no plan."""
    state = fold_events(SessionState(), events)
    if state.opening is None:
        raise ValueError("a log without session_opened has no record")
    return {"query_uid": state.opening.task_id, "itinerary": state.plan}


RULES = Rules(state=SessionState, view=ViewFold, next_turn=next_turn, utterance_events=utterance_events)
