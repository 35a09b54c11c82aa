"""What a benchmark may say in the place of a model that gives no answer."""

from __future__ import annotations

import pytest

from benchmark.core.events import ErrorRaised
from benchmark.suites.travelbench.conversation.answers import FALLBACKS
from benchmark.suites.travelbench.events import MessagePosted
from tests.model_server import ModelServer
from tests.seating import Make, bodies, endpoint_at, play
from webapp.catalogue.models import Task, World
from webapp.catalogue.starter import load_starter_tasks
from webapp.endpoints.models import ModelEndpoint
from webapp.sessions.models import Session
from webapp.sessions.services import Setup, create_session

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def talking(starter_world: World) -> Make:
    """A multi-turn session of TravelBench."""
    load_starter_tasks(["travelbench"])
    task = Task.objects.get(task_id="travelbench-multi-starter-2")

    def make(agent: ModelEndpoint | None, users: ModelEndpoint | None = None) -> Session:
        setup = Setup(
            agent="llm" if agent else "reference",
            agent_model=agent,
            users="llm" if users else "scripted",
            user_model=users,
        )
        return create_session(task=task, world=starter_world, setup=setup, start=False)

    return make


def posted_messages(session: Session) -> list[MessagePosted]:
    return [body for body in bodies(session) if isinstance(body, MessagePosted)]


def test_an_agent_whose_model_fails_apologises_and_the_session_is_a_success(
    server: ModelServer, talking: Make
) -> None:
    session = play(talking(endpoint_at(server.url, "good-agent:fail=400")))
    assert (session.status, session.completion_reason) == ("finished", "user_ended")
    (apology,) = (one for one in posted_messages(session) if one.role == "Agent")
    assert apology.failed and apology.content.startswith("I apologize, but I encountered an error")
    assert not session.plan_generated


def test_a_user_whose_model_fails_says_a_stock_sentence(server: ModelServer, talking: Make) -> None:
    user = endpoint_at(server.url, "good-user:fail=400")
    session = play(talking(None, user))
    stock = [one for one in posted_messages(session) if one.role == "User" and one.failed]
    assert stock and {one.content for one in stock} <= set(FALLBACKS)
    assert session.completion_reason == "max_turns_reached"


def test_a_wrong_key_ends_the_session_all_the_same(server: ModelServer, talking: Make) -> None:
    session = play(talking(endpoint_at(server.url, "good-agent:fail=401")))
    assert session.status == "crashed"
    assert any(isinstance(body, ErrorRaised) for body in bodies(session))
