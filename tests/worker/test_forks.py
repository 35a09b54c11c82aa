"""Sessions continued from an event of another one."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmark.cassettes import read_cassette, write_cassette
from benchmark.core.events import (
    MessagePosted,
    ModelCalled,
    ParticipantJoined,
    TurnGranted,
)
from benchmark.core.forking import elapsed_s
from benchmark.core.model_use import model_use
from benchmark.core.participant import INBOX
from benchmark.core.state import fold_events
from benchmark.core.tool_use import tool_use
from benchmark.suites.grouptravel.conversation.record import run_record
from benchmark.suites.grouptravel.conversation.rules import RULES
from tests.model_server import ModelServer
from tests.properties import examples
from tests.seating import Make, bodies, calls, endpoint_at, play
from webapp.accounts.services import local_researcher
from webapp.cassettes.calls import call_at
from webapp.cassettes.forking import Players, fork, last_point
from webapp.cassettes.selectors import cassette_of, verdict_of
from webapp.cassettes.services import keep, replay
from webapp.catalogue.models import Task, World
from webapp.endpoints.choice import SeatPlayer
from webapp.endpoints.models import ModelEndpoint
from webapp.exchange.formats import write_session
from webapp.forms import ChoiceRefused
from webapp.seats.models import InboxMessage
from webapp.sessions import services
from webapp.sessions.inbox import deliver
from webapp.sessions.log import whole_log
from webapp.sessions.models import Session, Status
from webapp.sessions.scoring import score_session
from worker.sessions import advance

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def ended_session(recorded_session: Make) -> Session:
    """A finished session that needs no model."""
    return recorded_session("easy")


@pytest.fixture
def over_models(recorded_session: Make) -> Session:
    """A finished session of models whose server is gone."""
    return recorded_session("models")


@pytest.fixture
def others(server: ModelServer) -> dict[str, ModelEndpoint]:
    """The same models at a server that is there."""
    agent, users = (endpoint_at(server.url, f"good-{who}", name=f"other-{who}") for who in ("agent", "user"))
    return {"agent_model": agent, "user_model": users}


def requests_of(session: Session) -> list[int]:
    """Which events of a session are requests to models."""
    return [event.seq for event in whole_log(session.pk) if isinstance(event.body, ModelCalled)]


def fork_session(session: Session, chosen: int, **changed: Any) -> Session:
    """A fork of a session, not played yet."""
    own = Players.of(session)
    players = Players(**{name: changed.get(name, getattr(own, name)) for name in Players.__slots__})
    return fork(session=session, chosen=chosen, players=players, start=False)


@given(data=st.data())
@settings(
    max_examples=examples(8), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_a_fork_at_any_event_has_the_state_of_its_origin_there(
    ended_session: Session, data: st.DataObject
) -> None:
    log = whole_log(ended_session.pk)
    chosen = data.draw(st.integers(1, last_point(ended_session)))
    made = fork_session(ended_session, chosen, seed=ended_session.seed + 1)
    own = whole_log(made.pk)
    cut = made.fork_seq or 0
    opening = next(event.seq for event in log if isinstance(event.body, TurnGranted)) - 1
    assert opening <= cut <= max(chosen, opening)
    assert own[:cut] == log[:cut]
    state, there = fold_events(RULES.state(), own), fold_events(RULES.state(), log[:cut])
    assert (state.opening and state.opening.seed) == made.seed
    assert replace(state, opening=there.opening, seq=cut) == there
    assert not state.loop.waiting
    assert state.turn is not None or isinstance(RULES.next_turn(state), TurnGranted)


@pytest.mark.parametrize("part", [0, 2 / 3])
def test_a_fork_plays_to_an_end_of_its_own(ended_session: Session, part: float) -> None:
    played = play(fork_session(ended_session, max(1, round(part * last_point(ended_session))), seed=7))
    assert (played.status, played.completion_reason) == (Status.FINISHED, "plan_generated")
    assert played.fork_of == ended_session and played.seed == 7 and played.scores.count() == 2
    assert [event.seq for event in whole_log(played.pk)] == list(range(1, played.last_seq + 1))


def test_a_fork_of_a_model_goes_on_with_another_and_is_replayed(
    over_models: Session, others: dict[str, ModelEndpoint]
) -> None:
    made = play(fork_session(over_models, requests_of(over_models)[-12], **others))
    assert made.status == Status.FINISHED
    joined = [body for body in bodies(made) if isinstance(body, ParticipantJoined)]
    assert {(body.seat, body.model.name) for body in joined[-3:] if body.model} == {
        ("Agent", "other-agent"),
        ("User1", "other-user"),
        ("User2", "other-user"),
    }
    assert {call.endpoint for call in bodies(made)[made.fork_seq :] if isinstance(call, ModelCalled)} == {
        "other-agent",
        "other-user",
    }
    asked = requests_of(made)
    assert made.exchanges.count() == len(asked)
    before = call_at(made, asked[0])
    assert before is not None and before.exchange is not None
    again = play(replay(session=made, start=False))
    verdict = verdict_of(again)
    assert verdict is not None and verdict.identical


def test_a_session_of_models_goes_on_with_the_reference_agent(
    over_models: Session, others: dict[str, ModelEndpoint]
) -> None:
    late, changed = requests_of(over_models)[-12], {**others, "agent_model": None}
    made = play(fork_session(over_models, late, agent="reference", **changed))
    assert made.status == Status.FINISHED and made.agent == "reference"
    again = play(fork_session(made, last_point(made), seed=3))
    assert again.status == Status.FINISHED and again.fork_of == made


def test_what_can_not_be_forked_is_refused(ended_session: Session) -> None:
    for chosen in (0, ended_session.last_seq + 1):
        with pytest.raises(ChoiceRefused, match="no event"):
            fork_session(ended_session, chosen)
    for chosen in (last_point(ended_session) + 4, ended_session.last_seq):
        with pytest.raises(ChoiceRefused, match=f"Choose {last_point(ended_session)} or an earlier one"):
            fork_session(ended_session, chosen)
    with pytest.raises(ChoiceRefused, match="choose one"):
        fork_session(ended_session, 5, agent="llm")
    assert Session.objects.count() == 1


def test_a_session_is_forked_by_its_page(ended_session: Session) -> None:
    client = Client()
    client.force_login(local_researcher())
    form = client.get(f"/sessions/{ended_session.pk}/fork/?at=20").content.decode()
    assert 'value="20"' in form and 'value="4"' in form and " acts." in form
    late = client.get(f"/sessions/{ended_session.pk}/fork/?at={ended_session.last_seq}").content.decode()
    assert f"Choose {last_point(ended_session)} or an earlier one" in late
    sent = {"at": 20, "agent": "reference", "users": "scripted", "seed": 9, "times": 1}
    answer = client.post(f"/sessions/{ended_session.pk}/fork/", sent)
    made = Session.objects.get(fork_of=ended_session)
    assert answer["Location"] == made.get_absolute_url()
    assert (
        f"/sessions/{ended_session.pk}/#e{made.fork_seq}"
        in client.get(made.get_absolute_url()).content.decode()
    )
    assert made.get_absolute_url() in client.get(ended_session.get_absolute_url()).content.decode()
    assert (
        "has no event 9999"
        in client.post(f"/sessions/{ended_session.pk}/fork/", sent | {"at": 9999}).content.decode()
    )


@pytest.mark.usefixtures("hasty")
def test_forks_with_the_next_seeds_stand_in_one_table(ended_session: Session) -> None:
    client = Client()
    client.force_login(local_researcher())
    sent = {"at": 20, "agent": "reference", "users": "scripted", "seed": 9, "times": 3}
    answer = client.post(f"/sessions/{ended_session.pk}/fork/", sent)
    made = Session.objects.filter(fork_of=ended_session)
    assert sorted(made.values_list("seed", flat=True)) == [9, 10, 11]
    for session in made:
        play(session)
    page = client.get(answer["Location"]).content.decode()
    assert all(f"?session={ended_session.pk}&amp;session={session.pk}" in page for session in made)
    late = client.post(f"/sessions/{ended_session.pk}/fork/", sent | {"seed": 2**31 - 2})
    assert "The seeds go beyond" in late.content.decode()


def test_a_session_is_forked_by_a_command(ended_session: Session) -> None:
    out = StringIO()
    call_command(
        "fork_session", ended_session.pk, "--at", "30", "--seed", "11", stdout=out, stderr=StringIO()
    )
    made = Session.objects.get(fork_of=ended_session)
    assert made.pk in out.getvalue() and made.seed == 11 and made.ended
    with pytest.raises(CommandError, match="no event"):
        call_command("fork_session", ended_session.pk, "--at", "99999", stdout=out)


def steps(session: Session, number: int) -> None:
    """Let it take some steps."""
    for _ in range(number):
        advance(session.pk, budget_s=0, paced=False)
    session.refresh_from_db()


def test_a_running_session_goes_on_beside_its_fork(task: Task, starter_world: World) -> None:
    setup = services.Setup(seed=4)
    going = services.create_session(task=task, world=starter_world, setup=setup, start=False)
    early = fork_session(going, 1)
    steps(going, 12)
    made = fork_session(going, last_point(going))
    assert going.status == Status.RUNNING and made.fork_seq == going.last_seq
    for session in (early, made, going):
        assert play(session).status == Status.FINISHED
    said = [
        [body for body in bodies(each) if isinstance(body, MessagePosted)] for each in (going, made, early)
    ]
    assert said[0] == said[1] == said[2]


@pytest.mark.storage
def test_a_fork_counts_only_what_it_asked_itself(
    over_models: Session, others: dict[str, ModelEndpoint]
) -> None:
    made = play(fork_session(over_models, requests_of(over_models)[-12], **others))
    again = play(fork_session(made, last_point(made)))
    for session in (made, again):
        log = whole_log(session.pk)
        own = [event for event in log if event.seq > (session.fork_seq or 0)]
        assert 0 < sum(isinstance(event.body, ModelCalled) for event in own) < len(calls(session))
        assert session.model_use == [use.as_json() for use in model_use(own)]
        assert session.tool_use == {name: use.as_json() for name, use in tool_use(own).items()}
    assert again.fork_of == made and [body.type for body in bodies(again)].count("session_forked") == 2
    client = Client()
    client.force_login(local_researcher())
    copied = len(calls(again)) - sum(use["calls"] for use in again.model_use)
    page = client.get(f"{again.get_absolute_url()}?tab=models").content.decode()
    assert f"{copied} requests were made in {made.pk} before the fork" in page


def test_the_time_between_a_session_and_its_fork_counts_nowhere(ended_session: Session) -> None:
    made = play(fork_session(ended_session, last_point(ended_session) // 2))
    log = whole_log(made.pk)
    late = [replace(event, at=event.at + timedelta(days=(event.seq > (made.fork_seq or 0)))) for event in log]
    assert elapsed_s(late) == elapsed_s(log)
    assert run_record(late)["duration"] == run_record(log)["duration"]


def test_a_crashed_session_goes_on_with_another_model(make_model_session: Make, server: ModelServer) -> None:
    first = play(make_model_session(endpoint_at(server.url, "good-agent:fail=400")))
    assert first.status == Status.CRASHED
    made = play(fork_session(first, first.last_seq, agent_model=endpoint_at(server.url, "planner-at-once")))
    assert made.status == Status.FINISHED
    assert not any(body.type == "error_raised" for body in bodies(made))


@pytest.mark.storage
def test_a_fork_is_given_to_others_and_outlives_its_origin(
    over_models: Session, others: dict[str, ModelEndpoint], tmp_path: Path
) -> None:
    first = over_models
    made = play(fork_session(first, requests_of(first)[-12], seed=9, **others))
    write_cassette(cassette_of(made), tmp_path / "fork.jsonl")
    with BytesIO() as file:
        write_session(made, "inspect", file, as_json=True)
        (sample,) = json.loads(file.getvalue())["samples"]
    tokens = sum(use["prompt"] + use["completion"] for use in made.model_use)
    assert sum(use["total_tokens"] for use in sample["model_usage"].values()) == tokens
    assert sample["metadata"]["fork_of"] == first.pk
    score, log = made.scores.get(profile="published").figures, whole_log(made.pk)
    first.delete()
    made.refresh_from_db()
    assert made.fork_of is None and made.fork_seq
    client = Client()
    client.force_login(local_researcher())
    assert (
        "a session that this installation does not have"
        in client.get(made.get_absolute_url()).content.decode()
    )
    made.delete()
    kept = keep(read_cassette(tmp_path / "fork.jsonl"))
    assert (kept.fork_of, kept.fork_seq, kept.seed) == (None, made.fork_seq, 9)
    assert whole_log(kept.pk) == log
    score_session(session=kept)
    assert kept.scores.get(profile="published").figures == score
    verdict = verdict_of(play(replay(session=kept, start=False)))
    assert verdict is not None and verdict.identical


@pytest.mark.usefixtures("hasty")
def test_a_seat_from_outside_stays_so_unless_another_takes_it(
    starter_tasks: list[Task], starter_world: World
) -> None:
    task = next(task for task in starter_tasks if task.difficulty == "easy")
    setup = services.Setup(seats={"User1": SeatPlayer(INBOX)})
    first = services.create_session(task=task, world=starter_world, setup=setup, start=False)
    talk(first)
    log = whole_log(first.pk)
    sent = [event.seq for event in log if event.actor == "User1"]
    for kind, apart in ((INBOX, Players.of(first).seat_overrides), ("scripted", {})):
        made = fork_session(first, sent[1], seat_overrides=apart)
        assert made.seats.get(name="User1").kind == kind
        taken = InboxMessage.objects.filter(seat__session=made).values_list("taken_at_seq", flat=True)
        assert list(taken) == [seq for seq in sent if seq <= (made.fork_seq or 0)]
        talk(made)
        assert made.status == Status.FINISHED
        verdict = verdict_of(play(replay(session=made, start=False)))
        assert verdict is not None and verdict.identical, verdict


def talk(session: Session) -> None:
    """Play a session to its end, passing for User1 whenever it is asked."""
    seat = session.seats.get(name="User1")
    for number in range(100):
        advance(session.pk, budget_s=None, paced=False)
        session.refresh_from_db()
        if session.ended:
            return
        deliver(seat=seat, client_id=f"t{number}", kind=InboxMessage.Kind.PASS)
