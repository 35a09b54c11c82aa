"""A run in `isolated`: one state of the cache, and one answer a call, for all of its sessions."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client

from benchmark.core.events import ToolReturned
from benchmark.suites import DEFAULT_SUITE
from benchmark.suites.grouptravel.events import SessionOpened
from sandbox.calls import Call
from webapp.caches import resources
from webapp.caches.choice import SandboxChoice
from webapp.caches.models import ToolCache
from webapp.caches.services import index_cache
from webapp.catalogue.models import Task, World
from webapp.endpoints.models import ModelEndpoint
from webapp.forms import ChoiceRefused
from webapp.runs.figures import figures_of, uses_of
from webapp.runs.selectors import outcomes
from webapp.runs.services import create_run
from webapp.sessions.log import whole_log
from webapp.sessions.models import Run, Session
from webapp.sessions.services import Setup
from worker.sessions import advance

pytestmark = [pytest.mark.storage, pytest.mark.usefixtures("hasty")]


@pytest.fixture
def task(cache: ToolCache, starter_world: World, starter_tasks: list[Task]) -> Task:
    """A short task. The cache comes first: its data folder is the world's too."""
    return next(task for task in starter_tasks if task.task_id == "starter_01")


def results(session: Session) -> list[str]:
    return [event.body.result for event in whole_log(session.pk) if isinstance(event.body, ToolReturned)]


def test_every_session_sees_the_cache_as_it_was_at_the_start(
    task: Task, cache: ToolCache, starter_world: World
) -> None:
    resources.open_cache("local").learn(Call("maps_geo", {"address": "西湖"}), "{}")
    index_cache(name="local")
    choice = SandboxChoice("isolated", cache)
    run = create_run(
        name="offline", tasks=[task], world=starter_world, setup=Setup(sandbox=choice), trials=2, start=False
    )
    resources.open_cache("local").learn(Call("maps_geo", {"address": "later"}), "{}")
    for session in run.sessions.all():
        advance(session.pk, budget_s=None)
        opened = whole_log(session.pk)[0].body
        assert isinstance(opened, SessionOpened)
        assert opened.sandbox.model_dump() == run.setup["sandbox"]
        assert (session.mode, session.cache) == ("isolated", cache)
    ended = outcomes([run])[run.pk]
    figures = figures_of(ended, DEFAULT_SUITE)
    assert figures.sessions == 2 and figures.values["calls"]
    assert sum(use.hits + use.misses for use in uses_of(ended).values()) == sum(
        len(results(session)) for session in run.sessions.all()
    )


def test_a_cache_that_serves_nothing_starts_nothing(
    task: Task, cache: ToolCache, starter_world: World
) -> None:
    choice = SandboxChoice("isolated", cache)
    with pytest.raises(ChoiceRefused, match="empty") as refused:
        create_run(name="x", tasks=[task], world=starter_world, setup=Setup(sandbox=choice))
    assert refused.value.field == "cache"
    assert not Session.objects.exists()


def test_a_run_records_the_model_that_simulates(
    as_researcher: Client, task: Task, cache: ToolCache, starter_world: World
) -> None:
    """Chosen in either form, or at the command line; where nothing is simulated, nobody simulates."""
    resources.open_cache("local").learn(Call("maps_geo", {"address": "西湖"}), "{}")
    index_cache(name="local")
    model = ModelEndpoint.objects.create(name="mine", base_url="http://127.0.0.1:9/v1", model="some/model:7b")
    given = {
        "world": "starter",
        "agent": "reference",
        "users": "scripted",
        "seed": "0",
        "protocol": "published",
    }
    offline = given | {"mode": "isolated", "cache": "local", "simulator_model": "mine"}
    as_researcher.post("/runs/new/", offline | {"name": "r", "tasks": task.task_id, "trials": "1"})
    run = Run.objects.get()
    assert run.setup["simulator_model"] == model.setup().model_dump()
    assert run.setup["sandbox"]["simulator"].startswith("model:some/model:7b:")
    as_researcher.post("/sessions/new/", offline | {"task": task.task_id})
    as_researcher.post("/sessions/new/", given | {"task": task.task_id, "simulator_model": "mine"})
    call_command(
        *("run", "c", "--enqueue", "--tasks", task.task_id, "--mode", "isolated", "--cache", "local"),
        *("--simulator-model", "mine"),
        stdout=StringIO(),
    )
    sessions = Session.objects.order_by("created_at")
    assert [session.simulator_model for session in sessions] == [model, model, None, model]
    page = as_researcher.get(f"/sessions/{sessions[0].pk}/?panel=models")
    assert page.status_code == 200


def test_a_link_that_names_a_simulator_shows_it(as_researcher: Client, cache: ToolCache) -> None:
    ModelEndpoint.objects.create(name="mine", base_url="http://127.0.0.1:9/v1", model="m")
    page = as_researcher.get("/sessions/new/?mode=isolated&cache=local&simulator_model=mine").content.decode()
    assert '<details class="fine" open>' in page
    assert '<option value="mine" selected>' in page
    usual = as_researcher.get("/sessions/new/?mode=isolated&cache=local").content.decode()
    assert '<details class="fine">' in usual
