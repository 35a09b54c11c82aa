"""Sessions run again on their cassettes, through the worker's own steps."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from benchmark.agents import LlmAgent
from benchmark.cassettes import read_cassette
from benchmark.core import engine
from benchmark.core.events import ToolReturned
from benchmark.core.participant import OverModel
from benchmark.models import ChatRequest, Model, ModelSetup, Reply
from benchmark.suites.grouptravel.briefing import BRIEFING
from benchmark.suites.grouptravel.participants import AGENTS
from tests.model_server import model_server
from tests.seating import Make, calls, endpoint_at, play
from tests.worker.raw import Answer, raw_server, whole
from webapp.cassettes.models import ModelExchange, ModelText
from webapp.cassettes.selectors import Verdict, cassette_of, verdict_of
from webapp.cassettes.services import keep, replay
from webapp.catalogue.models import Task, World
from webapp.forms import ChoiceRefused
from webapp.jobs.models import Job
from webapp.sessions import services
from webapp.sessions.jobs import SESSION
from webapp.sessions.log import _cached_logs, whole_log
from webapp.sessions.models import Session, Status
from webapp.sessions.selectors import values_in
from worker.lease_keeper import lease_keeper
from worker.sessions import action, advance

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def built_in(recorded_session: Make) -> Session:
    """An ended session that needs no model."""
    return recorded_session("easy")


@pytest.fixture
def over_models(recorded_session: Make) -> Session:
    """An ended session of models whose server is gone."""
    return recorded_session("models")


Record = Callable[..., Session]


@pytest.fixture
def record(make_model_session: Make) -> Record:
    """Record a session of models over HTTP; the server is gone when it is given back."""

    def play_session(agent: str = "good-agent", *, faults: float = 0.0) -> Session:
        with model_server(faults=faults, seed=5) as server:
            return play(
                make_model_session(endpoint_at(server.url, agent), endpoint_at(server.url, "good-user"))
            )

    return play_session


def play_replay(session: Session, *, budget_s: float | None = None) -> Session:
    return play(replay(session=session, start=False), budget_s=budget_s)


def verdict_on(session: Session) -> Verdict:
    verdict = verdict_of(session)
    assert verdict is not None
    return verdict


def test_a_session_of_built_in_participants_is_replayed_without_its_world(
    built_in: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("worker.sessions.table.tools_of", None)
    again = play_replay(built_in)
    assert verdict_on(again).identical and verdict_on(again).events == built_in.last_seq
    assert (again.replay_of, again.status, again.seed, again.pace) == (built_in, Status.FINISHED, 4, None)
    one, two = built_in.scores.get(profile="published"), again.scores.get(profile="published")
    assert values_in(one) == values_in(two) != {}


@pytest.mark.storage
def test_a_session_of_models_is_replayed_without_a_network(record: Record) -> None:
    session = record(faults=0.3)
    assert session.completion_reason == "plan_generated"
    cassette = cassette_of(session)
    assert [e.number for e in cassette.exchanges] == list(range(1, len(cassette.exchanges) + 1))
    assert [e for e in cassette.exchanges if e.failure] and cassette.tool_results
    sent = [digest for e in ModelExchange.objects.filter(session=session) for digest in e.request["messages"]]
    assert ModelText.objects.filter(session=session).count() < len(sent) / 2  # every message is stored once
    again = play_replay(session)
    assert (str(verdict_on(again).difference), verdict_on(again).seats) == ("None", ())
    assert again.model_use and len(again.model_use) == len(session.model_use or [])


@pytest.mark.parametrize(
    ("agent", "reason"),
    [
        ("loops", "multiple_repeated_tool_calls"),
        ("overflows", "context_overflow"),
        ("good-agent:fail=429:retry_after=0", "rate_limit"),
        ("wordless", "runtime_error"),
    ],
)
def test_however_a_session_ended_it_ends_so_again(record: Record, agent: str, reason: str) -> None:
    session = record(agent)
    assert session.completion_reason == reason
    assert str(verdict_on(play_replay(session)).difference) == "None"


def test_a_replay_in_pieces_goes_on_from_its_log(over_models: Session) -> None:
    assert verdict_on(play_replay(over_models, budget_s=0.0)).identical


@pytest.mark.storage
def test_a_replay_whose_worker_is_killed_goes_on_from_its_log(
    over_models: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    class WorkerKilled(BaseException):
        pass

    again = replay(session=over_models, start=False)
    real, steps = action.step, iter(range(10_000))

    def deadly(*arguments: Any) -> Any:
        made = real(*arguments)
        if next(steps) % 7 == 6:  # models and tools have answered, nothing is stored
            raise WorkerKilled
        return made

    monkeypatch.setattr(action, "step", deadly)
    killed = 0
    while not Session.objects.get(pk=again.pk).ended:
        try:
            advance(again.pk, budget_s=None)
        except WorkerKilled:
            killed += 1
            Job.objects.filter(kind=SESSION.name, subject=again.pk).update(
                expires_at=timezone.now() - timedelta(seconds=1)
            )
    again.refresh_from_db()
    assert killed > 3 and verdict_on(again).identical


class AlteredModel:
    """A model whose agent speaks by a changed prompt."""

    def __init__(self, behind: Model) -> None:
        self.wrapped_model = behind

    @property
    def setup(self) -> ModelSetup:
        return self.wrapped_model.setup

    def ask(self, request: ChatRequest) -> Reply:
        first, *rest = request.messages
        changed = {**first, "content": first["content"] + "\nBe quick."}
        return self.wrapped_model.ask(
            ChatRequest((changed, *rest), request.tools, request.temperature, request.json_object)
        )


def test_a_changed_prompt_is_named_where_the_replay_departs(
    over_models: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(
        AGENTS,
        "llm",
        OverModel(lambda context, model: LlmAgent(BRIEFING, AlteredModel(model)), lambda _: "v9"),
    )
    verdict = verdict_on(again := play_replay(over_models))
    first = next(e.seq for e in whole_log(over_models.pk) if e.body.type == "model_called")
    assert (again.status, verdict.seats) == (Status.CRASHED, ("Agent",))
    assert str(verdict.difference) == (
        f"event {first} (model_called), type: recorded “model_called”, now “error_raised”"
    )
    assert verdict.why.startswith(
        "model call 1 (Agent) departs from the recording: message 1 of role system differs at line "
    )
    assert verdict.why.endswith("↵Be quick.”")


def test_a_stopped_session_is_stopped_where_it_was(make_session: Make) -> None:
    session = make_session()
    for _ in range(12):
        advance(session.pk, budget_s=0.0)
    services.request_stop(Session.objects.filter(pk=session.pk))
    session = play(session)
    assert session.completion_reason == "stopped"
    again = play_replay(session)
    assert (str(verdict_on(again).difference), again.status) == ("None", Status.STOPPED)


def test_a_session_stopped_in_the_middle_of_a_model_call_is_replayed(
    make_model_session: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    with model_server() as server:
        session = make_model_session(endpoint_at(server.url, "good-agent:slow=2"))
        real = action.step

        def stopping(conversation: Any, *others: Any) -> Any:
            if conversation.state.turn:
                services.request_stop(Session.objects.filter(pk=session.pk))
                patched.setattr(lease_keeper(), "is_unwanted", lambda _: True)
            return real(conversation, *others)

        with monkeypatch.context() as patched:
            patched.setattr(action, "step", stopping)
            session = play(session)
    assert session.completion_reason == "stopped"
    assert [e.failure and e.failure.kind for e in cassette_of(session).exchanges] == ["cancelled"]
    again = play_replay(session)
    assert (str(verdict_on(again).difference), again.status) == ("None", Status.STOPPED)


@pytest.mark.parametrize("answered", [1, 2])
def test_a_session_stopped_between_parallel_tool_results_is_replayed(
    make_model_session: Make, monkeypatch: pytest.MonkeyPatch, answered: int
) -> None:
    some = tuple(
        ("search_poi", f'{{"keywords":"{word}","city":"苏州市"}}') for word in ("园", "寺", "塔", "街")
    )

    def answer(body: dict[str, Any]) -> Answer:
        return whole(calls=some) if body.get("tools") else whole("{}")

    with raw_server(answer) as (url, _), monkeypatch.context() as patched:
        patched.setattr(engine, "TOOLS_S", 0.0)  # slow tools: each result is stored by itself
        session = make_model_session(endpoint_at(url, "m"))
        while sum(isinstance(event.body, ToolReturned) for event in whole_log(session.pk)) < answered:
            advance(session.pk, budget_s=0.0, paced=False)
        services.request_stop(Session.objects.filter(pk=session.pk))
        session = play(session)
    assert session.completion_reason == "stopped"
    again = play_replay(session)
    assert (str(verdict_on(again).difference), again.status) == ("None", Status.STOPPED)


def test_a_replay_of_a_replay_is_one_of_the_same_recording(built_in: Session) -> None:
    again = replay(session=replay(session=built_in, start=False), start=False)
    assert again.replay_of == built_in


def test_what_has_not_ended_is_not_replayed(make_session: Make) -> None:
    session = make_session()
    with pytest.raises(ChoiceRefused, match="has not ended"):
        replay(session=session)


def command_output(*arguments: object) -> str:
    out = StringIO()
    call_command("cassette", *map(str, arguments), stdout=out, stderr=StringIO())
    return out.getvalue().strip()


def refusal_of(*arguments: object) -> CommandError:
    with pytest.raises(CommandError) as error:
        command_output(*arguments)
    return error.value


def test_a_colleague_replays_a_file_of_a_session_that_is_not_there(
    over_models: Session, tmp_path: Path
) -> None:
    session, file = over_models, tmp_path / "c.jsonl.gz"
    said = command_output("export", session.pk, file)
    assert (
        said == f"{file}: session {session.pk}, {session.last_seq} events, {len(calls(session))} model calls"
    )
    pk, log = session.pk, whole_log(session.pk)
    session.delete()
    _cached_logs.forget()
    assert "identical" in command_output("rerun", file)
    here = Session.objects.get(replay_of=None)
    assert (here.pk, here.status, whole_log(here.pk)) == (pk, Status.FINISHED, log)
    assert "pc" in values_in(here.scores.get(profile="published"))
    command_output("rerun", file)
    assert Session.objects.filter(replay_of=None).count() == 1  # the one that is there is taken


def test_the_commands_tell_the_verdict(built_in: Session, tmp_path: Path) -> None:
    command_output("export", built_in.pk, tmp_path / "c.jsonl")
    verdict = json.loads(command_output("rerun", built_in.pk, "--json"))
    assert (verdict["recorded"], verdict["identical"], verdict["difference"]) == (built_in.pk, True, None)
    again = Session.objects.get(pk=verdict["now"])
    said = command_output("compare", built_in.pk, again.pk)
    assert said == f"session {again.pk} against {built_in.pk}: identical, {built_in.last_seq} events"


def test_sessions_that_differ_are_told_by_the_exit_code(built_in: Session, recorded_session: Make) -> None:
    other = recorded_session("english")
    error = refusal_of("compare", built_in.pk, other.pk)
    assert (error.returncode, str(error)) == (1, f"session {other.pk} is not the same as {built_in.pk}")


def test_bad_input_is_told_apart(built_in: Session, tmp_path: Path) -> None:
    file = tmp_path / "c.jsonl"
    command_output("export", built_in.pk, file)
    (tmp_path / "bad.jsonl").write_text("{}\n")
    before = Session.objects.count()
    for arguments, words in [
        (("rerun", "zzzz"), "there is no cassette's file or session “zzzz”"),
        (("export", "zzzz", file), "there is no session “zzzz”"),
        (("export", built_in.pk, tmp_path / "no" / "c"), "No such file or directory"),
        (("compare", built_in.pk, "zzzz"), "there is no session “zzzz”"),
        (("rerun", tmp_path / "bad.jsonl"), "line 1, kind: not a cassette"),
    ]:
        error = refusal_of(*arguments)
        assert words in str(error) and error.returncode == 2
    assert Session.objects.count() == before


def test_a_file_whose_task_or_world_is_not_here_is_refused(built_in: Session, tmp_path: Path) -> None:
    file, task, world = tmp_path / "c.jsonl", built_in.task, built_in.world
    command_output("export", built_in.pk, file)
    Session.objects.all().delete()
    _cached_logs.forget()
    World.objects.filter(pk=world.pk).update(pack_hash="0" * 64)
    assert "This installation has no world “starter” in the recorded state" in str(refusal_of("rerun", file))
    World.objects.filter(pk=world.pk).update(pack_hash=world.pack_hash)
    Task.objects.filter(pk=task.pk).update(definition={**task.definition, "query": "another wish"})
    words = (
        f"Task {task.task_id} of this installation is not the one that was recorded: event 1 "
        ".session_opened., query: recorded “.*”, now “ano"
    )
    with pytest.raises(ChoiceRefused, match=words):
        keep(read_cassette(file))
    Task.objects.filter(pk=task.pk).delete()
    with pytest.raises(ChoiceRefused, match=f"This installation has no task {task.task_id}"):
        keep(read_cassette(file))
    assert not Session.objects.exists()
