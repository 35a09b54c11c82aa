"""Spans of turns and of whole sessions. One is sent when it is over, by whichever worker ended it."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any

from benchmark.core.events import (
    CRASHES,
    Event,
    SessionFinished,
    TurnGranted,
)
from worker.sessions.work import Work
from worker.telemetry.tracer import (
    Parent,
    context_of,
    ids_of,
    ids_told,
    mark_failed,
    parent,
    tracer,
    wanted_ids,
)

if TYPE_CHECKING:
    from opentelemetry.context import Context

log = logging.getLogger(__name__)


def open_turn(work: Work) -> Event | None:
    """The event that granted the turn which is under way; None where there is none, or nobody wants spans."""
    state = work.conversation.state
    if tracer() is None or state.turn is None or state.ask_again:
        return None
    events = reversed(work.conversation.events)
    return next((event for event in events if isinstance(event.body, TurnGranted)), None)


@contextmanager
def step_spans(work: Work) -> Iterator[None]:
    """Have the spans of this step belong to the turn that it is a part of."""
    granted = open_turn(work)
    if granted is None or not isinstance(granted.body, TurnGranted):
        yield
        return
    mark = parent.set(Parent(work.session.pk, granted.seq, granted.body.speaker))
    try:
        yield
    finally:
        parent.reset(mark)


def send_turns(work: Work, turn: Event | None, stored: Sequence[Event]) -> None:
    """Send the spans of the turn, and of the session, that these events have ended.

    turn: what was under way before them.
    """
    if tracer() is None or not stored:
        return
    try:
        if turn is not None and open_turn(work) is not turn:
            _send_turn(work, turn, stored[-1])
        if isinstance(stored[-1].body, SessionFinished):
            _send_session(work, stored[-1])
    except Exception:  # a session is not lost for that
        log.exception("spans are not sent")


def _send_turn(work: Work, granted: Event, end: Event) -> None:
    assert isinstance(granted.body, TurnGranted)
    turn, joined = granted.body, work.conversation.state.seats.get(granted.body.speaker)
    told = {
        "gen_ai.agent.name": turn.speaker,
        "gen_ai.agent.description": joined.kind if joined else None,
        "gen_ai.request.model": joined.model.model if joined and joined.model else None,
        "caravan.turn.kind": turn.kind,
        "caravan.turn.attempt": turn.attempt,
        "caravan.round": turn.round,
    }
    ids, session = ids_of(work.session.pk, granted.seq), context_of(work.session.pk)
    _send(f"invoke_agent {turn.speaker}", "invoke_agent", ids, session, granted.at, end, told)


def _send_session(work: Work, end: Event) -> None:
    told = {
        "gen_ai.workflow.name": work.session.suite,
        "caravan.task.id": work.session.task.task_id,
        "caravan.events": end.seq,
    }
    first = work.conversation.events[0]
    name = f"invoke_workflow {work.session.suite}"
    _send(name, "invoke_workflow", ids_of(work.session.pk), None, first.at, end, told)


def _send(
    name: str,
    operation: str,
    ids: tuple[int, int],
    context: Context | None,
    begun_at: datetime,
    end: Event,
    told: Mapping[str, Any],
) -> None:
    """Send a span of these ids, of something that is over. end: the event that ended it."""
    from opentelemetry.context import Context

    attributes = {"gen_ai.operation.name": operation, **ids_told(), **told}
    made_by, mark = tracer(), wanted_ids.set(ids)
    assert made_by is not None
    try:
        span = made_by.start_span(
            name,
            context=context or Context(),
            start_time=_nanoseconds(begun_at),
            attributes={key: value for key, value in attributes.items() if value is not None},
        )
    finally:
        wanted_ids.reset(mark)
    if isinstance(end.body, SessionFinished):
        span.set_attribute("caravan.completion_reason", end.body.reason)
        if end.body.reason in CRASHES:
            mark_failed(span, end.body.reason)
    span.end(_nanoseconds(end.at))


def _nanoseconds(moment: datetime) -> int:
    return int(moment.timestamp() * 1_000_000_000)
