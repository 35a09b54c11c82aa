"""What becomes of the words said in a turn, and the rules as the step loop asks for them."""

from __future__ import annotations

from collections.abc import Callable

from benchmark.core.actions import Say
from benchmark.core.events import EventBody, MessagePosted, MessageWithheld
from benchmark.core.rules import Rules
from benchmark.core.view import AGENT
from benchmark.suites.grouptravel.conversation.compromise import user_said
from benchmark.suites.grouptravel.conversation.scheduler import next_turn
from benchmark.suites.grouptravel.conversation.state import ATTEMPTS, SessionState
from benchmark.suites.grouptravel.conversation.tables import read_table
from benchmark.suites.grouptravel.conversation.views import ViewFold
from benchmark.suites.grouptravel.events import PlanMended, PlanProposed, TableInferred, TurnGranted
from benchmark.suites.grouptravel.itineraries import plan_in_message


def said(state: SessionState, action: Say) -> list[EventBody]:
    """The events that an utterance makes, in the turn in progress."""
    turn = state.turn
    assert turn is not None
    mended = [PlanMended(written=action.mended_from)] if action.mended_from else []
    if turn.speaker != AGENT:
        return [*mended, *user_said(state, turn.speaker, action.content)]
    return [*mended, *_SAID[turn.kind](state, turn, action.content)]


def _summary(state: SessionState, turn: TurnGranted, content: str) -> list[EventBody]:
    table = read_table(content, state.users)
    return [TableInferred(table=table, raw="" if table is not None else content)]


def _spoken(state: SessionState, turn: TurnGranted, content: str) -> list[EventBody]:
    plan = plan_in_message(content)
    message = MessagePosted(role=AGENT, content=content, has_plan=plan is not None)
    return [message] if plan is None else [message, PlanProposed(plan=plan)]


def _ordinary(state: SessionState, turn: TurnGranted, content: str) -> list[EventBody]:
    table = read_table(content, state.users) if plan_in_message(content) is None else None
    if table is None or table == state.table:
        return _spoken(state, turn, content)
    return [TableInferred(table=table, inline=True), MessageWithheld(content=content, why="table")]


def _final(state: SessionState, turn: TurnGranted, content: str) -> list[EventBody]:
    if plan_in_message(content) is None and turn.attempt < ATTEMPTS:
        return [MessageWithheld(content=content, why="no_plan")]
    return _spoken(state, turn, content)


_SAID: dict[str, Callable[[SessionState, TurnGranted, str], list[EventBody]]] = {
    "summary": _summary,
    "convergence": _spoken,
    "polled": _ordinary,
    "mentioned": _ordinary,
    "final": _final,
}


RULES = Rules(state=SessionState, view=ViewFold, next_turn=next_turn, said=said)
