"""A session: one request, and one answer with a plan."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from benchmark.core import viewfold
from benchmark.core.actions import Say
from benchmark.core.engine import Step
from benchmark.core.events import (
    USUAL_START,
    Event,
    EventBody,
    MessagePosted,
    SessionStart,
)
from benchmark.core.plan_answer import PlanState, answer_events, next_turn
from benchmark.core.rules import Rules
from benchmark.core.setting import Check
from benchmark.core.state import fold_events
from benchmark.suites.tripscore.events import USER, SessionOpened
from benchmark.suites.tripscore.itineraries import find_plan
from benchmark.suites.tripscore.tasks import Task
from benchmark.suites.tripscore.tasks.words import request_words


@dataclass
class SessionState(PlanState):
    """Of one request."""

    opening: SessionOpened | None = None


def opening_step(task: Task, start: SessionStart = USUAL_START) -> Step:
    """The first events of a session: the request, the seat, the words of the request."""
    words = request_words(task)
    opened = SessionOpened(
        task_id=task.task_id,
        query=words,
        cities=task.query.cities,
        days=task.query.days,
        language=task.language,
        **start.fields(),
    )
    return Step("system", (opened, *start.seats, MessagePosted(role=USER, content=words, opening=True)))


def utterance_events(_now: SessionState, said: Say, check: Check | None = None) -> list[EventBody]:
    """The events that an answer makes."""
    return answer_events(said.content, find_plan(said.content))


def plan_record(events: Iterable[Event], *, task_index: int = 0, trial_id: int = 0) -> dict[str, Any]:
    """A session as a line with the id of its task and the plan; None where there is no plan."""
    now = fold_events(SessionState(), events)
    if now.opening is None:
        raise ValueError("a log without session_opened has no record")
    return {"id": now.opening.task_id, "trial_id": trial_id, "plan": now.plan}


RULES = Rules(
    state=SessionState, view=viewfold.ViewFold, next_turn=next_turn, utterance_events=utterance_events
)
