"""How a session begins, who speaks next, and what becomes of the words."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from benchmark.core.actions import Say
from benchmark.core.engine import Step
from benchmark.core.events import (
    USUAL_START,
    DraftWithdrawn,
    EventBody,
    MessagePosted,
    SessionFinished,
    SessionStart,
    TurnGranted,
)
from benchmark.core.participant import OUTSIDE_KINDS
from benchmark.core.rules import Rules
from benchmark.core.setting import Check
from benchmark.core.view import AGENT
from benchmark.suites.base import fill_options
from benchmark.suites.tripbench.conversation.demands import Situation, brief_user, left_instructions
from benchmark.suites.tripbench.conversation.state import SessionState
from benchmark.suites.tripbench.events import (
    InstructionsIssued,
    PlanChecked,
    PlanProposed,
    SessionOpened,
    TaskDealt,
)
from benchmark.suites.tripbench.itineraries import carry_days, find_plan
from benchmark.suites.tripbench.modes import MULTI_TURN, OPTIONS
from benchmark.suites.tripbench.tasks.task import USER, Task
from benchmark.suites.tripbench.turns import CODE_VERSION, CONSTRAINT, AgentTurn
from benchmark.suites.tripbench.users.findings import list_findings
from benchmark.suites.tripbench.users.program import brief_words
from benchmark.suites.tripbench.users.requests import Request, read_request
from benchmark.suites.tripbench.views import ViewFold
from sandbox.toolbox import SandboxSetup

TOOLSET: Final = "tripbench"
REQUEST, ANSWER = "request", "answer"
ALL_SAID, TURNS_SPENT, USER_LEFT = "all_said", "turns_spent", "user_left"
"""Why sessions end: nothing is left to say, the last turn is over, or the user says nothing more."""
MOST_TRIES: Final = 3
"""Messages of a user that do not keep to the brief, before a program speaks in their place."""


def opening_step(task: Task, start: SessionStart = USUAL_START) -> Step:
    """The first events of a session: the task, the seats, and what the user may say first."""
    chosen = fill_options(OPTIONS, start.options)
    sandbox = (start.sandbox or SandboxSetup()).model_copy(update={"toolset": TOOLSET})
    opened = SessionOpened(
        task_id=task.id,
        tier=task.tier,
        subset=task.subset,
        language=task.language,
        **start.fields(options={**start.options, **chosen}, sandbox=sandbox),
    )
    dealt = TaskDealt(task=task.model_dump(mode="json", exclude={"witness"}, exclude_defaults=True))
    brief = brief_user(Situation(task=task, options=chosen, seed=start.seed))
    assert brief is not None
    return Step("system", (opened, *start.seats, dealt, brief))


def next_turn(state: SessionState) -> TurnGranted | SessionFinished:
    """The user and the agent by turns, until the user has nothing more to say."""
    if state.silent:
        return _finish(state, USER_LEFT)
    if state.messages and state.messages[-1].role == USER:
        return TurnGranted(speaker=AGENT, kind=ANSWER, round=state.round)
    if state.brief is not None:
        return TurnGranted(speaker=USER, kind=REQUEST, round=state.round)
    now = _situation(state)
    is_over = now.turn > now.most_turns or left_instructions(now)
    return _finish(state, TURNS_SPENT if is_over else ALL_SAID)


def _finish(state: SessionState, reason: str) -> SessionFinished:
    return SessionFinished(reason=reason, plan_generated=state.plan is not None)


def _situation(state: SessionState) -> Situation:
    assert state.task is not None and state.opening is not None
    return Situation(
        task=state.task,
        options=state.opening.options,
        seed=state.opening.seed,
        turn=state.round + 1,
        issued_ids=tuple(state.issued_ids),
        exact=frozenset(state.exact),
        plan=state.plan,
    )


def utterance_events(state: SessionState, action: Say, check: Check | None = None) -> list[EventBody]:
    """The events that an utterance makes."""
    assert state.turn is not None
    return _agent_events(state, action, check) if state.turn.speaker == AGENT else _user_events(state, action)


def _user_events(state: SessionState, action: Say) -> list[EventBody]:
    assert state.brief is not None and state.task is not None
    joined = state.seats.get(USER)
    is_plain = joined is not None and joined.kind in OUTSIDE_KINDS
    request = read_request(action.content, state.brief, state.task, state.issued_ids, is_plain=is_plain)
    if not request.problem:
        return _said_events(request)
    note = ", ".join(request.about)
    refused = DraftWithdrawn(speaker=USER, content=action.content, why=request.problem, note=note)
    if state.drafts < MOST_TRIES - 1:
        return [refused]
    return [refused, *_said_events(_substitute(state), is_substitute=True)]


def _said_events(request: Request, *, is_substitute: bool = False) -> list[EventBody]:
    said = MessagePosted(role=USER, content=request.words)
    return [said, InstructionsIssued(ids=request.ids, substituted=is_substitute)]


def _substitute(state: SessionState) -> Request:
    """What a program says in the place of a model."""
    assert state.brief is not None and state.task is not None
    heard = [message.content for message in state.messages if message.role == AGENT]
    return Request(brief_words(state.brief, state.task.language, heard), state.brief.chosen_ids)


def _agent_events(state: SessionState, action: Say, check: Check | None) -> list[EventBody]:
    assert state.task is not None and state.opening is not None
    found = find_plan(action.content)
    plan, is_carried = (None, False) if found is None else carry_days(found, state.plan)
    turn = AgentTurn(0, tuple(state.issued_ids), state.told_ids, state.needs_plan, plan, state.plan)
    marks = () if check is None else check(turn._asdict()).marks
    findings = list_findings(marks, state.task)
    is_told = state.opening.mode == MULTI_TURN
    made: list[EventBody] = [MessagePosted(role=AGENT, content=action.content, has_plan=plan is not None)]
    if plan is not None:
        made.append(PlanProposed(plan=plan, carried=is_carried))
    if check is not None and is_told:
        made.append(PlanChecked(seat=USER, findings=tuple(findings), code_version=CODE_VERSION))
    now = _situation(state)
    after = replace(
        now,
        turn=now.turn + 1,
        plan=now.plan if plan is None else plan,
        has_plan=plan is not None,
        reply=action.content,
        findings=tuple(findings) if is_told else (),
        broken_ids=frozenset(str(mark.params[CONSTRAINT]) for mark in marks),
    )
    brief = brief_user(after)
    return [*made, brief] if brief is not None else made


RULES = Rules(state=SessionState, view=ViewFold, next_turn=next_turn, utterance_events=utterance_events)
