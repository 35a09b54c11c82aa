"""Logs of unlike sessions, written by us and read by Inspect."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from benchmark.core.events import MessagePosted, ModelCalled, ToolReturned, TurnGranted
from tests.model_server import model_server
from tests.seating import endpoint_at, play
from tests.webapp.exchange.records import foreign, places, write_records
from webapp.cassettes.services import replay
from webapp.catalogue.models import Task, World
from webapp.endpoints.choice import SeatPlayer
from webapp.runs.services import create_run
from webapp.sessions.log import read_log
from webapp.sessions.models import MetricValue, Run, Session
from webapp.sessions.services import Setup, request_stop

READER = Path(__file__).parent / "reader.py"


def read(path: Path) -> dict[str, Any]:
    """What Inspect finds in a log; it fails on a warning."""
    python = os.environ.get("CARAVAN_INSPECT_PYTHON")
    if not python:
        pytest.skip("inspect-ai is not here: make test-inspect")
    told = subprocess.run([python, str(READER), str(path)], capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr[-2000:]
    assert not told.stderr.strip(), told.stderr
    found: dict[str, Any] = json.loads(told.stdout)
    assert found["warnings"] == []
    return found


def export_and_read(run: Run, path: Path) -> dict[str, Any]:
    call_command("export_run", run.pk, "--format", "inspect", "--out", path)
    return read(path)


def agrees(sample: dict[str, Any]) -> None:
    """A sample says what the log and the scores say."""
    session = Session.objects.get(pk=sample["uuid"])
    bodies = [event.body for event in read_log(session)]
    calls = [body for body in bodies if isinstance(body, ModelCalled)]
    assert (sample["id"], sample["events"].get("model", 0)) == (session.task.task_id, len(calls))
    assert sample["events"].get("tool", 0) == sum(isinstance(body, ToolReturned) for body in bodies)
    assert sample["events"]["span_begin"] == sample["events"]["span_end"]
    assert sample["events"]["span_begin"] == sum(isinstance(body, TurnGranted) for body in bodies)
    assert sample["messages"] >= sum(isinstance(body, MessagePosted) for body in bodies)
    values = MetricValue.objects.filter(session=session, profile__in=("", "published"))
    for row in values:
        name = f"{row.key}@{row.rater}" if row.rater else row.key
        assert float(sample["scores"][name]) == row.value
    known = sum(call.tokens.prompt + call.tokens.completion for call in calls if call.tokens is not None)
    assert sum(sample["role_usage"].values()) == known
    assert sample["explained"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", ["run.eval", "run.json"])
def test_inspect_reads_models_scripts_and_trials(
    name: str, starter_tasks: list[Task], starter_world: World, tmp_path: Path
) -> None:
    easy = [task for task in starter_tasks if task.difficulty == "easy"][:2]
    with model_server(seed=5) as server:
        model = endpoint_at(server.url, "good-user")
        setup = Setup(seats={"User2": SeatPlayer("llm", model)})
        run = create_run(name="mixed", tasks=easy, world=starter_world, setup=setup, trials=2, start=False)
        played = [play(session) for session in run.sessions.all()]
    MetricValue.objects.create(session=played[0], profile="", rater="wise (m)", key="judge", value=60.0)
    found = export_and_read(run, tmp_path / name)
    assert (found["status"], found["epochs"], len(found["samples"])) == ("success", 2, 4)
    assert sorted(map(tuple, found["summaries"])) == [(task.task_id, n) for task in easy for n in (1, 2)]
    for sample in found["samples"]:
        agrees(sample)
        assert sample["roles"] == ["travellers"] and min(sample["inputs"]) > 0 and sample["tools"] > 0
    assert sum(found["model_usage"].values()) == sum(
        sum(sample["role_usage"].values()) for sample in found["samples"]
    )


@pytest.mark.django_db(transaction=True)
def test_inspect_reads_every_ending(starter_tasks: list[Task], starter_world: World, tmp_path: Path) -> None:
    with model_server(seed=5) as server:
        agent = endpoint_at(server.url, "wrong-key")
        setup = Setup(agent="llm", agent_model=agent)
        run = create_run(
            name="ends", tasks=starter_tasks[:1], world=starter_world, setup=setup, trials=2, start=False
        )
        first, second = run.sessions.order_by("trial_id")
        request_stop(Session.objects.filter(pk=second.pk))
        crashed, stopped = play(first), play(second)
    assert (crashed.status, stopped.status) == ("crashed", "stopped")
    found = {sample["uuid"]: sample for sample in export_and_read(run, tmp_path / "ends.eval")["samples"]}
    assert crashed.completion_reason in found[crashed.pk]["error"]
    assert (found[stopped.pk]["error"], found[stopped.pk]["limit"]) == (None, "operator")
    agrees(found[crashed.pk])


@pytest.mark.django_db(transaction=True)
def test_inspect_reads_a_replay_and_records_of_others(
    starter_tasks: list[Task], starter_world: World, tmp_path: Path
) -> None:
    run = create_run(name="one", tasks=starter_tasks[:1], world=starter_world, setup=Setup(), start=False)
    again = play(replay(session=play(run.sessions.get()), start=False))
    path = tmp_path / "again.eval"
    call_command("export_session", again.pk, "--format", "inspect", "--out", path)
    (sample,) = read(path)["samples"]
    agrees(sample)
    crash = {"task_id": "c", "success": False, "error": "x", "completion_reason": "rate_limit"}
    file = write_records(tmp_path / "theirs.jsonl", foreign(), foreign("theirs/2"), crash)
    call_command("import_records", file, "--catalogue", str(places(tmp_path)))
    imported = Run.objects.latest("created_at")
    for sample in export_and_read(imported, tmp_path / "theirs.eval")["samples"]:
        assert sample["events"]["info"] and (sample["id"] != "c" or sample["error"])
