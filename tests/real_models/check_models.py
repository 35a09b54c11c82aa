"""Every scaffold, both kinds of seat, the judge, embeddings and a killed server, over a real one."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator

import pytest

from benchmark.core.events import ModelCalled
from benchmark.core.participant import OverModel
from benchmark.models.probe import Probe, probe
from benchmark.suites.grouptravel import tasks
from benchmark.suites.grouptravel.participants import AGENTS
from sandbox.calls import Call
from sandbox.retrieval.endpoint import EndpointEmbedder, EndpointSettings
from tests.real_models.checks import EndedSession, check_end, play_to_end, stepped
from tests.real_models.server import RealServer, real_server
from tests.real_models.table import Row, keep
from tests.seating import endpoint_at
from webapp.catalogue.models import Task, World
from webapp.endpoints.models import ModelEndpoint
from webapp.jobs.models import Job
from webapp.judging import selectors as judging
from webapp.judging import services as judges
from webapp.judging.models import Status
from webapp.sessions import services
from webapp.sessions.log import whole_log
from webapp.sessions.models import Session
from worker.steppers.judgements import advance_judgement

pytestmark = pytest.mark.django_db(transaction=True)

CONTEXTS = {"-c 1024 --ignore-eos": 1024, "-c 2048": 2048, "-c 16384": 8192}
"""Tokens that the server has with these switches: this model was trained for 8,192, and llama.cpp gives no more."""
SCAFFOLDS = [name for name, kind in AGENTS.items() if isinstance(kind, OverModel)]
SEATS = [*((agent, "scripted") for agent in SCAFFOLDS), ("reference", "llm"), ("llm", "llm")]
LONGEST_ANSWER = 48
"""Tokens: the model goes on for ever otherwise, in the middle of nowhere."""


@pytest.fixture(scope="module", params=CONTEXTS)
def server(request: pytest.FixtureRequest) -> Iterator[RealServer]:
    with real_server(*request.param.split()) as running:
        yield running


@pytest.fixture(autouse=True)
def no_traceback(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    caplog.set_level(logging.INFO)
    yield
    assert [record.getMessage() for record in caplog.get_records("call") if record.exc_info] == []


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two rounds, then the plan is demanded: a processor alone is slow."""
    monkeypatch.setattr(tasks.Task, "limits", property(lambda _task: (2, 2)))


@pytest.fixture
def task(starter_tasks: list[Task]) -> Task:
    """An English one: the model knows no Chinese, which costs it two tokens a character."""
    return next(task for task in starter_tasks if (task.language, task.difficulty) == ("en", "easy"))


def switches_of(server: RealServer) -> str:
    return " ".join(server.switches)


def endpoint(server: RealServer, **settings: object) -> ModelEndpoint:
    given = {"max_tokens": LONGEST_ANSWER, "concurrency": 1, "timeout_s": 300.0, "deadline_s": 600.0}
    return endpoint_at(server.url, "smollm2", **{**given, **settings})


def began(task: Task, world: World, agent: str, users: str, model: ModelEndpoint) -> Session:
    setup = services.Setup(
        agent=agent,
        users=users,
        agent_model=model if agent in SCAFFOLDS else None,
        user_model=model if users == "llm" else None,
    )
    return services.create_session(task=task, world=world, setup=setup, start=False)


def keep_row(server: RealServer, what: str, ended: EndedSession) -> None:
    reason = ended.session.completion_reason
    keep(Row(switches_of(server), what, reason, len(ended.calls), ended.seconds, ended.error))


def test_an_answer_without_a_limit_fills_the_context(task: Task, starter_world: World) -> None:
    """As endpoints are by default: at most 8,192 tokens of answer, whatever the server's context."""
    with real_server("-c", "4096", "--ignore-eos") as server:
        model = endpoint(server, max_tokens=8192)
        ended = play_to_end(began(task, starter_world, "reference", "llm", model))
        keep_row(server, "reference, llm travellers, 8,192 tokens an answer", ended)
        check_end(ended, 4096)
    full = ended.calls[-1]
    assert ended.session.completion_reason == "context_overflow" and full.tokens is not None


def test_embeddings(task: Task, starter_world: World) -> None:
    with real_server("-c", "2048", "--embeddings", "--pooling", "mean") as server:
        begun = time.monotonic()
        settings = EndpointSettings(url=server.url, model="smollm2", key_variable="")
        embedder = EndpointEmbedder(settings)
        calls = [Call("search_poi", {"city": city}) for city in ("Suzhou", "Hangzhou", "Suzhou")]
        vectors = embedder.embed(calls)
        assert vectors.shape == (3, embedder.dimension) and (vectors[0] == vectors[2]).all()
        said = f"{embedder.dimension} dimensions"
        keep(Row(switches_of(server), "embeddings of three calls", "done", 2, time.monotonic() - begun, said))
        ended = play_to_end(began(task, starter_world, "llm", "scripted", endpoint(server)))
        keep_row(server, "llm, scripted travellers", ended)
        check_end(ended, 2048)


def test_a_server_killed_in_the_middle_of_an_answer(task: Task, starter_world: World) -> None:
    with real_server("-c", "16384") as server:
        model = endpoint(server, patience_s=3600.0, max_tokens=400)
        session = began(task, starter_world, "direct", "scripted", model)
        killed = killing(server)
        begun = time.monotonic()
        while not (failed := _failed_calls(session)) and time.monotonic() - begun < 300:
            stepped(session)
        assert failed
        killed.join()
        server.start()
        ended = play_to_end(session)
        keep_row(server, "killed in an answer, started again", ended)
        check_end(ended, 16384)
        assert ended.session.completion_reason != "connection_error"
        assert any(call.answered for call in ended.calls[ended.calls.index(failed[0]) :])


def test_a_server_that_stays_away(task: Task, starter_world: World) -> None:
    with real_server("-c", "16384") as server:
        session = began(
            task, starter_world, "direct", "scripted", endpoint(server, patience_s=20.0, max_tokens=400)
        )
        killed = killing(server)
        ended = play_to_end(session)
        killed.join()
    keep_row(server, "killed in an answer, for good", ended)
    check_end(ended, 16384)
    assert ended.session.completion_reason == "connection_error"
    assert "Is the server running" in ended.error


@pytest.mark.parametrize(("agent", "users"), SEATS)
def test_a_session_ends_for_a_true_reason(
    server: RealServer, task: Task, starter_world: World, agent: str, users: str
) -> None:
    ended = play_to_end(began(task, starter_world, agent, users, endpoint(server)))
    keep_row(server, f"{agent}, {users} travellers", ended)
    check_end(ended, CONTEXTS[switches_of(server)])


def test_a_judge_ends_in_a_verdict_or_says_why_not(
    server: RealServer, task: Task, starter_world: World
) -> None:
    session = began(task, starter_world, "reference", "scripted", endpoint(server))
    play_to_end(session)
    begun = time.monotonic()
    batch = judges.start_batch(sessions=[session], judge=ModelEndpoint.objects.get())
    while due := judging.due_in(batch):
        for pk in due:
            advance_judgement(pk)
        Job.objects.update(due_at=None)
    row = batch.judgements.get()
    assert row.status in (Status.JUDGED, Status.BROKEN, Status.FAILED)
    assert row.status == Status.JUDGED or row.problem or row.faults or row.meta_faults
    if row.status == Status.FAILED:
        assert "llama-server -c" in row.problem
    said = row.problem or "; ".join(fault["kind"] if "kind" in fault else str(fault) for fault in row.faults)
    keep(Row(switches_of(server), "judge", row.status, len(row.calls), time.monotonic() - begun, said))


def test_a_test_says_what_the_server_can(server: RealServer) -> None:
    begun = time.monotonic()
    found = probe(endpoint(server).setup())
    works = {each.capability: each.works for each in found.findings}
    assert works["chat"] is not False
    assert all(each.works is not None or each.failure == "timeout" for each in found.findings)
    assert found.listing.context == CONTEXTS[switches_of(server)]
    assert found.listing.model_names and "smollm2" not in found.listing.model_names
    keep(
        Row(
            switches_of(server),
            "test of the endpoint",
            "done",
            len(works),
            time.monotonic() - begun,
            _findings_text(found),
        )
    )


def _findings_text(found: Probe) -> str:
    words = {True: "yes", False: "no", None: "not found out"}
    seen = ", ".join(f"{each.capability} {words[each.works]}" for each in found.findings)
    return f"{seen}; context {found.listing.context}"


def killing(server: RealServer) -> threading.Thread:
    """Kill the server as soon as it has written the first words of an answer."""

    def watch() -> None:
        while server.tokens_written() < 3:
            time.sleep(0.05)
        server.kill()

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    return thread


def _failed_calls(session: Session) -> list[ModelCalled]:
    bodies = (event.body for event in whole_log(session.pk))
    return [body for body in bodies if isinstance(body, ModelCalled) and not body.answered]
