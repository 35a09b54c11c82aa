"""`manage.py run`: a run played here, beside workers, or left to them."""

from __future__ import annotations

import json
import threading
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from benchmark.core.participant import BuiltIn
from benchmark.suites.grouptravel.participants import AGENTS
from tests.threads import start_in_thread
from webapp.catalogue.models import Task, World
from webapp.jobs.services import due
from webapp.runs.selectors import progress, unsettled_sessions
from webapp.sessions.jobs import SESSION
from webapp.sessions.models import Run, Session, Status
from worker import foreground
from worker.sessions import advance

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("hasty")]


@pytest.fixture(autouse=True)
def ready(starter_world: World, starter_tasks: list[Task]) -> None:
    """The starter world and tasks are there."""


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("run", "a run", *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


def refusal_of(*arguments: str) -> CommandError:
    with pytest.raises(CommandError) as error:
        run(*arguments)
    return error.value


def test_a_run_is_played_to_its_figures_by_several_threads() -> None:
    told = run("--tasks", "starter_01", "starter_02", "--trials", "2", "--seed", "4", "--workers", "2")
    sessions = Session.objects.order_by("created_at")
    assert [(s.seed, s.status) for s in sessions] == [
        *[(4, Status.FINISHED)] * 2,
        *[(5, Status.FINISHED)] * 2,
    ]
    assert "4 finished, 0 crashed, 0 stopped" in told
    table = [line.split() for line in told.splitlines()]
    assert next(line for line in table if line[:1] == ["sessions"])[1] == "4"
    as_json = json.loads(run("--tasks", "starter_01", "--seed", "4", "--json"))
    assert (as_json["finished"], as_json["figures"]["all"]["sessions"]) == (1, 1)
    assert as_json["tools"]["search_poi"]["calls"] == sessions[0].tool_use["search_poi"]["calls"]
    assert as_json["page"].endswith(f"/runs/{as_json['run']}/")
    calls = sum(use["calls"] for s in sessions for use in s.tool_use.values())
    assert [line[1] for line in table if line[:1] == ["all"]][1] == str(calls)


def test_left_to_the_workers_it_plays_nothing() -> None:
    told = run("--collection", "starter", "--difficulty", "easy", "--enqueue")
    created = Run.objects.get()
    assert f"run {created.pk}: {created.sessions.count()} sessions" in told
    assert set(Session.objects.values_list("status", flat=True)) == {Status.QUEUED}
    assert sorted(due(kind=SESSION)) == sorted(unsettled_sessions(created))


def test_a_session_that_crashes_is_told_by_the_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail_loading() -> Any:
        raise RuntimeError("no such model")

    monkeypatch.setitem(AGENTS, "broken", BuiltIn(lambda context: fail_loading()))
    error = refusal_of("--tasks", "starter_01", "--agent", "broken")
    assert (error.returncode, str(error)) == (1, "1 of 1 sessions did not finish")
    assert Session.objects.get().status == Status.CRASHED


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "say --tasks, or --collection"),
        (["--tasks", "starter_01", "--collection", "starter"], "say --tasks, or --collection"),
        (["--tasks", "starter_01", "none"], "there is no task none"),
        (["--collection", "none"], "there is no collection “none”; there are: starter"),
        (["--tasks", "starter_01", "--world", "none"], "there is no world “none”; there are: starter"),
        (["--tasks", "starter_01", "--workers", "0"], "--workers must be 1 to 16"),
        (["--tasks", "starter_01", "--trials", "0"], "at least one trial"),
        (["--tasks", "starter_01", "--seed", "-1"], "between 0 and"),
        (["--tasks", "starter_01", "--mode", "isolated"], "needs a cache"),
        (["--tasks", "starter_01", "--cache", "none"], "there is no cache “none”"),
    ],
)
def test_bad_input_is_told_apart_and_starts_nothing(arguments: list[str], words: str) -> None:
    error = refusal_of(*arguments)
    assert words in str(error)
    assert error.returncode == 2
    assert not Run.objects.exists()


def test_interrupted_it_leaves_sessions_that_anyone_can_go_on_with(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[object] = []

    def interrupt(now: object) -> None:
        told.append(now)
        raise KeyboardInterrupt

    monkeypatch.setattr("worker.management.commands.run._show", lambda _report, now: interrupt(now))
    monkeypatch.setattr(foreground, "LOOK_S", 0.05)
    error = refusal_of("--collection", "starter", "--trials", "2")
    created = Run.objects.get()
    assert error.returncode == 130
    left = unsettled_sessions(created)
    assert f"{len(left)} sessions are left" in str(error) and left
    assert sorted(due(kind=SESSION)) == sorted(left)  # no lease is held
    while advance(left[0]):
        pass
    session = Session.objects.get(pk=left[0])
    assert (session.status, session.completion_reason) == (Status.FINISHED, "plan_generated")
    assert list(session.events.values_list("seq", flat=True)) == list(range(1, session.last_seq + 1))


def test_a_worker_at_the_same_time_does_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foreground, "AGAIN_S", 0.1)
    others: list[threading.Thread] = []

    def first_look(of: Run) -> list[str]:
        """Another worker takes the first session just before the command begins."""
        left = unsettled_sessions(of)
        if left and not others:
            others.append(start_in_thread(lambda: advance(left[0], budget_s=None)))
        return left

    monkeypatch.setattr(foreground, "unsettled_sessions", first_look)
    run("--tasks", "starter_01", "starter_02")
    others[0].join()
    done = progress([Run.objects.get()])[Run.objects.get().pk]
    assert (done.finished, done.settled) == (2, True)
