"""Repairs of runs as jobs: what a model hears, workers that die of them, what is exported, and the pages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from benchmark.agents.briefing import fence_plan
from benchmark.core.actions import Action, CallTools, Say, ToolCall
from benchmark.core.participant import BuiltIn, Cast
from benchmark.repairing import rewrite_replies
from benchmark.suites import suite_named
from benchmark.suites.tripbench import participants as tripbench
from benchmark.suites.tripbench.itineraries import find_plan
from benchmark.suites.tripbench.repairs import judge_reply
from benchmark.suites.tripbench.suite import SUITE
from tests.chat_server import ChatServer, chat_server, refuses, says
from tests.seating import endpoint_at
from tests.training import TALK
from webapp.accounts.models import Role, User
from webapp.catalogue.models import Task, World
from webapp.catalogue.packs import pack_for_scores
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.selectors import use_by_endpoint
from webapp.jobs import services as jobs
from webapp.jobs.models import Job
from webapp.repairs import services
from webapp.repairs.jobs import REPAIR
from webapp.repairs.models import Repair
from webapp.repairs.selectors import being_repaired, counts_of
from webapp.sessions.log import read_log
from webapp.sessions.models import Run, Session
from webapp.sessions.services import Setup, create_session
from webapp.sessions.setting import setting_of
from worker.sessions import advance
from worker.steppers import STEPPERS
from worker.steppers.repairs import repair_job

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.either_engine]


class WorkerKilled(BaseException):
    """What a worker that is killed does not handle."""


@dataclass
class Spoiler:
    """Plays as another agent does, looks up what that one plans, and leaves out the last day of its plans."""

    agent: Any

    def act(self, view: Any) -> Action:
        action = self.agent.act(view)
        plan = find_plan(action.content) if isinstance(action, Say) else None
        if plan is None:
            return action
        made = [(entry.name, entry.arguments) for entry in view.tool_log]
        missing = [call for call in lookups(plan) if (call.name, call.arguments) not in made]
        if view.turn.tools_allowed and missing:
            return CallTools(tuple(missing))
        plan["trip_plan"]["daily_schedule"].pop()
        return Say(fence_plan(plan))


def lookups(plan: Any) -> Iterator[ToolCall]:
    """Of each thing in a plan the call that tells its products."""
    dates = {"check_in_date": "2026-05-01", "check_out_date": "2026-05-02"}
    for day in plan["trip_plan"]["daily_schedule"]:
        if "hotel" in day:
            yield ToolCall("get_hotel_detail_with_products", {"hotel_id": day["hotel"]["id"], **dates})
        for one in day["activities"]:
            if one["type"] == "Intercity Transportation":
                for kind in ("train", "flight"):
                    given = {f"{kind}_id": one["id"], "date": day["date"]}
                    yield ToolCall(f"get_{kind}_detail_with_products", given)
            elif one["type"] == "Attraction":
                yield ToolCall("get_attraction_detail_with_products", {"poi_id": one["id"]})
            elif one["type"] == "Restaurant":
                yield ToolCall("get_restaurant_detail_with_products", {"restaurant_id": one["id"]})


class Refuser:
    """Plans nothing."""

    def act(self, view: Any) -> Action:
        return Say("I can't.")


@pytest.fixture
def played_run(tmp_path: Path, starter_world: World, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A task of two turns with the reference agent, with one that spoils its plans, and with one that has none."""
    path = tmp_path / "talks.jsonl"
    path.write_text(json.dumps(TALK) + "\n")
    call_command("import_tasks", path, "--suite", "tripbench")
    run = Run.objects.create(name="talks", suite="tripbench", setup={"agent": "reference"}, trials=3)
    task, reference = Task.objects.get(task_id="lake"), tripbench.AGENTS["reference"]
    assert isinstance(reference, BuiltIn)
    agents = [
        reference,
        BuiltIn(lambda context: Spoiler(reference.make(context))),
        BuiltIn(lambda context: Refuser()),
    ]
    for trial, agent in enumerate(agents):
        monkeypatch.setattr(
            tripbench, "CAST", Cast({**tripbench.AGENTS, "reference": agent}, tripbench.USERS)
        )
        setup = Setup(agent="reference", options={"mode": "no issue"})
        session = create_session(
            task=task, world=starter_world, setup=setup, run=run, trial_id=trial, start=False
        )
        advance(session.pk, budget_s=None, paced=False)
    monkeypatch.undo()
    return run


@pytest.fixture
def chat() -> Iterator[ChatServer]:
    with chat_server() as server:
        yield server


def good_answers(run: Run) -> list[str]:
    """What the reference agent said."""
    log = read_log(run.sessions.get(trial_id=0))
    return [event.body.content for event in log if getattr(event.body, "role", "") == "Agent"]


def begin(run: Run, chat: ChatServer, *answers: Any, **endpoint: Any) -> Repair:
    chat.replies.extend(says(answer) if isinstance(answer, str) else answer for answer in answers)
    given = {"patience_s": 0, "concurrency": 1, "input_price": 2e6, "output_price": 0, **endpoint}
    return services.start_repair(run=run, endpoint=endpoint_at(chat.url, "mender", **given))


def lease_runs_out() -> None:
    Job.objects.update(expires_at=timezone.now() - timedelta(seconds=1))


def outcomes(repair: Repair) -> list[tuple[str, str]]:
    return list(repair.sessions.order_by("session__trial_id").values_list("outcome", "reason"))


def export(repair: Repair, folder: Path, format_: str = "sft") -> tuple[list[dict[str, Any]], str]:
    out, said = folder / f"{repair.pk}.{format_}.jsonl", StringIO()
    call_command("export_run", repair.run_id, format=format_, repair=repair.pk, out=out, stdout=said)
    return [json.loads(line) for line in out.read_text().splitlines()], said.getvalue()


@pytest.mark.storage
def test_a_killed_worker_asks_nothing_twice_and_what_passes_is_exported(
    played_run: Run, chat: ChatServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = good_answers(played_run)
    logs = {session.pk: list(read_log(session)) for session in played_run.sessions.all()}
    repair = begin(played_run, chat, "No.", first, second, "No.")
    kept, killed = services.add_answer, list[int]()

    def die_at_the_second(**given: Any) -> None:
        kept(**given)
        killed.append(1)
        if len(killed) == 2:
            raise WorkerKilled

    monkeypatch.setattr(services, "add_answer", die_at_the_second)
    with pytest.raises(WorkerKilled):
        repair_job(repair.pk)
    assert len(chat.requests) == 2 and not repair_job(repair.pk), "somebody else has it"
    lease_runs_out()
    assert jobs.due(kind=REPAIR) == [repair.pk] and STEPPERS[REPAIR.name](repair.pk)
    repair.refresh_from_db()
    assert repair.status == "done", repair.problem
    assert outcomes(repair) == [("sound", ""), ("repaired", ""), ("dropped", "faults")]
    assert len(chat.requests) == 6, "two answers of before, one of the second turn, three for nothing"
    assert {session.pk: list(read_log(session)) for session in played_run.sessions.all()} == logs

    rows, told = export(repair, tmp_path)
    assert [row["trial"] for row in rows] == [0, 1] and "left out: faults 1" in told
    sound, repaired = rows
    assert sound["repairs"] == [] and {row["repair"] for row in rows} == {repair.pk}
    spent = {"prompt_tokens": 200, "completion_tokens": 20, "cost": 400.0, "currency": "USD"}
    one = {"prompt_tokens": 100, "completion_tokens": 10, "cost": 200.0, "currency": "USD"}
    assert repaired["repairs"] == [
        {"turn": 1, "rounds": 2, "model": "mender", **spent},
        {"turn": 2, "rounds": 1, "model": "mender", **one},
    ]
    assert repaired["reward"] == sound["reward"] == 1.0
    assert replies_of(repaired) == [first, second] and set(repaired["message_mask"]) == {0, 1}
    assert any(message["role"] == "tool" for message in repaired["completion"])
    asked = chat.requests[0]["messages"]
    assert asked[0]["role"] == "system" and asked[0]["content"] == repaired["prompt"][0]["content"]
    assert "tools" not in chat.requests[0] and asked[-1]["role"] == "user"
    check_what_is_taught(repair)


def replies_of(row: dict[str, Any]) -> list[str]:
    said = [each for each in row["completion"] if each["role"] == "assistant" and not each["tool_calls"]]
    return [message["content"] for message in said]


def check_what_is_taught(repair: Repair) -> None:
    """Every reply that is exported passes all constraints at its turn."""
    for row in repair.sessions.exclude(outcome="dropped"):
        events = list(read_log(row.session))
        world = pack_for_scores("tripbench", row.session.pack)
        log = rewrite_replies(SUITE.play.rules, events, row.new_words)
        setting = setting_of(row.session, events[0].body, world)
        assert [judge_reply(log, setting, turn["turn"]).faults for turn in row.turns] == [[], []]


def test_a_model_that_gives_no_answer_is_told_and_asked_again_by_going_on(
    played_run: Run, chat: ChatServer
) -> None:
    first, second = good_answers(played_run)
    filtered = '{"error": {"message": "flagged by moderation", "code": "content_filter"}}'
    repair = begin(played_run, chat, refuses(400, filtered))
    assert repair_job(repair.pk)
    repair.refresh_from_db()
    assert (repair.status, outcomes(repair)[1:]) == ("done", [("dropped", "no_answer")] * 2)
    assert counts_of(repair).unanswered == 2
    chat.replies.clear()
    chat.replies.extend([says(first), says(second), says("No.")])
    services.continue_repair(repair=repair)
    assert repair_job(repair.pk)
    assert outcomes(repair) == [("sound", ""), ("repaired", ""), ("dropped", "faults")]
    (use,) = use_by_endpoint()["mender"].uses
    assert (use.role, use.calls, use.failure_count) == ("repairer", 7, 2)


def test_an_endpoint_that_is_away_ends_the_job_with_its_words_and_it_goes_on_where_it_was(
    played_run: Run, chat: ChatServer
) -> None:
    first, second = good_answers(played_run)
    repair = begin(played_run, chat, first, refuses(401))
    assert repair_job(repair.pk)
    repair.refresh_from_db()
    assert repair.status == "failed" and "401" in repair.problem
    assert outcomes(repair) == [("sound", ""), ("", ""), ("", "")]
    chat.replies.clear()
    chat.replies.extend([says(second), says("No.")])
    services.continue_repair(repair=repair)
    assert repair_job(repair.pk)
    assert [row["outcome"] for row in repair.sessions.values("outcome")] == ["sound", "repaired", "dropped"]
    assert len(chat.requests) == 6, "the answer to the first turn was not asked for again"


def test_it_is_stopped_and_deleted_and_a_deleted_model_or_other_rules_are_told(
    played_run: Run, chat: ChatServer, tmp_path: Path
) -> None:
    repair = begin(played_run, chat, "No.")
    session = played_run.sessions.get(trial_id=1).pk
    assert being_repaired([session])
    with pytest.raises(services.ChoiceRefused):
        services.delete_repair(repair=repair)
    services.stop_repair(repair=repair)
    assert repair_job(repair.pk)
    repair.refresh_from_db()
    assert repair.status == "stopped" and not chat.requests and not being_repaired([session])
    assert "not_repaired 3" in export(repair, tmp_path)[1]
    Repair.objects.update(code_version="0")
    repair.refresh_from_db()
    with pytest.raises(services.ChoiceRefused, match="rules have changed"):
        services.continue_repair(repair=repair)
    assert "outdated 3" in export(repair, tmp_path)[1]
    ModelEndpoint.objects.all().delete()
    repair.refresh_from_db()
    with pytest.raises(services.ChoiceRefused, match="was deleted"):
        services.continue_repair(repair=repair)
    services.delete_repair(repair=repair)
    assert not Repair.objects.exists() and Session.objects.count() == 3


def test_a_log_that_can_not_be_read_drops_its_session_alone(played_run: Run, chat: ChatServer) -> None:
    repair = begin(played_run, chat, "No.")
    played_run.sessions.get(trial_id=1).events.filter(type="task_dealt").update(payload={"task": {}})
    assert repair_job(repair.pk)
    assert outcomes(repair) == [("sound", ""), ("dropped", "unreadable"), ("dropped", "faults")]
    assert "ValidationError" in repair.sessions.get(reason="unreadable").problem


def test_the_pages_start_show_and_give_files(played_run: Run, chat: ChatServer) -> None:
    client = Client()
    client.force_login(User.objects.create_user("researcher", role=Role.RESEARCHER))
    where = f"/runs/{played_run.pk}/repairs/"
    assert where in client.get(played_run.get_absolute_url()).content.decode()
    first, second = good_answers(played_run)
    chat.replies.extend([says(first), says(second), says("No.")])
    endpoint = endpoint_at(chat.url, "mender", patience_s=0, concurrency=1)
    assert client.post(where, {"model": "nobody"}).status_code == 200 and not Repair.objects.exists()
    assert client.post(where, {"model": endpoint.name}).status_code == 302
    repair = Repair.objects.get()
    page = repair.get_absolute_url()
    assert 'id="stop-repair"' in client.get(f"{page}live/").content.decode()
    assert repair_job(repair.pk)
    assert client.get(f"{page}live/").headers["HX-Refresh"] == "true"
    shown = client.get(page).content.decode()
    for words in (
        "still at fault after the last round",
        "repaired, 1 round",
        "2: repaired",
        "the plan is not complete",
    ):
        assert words in shown
    assert "repairer of answers" in shown and repair.pk in client.get(where).content.decode()
    got = client.get(f"{page}export.sft")
    rows = [json.loads(line) for line in b"".join(got.streaming_content).splitlines()]  # type: ignore[arg-type]
    assert [row["trial"] for row in rows] == [0, 1]
    assert f"{played_run.pk}.{repair.pk}.sft.jsonl" in got.headers["Content-Disposition"]
    assert client.get(f"{page}export.grpo").status_code == 404
    assert client.get(f"{page}export.sft-parquet").status_code in (200, 409)
    client.post("/language/", {"language": "zh-hans"})
    assert "最后一轮之后仍有问题" in client.get(page).content.decode()
    client.post("/language/", {"language": "en"})
    assert client.post(f"{page}continue/").status_code == 302
    assert client.post(f"{page}stop/").status_code == 302
    repair.refresh_from_db()
    repair_job(repair.pk)
    assert client.post(f"{page}delete/").headers["Location"] == where
    Run.objects.update(suite="travelbench")
    assert client.get(where).status_code == 404


def test_the_command_does_the_same(played_run: Run, chat: ChatServer) -> None:
    first, second = good_answers(played_run)
    chat.replies.extend([says(first), says(second), says("No.")])
    endpoint_at(chat.url, "mender", patience_s=0, concurrency=1)
    said = StringIO()
    call_command("repair_run", "talks", model="mender", json=True, stdout=said)
    told = json.loads(said.getvalue())
    assert told["sessions"] == {"dropped": 1, "repaired": 1, "sound": 1} and told["dropped"] == {"faults": 1}
    assert told["rounds"] == {"1": 2, "2": 0, "3": 0} and told["status"] == "done"
    with pytest.raises(CommandError, match="there is no repair"):
        call_command("repair_run", "talks", "--continue", "nothing")
    chat.replies.clear()
    chat.replies.append(refuses(401))
    with pytest.raises(CommandError, match="--continue"):
        call_command("repair_run", "talks", model="mender", stdout=StringIO())
    failed = Repair.objects.get(status="failed")
    chat.replies.clear()
    chat.replies.append(says("No."))
    said = StringIO()
    call_command("repair_run", "talks", "--continue", failed.pk, stdout=said)
    assert "still at fault after the last round" in said.getvalue()
    with pytest.raises(CommandError, match="gives the format sft alone"):
        call_command("export_run", "talks", format="jsonl", repair=failed.pk, out=Path("/nowhere"))


def test_a_benchmark_that_judges_no_replies_refuses(played_run: Run, chat: ChatServer) -> None:
    Run.objects.update(suite="travelbench")
    played_run.refresh_from_db()
    assert suite_named("travelbench").training is None
    with pytest.raises(services.ChoiceRefused, match="does not say of a reply"):
        begin(played_run, chat, "No.")
