"""Many sessions over models, in several worker processes, while the server fails and workers die."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from tests.model_server import ModelServer, model_server
from tests.served_workers import ServedWorkers, served_workers

pytestmark = pytest.mark.slow
PATIENCE_S = 420.0
CONCURRENCY = 3
TRIALS = int(os.environ.get("CARAVAN_TRIALS", "1"))
"""Of four tasks: a session more than the server has places, and one a worker; CARAVAN_TRIALS=10 makes them forty."""

START = """
from tests.seating import endpoint_at
from webapp.catalogue.models import Task, World
from webapp.runs.services import create_run
from webapp.sessions.services import Setup
fine = {{"concurrency": {places}}}
agent = endpoint_at({url!r}, "good-agent", **fine, input_price=1.0, output_price=4.0)
users = endpoint_at({url!r}, "good-user", **fine, input_price=0.5, output_price=1.0)
shipped = Task.objects.filter(suite="grouptravel", language="zh").order_by("task_id")
tasks = [task for task in shipped if task.difficulty == "easy"][:{tasks}]
setup = Setup(agent="llm", agent_model=agent, users="llm", user_model=users)
run = create_run(name="many", tasks=tasks, world=World.objects.get(), setup=setup, trials={trials})
print(run.sessions.count())
"""
COUNT_OPEN_SESSIONS = """
from webapp.sessions.models import ENDED_STATUSES, Session
print(Session.objects.exclude(status__in=ENDED_STATUSES).count())
"""
READ_COUNTS = """
import json
from collections import Counter
from benchmark.suites.grouptravel.conversation.state import fold
from webapp.cassettes.models import ModelExchange
from webapp.sessions.log import whole_log
from webapp.sessions.models import Session
told = Counter()
for session in Session.objects.order_by("pk"):
    log = whole_log(session.pk)
    told[session.completion_reason] += 1
    told["gaps"] += [e.seq for e in log] != list(range(1, session.last_seq + 1))
    state = fold(log)
    told["unfinished"] += state.final_event is None
    calls = [e.body for e in log if e.body.type == "model_called"]
    told["repeated"] += len(calls) - len({(c.seat, c.request, c.attempt, c.latency_ms) for c in calls})
    told["unkept"] += len(calls) != ModelExchange.objects.filter(session=session).count()
    for call in calls:
        told["calls"] += 1
        told["unknown"] += call.unknown
        if call.tokens:
            told["counted"] += 1
            told["prompt"] += call.tokens.prompt
            told["completion"] += call.tokens.completion
            told["cost " + call.endpoint] += call.cost
print(json.dumps(told))
"""


def begin(installation: ServedWorkers, server: ModelServer, *, tasks: int, trials: int) -> None:
    code = START.format(url=server.url, places=CONCURRENCY, tasks=tasks, trials=trials)
    assert installation.python(code).strip() == str(tasks * trials)


def counts_in(installation: ServedWorkers) -> dict[str, Any]:
    found = json.loads(installation.python(READ_COUNTS))
    assert isinstance(found, dict)
    return found


def test_many_sessions_over_four_workers_and_a_server_that_fails(tmp_path: Path) -> None:
    with model_server(faults=0.2, seed=3) as server, served_workers(tmp_path / "data") as installation:
        begin(installation, server, tasks=4, trials=TRIALS)
        installation.start_workers(4)
        installation.wait_for(COUNT_OPEN_SESSIONS, "0", PATIENCE_S)
        found, ledger = counts_in(installation), server.ledger.entries
        assert found["plan_generated"] == 4 * TRIALS, (found, installation.logs())
        assert found["gaps"] == found["unfinished"] == found["repeated"] == found["unkept"] == 0
        assert max(server.ledger.highest.values()) <= CONCURRENCY
        whole = [entry for entry in ledger if entry.outcome == "whole"]
        assert (found["calls"], found["counted"]) == (len(ledger), len(whole))
        assert found["prompt"] == sum(entry.tokens.prompt for entry in whole)
        assert found["completion"] == sum(entry.tokens.completion for entry in whole)
        for model, prices in {"good-agent": (1e-6, 4e-6), "good-user": (0.5e-6, 1e-6)}.items():
            own = [entry.tokens for entry in whole if entry.model == model]
            due = sum(tokens.prompt * prices[0] + tokens.completion * prices[1] for tokens in own)
            assert found[f"cost {model}"] == pytest.approx(due)
        in_the_middle = [e for e in ledger if e.outcome == "cut" and e.fault == "middle"]
        assert found["unknown"] == len(in_the_middle) > 0


def test_workers_that_die_lose_no_event_and_repeat_none(tmp_path: Path) -> None:
    with model_server(faults=0.1, seed=4) as server, served_workers(tmp_path / "data") as installation:
        begin(installation, server, tasks=4, trials=1)
        installation.start_workers(2)
        for victim in range(2):
            _wait_for_calls(server, len(server.ledger.entries) + 40)
            installation.send_signal(victim, signal.SIGKILL)
            installation.start_workers(1)
        installation.wait_for(COUNT_OPEN_SESSIONS, "0", PATIENCE_S)
        found = counts_in(installation)
        assert found["plan_generated"] == 4, (found, installation.logs())
        assert found["gaps"] == found["unfinished"] == found["repeated"] == found["unkept"] == 0
        assert max(server.ledger.highest.values()) <= CONCURRENCY


def _wait_for_calls(server: ModelServer, count: int) -> None:
    end = time.monotonic() + 120
    while len(server.ledger.entries) < count:
        assert time.monotonic() < end, "the sessions do not go on"
        time.sleep(0.1)
