"""What holds for every page: who may see it, and what it may never contain."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import strip_tags

from tests.webapp.conftest import HOSTILE
from webapp.accounts.models import User
from webapp.catalogue.models import Task, World
from webapp.runs.services import create_run
from webapp.sessions.models import Session
from webapp.sessions.services import Setup

pytestmark = pytest.mark.django_db


@pytest.fixture
def addresses(eventful: Session) -> list[str]:
    session, task = f"/sessions/{eventful.pk}", eventful.task
    tabs = ("preferences", "tools", "plan", "scores")
    return [
        "/",
        "/live/",
        "/tasks/",
        f"/tasks/{task.task_id}/",
        "/sessions/",
        "/sessions/?status=finished&task=starter_02",
        "/sessions/new/",
        f"/sessions/new/?task={task.task_id}",
        f"{session}/",
        f"{session}/head/",
        f"{session}/outline/",
        *(f"{session}/?tab={tab}" for tab in tabs),
        *(f"{session}/panel/{tab}/?traveller=User3&at=12" for tab in tabs),
        *(f"{session}/panel/{tab}/?traveller=User2" for tab in tabs),
    ]


def test_researchers_see_every_page(as_researcher: Client, addresses: list[str]) -> None:
    assert {address: as_researcher.get(address).status_code for address in addresses} == dict.fromkeys(
        addresses, 200
    )


def test_lists_name_tasks_by_their_trips(
    as_researcher: Client, starter_tasks: list[Task], starter_world: World
) -> None:
    """Cities, days, travellers, date, group and difficulty; the id is there to be looked up, not to be read."""
    task = starter_tasks[1]
    run = create_run(name="a", tasks=[task], world=starter_world, setup=Setup(), start=False)
    for address in ("/", "/sessions/", run.get_absolute_url()):
        page = as_researcher.get(address).content.decode()
        shown = " ".join(unescape(strip_tags(page)).split())
        assert f"{'、'.join(task.cities)} · {task.days} days · {task.size} travellers" in shown
        assert f"{task.departure_date} · {task.archetype}" in shown and task.difficulty in shown
        assert task.task_id not in shown


def test_other_roles_are_told_that_they_may_not(as_annotator: Client, addresses: list[str]) -> None:
    for address in addresses:
        response = as_annotator.get(address)
        assert response.status_code == 403
        assert "This page is for researchers" in response.content.decode()


def test_strangers_are_sent_to_sign_in(client: Client, addresses: list[str]) -> None:
    for address in addresses:
        response = client.get(address)
        assert response.status_code == 302
        assert response["Location"].startswith("/signin/?next=")


def test_no_page_needs_an_exception_of_the_content_security_policy(
    as_researcher: Client, addresses: list[str]
) -> None:
    for address in addresses:
        response = as_researcher.get(address)
        page = response.content.decode()
        assert "'unsafe" not in response["Content-Security-Policy"]
        assert not re.search(r"<[^>]+\s(style|on[a-z]+)\s*=", page.replace(HOSTILE, "")), address
        assert not re.search(r"<style|<script(?![^>]*\s(?:src=|type=.application/json))", page), address
        assert "javascript:" not in page


def test_nothing_that_people_or_models_write_becomes_markup(
    as_researcher: Client, addresses: list[str]
) -> None:
    for address in addresses:
        page = as_researcher.get(address).content.decode()
        assert "<script>alert" not in page
        assert "<img" not in page


def test_an_unknown_address_says_so(as_researcher: Client) -> None:
    for address in ("/nowhere/", "/sessions/zzzzzzzz/", "/tasks/none/", "/sessions/zzzzzzzz/panel/plan/"):
        response = as_researcher.get(address)
        assert response.status_code == 404
        assert "There is nothing at this address" in response.content.decode()


@pytest.mark.both_engines
@pytest.mark.storage
def test_what_no_database_can_look_for_is_unknown(as_researcher: Client, eventful: Session) -> None:
    huge = "9" * 30
    for address in ("/sessions/a%00b/", "/tasks/a%00b/", f"/sessions/{eventful.pk}/results/{huge}/"):
        assert as_researcher.get(address).status_code == 404, address
    for address in ("/sessions/?task=%00", "/sessions/new/?task=%00", f"/tasks/?page={huge}&find=%00"):
        assert as_researcher.get(address).status_code == 200, address
    assert as_researcher.post("/sessions/new/", {"task": "\x00", "world": "\x00"}).status_code == 200


def test_a_world_whose_pack_is_gone_breaks_no_page(as_researcher: Client, eventful: Session) -> None:
    World.objects.update(pack="gone.sqlite3")
    assert "starter can't be opened" in as_researcher.get("/tasks/starter_02/").content.decode()
    assert "Import it again." in as_researcher.get("/sessions/new/?task=starter_02").content.decode()
    assert as_researcher.get(eventful.get_absolute_url()).status_code == 200


def test_sessions_are_found_by_a_part_of_their_task(as_researcher: Client, eventful: Session) -> None:
    for part, found in (("starter_0", True), ("STARTER", True), ("starter_01", False)):
        assert (eventful.pk in as_researcher.get(f"/sessions/?task={part}").content.decode()) is found


def test_an_error_tells_nothing_of_the_inside(
    researcher: User, eventful: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail_view(**_: object) -> None:
        raise RuntimeError("a secret of the inside")

    monkeypatch.setattr("webapp.sessions.views.chat_html", fail_view)
    client = Client(raise_request_exception=False)
    client.force_login(researcher)
    response = client.get(eventful.get_absolute_url())
    page = response.content.decode()
    assert (response.status_code, "The server failed" in page) == (500, True)
    assert "secret" not in page and "Traceback" not in page
    assert "Content-Security-Policy" in response


def test_a_record_is_a_file_and_no_page(as_researcher: Client, eventful: Session) -> None:
    response = as_researcher.get(f"/sessions/{eventful.pk}/record.jsonl")
    assert response["Content-Type"] == "application/x-ndjson"
    assert response["Content-Disposition"].startswith("attachment")
    assert response["X-Content-Type-Options"] == "nosniff"


def test_an_unknown_tab_is_the_first_one_on_the_page_and_nothing_as_a_part(
    as_researcher: Client, eventful: Session
) -> None:
    page = as_researcher.get(f"/sessions/{eventful.pk}/?tab=nonsense&at=x&traveller=%00")
    assert "agent inferred" in page.content.decode()
    assert as_researcher.get(f"/sessions/{eventful.pk}/panel/nonsense/").status_code == 404


def test_home_says_what_to_do_first(as_researcher: Client) -> None:
    page = as_researcher.get("/").content.decode()
    assert "Nothing can run yet." in page
    assert "No session has run here." in page
    assert "Start a session" in page


def test_lists_ask_the_database_as_often_for_many_as_for_one(
    as_researcher: Client, begin: Callable[[], object]
) -> None:
    def count(address: str) -> int:
        as_researcher.get(address)
        with CaptureQueriesContext(connection) as queries:
            as_researcher.get(address)
        return len(queries)

    begin()
    one = {address: count(address) for address in ("/", "/sessions/", "/tasks/", "/tasks/starter_02/")}
    for _ in range(6):
        begin()
    assert {address: count(address) for address in one} == one
