"""Signing in and out."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from webapp.accounts.models import SigninLink, User
from webapp.accounts.services import issue_signin_link

pytestmark = pytest.mark.django_db


def test_a_name_and_a_password_lead_to_where_one_wanted_to_go(client: Client, researcher: User) -> None:
    given = {"username": "researcher", "password": "a long enough one", "next": "/tasks/"}
    response = client.post("/signin/", given)
    assert (response.status_code, response["Location"]) == (302, "/tasks/")


def test_an_address_elsewhere_is_not_followed(client: Client, researcher: User) -> None:
    given = {"username": "researcher", "password": "a long enough one", "next": "https://example.org/"}
    assert client.post("/signin/", given)["Location"] == "/"


def test_a_wrong_password_says_so_in_one_sentence(client: Client, researcher: User) -> None:
    page = client.post("/signin/", {"username": "researcher", "password": "wrong"}).content.decode()
    assert "No account has this name and password." in page


def test_a_link_signs_in_once(client: Client, researcher: User) -> None:
    address = f"/signin/{issue_signin_link(user=researcher)}/"
    assert client.get(address)["Location"] == "/"
    assert client.get("/").status_code == 200
    assert client.get(address)["Location"] == "/"
    elsewhere = Client().get(address)
    assert elsewhere.status_code == 403
    assert "manage.py signin_link" in elsewhere.content.decode()


def test_a_link_for_this_machine_does_not_work_from_another(client: Client, researcher: User) -> None:
    address = f"/signin/{issue_signin_link(user=researcher)}/"
    assert client.get(address, REMOTE_ADDR="192.0.2.7").status_code == 403
    assert client.get(address, REMOTE_ADDR="").status_code == 403
    for header in ("X-Forwarded-For", "Forwarded", "X-Real-IP"):
        assert client.get(address, headers={header: "192.0.2.7"}).status_code == 403
    assert client.get(address, REMOTE_ADDR="::1").status_code == 302


def test_a_link_for_other_machines_bears_the_name_of_the_installation(
    researcher: User, settings: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HOST", "PORT"):
        monkeypatch.delenv(name, raising=False)
    settings.ALLOWED_HOSTS, settings.SESSION_COOKIE_SECURE = ["127.0.0.1", "caravan.example"], True
    call_command("signin_link", "researcher", "--anywhere")
    call_command("signin_link", "researcher")
    named, local = capsys.readouterr().out.split()
    assert named.startswith("https://caravan.example/signin/")
    assert local.startswith("http://127.0.0.1:8000/signin/")


def test_a_link_runs_out(client: Client, researcher: User) -> None:
    address = f"/signin/{issue_signin_link(user=researcher)}/"
    SigninLink.objects.update(expires_at=timezone.now())
    assert client.get(address).status_code == 403


def test_a_link_for_any_machine_still_works_once(client: Client, researcher: User) -> None:
    address = f"/signin/{issue_signin_link(user=researcher, loopback_only=False)}/"
    assert client.get(address, REMOTE_ADDR="192.0.2.7").status_code == 302
    assert Client().get(address, REMOTE_ADDR="192.0.2.8").status_code == 403


def test_scripts_read_no_cookie_and_other_sites_send_none(client: Client, researcher: User) -> None:
    client.get("/signin/")
    client.post("/signin/", {"username": "researcher", "password": "a long enough one"})
    assert {name: (c["httponly"], c["samesite"]) for name, c in client.cookies.items()} == {
        "caravan_session": (True, "Lax"),
        "caravan_csrf": (True, "Lax"),
    }


@pytest.mark.parametrize("path", ["/signin/", "/signout/", "/sessions/new/", "/sessions/nosuchid/stop/"])
def test_a_form_that_another_site_sends_is_refused(researcher: User, path: str) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(researcher)
    response = strict.post(path)
    assert response.status_code == 403
    assert "This form is out of date" in response.content.decode()


def test_a_part_of_a_page_makes_its_page_reload_once_signed_out(client: Client) -> None:
    response = client.get("/live/", headers={"HX-Request": "true"})
    assert (response.status_code, response["HX-Refresh"], response.content) == (204, "true", b"")


def test_what_was_sent_while_signed_out_is_not_come_back_to(client: Client) -> None:
    assert client.post("/sessions/nosuchid/stop/")["Location"] == "/signin/"


def test_signing_out_needs_a_form(as_researcher: Client) -> None:
    assert as_researcher.get("/signout/").status_code == 405
    assert as_researcher.post("/signout/")["Location"] == "/signin/"
    assert as_researcher.get("/").status_code == 302
