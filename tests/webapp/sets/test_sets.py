"""Sets of sessions: saved from a search and from a table, and what can be done with them."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from django.test import Client

from webapp.judging.forms import JudgeForm
from webapp.labelling.items import ItemRequest, candidates
from webapp.labelling.models import Kind, LabelStudy
from webapp.runs.forms import RunForm
from webapp.sessions.models import Session
from webapp.sets import services
from webapp.sets.models import SessionSet
from webapp.tables.models import SessionSearchIndex
from webapp.tables.search import store_lines
from webapp.tables.search_lines import SearchLine

pytestmark = pytest.mark.django_db


@pytest.fixture
def set_of_one(eventful: Session, as_researcher: Client) -> SessionSet:
    """A set, saved from a search that finds the one session."""
    SessionSearchIndex.objects.all().delete()
    store_lines({eventful.pk: [SearchLine("messages", 3, "User1", "", "an unusual hotel")]})
    answer = as_researcher.post("/sessions/save-set/", {"name": "Odd hotels", "q": "hotel speaker:User1"})
    made = SessionSet.objects.get()
    assert answer.status_code == 302 and answer["Location"] == made.get_absolute_url()
    return made


def test_what_a_search_finds_is_saved(
    set_of_one: SessionSet, eventful: Session, as_researcher: Client
) -> None:
    assert list(set_of_one.sessions.all()) == [eventful]
    assert (set_of_one.name, set_of_one.query) == ("Odd hotels", "hotel speaker:User1")
    page = as_researcher.get(set_of_one.get_absolute_url()).content.decode()
    assert "Odd hotels" in page and "hotel speaker:User1" in page
    assert "Odd hotels" in as_researcher.get("/sets/").content.decode()


def test_what_filters_leave_is_added_to_a_set_of_that_name(
    set_of_one: SessionSet, eventful: Session, as_researcher: Client
) -> None:
    set_of_one.sessions.clear()
    for query, held in (("status=crashed&run=none", 0), (f"status={eventful.status}", 1), ("agent=", 1)):
        as_researcher.post("/sessions/save-set/", {"name": "Odd hotels", "query": query})
        assert set_of_one.sessions.count() == held, query
    assert SessionSet.objects.count() == 1


def test_the_table_shows_a_set(set_of_one: SessionSet, eventful: Session, as_researcher: Client) -> None:
    rows = as_researcher.get("/sessions/", {"set": set_of_one.pk}).context["rows"]
    assert [row[0] for row in rows] == [eventful]
    set_of_one.sessions.clear()
    assert as_researcher.get("/sessions/", {"set": set_of_one.pk}).context["rows"] == []


@pytest.mark.parametrize(
    "given", [{"name": ""}, {"name": "x", "q": '"hotel'}, {"name": "x", "q": "nothinglikethis"}]
)
def test_what_cannot_be_saved_is_refused(as_researcher: Client, db: None, given: dict[str, str]) -> None:
    answer = as_researcher.post("/sessions/save-set/", {"q": "a", **given}, follow=True)
    assert list(answer.context["messages"]) and not SessionSet.objects.exists()


def test_a_set_has_a_most(
    set_of_one: SessionSet, eventful: Session, as_researcher: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "MOST_SESSIONS", 0)
    as_researcher.post("/sessions/save-set/", {"name": "more", "q": "hotel"})
    assert [one.name for one in SessionSet.objects.all()] == ["Odd hotels"]


def test_a_set_is_judged(set_of_one: SessionSet, eventful: Session) -> None:
    form = JudgeForm({"set": str(set_of_one.pk), "repeats": "1"})
    form.is_valid()
    assert form.cleaned_data["chosen"] == [eventful] and "set" not in form.errors
    both = JudgeForm({"set": str(set_of_one.pk), "sessions": eventful.pk, "repeats": "1"})
    assert "exactly one" in str(both.errors["sessions"])
    set_of_one.sessions.clear()
    assert "set" in JudgeForm({"set": str(set_of_one.pk), "repeats": "1"}).errors


def test_a_set_is_labelled(set_of_one: SessionSet, eventful: Session, as_researcher: Client) -> None:
    study = LabelStudy.objects.create(name="s", kind=Kind.RUBRIC, suite=eventful.suite)
    assert candidates(study, ItemRequest(runs=[], sets=[set_of_one])) == [eventful]
    assert candidates(study, ItemRequest(runs=[])) == []
    page = as_researcher.get(f"/labelling/{study.pk}/items/").content.decode()
    assert 'name="runs-sets"' in page and "Odd hotels" in page


def test_the_tasks_of_a_set_are_run_again(
    set_of_one: SessionSet, eventful: Session, as_researcher: Client
) -> None:
    form = as_researcher.get("/runs/new/", {"set": set_of_one.pk}).context["form"]
    assert isinstance(form, RunForm)
    assert (form["tasks"].value(), form["name"].value()) == (eventful.task.task_id, "Odd hotels")
    assert as_researcher.get("/runs/new/", {"set": "²"}).status_code == 200


@pytest.mark.parametrize("format_", ["jsonl", "chat", "records"])
def test_a_set_is_exported(
    set_of_one: SessionSet, eventful: Session, as_researcher: Client, format_: str
) -> None:
    answer = as_researcher.get(f"/sets/{set_of_one.pk}/file.{format_}")
    lines = b"".join(answer.streaming_content).decode().splitlines()  # type: ignore[attr-defined]
    assert len(lines) == 1 and json.loads(lines[0])
    assert eventful.task.task_id in lines[0]
    assert as_researcher.get(f"/sets/{set_of_one.pk}/file.exe").status_code == 404


def test_sessions_stay_when_their_set_is_deleted(
    set_of_one: SessionSet, eventful: Session, as_researcher: Client
) -> None:
    as_researcher.post(f"/sets/{set_of_one.pk}/delete/")
    assert not SessionSet.objects.exists() and Session.objects.filter(pk=eventful.pk).exists()


def test_nobody_else_sees_sets(client: Client, set_of_one: SessionSet) -> None:
    client.logout()
    for address in ("/sets/", f"/sets/{set_of_one.pk}/", f"/sets/{set_of_one.pk}/file.jsonl"):
        assert client.get(address).status_code == 302
    assert client.post("/sessions/save-set/", {"name": "x", "q": "hotel"}).status_code in (302, 403)
    assert SessionSet.objects.count() == 1


def test_few_sessions_of_a_set_are_compared_from_its_page(
    as_researcher: Client, recorded_session: Callable[..., Session]
) -> None:
    made = SessionSet.objects.create(name="few")
    made.sessions.add(recorded_session("easy"))
    assert "There you can mark two to four" in as_researcher.get(made.get_absolute_url()).content.decode()
    made.sessions.add(recorded_session("easy"))
    page = as_researcher.get(made.get_absolute_url()).content.decode()
    assert "Compare its sessions side by side" in page
    assert all(f"session={session.pk}" in page for session in made.sessions.all())
