"""A TravelEval session whose worker is killed at each of its steps: nothing is lost, nothing is done twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.core.management import call_command

from benchmark.core.events import ModelCalled
from benchmark.suites.traveleval.tasks import STARTER
from tests.killing import advance_to_end, play_with_deaths
from tests.model_server import ModelServer, model_server
from tests.seating import endpoint_at
from webapp.catalogue.models import Task, World
from webapp.sessions.log import read_log
from webapp.sessions.models import Session
from webapp.sessions.scoring import find_outdated, record_of
from webapp.sessions.services import Setup, create_session
from worker.steppers.scores import score

pytestmark = [pytest.mark.django_db, pytest.mark.storage]


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


@pytest.fixture
def begin(starter_world: World, server: ModelServer) -> Callable[[], Session]:
    call_command("import_tasks", Path(STARTER[0]), "--suite", "traveleval", "--world", "starter")
    endpoint = endpoint_at(server.url, "good-agent")
    task = Task.objects.get(task_id="own-T0013")
    setup = Setup(agent="react", agent_model=endpoint)
    return lambda: create_session(task=task, world=starter_world, setup=setup, start=False)


def events_of(session: Session) -> list[str]:
    """Their types in order, without requests that a server did not answer: no worker's death is to blame for them."""
    bodies = [event.body for event in read_log(session)]
    return [body.type for body in bodies if not isinstance(body, ModelCalled) or body.answered]


@pytest.mark.parametrize("is_stored", [False, True])
def test_a_worker_that_is_killed_at_each_step_changes_nothing_of_the_result(
    begin: Callable[[], Session], server: ModelServer, monkeypatch: pytest.MonkeyPatch, is_stored: bool
) -> None:
    """is_stored: whether it dies after it has stored a step, or before."""
    whole, killed = begin(), begin()
    advance_to_end(whole)
    assert play_with_deaths(killed, monkeypatch, lambda _seq: is_stored) >= 8
    if not killed.scores.exists():  # it died between its end and its scores: the sweeper finds it
        assert find_outdated() and score(killed.pk)
    assert events_of(killed) == events_of(whole)
    assert record_of(killed) == record_of(whole)
    one, other = ({own.profile: own.figures for own in each.scores.all()} for each in (killed, whole))
    assert one == other and one.keys() == {"published", "paper"}
    types = Counter(events_of(killed))
    assert types["tool_called"] == types["tool_returned"] == 3 and types["plan_proposed"] == 1
