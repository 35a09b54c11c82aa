"""Requests of a session that are edited and asked again: jobs, workers that die of them, and the pages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from benchmark.core.events import Event, MessagePosted, ModelCalled, SessionForked, ToolCalled
from benchmark.models import Usage
from tests.chat_server import ChatServer, chat_server, refuses, says
from tests.model_server import ModelServer
from tests.seating import Make, endpoint_at, play
from webapp.accounts.models import Role, User
from webapp.cassettes.calls import Call, call_at
from webapp.cassettes.forking import Players, why_not_before
from webapp.cassettes.selectors import verdict_of
from webapp.cassettes.services import replay
from webapp.catalogue.models import Task, World
from webapp.catalogue.starter import load_starter_tasks
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.selectors import use_by_endpoint
from webapp.experiments import services
from webapp.experiments.jobs import EXPERIMENT
from webapp.experiments.models import Experiment
from webapp.experiments.selectors import being_asked, request_in
from webapp.forms import ChoiceRefused
from webapp.jobs import services as jobs
from webapp.jobs.models import Job
from webapp.sessions.log import whole_log
from webapp.sessions.models import Session
from webapp.sessions.services import Setup, create_session
from worker.sessions import advance
from worker.steppers import STEPPERS
from worker.steppers.experiments import experiment_job

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.either_engine]
SCRIPT = "<script>alert(1)</script>"


class WorkerKilled(BaseException):
    """What a worker that is killed does not handle."""


@pytest.fixture
def session(recorded_session: Make) -> Session:
    """A finished session of models whose server is gone."""
    return recorded_session("models")


@pytest.fixture
def chat() -> Iterator[ChatServer]:
    with chat_server() as server:
        yield server


@pytest.fixture
def client(db: None) -> Client:
    """A researcher's browser."""
    browser = Client()
    browser.force_login(User.objects.create_user("ada", role=Role.RESEARCHER))
    return browser


def agent_call(session: Session, *, with_calls: bool = False) -> Call:
    """The first request of the agent; with_calls: the first that holds calls of tools already."""
    for event in whole_log(session.pk):
        call = call_at(session, event.seq) if event.body.type == "model_called" else None
        if call is None or call.call_event.seat != "Agent" or call.exchange is None:
            continue
        if not with_calls or any(each.get("tool_calls") for each in call.exchange.request.messages):
            return call
    raise AssertionError("there is no such call")


def begin(session: Session, chat: ChatServer, *answers: Any, times: int = 3, **endpoint: Any) -> Experiment:
    chat.replies.extend(says(answer) if isinstance(answer, str) else answer for answer in answers)
    given = {"patience_s": 0, "concurrency": 1, "input_price": 1, "output_price": 1e5, **endpoint}
    asked, call = endpoint_at(chat.url, "other", **given), agent_call(session)
    assert call.exchange is not None
    return services.start_experiment(
        session=session,
        log=whole_log(session.pk),
        seq=call.seq,
        endpoint=asked,
        setup=services.setup_for(asked),
        request=call.exchange.request,
        times=times,
    )


def page_of(client: Client, where: Experiment | str) -> str:
    address = where if isinstance(where, str) else where.get_absolute_url()
    return client.get(address).content.decode()


@pytest.mark.storage
def test_a_killed_worker_asks_nothing_twice_and_answers_stand_side_by_side(
    session: Session, chat: ChatServer, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = list(whole_log(session.pk))
    experiment = begin(session, chat, "We fly to Paris.", "We walk to Rome.", f"We walk {SCRIPT}")
    kept, killed = services.store_answer, list[int]()

    def die_after_the_second(**given: Any) -> None:
        kept(**given)
        killed.append(1)
        if len(killed) == 2:
            raise WorkerKilled

    monkeypatch.setattr(services, "store_answer", die_after_the_second)
    with pytest.raises(WorkerKilled):
        experiment_job(experiment.pk)
    assert len(chat.requests) == 2 and not experiment_job(experiment.pk), "somebody else has it"
    assert being_asked([session.pk])
    assert "2 of 3 answers" in page_of(client, experiment) and "awaited" in page_of(client, experiment)
    Job.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert jobs.due(kind=EXPERIMENT) == [experiment.pk] and STEPPERS[EXPERIMENT.name](experiment.pk)
    experiment.refresh_from_db()
    assert experiment.status == "done" and len(chat.requests) == 3
    assert list(whole_log(session.pk)) == log and not being_asked([session.pk])

    shown = page_of(client, f"{experiment.get_absolute_url()}?against=1")
    assert "<del>fly </del><ins>walk </ins>" in shown and "<ins>Rome</ins>" in shown
    assert SCRIPT not in shown and "&lt;" in shown
    assert "3 answers are words alone" in shown and "100 + 10 tokens" in shown and "1.000100 USD" in shown
    (use,) = use_by_endpoint()["other"].uses
    assert (use.role, use.calls) == ("experiment", 3)


def test_errors_are_told_beside_the_answers_that_came(
    session: Session, chat: ChatServer, client: Client
) -> None:
    experiment = begin(session, chat, refuses(400), says(None), refuses(401), "Yes.", times=4)
    assert experiment_job(experiment.pk)
    experiment.refresh_from_db()
    shown = page_of(client, experiment)
    assert experiment.status == "done" and "4 of 4 answers" in shown
    assert "the request was refused" in shown and "the key was refused" in shown and "Yes." in shown


@pytest.mark.storage
def test_a_stopped_experiment_keeps_its_answers_and_can_be_deleted(
    session: Session, chat: ChatServer, client: Client
) -> None:
    experiment = begin(session, chat, "Yes.", times=2)
    where = experiment.get_absolute_url()
    assert "Stop the experiment first" in client.post(f"{where}delete/", follow=True).content.decode()
    client.post(f"{where}stop/")
    assert experiment_job(experiment.pk)
    experiment.refresh_from_db()
    assert (experiment.status, chat.requests) == ("stopped", [])
    assert client.get(f"{where}live/").headers["HX-Refresh"]
    client.post(f"{where}delete/")
    assert not Experiment.objects.exists()


def test_a_deleted_model_is_named(session: Session, chat: ChatServer, client: Client) -> None:
    experiment = begin(session, chat, "Yes.")
    ModelEndpoint.objects.get(name="other").delete()
    assert experiment_job(experiment.pk)
    experiment.refresh_from_db()
    assert experiment.status == "failed" and "“other” was deleted" in page_of(client, experiment)


def test_too_many_answers_are_refused(session: Session, chat: ChatServer) -> None:
    with pytest.raises(ChoiceRefused, match="between 1 and 20"):
        begin(session, chat, "Yes.", times=21)
    assert not Experiment.objects.exists() and not Job.objects.filter(kind=EXPERIMENT.name).exists()


def form_of(client: Client, where: str, act: str, **given: Any) -> Any:
    return client.post(where, {"act": act, "times": 2, "endpoint": "live", "temperature": "0", **given})


def test_a_request_is_edited_asked_and_edited_again(
    session: Session, server: ModelServer, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "sk-very-secret")
    endpoint_at(
        server.url, "good-agent", name="live", key_variable="SOME_API_KEY", input_price=1, output_price=2
    )
    call = agent_call(session, with_calls=True)
    assert call.exchange is not None
    sent = call.exchange.request
    where = reverse("experiments", args=[session.pk, call.seq])
    first = page_of(client, where)
    assert first.count('name="message"') == len(sent.messages) and where in page_of(
        client, reverse("model_call", args=[session.pk, call.seq])
    )
    keys = [f"k{number}" for number in range(1, len(sent.messages) + 1)]
    tools = json.dumps(list(sent.tools), default=dict)
    opened = form_of(client, where, "edit:k1", message=keys, tools=tools).content.decode()
    assert 'name="e1-content"' in opened and "USD at most" in opened and not Experiment.objects.exists()

    words = "Be brief.\n" + sent.messages[0]["content"]
    edited = {"message": ["e1", *keys[1:]], "e1-role": "system", "e1-content": words.replace("\n", "\r\n")}
    answer = form_of(client, where, "ask", tools=tools, **edited)
    experiment = Experiment.objects.get()
    assert answer.headers["Location"] == experiment.get_absolute_url()
    asked = request_in(experiment)
    assert asked.messages == ({"role": "system", "content": words}, *sent.messages[1:])
    assert asked.tools == tuple(json.loads(tools)) and asked.temperature == 0.0
    assert experiment_job(experiment.pk)
    shown = page_of(client, experiment)
    assert "2 of 2 answers" in shown and "Message 1, system, was edited" in shown
    assert "sk-very-secret" not in shown and "<ins>Be brief." in shown
    assert all(answer.reply and answer.reply["calls"] for answer in experiment.answers.all())
    assert "2 answers call" in shown

    again = page_of(client, f"{where}?base={experiment.pk}")
    assert "Be brief." in again and experiment.pk in again
    repeated = form_of(client, where, "ask", base=experiment.pk, message=keys, tools="")
    assert repeated.status_code == 302
    assert request_in(Experiment.objects.latest("created_at")).messages == asked.messages


def test_what_can_not_be_sent_is_told_by_message_and_field_and_asked_of_nobody(
    session: Session, server: ModelServer, client: Client
) -> None:
    endpoint_at(server.url, "good-agent", name="live")
    call = agent_call(session, with_calls=True)
    assert call.exchange is not None
    where = reverse("experiments", args=[session.pk, call.seq])
    messages = call.exchange.request.messages
    keys = [f"k{number}" for number in range(1, len(messages) + 1)]
    tool = next(number for number, message in enumerate(messages, 1) if message["role"] == "tool")
    without = [key for key in keys if key != f"k{tool}"]
    wrong = {"message": without, "tools": '[\n{"type": "function"}]', "times": 30, "temperature": "x"}
    told = form_of(client, where, "ask", **wrong).content.decode()
    assert f"Message {tool - 1}, tool_calls: no tool message right after it answers" in told
    assert "Line 2, tool 1:" in told and "less than or equal to 20" in told and "Enter a number" in told
    assert form_of(client, where, "ask", message=["k9999"]).status_code == 400
    assert "choose another" in form_of(client, where, "ask", message=keys, endpoint="none").content.decode()
    assert not Experiment.objects.exists() and not Job.objects.filter(kind=EXPERIMENT.name).exists()


def test_only_calls_whose_request_was_recorded_can_be_asked_again(session: Session, client: Client) -> None:
    assert client.get(reverse("experiments", args=[session.pk, 1])).status_code == 404
    call = agent_call(session)
    assert client.get(f"{reverse('experiments', args=[session.pk, call.seq])}?base=none").status_code == 404
    session.exchanges.all().delete()
    assert client.get(reverse("experiments", args=[session.pk, call.seq])).status_code == 404


# Forks.


def asked_and_answered(session: Session, seq: int, endpoint: ModelEndpoint, times: int = 1) -> Experiment:
    """An experiment with the request of a call as it was, ended."""
    call = call_at(session, seq)
    assert call is not None and call.exchange is not None
    experiment = services.start_experiment(
        session=session,
        log=whole_log(session.pk),
        seq=seq,
        endpoint=endpoint,
        setup=services.setup_for(endpoint),
        request=call.exchange.request,
        times=times,
    )
    assert experiment_job(experiment.pk)
    return experiment


def last_call(session: Session, *, seat: str, followed_by: str) -> int:
    """The last request of a seat whose answer became such an event, and that is not the session's last."""
    log = whole_log(session.pk)
    asked = [event.seq for event in log if getattr(event.body, "seat", "") == seat and _asks(event)]
    return next(
        seq
        for seq in reversed(asked[:-1])
        if followed_by in [event.body.type for event in log[seq : seq + 2]]
    )


def _asks(event: Event) -> bool:
    return isinstance(event.body, ModelCalled)


def over_others(session: Session, server: ModelServer) -> Players:
    agent, users = (endpoint_at(server.url, f"good-{who}", name=f"other-{who}") for who in ("agent", "user"))
    return replace(Players.of(session), agent_model=agent, user_model=users)


@pytest.mark.parametrize("seat", ["Agent", "User1"])
def test_a_fork_from_an_answer_plays_it_as_the_model_s_own_and_goes_on(
    session: Session, chat: ChatServer, server: ModelServer, client: Client, seat: str
) -> None:
    log = list(whole_log(session.pk))
    players = over_others(session, server)
    chat.replies.append(says("The harbour first."))
    seq = last_call(session, seat=seat, followed_by="message_posted")
    experiment = asked_and_answered(session, seq, endpoint_at(chat.url, "other", concurrency=1))
    answer = experiment.answers.get()
    made = services.fork_from_answer(
        experiment=experiment, answer=answer, players=players, seat=seat, start=False
    )
    assert advance(made.pk, budget_s=0.0, paced=False)
    own = [event.body for event in whole_log(made.pk)][seq - 1 :]
    called, posted = (
        next(body for body in own if isinstance(body, kind)) for kind in (ModelCalled, MessagePosted)
    )
    assert (called.seat, called.answered, posted.role, posted.content) == (
        seat,
        True,
        seat,
        "The harbour first.",
    )
    assert called.tokens == Usage(0, 0) and f"answer 1 of experiment {experiment.pk}" in called.note
    forked = own[0]
    assert isinstance(forked, SessionForked) and forked.answer is not None
    assert (forked.answer.call, forked.answer.number, forked.answer.request) == (seq, 1, experiment.digest)
    assert len(chat.requests) == 1 and not server.ledger.entries, "nobody was asked again"

    played = play(made)
    assert played.status == "finished" and server.ledger.entries
    assert list(whole_log(session.pk)) == log
    again = play(replay(session=played, start=False))
    verdict = verdict_of(again)
    assert verdict is not None and verdict.identical
    shown = page_of(client, played.get_absolute_url())
    assert f"is answer 1 of experiment <code>{experiment.pk}</code>" in shown
    assert experiment.get_absolute_url() in shown and played.pk in page_of(client, experiment)
    experiment.refresh_from_db()
    services.delete_experiment(experiment=experiment)
    assert experiment.pk in page_of(client, played.get_absolute_url())


def test_tool_calls_of_an_answer_are_made(session: Session, server: ModelServer, client: Client) -> None:
    seq = last_call(session, seat="Agent", followed_by="tool_called")
    players = over_others(session, server)
    loops = endpoint_at(server.url, "loops", name="repeats")
    experiment = asked_and_answered(session, seq, loops, times=2)
    answer = experiment.answers.get(number=2)
    where = f"{experiment.get_absolute_url()}answers/2/fork/"
    assert where in page_of(client, experiment) and "as if its" in page_of(client, where)
    given = {"agent_model": players.agent_model, "user_model": players.user_model}
    chosen = {name: model.name for name, model in given.items() if model}
    assert "This field is required" in client.post(where, {}).content.decode()
    response = client.post(where, {**chosen, "seed": session.seed})
    made = Session.objects.get(fork_of=session)
    assert response.headers["Location"] == made.get_absolute_url()
    assert advance(made.pk, budget_s=0.0, paced=False)
    wanted = [(call["name"], json.loads(call["arguments"])) for call in answer.reply["calls"]]
    own = [event.body for event in whole_log(made.pk)][seq:]
    assert [(body.name, body.arguments) for body in own if isinstance(body, ToolCalled)] == wanted != []


def test_why_a_fork_is_not_possible_is_said(session: Session, chat: ChatServer, client: Client) -> None:
    seq = last_call(session, seat="Agent", followed_by="tool_called")
    chat.replies.extend([refuses(400), says("Yes.")])
    experiment = asked_and_answered(session, seq, endpoint_at(chat.url, "other", concurrency=1), times=2)
    assert why_not_before(session, seq) == ""
    players = Players.of(session)
    failed = experiment.answers.get(number=1)
    with pytest.raises(ChoiceRefused, match="has not come, or failed"):
        services.fork_from_answer(experiment=experiment, answer=failed, players=players, seat="Agent")
    Session.objects.filter(pk=session.pk).update(agent="react")
    told = page_of(client, experiment)
    assert "Agent was “llm” at event" in told and "Fork from this answer" not in told
    where = f"{experiment.get_absolute_url()}answers/2/fork/"
    assert client.get(where).status_code == client.post(where, {"seed": 1}).status_code == 409
    assert not Session.objects.filter(fork_of=session).exists()


@pytest.mark.parametrize(
    ("suite", "agent"),
    [("travelbench", "llm"), ("traveleval", "llm"), ("tripscore", "direct"), ("tripbench", "llm")],
)
def test_a_fork_from_an_answer_goes_on_in_every_benchmark(
    suite: str, agent: str, starter_world: World, chat: ChatServer
) -> None:
    """Of a session that was stopped after the first words of its agent."""
    load_starter_tasks([suite])
    task = Task.objects.filter(suite=suite).order_by("position").first()
    assert task is not None
    chat.replies.append(says("I must look first."))
    setup = Setup(agent=agent, agent_model=endpoint_at(chat.url, "first", patience_s=0))
    session = create_session(task=task, world=starter_world, setup=setup, start=False)
    while not any(isinstance(event.body, ModelCalled) for event in whole_log(session.pk)):
        assert advance(session.pk, budget_s=0.0, paced=False)
    log = list(whole_log(session.pk))
    seq = next(event.seq for event in log if isinstance(event.body, ModelCalled))
    session.refresh_from_db()
    chat.replies.append(says("There is nothing to look at."))
    chat.replies.popleft()
    experiment = asked_and_answered(session, seq, endpoint_at(chat.url, "other"))
    asked = len(chat.requests)
    made = services.fork_from_answer(
        experiment=experiment,
        answer=experiment.answers.get(),
        players=Players.of(session),
        seat="Agent",
        start=False,
    )
    assert advance(made.pk, budget_s=0.0, paced=False)
    forked, *own = [event.body for event in whole_log(made.pk)][seq - 1 :]
    assert isinstance(forked, SessionForked) and forked.answer is not None and forked.answer.call == seq
    called = next(body for body in own if isinstance(body, ModelCalled))
    assert called.answered and f"answer 1 of experiment {experiment.pk}" in called.note
    said = [body.model_dump_json() for body in own if body.type != "model_called"]
    assert any("There is nothing to look at." in words for words in said)
    assert len(chat.requests) == asked and list(whole_log(session.pk)) == log
