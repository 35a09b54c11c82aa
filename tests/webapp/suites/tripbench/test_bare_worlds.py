"""A world that does not sell what a trip needs is refused before anything starts, in words that say what it lacks."""

from __future__ import annotations

import json
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from benchmark.suites.tripbench.suite import SUITE
from sandbox.toolsets.tripbench.extras import KINDS, ROOMS, TICKETS
from sandbox.toolsets.tripbench.records import Room, Ticket
from sandbox.worlds import PackBuilder
from sandbox.worlds.builder import AnyRecord
from sandbox.worlds.records import Place, Service
from tests.markup import tight
from tests.sandbox.conftest import RECORDS
from webapp.accounts.models import Role, User
from webapp.catalogue.fitting import fit_of
from webapp.catalogue.models import Task, TaskCollection, World
from webapp.catalogue.services import build_world
from webapp.sessions.models import Run, Session

pytestmark = pytest.mark.django_db
TASK = {
    "id": "bare",
    "tier": "easy",
    "subset": "easy",
    "meta": {
        "origin": "上海市",
        "stays": [["杭州市", 1]],
        "start_date": "2026-05-01",
        "end_date": "2026-05-02",
        "people": 2,
    },
    "nodes": [{"instructions": [{"id": "s", "rubric": "hotel.star", "args": {"min": 4}}]}],
}
WAY_BACK = Service(
    number="G7302", mode="高铁", type="高铁", origin_city="杭州市", destination_city="上海市",
    origin_station="杭州东站", destination_station="上海虹桥站", depart="18:00", arrive="18:55",
    duration_minutes=55, price=73,
)  # fmt: skip
Keeps = Callable[[AnyRecord], bool]


def is_place(record: AnyRecord, kind: str) -> bool:
    return isinstance(record, Place) and record.kind == kind


def world_of(name: str, keeps: Keeps, *extras: tuple[Any, str, Any]) -> World:
    def build(target: Path) -> None:
        with PackBuilder(target, name, "", "", extras=KINDS) as pack:
            pack.add_all(record for record in (*RECORDS, WAY_BACK) if keeps(record))
            for kind, key, product in extras:
                pack.add_extra(kind, key, product)
            pack.finish({})

    return build_world(name=name, build=build)


WORLDS: dict[str, tuple[Keeps, tuple[tuple[Any, str, Any], ...], str]] = {
    "hotels": (lambda record: not is_place(record, "hotel"), (), "hotels with rooms for sale in 杭州市"),
    "meals": (lambda record: not is_place(record, "restaurant"), (), "restaurants in 杭州市"),
    "sights": (lambda record: not is_place(record, "attraction"), (), "attractions in 杭州市"),
    "rides": (
        lambda record: not isinstance(record, Service),
        (),
        "trains or flights with tickets for sale from 上海市 to 杭州市",
    ),
    "rooms": (
        lambda record: True,
        ((ROOMS, "elsewhere", Room(id="r", price=80, occupancy=2)),),
        "hotels with rooms for sale in 杭州市",
    ),
    "tickets": (
        lambda record: True,
        ((TICKETS, "elsewhere", Ticket(id="t", platform="p", seat_type="s", price=80)),),
        "trains or flights with tickets for sale from 上海市 to 杭州市",
    ),
}


@pytest.fixture
def task_file(tmp_path: Path) -> Path:
    path = tmp_path / "bare.jsonl"
    path.write_text(json.dumps(TASK))
    return path


@pytest.fixture
def client(db: None) -> Client:
    client = Client()
    client.force_login(User.objects.create_user("researcher", role=Role.RESEARCHER))
    return client


@pytest.mark.parametrize("name", WORLDS)
def test_nothing_starts_where_something_is_not_for_sale(name: str, task_file: Path) -> None:
    keeps, extras, lack = WORLDS[name]
    world = world_of(name, keeps, *extras)
    with pytest.raises(CommandError, match="nothing was imported") as caught:
        call_command("import_tasks", task_file, "--suite", "tripbench", "--world", name)
    assert f"line 1: 'bare' can't be played in world “{name}”, which has no {lack}" in str(caught.value)
    assert not TaskCollection.objects.filter(name="bare").exists()
    call_command("import_tasks", task_file, "--suite", "tripbench")
    for command in (("run", "r", "--tasks", "bare", "--enqueue"), ("run_session", "bare")):
        with pytest.raises(CommandError, match=f"World “{name}” .*no .*{lack}"):
            call_command(*command, "--world", name)
    assert not Run.objects.exists() and not Session.objects.exists()
    fit = fit_of(world, [Task.objects.get(task_id="bare").needs])
    assert not fit.suits and not fit.suits_isolated and lack in fit.in_the_way


def test_a_world_that_sells_all_of_it_is_none_of_these(task_file: Path) -> None:
    world_of("whole", lambda record: True)
    call_command("import_tasks", task_file, "--suite", "tripbench", "--world", "whole")
    call_command("run", "r", "--tasks", "bare", "--enqueue")
    assert Session.objects.count() == 1


def test_a_city_that_is_missing_is_named_once(task_file: Path) -> None:
    read = SUITE.tasks.files.line(task_file, 1)
    assert read is not None
    changed = read.task.model_copy(
        update={"meta": read.task.meta.model_copy(update={"stays": (("无名市", 1),)})}
    )
    fit = fit_of(world_of("whole", lambda record: True), [SUITE.tasks.needs(changed)])
    assert fit.in_the_way == ["无名市"]


def test_the_form_of_a_session_says_what_a_world_does_not_sell(task_file: Path, client: Client) -> None:
    world_of("hotels", WORLDS["hotels"][0])
    call_command("import_tasks", task_file, "--suite", "tripbench")
    asked = {"task": "bare", "world": "hotels", "other_worlds": "on", "mode": "world"}
    page = tight(client.post("/sessions/new/", asked).content.decode())
    assert "hotels can't be used: it lacks hotels with rooms for sale in 杭州市." in unescape(page)
    assert not Session.objects.exists()


@pytest.mark.parametrize(
    ("name", "words"), [("hotels", "no city of world “hotels” has hotels"), ("rides", "no trains or flights")]
)
def test_no_tasks_are_made_there(name: str, words: str, tmp_path: Path) -> None:
    world_of(name, WORLDS[name][0])
    out = tmp_path / "made.jsonl"
    with pytest.raises(CommandError, match=words):
        call_command("synthesize", "--suite", "tripbench", "--world", name, "--count", "1", "--out", out)
    assert not out.exists()
