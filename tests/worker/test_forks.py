"""Sessions continued from an event of another one."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmark.core.events import ModelCalled, ParticipantJoined, SessionForked, TurnGranted
from benchmark.core.state import folded
from benchmark.suites.grouptravel.conversation.rules import RULES
from tests.model_server import model_server
from tests.seating import Make, bodies, endpoint_at, play
from webapp.accounts.services import local_researcher
from webapp.cassettes.calls import call_at
from webapp.cassettes.forking import Players, fork, last_point
from webapp.cassettes.selectors import verdict_of
from webapp.cassettes.services import replay
from webapp.catalogue.models import Task, World
from webapp.forms import ChoiceRefused
from webapp.sessions import services
from webapp.sessions.log import whole_log
from webapp.sessions.models import Session, Status

pytestmark = [pytest.mark.storage, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def ended(starter_tasks: list[Task], starter_world: World) -> Session:
    """A finished session that needs no model."""
    task = next(task for task in starter_tasks if task.task_id == "starter_01")
    setup = services.Setup(seed=4)
    return play(services.create_session(task=task, world=starter_world, setup=setup, start=False))


def forked(session: Session, chosen: int, **changed: Any) -> Session:
    """A fork of a session, not played yet."""
    own = Players.of(session)
    players = Players(**{name: changed.get(name, getattr(own, name)) for name in Players.__slots__})
    return fork(session=session, chosen=chosen, players=players, start=False)


@given(data=st.data())
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_fork_at_any_event_has_the_state_of_its_origin_there(ended: Session, data: st.DataObject) -> None:
    log = whole_log(ended.pk)
    chosen = data.draw(st.integers(1, last_point(ended)))
    made = forked(ended, chosen, seed=ended.seed + 1)
    own = whole_log(made.pk)
    cut = made.fork_seq or 0
    opening = next(event.seq for event in log if isinstance(event.body, TurnGranted)) - 1
    assert opening <= cut <= max(chosen, opening)
    assert own[:cut] == log[:cut]
    state, there = folded(RULES.state(), own), folded(RULES.state(), log[:cut])
    assert (state.opened and state.opened.seed) == made.seed
    assert replace(state, opened=there.opened, seq=cut) == there
    assert not state.loop.waiting
    assert state.turn is not None or isinstance(RULES.next_turn(state), TurnGranted)


@pytest.mark.parametrize("part", [0, 1 / 3, 2 / 3, 1])
def test_a_fork_plays_to_an_end_of_its_own(ended: Session, part: float) -> None:
    played = play(forked(ended, max(1, round(part * last_point(ended))), seed=7))
    assert (played.status, played.completion_reason) == (Status.FINISHED, "plan_generated")
    assert played.fork_of == ended and played.seed == 7 and played.scores.count() == 2
    assert [event.seq for event in whole_log(played.pk)] == list(range(1, played.last_seq + 1))


def test_a_fork_with_nothing_changed_tells_the_same_session(ended: Session) -> None:
    log = whole_log(ended.pk)
    made = play(forked(ended, len(log) // 2))
    own = [event.body for event in whole_log(made.pk)[made.fork_seq :]]
    assert isinstance(own[0], SessionForked) and own[0].seed is None
    spoken = [body for body in own[1:] if body.type == "message_posted"]
    assert spoken == [body.body for body in log[made.fork_seq :] if body.body.type == "message_posted"]


def test_a_fork_of_a_model_goes_on_with_another_and_is_replayed(over: Make) -> None:
    with model_server(seed=5) as server:
        first = play(over(endpoint_at(server.url, "good-agent"), endpoint_at(server.url, "good-user")))
        chosen = [event.seq for event in whole_log(first.pk) if isinstance(event.body, ModelCalled)][9]
        other = endpoint_at(server.url, "good-agent", name="other")
        made = play(forked(first, chosen, agent_model=other))
    assert made.status == Status.FINISHED
    joined = [body for body in bodies(made) if isinstance(body, ParticipantJoined)]
    assert [(body.seat, body.model.name) for body in joined[-1:] if body.model] == [("Agent", "other")]
    assert {call.endpoint for call in bodies(made)[made.fork_seq :] if isinstance(call, ModelCalled)} == {
        "other",
        "good-user",
    }
    calls = [event.seq for event in whole_log(made.pk) if isinstance(event.body, ModelCalled)]
    assert made.exchanges.count() == len(calls)
    before = call_at(made, calls[0])
    assert before is not None and before.exchange is not None
    again = play(replay(session=made, start=False))
    verdict = verdict_of(again)
    assert verdict is not None and verdict.identical


def test_a_session_of_models_goes_on_with_the_reference_agent(over: Make) -> None:
    with model_server(seed=5) as server:
        first = play(over(endpoint_at(server.url, "good-agent")))
    middle = first.last_seq // 2
    made = play(forked(first, middle, agent="reference", agent_model=None))
    assert made.status == Status.FINISHED and made.agent == "reference"
    again = play(forked(made, last_point(made), seed=3))
    assert again.status == Status.FINISHED and again.fork_of == made


def test_what_can_not_be_forked_is_refused(ended: Session) -> None:
    for chosen in (0, ended.last_seq + 1):
        with pytest.raises(ChoiceRefused, match="no event"):
            forked(ended, chosen)
    for chosen in (last_point(ended) + 4, ended.last_seq):
        with pytest.raises(ChoiceRefused, match=f"Choose {last_point(ended)} or one before"):
            forked(ended, chosen)
    with pytest.raises(ChoiceRefused, match="choose one"):
        forked(ended, 5, agent="llm")
    assert Session.objects.count() == 1


def test_a_session_is_forked_by_its_page(ended: Session) -> None:
    client = Client()
    client.force_login(local_researcher())
    form = client.get(f"/sessions/{ended.pk}/fork/?at=20").content.decode()
    assert 'value="20"' in form and 'value="4"' in form
    sent = {"at": 20, "agent": "reference", "users": "scripted", "seed": 9}
    answer = client.post(f"/sessions/{ended.pk}/fork/", sent)
    made = Session.objects.get(fork_of=ended)
    assert answer["Location"] == made.get_absolute_url()
    assert f"/sessions/{ended.pk}/#e{made.fork_seq}" in client.get(made.get_absolute_url()).content.decode()
    assert made.get_absolute_url() in client.get(ended.get_absolute_url()).content.decode()
    assert (
        "has no event 9999"
        in client.post(f"/sessions/{ended.pk}/fork/", sent | {"at": 9999}).content.decode()
    )


def test_a_session_is_forked_by_a_command(ended: Session) -> None:
    out = StringIO()
    call_command("fork_session", ended.pk, "--at", "30", "--seed", "11", stdout=out, stderr=StringIO())
    made = Session.objects.get(fork_of=ended)
    assert made.pk in out.getvalue() and made.seed == 11 and made.ended
    with pytest.raises(CommandError, match="no event"):
        call_command("fork_session", ended.pk, "--at", "99999", stdout=out)
