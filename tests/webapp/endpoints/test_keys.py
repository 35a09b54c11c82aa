"""Which variables may hold keys, and that each key reaches one server only."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from tests.markup import text
from tests.model_server import ModelServer, model_server
from webapp.endpoints import keys
from webapp.endpoints.models import KeyServer, ModelEndpoint
from webapp.endpoints.services import create_endpoint, run_test

pytestmark = pytest.mark.django_db
SECRET = "sk-proj-Zq8Lw2nR5tYx0VbC3mKd7HfJ"
ENDPOINT_FIELDS = {"name": "mine", "base_url": "http://127.0.0.1:9/v1", "model": "m"}


@pytest.fixture(autouse=True)
def secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CARAVAN_KEY_VARIABLES", raising=False)
    for name in ("SOME_API_KEY", "OTHER_SECRET", "CARAVAN_AMAP_KEY", "CARAVAN_ANY_API_KEY", "HOME_API_KEY"):
        monkeypatch.setenv(name, SECRET)


def run_key(*words: str) -> str:
    out = StringIO()
    call_command("key", *words, stdout=out)
    return out.getvalue()


@pytest.mark.parametrize(
    ("variable", "may"),
    [
        ("OPENAI_API_KEY", True),
        ("a1_API_KEY", True),
        ("OPENAI_KEY", False),
        ("_API_KEY", False),
        ("OPENAI_API_KEY2", False),
        ("openai_api_key", False),
        ("PATH", False),
        ("DATABASE_URL", False),
        ("CARAVAN_SECRET_KEY", False),
        ("CARAVAN_AMAP_API_KEY", False),
        ("caravan_x_API_KEY", False),
        ("", False),
        ("MY API_KEY", False),
        ("X\n_API_KEY", False),
    ],
)
def test_variables_of_keys_end_alike(variable: str, may: bool) -> None:
    assert keys.may_hold_key(variable) is may


def test_others_have_to_be_listed_and_our_own_never_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARAVAN_KEY_VARIABLES", "OTHER_SECRET, THIRD CARAVAN_SECRET_KEY")
    assert keys.may_hold_key("OTHER_SECRET") and keys.may_hold_key("THIRD")
    assert not keys.may_hold_key("FOURTH") and not keys.may_hold_key("CARAVAN_SECRET_KEY")


@pytest.mark.parametrize(
    ("address", "server"),
    [
        ("https://API.Example.com/v1", "https://api.example.com"),
        ("https://api.example.com:443/v1/x", "https://api.example.com"),
        ("http://api.example.com:443", "http://api.example.com:443"),
        ("http://127.0.0.1:8000/v1", "http://127.0.0.1:8000"),
        ("http://[::1]:80/v1", "http://[::1]"),
        ("https://api.example.com./v1", "https://api.example.com"),
    ],
)
def test_a_server_is_scheme_host_and_port(address: str, server: str) -> None:
    assert keys.server_of(address) == server


@pytest.mark.parametrize("variable", ["OTHER_SECRET", "CARAVAN_AMAP_KEY", "CARAVAN_ANY_API_KEY", "HOME"])
def test_a_variable_that_is_not_for_keys_is_refused(as_local: Client, variable: str) -> None:
    page = as_local.post("/models/new/", {**ENDPOINT_FIELDS, "key_variable": variable})
    assert "CARAVAN_KEY_VARIABLES" in text(page)
    assert not ModelEndpoint.objects.exists() and not KeyServer.objects.exists()


def test_a_key_is_bound_to_its_first_server_by_whoever_runs_caravan(as_local: Client) -> None:
    as_local.post("/models/new/", {**ENDPOINT_FIELDS, "key_variable": "SOME_API_KEY"})
    assert keys.bound_server("SOME_API_KEY") == "http://127.0.0.1:9"
    other = {
        **ENDPOINT_FIELDS,
        "name": "theirs",
        "base_url": "http://127.0.0.1:10/v1",
        "key_variable": "SOME_API_KEY",
    }
    page = text(as_local.post("/models/new/", other))
    assert "is sent to http://127.0.0.1:9 only" in page
    assert "manage.py key bind SOME_API_KEY http://127.0.0.1:10" in page
    moved = {**other, "name": "mine"}
    assert "only" in text(as_local.post("/models/mine/edit/", moved))
    assert ModelEndpoint.objects.get().base_url == "http://127.0.0.1:9/v1"


def test_other_researchers_can_have_no_key_sent_anywhere_new(as_researcher: Client) -> None:
    page = as_researcher.post("/models/new/", {**ENDPOINT_FIELDS, "key_variable": "SOME_API_KEY"})
    assert "manage.py key bind SOME_API_KEY http://127.0.0.1:9" in text(page)
    assert not ModelEndpoint.objects.exists() and not KeyServer.objects.exists()
    run_key("bind", "SOME_API_KEY", "http://127.0.0.1:9")
    assert (
        as_researcher.post("/models/new/", {**ENDPOINT_FIELDS, "key_variable": "SOME_API_KEY"}).status_code
        == 302
    )


def test_the_command_line_binds_moves_and_frees() -> None:
    assert "no key is bound" in run_key("list")
    create_endpoint(**ENDPOINT_FIELDS, key_variable="SOME_API_KEY")
    told = run_key("bind", "SOME_API_KEY", "https://api.example.com/v1")
    assert "sent to https://api.example.com, and nowhere else" in told and "“mine”" in told
    assert "SOME_API_KEY (set here): https://api.example.com" in run_key("list")
    assert SECRET not in run_key("list")
    run_key("free", "SOME_API_KEY")
    assert keys.bound_server("SOME_API_KEY") is None
    with pytest.raises(CommandError, match="bound to no server"):
        run_key("free", "SOME_API_KEY")
    for wrong in (("OTHER_SECRET", "https://a.example"), ("SOME_API_KEY", "api.example.com")):
        with pytest.raises(CommandError):
            run_key("bind", *wrong)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


def test_a_test_sends_no_key_to_a_server_that_it_is_not_bound_to(server: ModelServer) -> None:
    endpoint = create_endpoint(
        name="mine", base_url=server.url, model="good-agent", key_variable="SOME_API_KEY"
    )
    KeyServer.objects.update(server="https://api.example.com")
    found = run_test(name=endpoint.name)
    assert found is not None and "is sent to https://api.example.com only" in found.problem
    assert not server.ledger.entries
    KeyServer.objects.all().delete()
    found = run_test(name=endpoint.name)
    assert found is not None and "belongs to no server yet" in found.problem
    assert not server.ledger.entries


def test_the_page_of_a_model_says_that_its_key_is_not_sent(as_researcher: Client) -> None:
    create_endpoint(**ENDPOINT_FIELDS, key_variable="SOME_API_KEY")
    KeyServer.objects.update(server="https://api.example.com")
    page = text(as_researcher.get("/models/mine/"))
    assert "is sent to https://api.example.com only" in page and "not sent" in page
