"""TravelBench's sessions over models while workers die, and while their run is paused, and while one is cancelled."""

from __future__ import annotations

import json
import signal
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.model_server import ModelServer, model_server
from tests.served_workers import ServedWorkers, served_workers

pytestmark = pytest.mark.slow
PATIENCE_S = 120.0

START = """
from tests.seating import endpoint_at
from webapp.catalogue.models import Task, World
from webapp.endpoints.models import ModelEndpoint
from webapp.runs.services import create_run
from webapp.sessions.services import Setup
def endpoint(model):
    name = model.replace(":", "-").replace("=", "-").replace(".", "-")
    return ModelEndpoint.objects.filter(name=name).first() or endpoint_at({url!r}, model)
agent, user = endpoint("good-agent:slow={slow}"), endpoint("good-user:slow={slow}")
ids = [f"travelbench-{{subtask}}-starter-{{n}}" for subtask in {subtasks} for n in range(1, {each} + 1)]
setup = Setup(agent="llm", agent_model=agent, users="llm", user_model=user)
tasks = list(Task.objects.filter(task_id__in=ids))
run = create_run(name={name!r}, tasks=tasks, world=World.objects.get(), setup=setup)
print(run.pk, run.sessions.count())
"""
CONTROL = """
from webapp.runs import control
from webapp.sessions.models import Run
control.{verb}(Run.objects.get(pk={run!r}))
"""
COUNT_OPEN_SESSIONS = """
from webapp.sessions.models import ENDED_STATUSES, Session
print(Session.objects.filter(run={run!r}).exclude(status__in=ENDED_STATUSES).count())
"""
LOGS = """
import json
from webapp.sessions.models import Event
columns = ("session_id", "seq", "type", "payload")
events = Event.objects.filter(session__run={run!r}).order_by("session_id", "seq")
print(json.dumps([list(map(str, row)) for row in events.values_list(*columns)]))
"""
ENDS = """
import json
from webapp.sessions.models import Session
from webapp.sessions.scoring import record_of
from webapp.cassettes.models import ModelExchange
found = [
    {{
        "id": str(one.pk),
        "status": str(one.status),
        "exchanges": ModelExchange.objects.filter(session=one).count(),
        "record": record_of(one),
    }}
    for one in Session.objects.filter(run={run!r})
]
print(json.dumps(found))
"""
OUTCOMES = """
from webapp.runs.selectors import outcomes
from webapp.sessions.models import Run
print(len(outcomes([Run.objects.get(pk={run!r})])[{run!r}]))
"""
Row = list[str]


def begin(installation: ServedWorkers, server: ModelServer, name: str, **given: Any) -> str:
    """A run; its id."""
    chosen = {"slow": 0.4, "subtasks": ("single", "multi", "unsolved"), "each": 3, **given}
    run, sessions = installation.python(START.format(url=server.url, name=name, **chosen)).split()
    assert int(sessions) == chosen["each"] * len(chosen["subtasks"])
    return run


def logs(installation: ServedWorkers, run: str) -> dict[str, list[Row]]:
    """Each session's events in order: session, seq, type, payload."""
    found: dict[str, list[Row]] = {}
    for row in json.loads(installation.python(LOGS.format(run=run))):
        found.setdefault(row[0], []).append(row)
    return found


def ends(installation: ServedWorkers, run: str) -> list[dict[str, Any]]:
    found = json.loads(installation.python(ENDS.format(run=run)))
    assert isinstance(found, list)
    return found


def wait_for_calls(server: ModelServer, more: int) -> None:
    wanted, end = len(server.ledger.entries) + more, time.monotonic() + PATIENCE_S
    while len(server.ledger.entries) < wanted:
        assert time.monotonic() < end, "the sessions do not go on"
        time.sleep(0.05)


def test_a_killed_worker_loses_nothing_a_pause_holds_and_a_cancelled_run_says_nothing(tmp_path: Path) -> None:
    with model_server() as server, served_workers(tmp_path / "data") as installation:
        run = begin(installation, server, "killed")
        installation.start_workers(2)
        wait_for_calls(server, 12)
        installation.send_signal(0, signal.SIGKILL)
        at_death = logs(installation, run)
        assert sum(map(len, at_death.values())) > 5 * len(at_death)

        installation.python(CONTROL.format(verb="pause", run=run))
        other = begin(installation, server, "goes on", subtasks=("single",), each=1)
        installation.wait_for(COUNT_OPEN_SESSIONS.format(run=other), "0", PATIENCE_S)
        at_rest = logs(installation, run)
        time.sleep(1)
        assert logs(installation, run) == at_rest, "a paused run went on"
        assert installation.python(COUNT_OPEN_SESSIONS.format(run=run)).strip() != "0", (
            "nothing was left to be paused"
        )
        installation.python(CONTROL.format(verb="resume", run=run))
        installation.wait_for(COUNT_OPEN_SESSIONS.format(run=run), "0", PATIENCE_S)
        _is_whole(installation, run, at_death)
        _is_whole(installation, run, at_rest)

        stopped = begin(installation, server, "cancelled", slow=1.5)
        wait_for_calls(server, 6)
        installation.python(CONTROL.format(verb="cancel", run=stopped))
        installation.wait_for(COUNT_OPEN_SESSIONS.format(run=stopped), "0", PATIENCE_S)
        asked = len(server.ledger.entries)
        _is_stopped(installation, stopped)
        assert len(server.ledger.entries) == asked
        assert "Traceback" not in installation.logs()


def _is_whole(installation: ServedWorkers, run: str, earlier: dict[str, list[Row]]) -> None:
    """Every session has ended as the rules say; its log goes on from what was stored earlier."""
    after = logs(installation, run)
    for session, before in earlier.items():
        assert after[session][: len(before)] == before
    for session in ends(installation, run):
        log, record = after[session["id"]], session["record"]
        types = Counter(row[2] for row in log)
        assert [int(row[1]) for row in log] == list(range(1, len(log) + 1))
        assert (session["status"], types["session_finished"], log[-1][2]) == (
            "finished",
            1,
            "session_finished",
        )
        assert types["tool_called"] == types["tool_returned"] == record["tool_calls_count"]
        assert types["model_called"] == session["exchanges"]
        assert record["success"] and record["completion_reason"] in ("completed", "user_ended")
        told = [
            (message["role"], message["content"], message.get("tool_calls")) for message in record["messages"]
        ]
        words = [one for one in told if one[0] != "tool"]
        assert len({json.dumps(one) for one in words}) == len(words), "something was said twice"


def _is_stopped(installation: ServedWorkers, run: str) -> None:
    """No session counts, and each log has its one end."""
    found = ends(installation, run)
    assert {one["status"] for one in found} == {"stopped"}
    assert {one["record"]["completion_reason"] for one in found} == {"stopped"}
    for log in logs(installation, run).values():
        assert Counter(row[2] for row in log)["session_finished"] == 1 and log[-1][2] == "session_finished"
    assert installation.python(OUTCOMES.format(run=run)).strip() == "0"
