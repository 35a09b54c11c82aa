"""Signing in and out."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from limits import RateLimitItemPerMinute

from webapp.accounts import throttle
from webapp.accounts.models import SigninLink, User
from webapp.accounts.redaction import TokenFilter
from webapp.accounts.services import issue_signin_link

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fresh_counts")]


@pytest.fixture
def fresh_counts() -> Iterator[None]:
    """No tries of other tests, and none left for them."""
    for counter in (throttle.redis_limiter, throttle.own_limiter):
        counter.cache_clear()
    throttle.redis_limiter().storage.reset()
    yield
    for counter in (throttle.redis_limiter, throttle.own_limiter):
        counter.cache_clear()


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


WRONG = {"username": " Researcher ", "password": "wrong"}
RIGHT = {"username": "researcher", "password": "a long enough one"}
STRANGER, OTHER_ADDRESS = "192.0.2.1", "198.51.100.7"


def sign_in_wrongly(client: Client, times: int, address: str) -> list[int]:
    return [client.post("/signin/", WRONG, REMOTE_ADDR=address).status_code for _ in range(times)]


def test_a_wrong_name_or_password_can_be_tried_ten_times(client: Client, researcher: User) -> None:
    assert set(sign_in_wrongly(client, 10, STRANGER)) == {200}
    refused = client.post("/signin/", RIGHT, REMOTE_ADDR=STRANGER)
    assert refused.status_code == 429
    assert 0 < int(refused["Retry-After"]) <= 900
    assert "Try again in 15 minutes." in refused.content.decode()
    assert "caravan_session" not in client.cookies


def test_a_stranger_uses_up_nobody_else_s_tries(client: Client, researcher: User) -> None:
    assert sign_in_wrongly(Client(), 40, STRANGER)[10:] == [429] * 30
    assert client.post("/signin/", RIGHT, REMOTE_ADDR=OTHER_ADDRESS).status_code == 302


def test_a_browser_that_was_let_in_before_has_tries_of_its_own(
    client: Client, researcher: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even beside a stranger at the same address, and against strangers at many addresses."""
    monkeypatch.setattr(throttle, "BY_NAME", RateLimitItemPerMinute(20, 15, namespace="few"))
    assert client.post("/signin/", RIGHT, REMOTE_ADDR=STRANGER).status_code == 302
    client.post("/signout/")
    for number in range(1, 4):
        sign_in_wrongly(Client(), 10, f"192.0.2.{number}")
    assert Client().post("/signin/", RIGHT, REMOTE_ADDR=OTHER_ADDRESS).status_code == 429
    assert client.post("/signin/", RIGHT, REMOTE_ADDR=STRANGER).status_code == 302
    client.post("/signout/")
    assert sign_in_wrongly(client, 11, OTHER_ADDRESS) == [200] * 10 + [429]


def test_the_mark_of_a_browser_counts_for_its_account_alone(client: Client, researcher: User) -> None:
    assert client.post("/signin/", RIGHT).status_code == 302
    client.post("/signout/")
    mark = client.cookies["caravan_browser"]
    assert mark["httponly"] and "researcher" not in mark.value
    other = {"username": "other", "password": "wrong"}
    assert [client.post("/signin/", other).status_code for _ in range(11)][-1] == 429
    forger = Client()
    forger.cookies["caravan_browser"] = mark.value[:-3] + "xyz"
    assert sign_in_wrongly(forger, 11, OTHER_ADDRESS)[-1] == 429


def test_addresses_of_one_network_count_as_one(client: Client, researcher: User) -> None:
    told = [sign_in_wrongly(client, 1, f"2001:db8::{number:x}")[0] for number in range(11)]
    assert told == [200] * 10 + [429]


def test_one_address_can_try_thirty_times_over_all_names(client: Client, researcher: User) -> None:
    tries = [{"username": f"nobody{number}", "password": "wrong"} for number in range(30)]
    assert {client.post("/signin/", each, REMOTE_ADDR="198.51.100.1").status_code for each in tries} == {200}
    right = {"username": "researcher", "password": "a long enough one"}
    assert client.post("/signin/", right, REMOTE_ADDR="198.51.100.1").status_code == 429
    assert client.post("/signin/", right, REMOTE_ADDR="198.51.100.2").status_code == 302


def test_behind_a_proxy_the_address_is_the_one_that_the_proxy_wrote(
    client: Client, researcher: User, settings: Any
) -> None:
    settings.BEHIND_PROXY = True
    for number in range(31):
        told = {"X-Forwarded-For": f"10.0.0.{number}, 198.51.100.9"}
        last = client.post("/signin/", {"username": f"no{number}", "password": "wrong"}, headers=told)
    assert last.status_code == 429


def test_the_right_password_gives_all_tries_back(client: Client, researcher: User) -> None:
    for _ in range(3):
        for _ in range(6):
            client.post("/signin/", {"username": "researcher", "password": "wrong"})
        right = {"username": "researcher", "password": "a long enough one"}
        assert client.post("/signin/", right).status_code == 302
        client.post("/signout/")


def test_tries_are_counted_while_redis_is_away(
    client: Client, researcher: User, settings: Any, fresh_counts: None
) -> None:
    settings.COUNTERS_URI = "redis+unix:///nowhere/v.sock"
    wrong = {"username": "researcher", "password": "wrong"}
    assert [client.post("/signin/", wrong).status_code for _ in range(11)] == [200] * 10 + [429]


def test_a_button_signs_in_and_opening_the_link_does_not(client: Client, researcher: User) -> None:
    address = f"/signin/{issue_signin_link(user=researcher)}/"
    for _ in range(3):
        preview = client.get(address)
        assert (preview.status_code, preview["Referrer-Policy"]) == (200, "origin")
    assert client.get("/").status_code == 302
    assert client.post(address)["Location"] == "/"
    assert client.get("/").status_code == 200
    assert client.get(address)["Location"] == client.post(address)["Location"] == "/"
    elsewhere = Client().post(address)
    assert elsewhere.status_code == Client().get(address).status_code == 403
    assert "manage.py signin_link" in elsewhere.content.decode()


def test_a_link_for_somebody_else_offers_its_button(as_researcher: Client, researcher: User) -> None:
    other = User.objects.create_user("other", password="a long enough one")
    page = as_researcher.get(f"/signin/{issue_signin_link(user=other)}/").content.decode()
    assert "<strong>other</strong>" in page


def test_the_button_needs_our_own_form(researcher: User) -> None:
    strict = Client(enforce_csrf_checks=True)
    assert strict.post(f"/signin/{issue_signin_link(user=researcher)}/").status_code == 403
    assert SigninLink.objects.get().used_at is None


def test_a_token_stands_in_no_log(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    caplog.handler.addFilter(TokenFilter())
    Client(enforce_csrf_checks=True).post("/signin/averysecrettoken/")
    client.get("/signin/averysecrettoken/")
    logging.getLogger("daphne.server").error("%s took too long", "GET /signin/averysecrettoken/ 1.1")
    assert caplog.text.count("/signin/***") == 3
    assert "averysecret" not in caplog.text


def test_a_link_for_this_machine_does_not_work_from_another(client: Client, researcher: User) -> None:
    address = f"/signin/{issue_signin_link(user=researcher)}/"
    for ask in (client.get, client.post):
        assert ask(address, REMOTE_ADDR="192.0.2.7").status_code == 403
        assert ask(address, REMOTE_ADDR="").status_code == 403
        for header in ("X-Forwarded-For", "Forwarded", "X-Real-IP"):
            assert ask(address, headers={header: "192.0.2.7"}).status_code == 403
    assert client.post(address, REMOTE_ADDR="::1").status_code == 302


def test_behind_a_proxy_no_link_is_for_this_machine_alone(
    client: Client, researcher: User, settings: Any
) -> None:
    """A proxy on this machine may say nothing of whom it asks for."""
    settings.BEHIND_PROXY = True
    alone = f"/signin/{issue_signin_link(user=researcher)}/"
    assert client.get(alone).status_code == client.post(alone).status_code == 403
    with pytest.raises(CommandError, match="--anywhere"):
        call_command("signin_link", "researcher")
    anywhere = f"/signin/{issue_signin_link(user=researcher, loopback_only=False)}/"
    assert client.post(anywhere).status_code == 302


def test_a_link_for_other_machines_bears_the_name_of_the_installation(
    researcher: User, settings: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    settings.ADDRESS_NOTE = tmp_path / "address"
    settings.ALLOWED_HOSTS, settings.SESSION_COOKIE_SECURE = ["127.0.0.1", "caravan.example"], True
    call_command("signin_link", "researcher", "--anywhere")
    call_command("signin_link", "researcher")
    named, local = capsys.readouterr().out.split()
    assert named.startswith("https://caravan.example/signin/")
    assert local.startswith("http://127.0.0.1:8000/signin/")
    settings.ADDRESS_NOTE.write_text("http://127.0.0.1:8955")
    call_command("signin_link", "researcher")
    assert capsys.readouterr().out.startswith("http://127.0.0.1:8955/signin/")


def test_a_link_runs_out(client: Client, researcher: User) -> None:
    address = f"/signin/{issue_signin_link(user=researcher)}/"
    SigninLink.objects.update(expires_at=timezone.now())
    assert client.get(address).status_code == client.post(address).status_code == 403


def test_a_link_for_any_machine_still_works_once(client: Client, researcher: User) -> None:
    address = f"/signin/{issue_signin_link(user=researcher, loopback_only=False)}/"
    assert client.post(address, REMOTE_ADDR="192.0.2.7").status_code == 302
    assert Client().post(address, REMOTE_ADDR="192.0.2.8").status_code == 403


def test_scripts_read_no_cookie_and_other_sites_send_none(client: Client, researcher: User) -> None:
    client.get("/signin/")
    client.post("/signin/", {"username": "researcher", "password": "a long enough one"})
    assert {name: (c["httponly"], c["samesite"]) for name, c in client.cookies.items()} == {
        "caravan_session": (True, "Lax"),
        "caravan_csrf": (True, "Lax"),
        "caravan_browser": (True, "Lax"),
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


def test_no_page_is_kept(client: Client, as_researcher: Client) -> None:
    for page in (client.get("/signin/"), as_researcher.get("/"), as_researcher.get("/tasks/")):
        assert "no-store" in page["Cache-Control"]
