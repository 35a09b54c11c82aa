"""Stars, tags and comments: by whom, on what, found again, and in files."""

from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client

from tests.webapp.conftest import HOSTILE
from webapp.accounts.models import Role, User
from webapp.notes.models import Note
from webapp.sessions.models import Session

pytestmark = pytest.mark.django_db


@pytest.fixture
def colleague(db: None) -> Client:
    client = Client()
    client.force_login(User.objects.create_user("colleague", role=Role.RESEARCHER))
    return client


def note(client: Client, session: Session, kind: str, **given: object) -> str:
    """What the panel says after a person has noted something."""
    address = f"{session.get_absolute_url()}notes/{kind}/"
    response = client.post(address, given, headers={"HX-Request": "true", "HX-Target": "panel"})
    assert response.status_code == 200
    return response.content.decode()


def test_a_star_is_a_persons_own_and_goes_as_it_came(
    as_researcher: Client, colleague: Client, eventful: Session
) -> None:
    address = f"{eventful.get_absolute_url()}notes/star/"
    to_head = {"HX-Request": "true", "HX-Target": "head-notes"}
    assert 'aria-pressed="true"' in as_researcher.post(address, headers=to_head).content.decode()
    assert 'aria-pressed="false"' in colleague.get(eventful.get_absolute_url()).content.decode()
    note(colleague, eventful, "star", seq=3)
    assert Note.objects.count() == 2 and "researcher" in note(colleague, eventful, "star", seq=3)
    assert 'aria-pressed="false"' in as_researcher.post(address, headers=to_head).content.decode()
    assert not Note.objects.exists()


def test_tags_and_comments_are_seen_by_all_and_changed_by_their_author_alone(
    as_researcher: Client, colleague: Client, eventful: Session
) -> None:
    note(as_researcher, eventful, "tag", text="to discuss")
    assert note(as_researcher, eventful, "tag", text="to discuss").count("Remove the tag to discuss") == 1
    shown = note(as_researcher, eventful, "comment", text=HOSTILE, seq=4)
    assert HOSTILE not in shown and 'href="#e4"' in shown
    seen = colleague.get(f"{eventful.get_absolute_url()}?tab=notes").content.decode()
    assert "to discuss" in seen and HOSTILE not in seen and "Remove the tag" not in seen
    comment = Note.objects.get(kind="comment")
    for what in ("change", "delete"):
        assert colleague.post(f"/notes/{comment.pk}/{what}/", {"text": "mine now"}).status_code == 403
    as_researcher.post(f"/notes/{comment.pk}/change/", {"text": "better"})
    comment.refresh_from_db()
    assert comment.text == "better" and comment.edited_at is not None
    as_researcher.post(f"/notes/{comment.pk}/delete/")
    assert not Note.objects.filter(kind="comment").exists()


def test_what_can_not_be_noted_is_refused_and_changes_nothing(
    as_researcher: Client, as_annotator: Client, eventful: Session
) -> None:
    last = eventful.last_seq
    assert f"There is no event {last + 1}" in note(
        as_researcher, eventful, "comment", text="x", seq=last + 1
    ).replace(",", "")
    assert "This field is required" in note(as_researcher, eventful, "tag", text=" ")
    assert "at most 40 characters" in note(as_researcher, eventful, "tag", text="x" * 41)
    address = f"{eventful.get_absolute_url()}notes"
    assert as_researcher.post(f"{address}/heart/").status_code == 404
    assert as_annotator.post(f"{address}/tag/", {"text": "x"}).status_code == 403
    without_script = as_researcher.post(f"{address}/tag/", {"text": ""}, follow=True).content.decode()
    assert "This field is required" in without_script and not Note.objects.exists()


def test_notes_are_found_by_text_kind_and_person_and_go_into_files(
    as_researcher: Client, colleague: Client, eventful: Session, tmp_path: Path
) -> None:
    note(as_researcher, eventful, "comment", text="=行程太满", seq=2)
    note(colleague, eventful, "tag", text="crowded")
    assert "行程太满" in as_researcher.get("/notes/?q=太满").content.decode()
    assert "行程太满" not in as_researcher.get("/notes/?author=colleague").content.decode()
    assert "crowded" in as_researcher.get("/notes/?kind=tag").content.decode()
    [line] = as_researcher.get("/notes/export.jsonl?kind=comment").content.decode().splitlines()
    found = json.loads(line)
    assert (found["session"], found["event"], found["text"]) == (eventful.pk, 2, "=行程太满")
    assert as_researcher.get("/notes/export.xml").status_code == 404
    call_command(
        "export_notes", eventful.pk, "--format", "csv", "--out", tmp_path / "n.csv", stdout=StringIO()
    )
    rows = list(csv.DictReader(StringIO((tmp_path / "n.csv").read_text("utf-8"))))
    assert {(row["author"], row["text"]) for row in rows} == {
        ("colleague", "crowded"),
        ("researcher", "'=行程太满"),
    }
