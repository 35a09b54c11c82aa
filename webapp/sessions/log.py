"""The log as rows: events in, events out."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import datetime
from itertools import starmap
from typing import Any

from benchmark.core.events import RESEARCH, PersonalDataRemoved, PromptSetChosen, may_see, words_in
from benchmark.core.events import Event as LogEvent
from benchmark.suites import load_body
from webapp.sessions.models import Event, Session

KEPT_EVENTS = 32_000
"""Events of logs that a process keeps for pages and sockets; 1,000 take about 2 MB."""
KEPT_LOGS = 1_000
"""Logs that it keeps at most, however short."""


def row_of(session_id: str, event: LogEvent) -> Event:
    """The row that stores an event."""
    return Event(
        session_id=session_id,
        seq=event.seq,
        type=event.body.type,
        v=type(event.body).version,
        actor=event.actor,
        audience=event.audience,
        payload=event.body.model_dump(mode="json", exclude={"type"}),
        at=event.at,
    )


def as_json(row: Event) -> dict[str, Any]:
    """A row of a log as JSON has it."""
    names = ("seq", "type", "v", "actor", "audience", "at", "payload")
    return {name: getattr(row, name) for name in names}


def event_of(row: Event) -> LogEvent:
    """The event that a row stores, whatever version of its payload it holds."""
    return _event(row.session.suite, row.seq, row.actor, row.audience, row.type, row.v, row.payload, row.at)


def _event(
    suite: str, seq: int, actor: str, audience: str, type_: str, v: int, payload: dict[str, Any], at: datetime
) -> LogEvent:
    return LogEvent(seq, actor, audience, load_body(suite, type_, v, payload), at)


def seq_in(text: str) -> int | None:
    """The number of an event as an address names it; None for what is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def read_log(
    session: Session | str,
    *,
    after: int = 0,
    upto: int | None = None,
    limit: int | None = None,
    types: Collection[str] | None = None,
) -> Iterator[LogEvent]:
    """The events of a session in order: those with `after` < seq ≤ `upto`, at most `limit`. types: only of these."""
    rows = Event.objects.filter(session_id=getattr(session, "pk", session), seq__gt=after).order_by("seq")
    if upto is not None:
        rows = rows.filter(seq__lte=upto)
    if types is not None:
        rows = rows.filter(type__in=types)
    columns = rows.values_list("session__suite", "seq", "actor", "audience", "type", "v", "payload", "at")
    return starmap(_event, columns[:limit] if limit is not None else columns)


def other_words(session_id: str) -> Mapping[str, str]:
    """What the participants of a session are told otherwise than as shipped, as files of a set of prompts."""
    kind: str = PromptSetChosen.model_fields["type"].default
    return words_in(read_log(session_id, types=(kind,)))


class _CachedLog:
    """The events of one session read so far. Only what is new has to be read, for they never change but where
    somebody's words are removed: the event that says so comes in the transaction that replaces them.
    """

    def __init__(self) -> None:
        self.events: list[LogEvent] = []
        self.lock = threading.Lock()


FORGETTING: list[Callable[[], object]] = []
"""What else a process keeps of logs: each is told when words were removed from one."""


class _CachedLogs:
    """The logs that were asked for last, as many as there is room for."""

    def __init__(self) -> None:
        self._logs: OrderedDict[str, _CachedLog] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, session_id: str) -> _CachedLog:
        """The log of a session, empty where none is kept."""
        with self._lock:
            log = self._logs.setdefault(session_id, _CachedLog())
            self._logs.move_to_end(session_id)
            return log

    def forget(self) -> None:
        """Keep none of them."""
        with self._lock:
            self._logs.clear()

    def make_room(self) -> None:
        """Forget those that were not asked for longest; call it when a log has grown."""
        with self._lock:
            count = sum(len(log.events) for log in self._logs.values())
            while len(self._logs) > 1 and (count > KEPT_EVENTS or len(self._logs) > KEPT_LOGS):
                _session, oldest = self._logs.popitem(last=False)
                count -= len(oldest.events)


_cached_logs = _CachedLogs()


def whole_log(session_id: str, *, known: int = 0) -> list[LogEvent]:
    """Every event of a session up to now, kept in this process for the next time.

    known: a number that the log has reached; who asks for no more than that is not sent to the database where so much
    is kept.
    """
    kept = _cached_logs.of(session_id)
    with kept.lock:
        if 0 < known <= len(kept.events):
            return kept.events.copy()
        new = list(read_log(session_id, after=len(kept.events)))
        if any(isinstance(event.body, PersonalDataRemoved) for event in new):
            if kept.events:
                kept.events, new = [], list(read_log(session_id))
            for forget in FORGETTING:
                forget()
        kept.events.extend(new)
        events = kept.events.copy()
    if new:
        _cached_logs.make_room()
    return events


def visible(events: Iterable[LogEvent], viewer: str = RESEARCH) -> Iterator[LogEvent]:
    """Only what `viewer` (`research`, `Agent` or a user's name) may receive."""
    return (event for event in events if may_see(viewer, event.audience))
