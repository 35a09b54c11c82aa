"""How a session begins, what becomes of the words said in a turn, and the rules as the step loop asks for them."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, cast

from benchmark.core.actions import Say
from benchmark.core.engine import Step
from benchmark.core.events import (
    USUAL_START,
    EventBody,
    MessagePosted,
    MessageWithheld,
    PlanProposed,
    SessionStart,
)
from benchmark.core.rules import Rules
from benchmark.core.setting import Check
from benchmark.core.view import AGENT
from benchmark.plans.finding import first_object
from benchmark.suites.base import fill_options
from benchmark.suites.grouptravel.conversation.compromise import user_said
from benchmark.suites.grouptravel.conversation.scheduler import next_turn
from benchmark.suites.grouptravel.conversation.state import ATTEMPTS, SessionState
from benchmark.suites.grouptravel.conversation.views import ViewFold
from benchmark.suites.grouptravel.events import (
    CardDealt,
    Member,
    PlanMended,
    Protocol,
    SessionOpened,
    TableInferred,
    TurnGranted,
)
from benchmark.suites.grouptravel.itineraries import plan_in_message
from benchmark.suites.grouptravel.options import OPTIONS
from benchmark.suites.grouptravel.tasks import Task


def opening_step(task: Task, start: SessionStart = USUAL_START) -> Step:
    """The first events of a session: the task as everyone knows it, the seats, each card, the opening messages."""
    max_turn, interval = task.limits
    chosen = fill_options(OPTIONS, start.options)
    opened = SessionOpened(
        task_id=task.task_id,
        query=task.query,
        time=task.time,
        context=task.context,
        language=task.language,
        travellers=tuple(Member(name=user, role=card.role) for user, card in task.user_preferences.items()),
        companions=tuple(Member(name=child.user, role=child.role) for child in task.metadata.child_members),
        max_turn=max_turn,
        convergence_interval=interval,
        guards=cast("Protocol", chosen["protocol"]),
        **start.fields(options=dict(chosen)),
    )
    cards = (CardDealt(user=user, card=card) for user, card in task.cards().items())
    said = (MessagePosted(role=m.role, content=m.content, opening=True) for m in task.initial_messages)
    return Step("system", (opened, *start.seats, *cards, *said))


def read_table(content: str, users: Collection[str]) -> dict[str, Any] | None:
    """The first JSON object of a text when it is {user: preference table}, else None.

    Every key has to be a user and every value an object; a table of no user is none.
    """
    table = first_object(content)
    if not table or not all(name in users and isinstance(own, dict) for name, own in table.items()):
        return None
    return table


def utterance_events(state: SessionState, action: Say, check: Check | None = None) -> list[EventBody]:
    """The events that an utterance makes, in the turn in progress."""
    turn = state.turn
    assert turn is not None
    mended = [PlanMended(written=action.mended_from)] if action.mended_from else []
    if turn.speaker != AGENT:
        return [*mended, *user_said(state, turn.speaker, action.content)]
    return [*mended, *_EVENTS_BY_TURN[turn.kind](state, turn, action.content)]


def _summary(state: SessionState, turn: TurnGranted, content: str) -> list[EventBody]:
    table = read_table(content, state.users)
    return [TableInferred(table=table, raw="" if table is not None else content)]


def _spoken_events(state: SessionState, turn: TurnGranted, content: str) -> list[EventBody]:
    plan = plan_in_message(content)
    message = MessagePosted(role=AGENT, content=content, has_plan=plan is not None)
    return [message] if plan is None else [message, PlanProposed(plan=plan)]


def _ordinary(state: SessionState, turn: TurnGranted, content: str) -> list[EventBody]:
    table = read_table(content, state.users) if plan_in_message(content) is None else None
    if table is None or table == state.table:
        return _spoken_events(state, turn, content)
    return [TableInferred(table=table, inline=True), MessageWithheld(content=content, why="table")]


def _final(state: SessionState, turn: TurnGranted, content: str) -> list[EventBody]:
    if plan_in_message(content) is None and turn.attempt < ATTEMPTS:
        return [MessageWithheld(content=content, why="no_plan")]
    return _spoken_events(state, turn, content)


_EVENTS_BY_TURN: dict[str, Callable[[SessionState, TurnGranted, str], list[EventBody]]] = {
    "summary": _summary,
    "convergence": _spoken_events,
    "polled": _ordinary,
    "mentioned": _ordinary,
    "final": _final,
}


RULES = Rules(state=SessionState, view=ViewFold, next_turn=next_turn, utterance_events=utterance_events)
