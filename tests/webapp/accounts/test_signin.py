"""Signing in and out."""

from __future__ import annotations

import pytest
from django.test import Client

from webapp.accounts.models import User
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
    assert client.get(address, REMOTE_ADDR="::1").status_code == 302


def test_signing_out_needs_a_form(as_researcher: Client) -> None:
    assert as_researcher.get("/signout/").status_code == 405
    assert as_researcher.post("/signout/")["Location"] == "/signin/"
    assert as_researcher.get("/").status_code == 302
