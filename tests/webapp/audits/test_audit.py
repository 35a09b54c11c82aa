"""Who saw, exported and removed data of people is noted, or nothing is given."""

from __future__ import annotations

import json
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError
from django.test import Client
from django.urls import get_resolver, reverse
from django.utils import timezone

from tests.people import Sitter, with_people
from tests.webapp.test_access import ADDRESSES, _patterns
from webapp.accounts.models import User
from webapp.accounts.services import create_account
from webapp.accounts.tokens import READ_EVENTS, READ_RUNS, issue_token
from webapp.audits import services
from webapp.audits.models import Access
from webapp.audits.subjects import subject_of
from webapp.catalogue.models import Task, World
from webapp.people.personal import remove_data
from webapp.sessions.models import Session
from webapp.sessions.services import Setup, create_session

pytestmark = [pytest.mark.django_db, pytest.mark.storage]
Rows = list[tuple[str, str, str, str, str]]


def accesses() -> Rows:
    return list(Access.objects.order_by("pk").values_list("name", "act", "way", "place", "subject"))


@pytest.fixture
def session(starter_tasks: list[Task], starter_world: World) -> Session:
    """Somebody sits in it."""
    made = with_people(starter_tasks[0], starter_world, "User1")
    Sitter(made.seats.get(name="User1")).come()
    Access.objects.all().delete()
    return made


def test_a_page_is_noted_once_and_each_file(session: Session, as_researcher: Client) -> None:
    for _ in range(2):
        assert as_researcher.get(reverse("session", args=[session.pk])).status_code == 200
    (first,) = accesses()
    assert first[1:] == ("seen", "page", "session", session.pk) and first[0]
    for _ in range(2):
        assert as_researcher.get(reverse("session_people", args=[session.pk, "csv"])).status_code == 200
    assert [row[1:] for row in accesses()[1:]] == [("exported", "page", "session_people", session.pk)] * 2
    assert set(Access.objects.values_list("people", flat=True)) == {1}
    Access.objects.update(at=timezone.now() - services.SEEN_AGAIN)
    as_researcher.get(reverse("session", args=[session.pk]))
    assert len(accesses()) == 4, "later it is seen again"


def test_a_session_of_models_alone_and_what_was_refused_are_not_noted(
    starter_tasks: list[Task],
    starter_world: World,
    session: Session,
    as_researcher: Client,
    as_annotator: Client,
) -> None:
    alone = create_session(task=starter_tasks[0], world=starter_world, setup=Setup(), start=False)
    assert as_researcher.get(reverse("session", args=[alone.pk])).status_code == 200
    assert as_annotator.get(reverse("session", args=[session.pk])).status_code == 403
    assert as_researcher.get(reverse("session_people", args=[session.pk, "odd"])).status_code == 404
    assert accesses() == []


def test_what_can_not_be_noted_is_not_shown(
    session: Session, as_researcher: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**_: Any) -> None:
        raise OperationalError("the disk is full")

    monkeypatch.setattr(Access.objects, "create", fail)
    answer = as_researcher.get(reverse("session_people", args=[session.pk, "csv"]))
    assert answer.status_code == 503 and session.pk not in answer.content.decode()


def test_programs_and_commands_are_noted_by_their_ways(
    session: Session, client: Client, tmp_path: Any
) -> None:
    user = User.objects.create_user("ada")
    _token, text = issue_token(user=user, name="reader", scopes=[READ_RUNS, READ_EVENTS])
    address = reverse("api_v1_events", args=[session.pk])
    assert client.get(address, headers={"authorization": f"Bearer {text}"}).status_code == 200
    call_command("export_session", session.pk, "--format", "record", "--out", str(tmp_path / "x.jsonl"))
    by_api, by_command = accesses()
    assert by_api == ("ada", "exported", "api", "api_v1_events", session.pk)
    assert by_command[1:] == ("exported", "command", "export_session", session.pk) and by_command[0]


def test_a_removal_is_noted_with_who_asked_for_it(session: Session, researcher: User) -> None:
    guest = session.seats.get(name="User1").guests.get()
    session.status = "finished"
    session.save()
    removed = remove_data(guest, by=researcher)
    acts = [(name, act, subject) for name, act, _way, _place, subject in accesses()]
    assert acts[0] == (researcher.username, "removal_asked", guest.pk)
    assert (("", "removed", guest.pk) in acts) is removed


def test_the_page_is_for_administrators_and_the_command_prints_all(
    session: Session, as_researcher: Client, client: Client
) -> None:
    as_researcher.get(reverse("session", args=[session.pk]))
    refused = as_researcher.get(reverse("audit"))
    assert refused.status_code == 403 and "administrators" in refused.content.decode()
    client.force_login(create_account(username="root", password="a long password", administrator=True))
    page = client.get(reverse("audit"), {"subject": session.pk}).content.decode()
    assert f"session {session.pk}" in page
    assert f"session {session.pk}" not in client.get(reverse("audit"), {"name": "nobody"}).content.decode()
    printed = StringIO()
    call_command("audit", since=str(timezone.now().date() - timedelta(days=1)), stdout=printed)
    (line,) = map(json.loads, printed.getvalue().splitlines())
    assert (line["subject"], line["act"], line["people"]) == (session.pk, "seen", 1)
    with pytest.raises(CommandError, match="--since is “yesterday”"):
        call_command("audit", since="yesterday")


def test_it_is_forgotten_when_it_is_old_enough(
    session: Session, as_researcher: Client, settings: Any
) -> None:
    as_researcher.get(reverse("session", args=[session.pk]))
    settings.CARAVAN_AUDIT_DAYS = 30
    assert services.forget_old() == 0
    Access.objects.update(at=timezone.now() - timedelta(days=31))
    settings.CARAVAN_AUDIT_DAYS = 0
    assert services.forget_old() == 0
    settings.CARAVAN_AUDIT_DAYS = 30
    assert services.forget_old() == 1 and accesses() == []


def test_every_address_of_a_session_run_or_person_is_of_what_is_noted() -> None:
    """New ones are by the names of their arguments; these few hold nobody's words."""
    for pattern, taken in _patterns(get_resolver()):
        name = str(pattern.name)
        if name in ADDRESSES and {"session_id", "run_id", "guest_id", "other_id"} & taken.keys():
            arguments = dict.fromkeys(taken, "abc")
            assert subject_of(name, arguments) is not None, name
    assert subject_of("tasks", {}) is None and subject_of("study", {"study_id": 3}) is None
    assert subject_of("search", {}) is not None and subject_of("session_set_file", {"pk": 3}) is not None
