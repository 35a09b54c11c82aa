"""Writers inside an installation, for browser tests and benches: call through `tests.browser.conftest.Burst`.

Each holds a session of its own, and lets its log grow when it is told to, as a worker would.
"""

from __future__ import annotations

import json
import time
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event
from typing import Any

from django.db import connections, transaction

from benchmark.core.engine import Conversation, Step
from benchmark.core.events import (
    AgentNoted,
    EventBody,
    MessagePosted,
    SessionFinished,
    ToolCalled,
    ToolReturned,
)
from benchmark.suites.grouptravel.conversation.rules import RULES
from webapp.catalogue.models import Task, World
from webapp.jobs import services as jobs
from webapp.sessions import services
from webapp.sessions.log import read_log
from worker.notifier import notifier

RENEWED_EVERY_S = 2.0
PATIENCE_S = 300.0
_WRITERS: dict[str, tuple[Event, Future[dict[int, float]]]] = {}


def hold(count: int, rate: float, calls: int) -> str:
    """A new session that grows by so many events, so many a second, and then ends; its id.

    Every fifth event only the agent may see. calls: tool calls between two messages, none without; with them every
    event that is none is a message.
    """
    with transaction.atomic():
        session = services.create_session(
            task=Task.objects.get(task_id="starter_02"),
            world=World.objects.get(name="starter"),
            setup=services.Setup(),
            start=False,
        )
        claimed = services.claim(session_id=session.pk)
    assert claimed is not None
    log: Conversation[Any] = Conversation(RULES)
    for event in read_log(session):
        log.apply(event)
    notifier().notify_events(session.pk, log.state.seq)  # a worker has long been connected
    go = Event()
    _WRITERS[session.pk] = go, ThreadPoolExecutor(1).submit(_write, claimed, log, go, count, rate, calls)
    return str(session.pk)


def begin(session: str) -> None:
    """Let its log grow from now on."""
    _WRITERS[session][0].set()


def commits(session: str) -> list[tuple[int, float]]:
    """Wait for the end; the number of each event and the time of its commit."""
    return sorted(_WRITERS.pop(session)[1].result(PATIENCE_S).items())


def _write(
    claimed: jobs.Claim, log: Conversation[Any], go: Event, count: int, rate: float, calls: int
) -> dict[int, float]:
    at: dict[int, float] = {}

    def write(body: EventBody) -> None:
        events = log.append(Step("x", (body,)))
        services.append(claimed=claimed, events=events, state=log.state)
        at[events[-1].seq] = time.time()
        notifier().notify_events(claimed.subject, log.state.seq)

    try:
        while not go.wait(RENEWED_EVERY_S):
            jobs.renew(claimed=claimed)
        begun = time.monotonic()
        for i in range(count):
            write(_body(i, calls, log.state.users))
            time.sleep(max(0.0, begun + (i + 1) / rate - time.monotonic()))
        write(SessionFinished(reason="stopped"))
        jobs.release(claimed=claimed)
    finally:
        connections.close_all()
    return at


def _body(i: int, calls: int, users: Any) -> EventBody:
    text, place = f"burst {i};", i % (2 * calls + 1)
    if not place:
        hidden = i % 5 == 4 and not calls
        return (
            AgentNoted(content=text)
            if hidden
            else MessagePosted(role=users[i % 3], content=text, opening=True)
        )
    call_id = f"call_{i - (place + 1) % 2}"
    if place % 2:
        arguments = {"keywords": text, "city": "杭州市"}
        return ToolCalled(call_id=call_id, name="search_poi", arguments=arguments, step=1)
    found = [{"name": f"{text} {n}", "address": "西湖区", "rating": 4.5} for n in range(20)]
    return ToolReturned(call_id=call_id, result=json.dumps(found), latency_ms=5.0)
