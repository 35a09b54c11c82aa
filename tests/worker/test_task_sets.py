"""Sets of tasks as jobs: progress, cancelling, workers that die of them, and the same bytes as the command's."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from benchmark.core.model_use import ModelUse
from tests.chat_server import chat_server, refuses, says
from tests.seating import endpoint_at
from webapp.accounts.models import Role, User
from webapp.catalogue.models import Task, TaskCollection, TaskImport, World
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.selectors import use_by_endpoint
from webapp.jobs import services as jobs
from webapp.jobs.models import Job, State
from webapp.synthesis import services
from webapp.synthesis.jobs import PREVIEW, SET
from webapp.synthesis.models import TaskSynthesis
from worker import task_making
from worker.steppers import STEPPERS
from worker.steppers import task_sets as stepper
from worker.steppers.task_sets import task_preview, task_set

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.storage]
COUNT = 6
ORDER = {
    "count": COUNT,
    "seed": 3,
    "language": "zh",
    "first": None,
    "last": None,
    "first_id": 1,
    "prove": False,
}


class WorkerKilled(BaseException):
    """What a worker that is killed does not handle."""


@pytest.fixture(autouse=True)
def own_data(
    starter_world: World, tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> World:
    """A data folder of this test's own, with the world in it; every task is told, and made in this process."""
    pack = starter_world.path
    settings.CARAVAN_DATA = tmp_path
    starter_world.path.hardlink_to(pack)
    monkeypatch.setattr(stepper, "TELL_S", 0.0)
    monkeypatch.setattr(task_making, "processors", lambda: 1)
    return starter_world


def ask_for_tasks(
    world: World, name: str = "made", endpoint: ModelEndpoint | None = None, **order: Any
) -> TaskSynthesis:
    return services.ask_for(
        suite="grouptravel",
        collection=name,
        world=world,
        endpoint=endpoint,
        order=ORDER | order,
        preview=False,
        created_by=None,
    )


def by_command(out: Path, **order: Any) -> bytes:
    given = {"world": "starter", "count": COUNT, "seed": 3, "no_proofs": True, "workers": 1, **order}
    call_command("synthesize", out=out, stdout=StringIO(), **given)
    return out.read_bytes()


def lease_runs_out() -> None:
    Job.objects.update(expires_at=timezone.now() - timedelta(seconds=1))


def dies_at(monkeypatch: pytest.MonkeyPatch, name: str, when: Any) -> None:
    """The worker is killed when this service is called so."""
    whole = getattr(services, name)

    def call(*given: Any, **named: Any) -> Any:
        if when(named):
            monkeypatch.setattr(services, name, whole)
            raise WorkerKilled
        return whole(*given, **named)

    monkeypatch.setattr(services, name, call)


def test_a_killed_worker_costs_no_task_and_the_file_is_the_commands(
    own_data: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row, filled = ask_for_tasks(own_data), list[int]()
    dies_at(monkeypatch, "tell_progress", lambda named: named["done"] == 4)
    with pytest.raises(WorkerKilled):
        task_set(row.pk)
    assert not task_set(row.pk), "somebody else has it"
    row.refresh_from_db()
    assert (row.status, row.done, row.of) == ("running", 3, COUNT)
    lease_runs_out()
    told = services.tell_progress

    def telling(**named: Any) -> None:
        filled.append(named["done"])
        told(**named)

    monkeypatch.setattr(services, "tell_progress", telling)
    assert jobs.due(kind=SET) == [row.pk] and STEPPERS[SET.name](row.pk)
    row.refresh_from_db()
    assert (row.status, Job.objects.get().state) == ("done", State.DONE)
    assert filled[0] == 4, "what was made before is not made again"
    assert TaskCollection.objects.get(name="made").tasks.count() == COUNT
    assert row.output_file.read_bytes() == by_command(tmp_path / "command.jsonl")


@pytest.mark.parametrize("at", ["before", "within", "after"])
def test_a_worker_killed_while_tasks_come_in_brings_each_once(
    own_data: World, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    row, whole = ask_for_tasks(own_data), services._bring

    def bring(pk: str, incoming: TaskImport) -> None:
        if at == "within":
            whole(pk, incoming)
        raise WorkerKilled

    def die(**named: Any) -> None:
        raise WorkerKilled

    with monkeypatch.context() as dying:
        if at == "after":
            dying.setattr(jobs, "finish", die)
        else:
            dying.setattr(services, "_bring", bring)
            dying.setattr("webapp.catalogue.imports.discard", lambda incoming: None)
        with pytest.raises(WorkerKilled):
            task_set(row.pk)
    lease_runs_out()
    made = row.output_file.stat().st_mtime_ns
    assert task_set(row.pk)
    row.refresh_from_db()
    assert row.status == "done" and row.output_file.stat().st_mtime_ns == made
    assert Task.staged_too.count() == Task.objects.count() == COUNT
    assert TaskCollection.objects.get().imports.filter(complete=True).count() == 1


def test_a_cancelled_set_keeps_what_is_done_and_goes_on(
    own_data: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    row, told = ask_for_tasks(own_data), services.tell_progress

    def cancelling(**named: Any) -> None:
        told(**named)
        if named["done"] == 2:
            services.stop(row=row)

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(services, "tell_progress", cancelling)
        # as the lease keeper finds out within a second
        meanwhile.setattr(
            stepper, "_check_wanted", lambda claimed: lambda: not Job.objects.get().cancel_requested
        )
        assert task_set(row.pk)
    row.refresh_from_db()
    assert (row.status, row.problem, Job.objects.get().state) == ("stopped", "", State.CANCELLED)
    assert not row.output_file.exists() and not Task.staged_too.exists()
    services.begin(row=row)
    services.begin(row=row)
    assert Job.objects.filter(ended_at=None).count() == 1
    assert task_set(row.pk)
    row.refresh_from_db()
    assert row.status == "done" and Task.objects.count() == COUNT


def test_a_set_that_is_cancelled_before_it_begins_never_does(own_data: World) -> None:
    row = ask_for_tasks(own_data)
    services.stop(row=row)
    assert task_set(row.pk)
    row.refresh_from_db()
    assert row.status == "stopped" and not row.output_file.exists()


def test_ids_that_were_taken_meanwhile_are_told_and_the_file_stays(own_data: World) -> None:
    row = ask_for_tasks(own_data)
    other = ask_for_tasks(own_data, "other", first_id=100)
    assert task_set(other.pk)
    Task.objects.filter(task_id="task_000100").update(task_id="task_000002")
    assert task_set(row.pk)
    row.refresh_from_db()
    assert row.status == "failed" and "give this one another id" in row.problem and row.output_file.exists()
    assert not TaskCollection.objects.filter(name="made").exists()


def test_one_set_of_the_sampler_is_made_at_a_time(own_data: World) -> None:
    first, second = ask_for_tasks(own_data), ask_for_tasks(own_data, "other", first_id=100)
    third = ask_for_tasks(
        own_data, "over a model", endpoint_at("http://127.0.0.1:9/v1", "writer"), first_id=200
    )
    assert set(jobs.due(kind=SET)) == {first.pk, third.pk}
    held = jobs.claim(kind=SET, subject=first.pk)
    assert held is not None and jobs.claim(kind=SET, subject=second.pk) is None
    jobs.finish(claimed=held)
    assert jobs.claim(kind=SET, subject=second.pk) is not None


def test_a_model_that_was_deleted_is_told(own_data: World) -> None:
    endpoint = endpoint_at("http://127.0.0.1:9/v1", "writer")
    row = ask_for_tasks(own_data, endpoint=endpoint)
    endpoint.delete()
    assert task_set(row.pk)
    row.refresh_from_db()
    assert row.status == "failed" and "no model “writer” any more" in row.problem


def test_a_preview_over_a_model_asks_it_and_tells_what_it_did_not_write(own_data: World) -> None:
    with chat_server() as chat:
        chat.replies.append(says("no"))
        row = ask_for_tasks(own_data, endpoint=endpoint_at(chat.url, "writer", patience_s=0), count=1)
        TaskSynthesis.objects.update(status="looking")
        jobs.add(kind=PREVIEW, subjects=[row.pk])
        assert task_preview(row.pk)
        assert len(chat.requests) > 3
    row.refresh_from_db()
    assert row.use is not None and row.use.calls == row.use.answered == len(chat.requests)
    (place,) = row.sample["places"]
    assert place["task"] is None and len(place["failures"]) == 4


def test_what_a_set_asks_of_its_model_counts_on_the_pages_of_both(own_data: World, client: Client) -> None:
    client.force_login(User.objects.create_user("researcher", role=Role.RESEARCHER))
    endpoint = endpoint_at("http://127.0.0.1:9/v1", "writer", patience_s=0, input_price=1e6, output_price=0)
    address = endpoint.get_absolute_url()
    assert "writer of tasks" not in client.get(address).content.decode()
    with chat_server() as chat:
        chat.replies.extend([says("no")] * 5 + [refuses(500)])
        ModelEndpoint.objects.update(base_url=chat.url)
        row = ask_for_tasks(own_data, endpoint=ModelEndpoint.objects.get(), count=2)
        assert task_set(row.pk)
        row.refresh_from_db()
        assert row.status == "failed"
        assert row.use is not None and row.use.calls == len(chat.requests) > 5
        assert (row.use.answered, row.use.failures["server"]) == (5, row.use.calls - 5)
        before = row.use.calls
        services.begin(row=row)
        assert task_set(row.pk)
        row.refresh_from_db()
        assert row.use.calls == len(chat.requests) > before, "going on adds to it"
    ask_for_tasks(own_data, "by the sampler", first_id=100)
    found = use_by_endpoint(endpoint)["writer"]
    assert (found.sessions, found.judgements, found.whole.calls) == (0, 0, row.use.calls)
    assert [(use.endpoint, use.role) for use in found.uses] == [("writer", "writer")]
    assert use_by_endpoint().keys() == {"writer"}
    for page in (address, row.get_absolute_url()):
        told = client.get(page).content.decode()
        assert "writer of tasks" in told and f'<td class="n">{row.use.calls}</td>' in told


def test_figures_that_two_workers_store_add_up(own_data: World) -> None:
    row = ask_for_tasks(own_data, endpoint=endpoint_at("http://127.0.0.1:9/v1", "writer"))
    for _worker in range(2):
        services.count_use(row=row, use=ModelUse(calls=2, costs={"USD": 0.5}))
    row.refresh_from_db()
    assert row.use == ModelUse("writer", "writer", calls=4, costs={"USD": 1.0})
    row.delete()
    services.count_use(row=row, use=ModelUse(calls=2))


def test_another_claim_waits_while_the_file_is_still_being_written(
    own_data: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker may have lost its lease and not know it yet."""
    from benchmark.synthesis import BeingMade

    row, whole, tries = ask_for_tasks(own_data), stepper.make_tasks, list[int]()

    def busy_twice(*given: Any, **named: Any) -> Any:
        tries.append(1)
        if len(tries) < 3:
            raise BeingMade("busy")
        return whole(*given, **named)

    monkeypatch.setattr(stepper, "make_tasks", busy_twice)
    monkeypatch.setattr(stepper, "LOOK_S", 0.01)
    assert task_set(row.pk)
    row.refresh_from_db()
    assert row.status == "done" and len(tries) == 3
