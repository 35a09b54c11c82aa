"""The toy as Caravan asks for it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel

from benchmark.core import events, state
from benchmark.core.actions import Action, Say
from benchmark.core.engine import Step
from benchmark.core.events import (
    USUAL_START,
    Event,
    EventBody,
    Kinds,
    MessagePosted,
    PlanProposed,
    SessionFinished,
    SessionStart,
    TurnGranted,
)
from benchmark.core.participant import BuiltIn, Cast
from benchmark.core.rules import Rules
from benchmark.core.setting import Check, Setting
from benchmark.core.sheets import Missing, Sheet
from benchmark.core.state import fold_events
from benchmark.core.taskfiles import TaskFiles
from benchmark.core.view import AGENT, View
from benchmark.core.viewfold import ViewFold
from benchmark.metrics import BY_TASK, Group, Metric
from benchmark.suites.base import CaseContext, Cases, Play, Rating, Scoring, Suite, TaskField, Tasks
from tests.toyplans.itineraries import PLANS, WAKES, all_marks, find_plan, view_plan
from tests.toyplans.judging import CALM, VARIETY

GUEST = "Guest"
FAULTS = Metric(
    key="faults", label="Faults", name="faults", unit="count", better="low", scope="turn", group="soundness"
)


class TripTask(BaseModel, frozen=True):
    task_id: str
    city: str
    places: Sequence[str]
    budget: float
    language: str = "en"
    users: tuple[str, ...] = (GUEST,)


class SessionOpened(events.SessionOpened):
    suite: Literal["toyplans"] = "toyplans"

    @property
    def users(self) -> tuple[str, ...]:
        return (GUEST,)


@dataclass
class TripState(state.SessionState):
    plan: dict[str, Any] | None = None

    _fold = state.SessionState._fold_shared.extend()

    @_fold.register
    def _(self, body: PlanProposed, seq: int) -> None:
        self.plan = body.plan

    @property
    def planned(self) -> bool:
        return self.plan is not None


def next_turn(now: TripState) -> TurnGranted | SessionFinished:
    last = now.messages[-1]
    if last.content == "Fine." or len(now.messages) > 6:
        return SessionFinished(reason="agreed" if last.content == "Fine." else "too_long")
    rounds = (len(now.messages) - 1) // 2
    return TurnGranted(speaker=AGENT if last.role == GUEST else GUEST, kind="talk", round=rounds)


def events_of_saying(now: TripState, said: Say, check: Check | None = None) -> list[EventBody]:
    assert now.turn is not None
    plan = find_plan(said.content) if now.turn.speaker == AGENT else None
    message = MessagePosted(role=now.turn.speaker, content=said.content, has_plan=plan is not None)
    return [message] if plan is None else [message, PlanProposed(plan=plan)]


class Planner:
    """Plans a day a place from the asked ones, an hour later each time that the guest is not content."""

    def act(self, view: View) -> Action:
        city, _colon, names = view.messages[0].content.partition(": ")
        hour = 7 + sum(message.role == AGENT for message in view.messages) * 2
        stops = [
            {
                "kind": "visit",
                "name": name,
                "start": f"{hour + n:02d}:00",
                "end": f"{hour + n:02d}:50",
                "cost": 40,
            }
            for n, name in enumerate(names.split(", "))
        ]
        plan = {"days": [{"date": "2026-05-01", "city": city, "stops": stops}]}
        return Say(f"How is this?\n```json\n{json.dumps(plan, ensure_ascii=False)}\n```")


@dataclass(frozen=True)
class Sleeper:
    """Is content with what begins when they are awake."""

    wakes: int

    def act(self, view: View) -> Action:
        plan = find_plan(view.messages[-1].content)
        late = plan is not None and plan["days"][0]["stops"][0]["start"] >= f"{self.wakes:02d}:00"
        return Say("Fine." if late else "That is too early.")


def opening(task: TripTask, start: SessionStart = USUAL_START) -> Step:
    opened = SessionOpened(task_id=task.task_id, language="en", **start.fields())
    asked = MessagePosted(role=GUEST, content=f"{task.city}: {', '.join(task.places)}", opening=True)
    return Step("system", (opened, *start.seats, asked))


def record(events: Iterable[Event], *, task_index: int = 0, trial_id: int = 0) -> dict[str, Any]:
    return {"task_index": task_index, "trial_id": trial_id, "plan": fold_events(TripState(), events).plan}


def score(log: Sequence[Event], setting: Setting[TripTask, None]) -> dict[str, Sheet]:
    """Of the last plan; each plan is a turn."""
    plans = [event.body.plan for event in log if isinstance(event.body, PlanProposed)]
    return {profile: _sheet(plans, setting, profile) for profile in ("plain", "strict")}


def _sheet(plans: Sequence[Any], setting: Setting[TripTask, None], profile: str) -> Sheet:
    marks = [[m for m in all_marks(plan, setting) if m.profile in ("", profile)] for plan in plans]
    missing = {} if plans else {key: Missing("not_reached", "days") for key in ("faults", "cost")}
    cost = {"cost": view_plan(plans[-1], setting).costs[0].amount if plans else None}
    evidence = {"marks": [mark._asdict() for mark in marks[-1]] if marks else []}
    return Sheet(cost, evidence, missing, [{"faults": len(own)} for own in marks])


class Case(BaseModel):
    id: str
    task_id: str
    plan: dict[str, Any]


def score_case(given: Mapping[str, Any], context: CaseContext) -> dict[str, Any]:
    """A plan of a task, by the rules of a profile."""
    case = Case.model_validate(given)
    task = TripTask.model_validate(context.task(case.task_id))
    setting = Setting[TripTask, None](read_task=lambda: task, options=context.options)
    sheet = _sheet([case.plan], setting, context.profile)
    return {"id": case.id, **sheet.figures, **sheet.turns[-1]}


SUITE = Suite(
    name="toyplans",
    title="Toy plans",
    tasks=Tasks(
        files=TaskFiles(TripTask.model_validate),
        fields=(TaskField("budget", "Budget", "number", lambda task: task.budget, filtered=True),),
    ),
    play=Play(
        kinds=Kinds(SessionOpened, PlanProposed),
        rules=Rules(state=TripState, view=ViewFold, next_turn=next_turn, utterance_events=events_of_saying),
        opening=opening,
        cast=lambda: Cast(
            agents={"planner": BuiltIn(lambda context: Planner())},
            users={"sleeper": BuiltIn(lambda context: Sleeper(int(context.options[WAKES.key])))},
        ),
        record=record,
    ),
    scoring=Scoring(
        code_version="1",
        profiles={"plain": BY_TASK, "strict": BY_TASK},
        score=score,
        options=(WAKES,),
        groups=(Group("soundness", "Soundness"),),
        metrics=(
            Metric(key="cost", label="Cost", name="cost", better="low"),
            FAULTS,
            Metric(key="calm", label="Calm", name="calm", source="rater", averaging=BY_TASK),
            Metric(key="variety", label="Variety", name="variety", source="rater", averaging=BY_TASK),
        ),
    ),
    plans=PLANS,
    rating=Rating((CALM, VARIETY)),
    cases=Cases(score_case, frozenset({"profile", "tasks"})),
)
