"""A writer in a process of its own: `python -m tests.browser.burst COUNT RATE [CALLS]` over CARAVAN_DATA.

Makes a session that it holds itself, prints its id, waits for a line on standard input, then lets the log grow by
COUNT events at RATE a second, every fifth of which only the agent may see, and ends the session. With each event it
prints the time of the commit. CALLS: tool calls between two messages, none without; with them every event that is
none is a message.
"""

from __future__ import annotations

import json
import os
import sys
import time

import django


def main(count: int, rate: float, calls: int = 0) -> None:
    """See above."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")
    django.setup()
    from django.db import transaction

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
    from worker.notify import notifier

    with transaction.atomic():
        session = services.create_session(
            task=Task.objects.get(task_id="starter_02"),
            world=World.objects.get(name="starter"),
            setup=services.Setup(),
            start=False,
        )
        claimed = services.claim(session_id=session.pk)
    assert claimed is not None
    print(session.pk, flush=True)
    log = Conversation(RULES)
    for event in read_log(session):
        log.apply(event)

    def write(body: EventBody) -> None:
        events = log.append(Step("x", (body,)))
        services.append(claimed=claimed, events=events, state=log.state)
        print(f"{events[-1].seq} {time.time():.6f}", flush=True)
        notifier().grew(session.pk, log.state.seq)

    notifier().grew(session.pk, log.state.seq)  # a worker has long been connected
    sys.stdin.readline()
    users = log.state.users
    begun = time.monotonic()
    for i in range(count):
        text, place = f"burst {i};", i % (2 * calls + 1)
        if place:
            call_id = f"call_{i - (place + 1) % 2}"
            arguments = {"keywords": text, "city": "杭州市"}
            found = json.dumps(
                [{"name": f"{text} {n}", "address": "西湖区", "rating": 4.5} for n in range(20)]
            )
            write(
                ToolCalled(call_id=call_id, name="search_poi", arguments=arguments, step=1)
                if place % 2
                else ToolReturned(call_id=call_id, result=found, latency_ms=5.0)
            )
        elif i % 5 == 4 and not calls:
            write(AgentNoted(content=text))
        else:
            write(MessagePosted(role=users[i % 3], content=text, opening=True))
        time.sleep(max(0.0, begun + (i + 1) / rate - time.monotonic()))
    write(SessionFinished(reason="stopped"))
    jobs.release(claimed=claimed)
    time.sleep(0.3)


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]), *map(int, sys.argv[3:]))
