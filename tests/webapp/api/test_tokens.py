"""Tokens: made once, shown once, bound to what they may do, and ended."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from limits import RateLimitItemPerMinute

from tests.webapp.api.conftest import Program, check_refusal
from webapp.accounts.models import ApiToken, Role, User
from webapp.accounts.tokens import READ_RUNS, WRITE_RUNS, issue_token
from webapp.api import access

pytestmark = pytest.mark.django_db
TOKEN_FIELDS = {"name": "notebook", "scopes": [READ_RUNS], "days": "30"}


def made_on_page(client: Client, **other: Any) -> str:
    page = client.post("/account/tokens/", TOKEN_FIELDS | other).content.decode()
    found = re.search(r"caravan_[\w-]{40,}", page)
    assert found, page
    return found.group()


def test_the_page_shows_a_token_once_and_stores_its_hash(as_researcher: Client) -> None:
    text = made_on_page(as_researcher)
    assert Program(text).get("runs")["items"] == []
    page = as_researcher.get("/account/tokens/").content.decode()
    assert text not in page and text[:14] in page and "notebook" in page
    (row,) = ApiToken.objects.values()
    assert text not in str(row) and row["last_used_at"] is not None and row["scopes"] == [READ_RUNS]


@pytest.mark.parametrize(
    "wrong", [{"name": ""}, {"scopes": []}, {"scopes": ["read:everything"]}, {"days": "0"}, {"days": "4000"}]
)
def test_a_token_needs_a_name_scopes_and_an_end(wrong: Any, as_researcher: Client) -> None:
    page = as_researcher.post("/account/tokens/", TOKEN_FIELDS | wrong).content.decode()
    assert 'class="bad"' in page and not ApiToken.objects.exists()


def test_a_revoked_token_is_refused(as_researcher: Client) -> None:
    program = Program(made_on_page(as_researcher))
    token = ApiToken.objects.get()
    as_researcher.post(f"/account/tokens/{token.pk}/revoke")
    check_refusal(program.ask("runs"), 401, "token", "api_token create")
    assert as_researcher.post(f"/account/tokens/{token.pk}/revoke").status_code == 404


def test_nobody_revokes_the_token_of_another(as_local: Client, program: Program) -> None:
    assert as_local.post(f"/account/tokens/{ApiToken.objects.get().pk}/revoke").status_code == 404
    assert (
        "tests"
        not in as_local.get("/account/tokens/").content.decode().partition("<h2>")[2].partition("</table>")[0]
    )
    assert program.ask("runs").status_code == 200


@pytest.mark.parametrize("change", ["expired", "closed", "annotator"])
def test_who_may_not_come_in_any_more_is_refused(change: str, program: Program, researcher: User) -> None:
    if change == "expired":
        ApiToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    elif change == "closed":
        User.objects.update(is_active=False)
    else:
        User.objects.update(role=Role.ANNOTATOR)
    response = program.ask("runs")
    check_refusal(response, 401, "token")
    assert response["WWW-Authenticate"] == "Bearer"


def test_a_session_of_a_browser_is_no_token(as_researcher: Client) -> None:
    check_refusal(as_researcher.get("/api/v1/runs"), 401, "token")


def test_too_many_requests_are_told_when_to_come_back(
    program: Program, researcher: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "REQUESTS", RateLimitItemPerMinute(2, namespace="test-api"))
    assert [program.ask("worlds").status_code for _ in range(3)] == [200, 200, 429]
    response = program.ask("worlds")
    check_refusal(response, 429, "too_many")
    assert 1 <= int(response["Retry-After"]) <= 60
    other = Program(issue_token(user=researcher, name="other", scopes=[READ_RUNS])[1])
    assert other.ask("worlds").status_code == 200


def test_guesses_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access, "WRONG", RateLimitItemPerMinute(1, namespace="test-api-wrong"))
    guess = Program("caravan_" + "x" * 43)
    check_refusal(guess.ask("runs"), 401, "token")
    check_refusal(guess.ask("runs"), 429, "too_many")


def test_the_command_makes_lists_and_revokes(capsys: pytest.CaptureFixture[str], researcher: User) -> None:
    def call_json(*given: str) -> Any:
        capsys.readouterr()
        call_command("api_token", *given, "--user", "researcher", "--json")
        return json.loads(capsys.readouterr().out)

    made = call_json("create", "script", "--scope", READ_RUNS, WRITE_RUNS, "--days", "7")
    assert Program(made["token"]).ask("runs").status_code == 200
    (listed,) = call_json("list")
    assert (listed["number"], listed["scopes"], listed["usable"]) == (
        made["number"],
        [READ_RUNS, WRITE_RUNS],
        True,
    )
    assert made["token"] not in str(listed)
    call_json("revoke", str(made["number"]))
    assert call_json("list") == []
    for wrong in (("revoke", "99"), ("create", "x", "--days", "0"), ("list", "--user", "nobody")):
        with pytest.raises(CommandError):
            call_command("api_token", *wrong)
