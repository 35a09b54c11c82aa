"""Starting a session."""

from __future__ import annotations

import shutil
from html import unescape
from pathlib import Path

import pytest
from django.test import Client

from sandbox.worlds import PackBuilder
from sandbox.worlds.records import City
from webapp.catalogue.models import Task, World
from webapp.catalogue.services import build_world
from webapp.sessions.models import Session

pytestmark = pytest.mark.django_db

GIVEN = {
    "task": "starter_02",
    "world": "starter",
    "agent": "reference",
    "users": "scripted",
    "seed": "5",
    "protocol": "published",
    "pace": "1.5",
}


def test_a_form_filled_in_starts_a_session(
    as_researcher: Client, starter_world: World, starter_tasks: list[Task]
) -> None:
    response = as_researcher.post("/sessions/new/", GIVEN)
    session = Session.objects.get()
    assert response["Location"] == f"/sessions/{session.pk}/"
    assert (session.seed, session.pace, session.agent, session.users) == (5, 1.5, "reference", "scripted")
    assert session.created_by is not None and session.created_by.username == "researcher"


def test_no_pace_is_as_fast_as_possible(
    as_researcher: Client, starter_world: World, starter_tasks: list[Task]
) -> None:
    as_researcher.post("/sessions/new/", {**GIVEN, "pace": ""})
    as_researcher.post("/sessions/new/", {**GIVEN, "pace": "0"})
    assert [session.pace for session in Session.objects.all()] == [None, None]


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("seed", "-1", "greater than or equal to 0"),
        ("seed", "99999999999", "less than or equal to 2147483647"),
        ("seed", "x", "Enter a whole number"),
        ("pace", "1000", "less than or equal to 60"),
        ("pace", "nan", "Enter a number"),
        ("agent", "nobody", "not one of the available choices"),
        ("task", "none", "not one of the available choices"),
    ],
)
def test_what_is_wrong_is_said_at_its_field(
    as_researcher: Client, starter_world: World, starter_tasks: list[Task], field: str, value: str, words: str
) -> None:
    page = as_researcher.post("/sessions/new/", {**GIVEN, field: value}).content.decode()
    assert words in page
    assert Session.objects.count() == 0


@pytest.fixture
def small_world(db: None, tmp_path: Path) -> World:
    """A world that holds Hangzhou alone."""
    path = tmp_path / "small.sqlite3"
    with PackBuilder(path, "small", "test") as builder:
        builder.add(City(name="杭州市", longitude=120.15, latitude=30.28))
        builder.finish({})
    return build_world(name="small", build=lambda target: shutil.copyfile(path, target))


def test_only_worlds_with_all_cities_are_offered(
    as_researcher: Client, starter_world: World, small_world: World, starter_tasks: list[Task]
) -> None:
    page = unescape(as_researcher.get("/sessions/new/?task=starter_02").content.decode())
    assert '<option value="starter"' in page
    assert '<option value="small"' not in page
    assert "small cannot be used: it lacks 武汉市、苏州市." in page


def test_a_task_that_no_world_holds_says_so(
    as_researcher: Client, small_world: World, starter_tasks: list[Task]
) -> None:
    page = as_researcher.post("/sessions/new/", {**GIVEN, "world": ""}).content.decode()
    assert "No world holds every city of this task; import one." in page


def test_a_world_without_the_cities_is_refused_at_its_field(
    as_researcher: Client, starter_world: World, small_world: World, starter_tasks: list[Task]
) -> None:
    page = as_researcher.post("/sessions/new/", {**GIVEN, "world": "small"}).content.decode()
    assert "This world lacks cities of the task; choose another." in page
    assert Session.objects.count() == 0
