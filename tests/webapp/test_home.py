"""The first page: what Caravan is, what its figures mean, what goes on, and what failed."""

from __future__ import annotations

from html import unescape

import pytest
from django.test import Client
from django.utils.html import strip_tags

from webapp.catalogue.models import Task, World
from webapp.runs.services import create_run
from webapp.sessions.demo import DEMO
from webapp.sessions.models import Session, Status
from webapp.sessions.services import Setup
from webapp.wording.numbers import number_words

pytestmark = pytest.mark.django_db


def text_of(client: Client, address: str = "/") -> str:
    return " ".join(unescape(strip_tags(client.get(address).content.decode())).split())


def test_figures_are_explained_beside_what_the_reference_agent_gets(
    as_researcher: Client, eventful: Session
) -> None:
    page = text_of(as_researcher)
    assert "What the figures of GroupTravelBench mean" in page and "group utility: points for wishes" in page
    gu = number_words(eventful.values.get(profile="published", key="gu").value, 2)
    assert f"reference agent here: {gu}" in page and "those of 1 session here" in page
    assert f"reference agent: {gu}" in text_of(as_researcher, eventful.get_absolute_url())


def test_runs_in_progress_crashes_and_jobs_are_named(
    as_researcher: Client, starter_tasks: list[Task], starter_world: World
) -> None:
    run = create_run(
        name="a long one", tasks=starter_tasks[:3], world=starter_world, setup=Setup(), start=False
    )
    crashed = run.sessions.order_by("pk")[0]
    run.sessions.filter(pk=crashed.pk).update(status=Status.CRASHED, completion_reason="runtime_error")
    page = as_researcher.get("/live/").content.decode()
    assert f'id="run-{run.pk}"' in page and page.count(f'id="go-{crashed.pk}"') == 1
    words = text_of(as_researcher, "/live/")
    assert "a long one 1 of 3 sessions have ended" in words and "1 crashed" in words
    assert "Crashed in the last seven days 1" in words and "Jobs: 0 running, 3 waiting" in words


def test_the_demo_is_played_once_and_then_replayed(
    as_researcher: Client, starter_tasks: list[Task], starter_world: World
) -> None:
    assert as_researcher.get("/demo/").status_code == 405
    address = as_researcher.post("/demo/").headers["location"]
    assert address == f"/sessions/{DEMO}/" and "Watch the demo" in text_of(as_researcher)
    assert as_researcher.post("/demo/").headers["location"] == address and Session.objects.count() == 1
    Session.objects.update(status=Status.FINISHED)
    assert "Replay the demo" in text_of(as_researcher)


def test_without_the_shipped_tasks_there_is_no_demo(as_researcher: Client) -> None:
    assert "demo" not in text_of(as_researcher).lower()
    assert as_researcher.post("/demo/").status_code == 404
