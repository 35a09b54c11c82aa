"""Sets of sessions: saved from a search and from a table, and what can be done with them."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from django.test import Client

from webapp.accounts.models import Role, User
from webapp.endpoints.models import ModelEndpoint
from webapp.judging.forms import JudgeForm
from webapp.judging.models import Judgement
from webapp.labelling.items import ItemRequest, candidates
from webapp.labelling.models import Kind, LabelStudy
from webapp.runs.forms import RunForm
from webapp.sessions.models import Run, Session
from webapp.sets import services
from webapp.sets.models import SessionSet
from webapp.tables.entries import refresh
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


def test_others_copy_a_set_and_do_not_delete_it(
    set_of_one: SessionSet, eventful: Session, as_researcher: Client
) -> None:
    maker, page = set_of_one.created_by, set_of_one.get_absolute_url()
    other = User.objects.create_user("other", role=Role.RESEARCHER)
    as_researcher.force_login(other)
    assert "/delete/" not in as_researcher.get(page).content.decode()
    refused = as_researcher.post(f"{page}delete/", follow=True)
    assert "Only who made the set" in refused.content.decode() and maker is not None
    assert (
        "already" in as_researcher.post(f"{page}copy/", {"name": "Odd hotels"}, follow=True).content.decode()
    )
    as_researcher.post(f"{page}copy/", {"name": "mine"})
    mine = SessionSet.objects.get(name="mine")
    assert (list(mine.sessions.all()), mine.query, mine.created_by) == ([eventful], set_of_one.query, other)
    as_researcher.post(f"{mine.get_absolute_url()}delete/")
    other.is_superuser = True
    other.save()
    assert "/delete/" in as_researcher.get(page).content.decode()
    as_researcher.post(f"{page}delete/")
    assert not SessionSet.objects.exists()


def test_a_set_is_made_from_marked_rows_and_used_to_the_end(
    as_researcher: Client, recorded_session: Callable[..., Session]
) -> None:
    marked = [recorded_session("easy"), recorded_session("easy")]
    refresh(session.pk for session in [*marked, recorded_session("easy")])
    table = as_researcher.get("/sessions/").content.decode()
    assert 'formaction="/sets/new/"' in table and 'formaction="/labelling/sessions/"' in table
    given = {"session": [session.pk for session in marked]}
    page = as_researcher.get("/sets/new/", given).content.decode()
    assert all(f'value="{session.pk}"' in page for session in marked)
    assert as_researcher.post("/sets/new/", given).status_code == 200, "no name"
    as_researcher.post("/sets/new/", {**given, "name": "marked"})
    made = SessionSet.objects.get()
    assert {*made.sessions.all()} == {*marked}
    ModelEndpoint.objects.create(name="wise", base_url="http://127.0.0.1:9/v1", model="m")
    _judge_set(as_researcher, made)
    study = LabelStudy.objects.create(name="s", kind=Kind.RUBRIC, suite=marked[0].suite)
    assert (
        f"/labelling/sessions/?set={made.pk}" in as_researcher.get(made.get_absolute_url()).content.decode()
    )
    assert "marked</a>" in as_researcher.get("/labelling/sessions/", {"set": made.pk}).content.decode()
    as_researcher.post("/labelling/sessions/", {"set": made.pk, "study": study.pk})
    assert study.items.count() == 2
    form = as_researcher.get("/runs/new/", {"set": made.pk}).context["form"]
    sent = {name: form[name].value() for name in form.fields if form[name].value() is not None}
    started = as_researcher.post("/runs/new/", {**sent, "agent": "reference", "users": "scripted"})
    assert started.status_code == 302, started.context["form"].errors
    assert [session.task for session in Run.objects.get().sessions.all()] == [marked[0].task]
    lines = b"".join(as_researcher.get(f"/sets/{made.pk}/file.records").streaming_content)  # type: ignore[attr-defined]
    assert len(lines.splitlines()) == 2


def _judge_set(client: Client, chosen: SessionSet) -> None:
    form = client.get("/judging/new/", {"set": chosen.pk}).context["form"]
    assert str(form["set"].value()) == str(chosen.pk)
    sent = {name: form[name].value() for name in form.fields if form[name].value() is not None}
    answer = client.post("/judging/new/", {**sent, "judge": "wise"})
    assert answer.status_code == 302, answer.context["form"].errors
    assert {*Judgement.objects.values_list("session", flat=True)} == {
        *chosen.sessions.values_list("pk", flat=True)
    }


def test_marked_sessions_are_labelled(
    as_researcher: Client, recorded_session: Callable[..., Session]
) -> None:
    marked = recorded_session("easy")
    given = {"session": [marked.pk]}
    assert "Make a study" in as_researcher.get("/labelling/sessions/", given).content.decode()
    assert "No session is marked" in as_researcher.get("/labelling/sessions/").content.decode()
    study = LabelStudy.objects.create(name="s", kind=Kind.RUBRIC, suite=marked.suite)
    assert marked.pk in as_researcher.get("/labelling/sessions/", given).content.decode()
    added = as_researcher.post("/labelling/sessions/", {**given, "study": study.pk})
    assert added["Location"] == f"/labelling/{study.pk}/items/"
    assert [item.left_id for item in study.items.all()] == [marked.pk]
    again = as_researcher.post("/labelling/sessions/", {**given, "study": study.pk})
    assert "already in the study" in again.content.decode()
    study.status = LabelStudy.Status.CLOSED
    study.save()
    assert "Make a study" in as_researcher.get("/labelling/sessions/", given).content.decode()


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
