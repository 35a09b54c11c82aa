"""TravelBench's sessions and runs that a researcher stops or pauses midway."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from django.test import Client

from benchmark.suites.travelbench.events import USER
from tests.markup import tight
from tests.people import with_people
from tests.seating import endpoint_at, play
from webapp.catalogue.models import Task, World
from webapp.forms import ChoiceRefused
from webapp.jobs.models import Job
from webapp.judging.services import start_batch
from webapp.runs import control
from webapp.runs.figures import figures_of
from webapp.runs.selectors import outcomes, progress
from webapp.runs.services import create_run
from webapp.sessions.log import whole_log
from webapp.sessions.models import Run, Session
from webapp.sessions.scoring import record_of
from webapp.sessions.services import Setup, request_stop
from worker.sessions import advance

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.storage]
SUBTASKS = ("single", "multi", "unsolved")


def run_of(
    shipped: dict[str, Task], world: World, *, names: Sequence[str] = SUBTASKS, trials: int = 1
) -> Run:
    tasks = [shipped[f"travelbench-{name}-starter-3"] for name in names]
    return create_run(name="r", tasks=tasks, world=world, setup=Setup(), trials=trials, start=False)


def steps(session: Session, count: int) -> None:
    """Play so many steps, fewer where it ends before."""
    for _ in range(count):
        advance(session.pk, budget_s=0, paced=False)


def seqs(session: Session) -> list[int]:
    return [event.seq for event in whole_log(session.pk)]


@pytest.mark.parametrize("subtask", SUBTASKS)
def test_a_session_stopped_midway_says_nothing_of_its_agent(
    as_researcher: Client, shipped_tasks: dict[str, Task], starter_world: World, subtask: str
) -> None:
    run = run_of(shipped_tasks, starter_world, names=[subtask])
    session = run.sessions.get()
    steps(session, 2)
    before = seqs(session)
    as_researcher.post(f"/sessions/{session.pk}/stop/")
    assert advance(session.pk) and not advance(session.pk)
    session.refresh_from_db()
    assert (session.status, session.completion_reason) == ("stopped", "stopped")
    assert seqs(session)[: len(before)] == before and seqs(session) == list(range(1, session.last_seq + 1))
    record = record_of(session)
    assert record["completion_reason"] == "stopped"
    assert [message["role"] for message in record["messages"]][:2] == ["system", "user"]
    (own,) = outcomes([run]).values()
    assert own == [] and set(figures_of(own, "travelbench").values.values()) == {None}
    assert (progress([run])[run.pk].stopped, progress([run])[run.pk].finished) == (1, 0)
    page = tight(as_researcher.get(f"/sessions/{session.pk}/").content.decode())
    assert "A researcher stopped it." in page and "did not say that" not in page
    with pytest.raises(ChoiceRefused):
        start_batch(sessions=[session], judge=endpoint_at("http://127.0.0.1:9/v1", "judge"))


def test_a_run_cancelled_midway_counts_what_had_ended_before(
    as_researcher: Client, shipped_tasks: dict[str, Task], starter_world: World
) -> None:
    run = run_of(shipped_tasks, starter_world, trials=2)
    first = run.sessions.order_by("created_at", "pk")
    for session in first[:3]:
        play(session)
    for session in first[3:]:
        steps(session, 1)
    whole = figures_of(outcomes([run])[run.pk], "travelbench").values
    control.cancel(run)
    for session in run.sessions.all():
        advance(session.pk, paced=False)
    now = progress([run])[run.pk]
    assert (now.finished, now.stopped, now.settled) == (3, 3, True)
    own = outcomes([run])[run.pk]
    assert len(own) == 3 and figures_of(own, "travelbench").values == whole
    page = tight(as_researcher.get(f"/reports/?runs={run.pk}").content.decode())
    assert "stopped" in page and "Traceback" not in page


def test_a_paused_run_stands_still_and_goes_on_as_if_nothing_had_been(
    as_researcher: Client, shipped_tasks: dict[str, Task], starter_world: World
) -> None:
    paused, unpaused = (run_of(shipped_tasks, starter_world) for _ in range(2))
    for session in unpaused.sessions.all():
        play(session)
    for session in paused.sessions.all():
        steps(session, 2)
    as_researcher.post(f"/runs/{paused.pk}/pause/")
    at_rest = {session.pk: seqs(session) for session in paused.sessions.all()}
    for session in paused.sessions.all():
        Job.objects.update(due_at=None)
        assert not advance(session.pk, budget_s=None, paced=False) and seqs(session) == at_rest[session.pk]
    assert progress([paused])[paused.pk].resting
    as_researcher.post(f"/runs/{paused.pk}/resume/")
    for session in paused.sessions.all():
        play(session)
    told = [said_in(run) for run in (paused, unpaused)]
    assert told[0] == told[1] and len(told[0]) == 3


def said_in(run: Run) -> dict[str, Any]:
    """The messages of each session's record, by task."""
    return {session.task_id: record_of(session)["messages"] for session in run.sessions.all()}


def test_a_session_paused_by_itself_waits_and_can_be_stopped_at_rest(
    as_researcher: Client, shipped_tasks: dict[str, Task], starter_world: World
) -> None:
    run = run_of(shipped_tasks, starter_world, names=["multi"], trials=2)
    first, second = run.sessions.order_by("created_at", "pk")
    for session in (first, second):
        steps(session, 2)
        as_researcher.post(f"/sessions/{session.pk}/pause/")
        assert not advance(session.pk, budget_s=None, paced=False)
    as_researcher.post(f"/sessions/{first.pk}/resume/")
    as_researcher.post(f"/sessions/{second.pk}/stop/")
    play(first)
    advance(second.pk)
    assert list(run.sessions.order_by("created_at", "pk").values_list("status", flat=True)) == [
        "finished",
        "stopped",
    ]


def test_a_session_that_waits_for_its_user_can_be_stopped(
    shipped_tasks: dict[str, Task], starter_world: World
) -> None:
    session = with_people(shipped_tasks["travelbench-multi-starter-2"], starter_world, USER, users="scripted")
    advance(session.pk, budget_s=None, paced=False)
    session.refresh_from_db()
    assert not session.ended and session.last_seq > 4
    request_stop(Session.objects.filter(pk=session.pk))
    advance(session.pk)
    session.refresh_from_db()
    assert (session.status, session.completion_reason) == ("stopped", "stopped")
    assert record_of(session)["completion_reason"] == "stopped"
