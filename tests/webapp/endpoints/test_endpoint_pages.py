"""The pages of model endpoints."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from benchmark.models import ChatRequest, ModelFailure
from benchmark.models.listing import NOTHING, Listing
from benchmark.models.probe import Finding, Probe
from tests.markup import text
from webapp.accounts.models import User
from webapp.endpoints.choice import setup_of
from webapp.endpoints.findings import LONGEST, PATIENCE, Findings
from webapp.endpoints.jobs import TEST
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.services import run_test
from webapp.jobs.services import enqueue
from webapp.sessions.models import Session
from worker.model_calls.live import LiveModel
from worker.steppers import endpoint_test

pytestmark = pytest.mark.django_db

THREE = {"name": "mine", "base_url": "http://127.0.0.1:9/v1/", "model": "some/model:7b"}
KEY = "sk-proj-Zq8Lw2nR5tYx0VbC3mKd7HfJ"
HOSTILE = "<script>alert(1)</script>"


def probe_result(**changes: Any) -> Probe:
    findings = (
        Finding("chat", True, f"“{HOSTILE}”", 812.0),
        Finding("streaming", True, "first piece after 90 ms", 1500.0),
        Finding("tools", False, "the model answered in words instead of a call", 300.0),
        Finding("usage", True, "whole answers: 9 + 2 tokens"),
    )
    given = {"findings": findings, "model": "served-7b", "tools": "text", "streams": True}
    return Probe(
        **{**given, "json_mode": False, "limit_parameter": "max_tokens", "listing": NOTHING, **changes}
    )


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> list[Probe]:
    """What the next tests find."""
    coming = [probe_result()]
    monkeypatch.setattr("benchmark.models.probe.probe", lambda _setup: coming[0])
    return coming


def test_only_researchers_see_models(as_annotator: Client, endpoint: ModelEndpoint) -> None:
    for address in ("", "new/", "mine/", "mine/edit/", "mine/findings/"):
        assert as_annotator.get(f"/models/{address}").status_code == 403
        assert Client().get(f"/models/{address}").status_code == 302
    for verb in ("test", "apply", "retire", "delete"):
        assert as_annotator.post(f"/models/mine/{verb}/").status_code == 403
    assert ModelEndpoint.objects.filter(retired=False).count() == 1


def test_three_fields_are_enough(as_researcher: Client) -> None:
    assert as_researcher.post("/models/new/", THREE)["Location"] == "/models/mine/"
    setup = ModelEndpoint.objects.get().setup()
    assert (setup.base_url, setup.model) == ("http://127.0.0.1:9/v1", "some/model:7b")
    assert (setup.temperature, setup.max_tokens, setup.tools, setup.streams) == (None, 8192, "native", True)
    assert (setup.input_price, setup.context_limit, setup.key_variable) == (None, None, "")


def test_fine_settings_are_kept_and_shown(as_researcher: Client) -> None:
    fine = {"temperature": "0.3", "streams": "False", "input_price": "2.5", "output_price": "10"}
    fine |= {"thinking": "off", "dialect": "thinking_type", "context_limit": "32000", "currency": "CNY"}
    as_researcher.post("/models/new/", {**THREE, **fine, "requests_per_minute": "60"})
    setup = ModelEndpoint.objects.get().setup()
    assert (setup.temperature, setup.streams, setup.input_price) == (0.3, False, 2.5)
    page = text(as_researcher.get("/models/mine/"))
    for words in ("2.5 in, 10 out CNY", "thinking.type", "32000", "0.3", "disabled"):
        assert words in page
    form = text(as_researcher.get("/models/mine/edit/"))
    assert 'value="32000"' in form and '<option value="False" selected>' in form


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("name", "two words", "Use letters, digits, - and _"),
        ("name", "new", "A model with this name already exists"),
        ("base_url", "ftp://host/v1", "Write http:// or https://"),
        ("base_url", "127.0.0.1:8000", "Write http:// or https://"),
        ("base_url", "http://host/v1/chat/completions", "Caravan adds it"),
        ("base_url", "http://host/v1/chat/completions?x=1", "Remove ? and #"),
        ("base_url", "http://host/v1#frag", "Put a key into an environment variable"),
        ("base_url", "http://a b/v1", "Remove the spaces"),
        ("base_url", "http://host:99999/v1", "The port of the address must be a number from 1 to 65535"),
        ("base_url", "http://[::1/v1", "Write http:// or https://"),
        ("model", "", "This field is required"),
        ("temperature", "nan", "Enter a number"),
        ("temperature", "3", "less than or equal to 2"),
        ("max_tokens", "0", "greater than or equal to 1"),
        ("context_limit", "8192", "An answer must be shorter"),
        ("timeout_s", "1000", "must not be longer than the time limit"),
        ("currency", "usd", "Three capital letters"),
        ("streams", "perhaps", "not one of the available choices"),
        ("concurrency", "0", "greater than or equal to 1"),
    ],
)
def test_what_is_wrong_is_said_at_its_field(
    as_researcher: Client, field: str, value: str, words: str
) -> None:
    page = as_researcher.post("/models/new/", {**THREE, field: value})
    assert page.status_code == 200 and words in text(page)
    assert not ModelEndpoint.objects.exists()


@pytest.mark.parametrize(
    "key",
    [
        KEY,
        "hf_QmZkVtYpRwXcLbNdJgHfSaEuTiOyPlKj12",
        "0123456789abcdef0123456789abcdef",
        "hf_abcdefghijklm",
        "a b",
        "$KEY",
        "x" * 101,
    ],
)
def test_a_key_in_place_of_its_variable_is_neither_kept_nor_sent_back(
    as_researcher: Client, key: str
) -> None:
    page = as_researcher.post("/models/new/", {**THREE, "key_variable": key})
    assert page.status_code == 200 and 'wrong-field"><label for="id_key_variable"' in text(page)
    assert f'value="{key}"' not in text(page) and KEY not in text(page)
    assert not ModelEndpoint.objects.exists()


@pytest.mark.parametrize(
    "address",
    [
        "https://me:sk-abc@host/v1",
        "https://host/v1?api_key=sk-abc",
        "https://host/v1#sk-abc",
        "https://host/v1 sk-abc",
        "https://host:99999/sk-abc-0123456789",
        "sk-abc-0123456789",
    ],
)
def test_a_refused_address_that_may_hold_a_key_is_not_sent_back(as_researcher: Client, address: str) -> None:
    page = as_researcher.post("/models/new/", {**THREE, "base_url": address})
    assert 'wrong-field"><label for="id_base_url"' in text(page) and "sk-abc" not in text(page)
    assert not ModelEndpoint.objects.exists()


def test_a_mistyped_address_stays_on_the_page(as_researcher: Client) -> None:
    page = as_researcher.post("/models/new/", {**THREE, "base_url": "http://my-host:99999/v1"})
    assert 'value="http://my-host:99999/v1"' in text(page)


@pytest.mark.parametrize(
    "key", [KEY, "sk-0123456789abcdef", "hf_QmZkVtYpRwXcLbNdJgHfSaEuTiOyPlKj", f"x{KEY}" * 9]
)
def test_a_key_in_place_of_the_model_is_neither_kept_nor_sent_back(as_researcher: Client, key: str) -> None:
    page = as_researcher.post("/models/new/", {**THREE, "model": key})
    assert 'wrong-field"><label for="id_model"' in text(page) and key not in text(page)
    assert not ModelEndpoint.objects.exists()


@pytest.mark.parametrize(
    "name", ["skt/A.X-4.0", "hf_mistral-7b-instruct", "ft:gpt-4o-mini:org::AbCdEfGhIjKl", "sk-7b"]
)
def test_names_of_models_are_no_keys(as_researcher: Client, name: str) -> None:
    as_researcher.post("/models/new/", {**THREE, "model": name})
    assert ModelEndpoint.objects.get().model == name


def test_the_page_says_whether_the_key_is_there(as_local: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    as_local.post("/models/new/", {**THREE, "key_variable": "MY_MODEL_API_KEY"})
    page = text(as_local.get("/models/mine/"))
    assert "not set here" in page and "also for the workers" in page
    monkeypatch.setenv("MY_MODEL_API_KEY", KEY)
    page = text(as_local.get("/models/mine/"))
    assert ">set here<" in page and KEY not in page and "Bearer $MY_MODEL_API_KEY" in page
    monkeypatch.setenv("MY_MODEL_API_KEY", "schlüssel")
    assert "can't be a key" in text(as_local.get("/models/mine/"))


def test_a_change_keeps_the_name_and_drops_what_another_model_could(
    as_researcher: Client, endpoint: ModelEndpoint, answers: list[Probe]
) -> None:
    run_test(name="mine")
    as_researcher.post("/models/mine/edit/", {**THREE, "name": "other", "patience_s": "30"})
    endpoint.refresh_from_db()
    assert (endpoint.name, endpoint.patience_s, endpoint.tested_at is None) == ("mine", 30, False)
    as_researcher.post("/models/mine/edit/", {**THREE, "model": "another"})
    endpoint.refresh_from_db()
    assert (endpoint.model, endpoint.patience_s, endpoint.findings) == ("another", 30, {})


def run_endpoint_test() -> None:
    """A worker does the test that somebody asked for."""
    enqueue(kind=TEST, subject="mine")
    endpoint_test("mine")


def test_a_test_goes_to_the_workers_and_comes_back(
    as_researcher: Client, endpoint: ModelEndpoint, answers: list[Probe]
) -> None:
    assert "Not tested yet" in text(as_researcher.get("/models/mine/"))
    assert as_researcher.post("/models/mine/test/")["Location"] == "/models/mine/"
    asked = text(as_researcher.get("/models/mine/findings/"))
    assert "A worker was asked" in asked and 'hx-trigger="every 1s"' in asked
    assert "being tested" in text(as_researcher.get("/models/"))
    run_endpoint_test()
    page = as_researcher.get("/models/mine/")
    for words in ("served-7b", "first piece after 90 ms", "812 ms", "1.5 s", "in words instead of a call"):
        assert words in text(page)
    assert 'hx-trigger="every' not in text(page) and HOSTILE not in page.content.decode()
    assert "without tool calls" in text(as_researcher.get("/models/"))


def test_what_a_server_said_in_a_test_is_shown_to_administrators_only(
    as_researcher: Client, researcher: User, endpoint: ModelEndpoint, answers: list[Probe]
) -> None:
    body = "the keys of the house"
    said = Finding(
        "chat", False, f"status 404, “{body}”. Check it.", 9.0, "not_found", "status 404, … . Check it."
    )
    answers[0] = probe_result(findings=(said,))
    run_endpoint_test()
    older = {"capability": "chat", "works": False, "detail": f"status 404, “{body}”", "latency_ms": 9.0}
    for stored in (ModelEndpoint.objects.get().findings["rows"], [older]):
        kept = ModelEndpoint.objects.get().findings
        ModelEndpoint.objects.update(findings={**kept, "rows": stored})
        for address, administers in itertools.product(
            ("/models/mine/", "/models/mine/findings/"), (True, False)
        ):
            User.objects.filter(pk=researcher.pk).update(is_superuser=administers)
            page = text(as_researcher.get(address))
            assert "status 404, " in page and (body in page) is administers


@pytest.mark.parametrize(
    ("address", "allowed"),
    [
        ("https://api.example.com/v1", True),
        ("https://API.example.com:8443/v1", True),
        ("http://gpu1.lab.example/v1", True),
        ("http://127.0.0.1:8080/v1", True),
        ("http://127.0.0.1:6379/v1", False),
        ("http://169.254.169.254/latest", False),
        ("https://api.example.com.evil.example/v1", False),
        ("http://[::1]:8080/v1", False),
    ],
)
def test_models_are_where_the_installation_lets_them_be(
    as_researcher: Client, settings: Any, address: str, allowed: bool
) -> None:
    settings.CARAVAN_MODEL_HOSTS = ["api.example.com", ".lab.example", "127.0.0.1:8080"]
    page = as_researcher.post("/models/new/", {**THREE, "base_url": address})
    assert (page.status_code == 302) is allowed
    if not allowed:
        assert "Models may run only at api.example.com, .lab.example, 127.0.0.1:8080" in text(page)


def test_a_model_that_may_no_longer_be_there_is_not_asked(
    as_researcher: Client, endpoint: ModelEndpoint, settings: Any
) -> None:
    settings.CARAVAN_MODEL_HOSTS = ["api.example.com"]
    run_endpoint_test()
    assert "not at 127.0.0.1." in text(as_researcher.get("/models/mine/"))
    model = LiveModel(setup_of(endpoint, ""), endpoint, "en", lambda _delta: None, lambda: False)
    with pytest.raises(ModelFailure, match=r"nothing was sent\. Models may run only at api"):
        model.ask(ChatRequest(({"role": "user", "content": "hello"},)))
    settings.CARAVAN_MODEL_HOSTS = []
    assert "Models may run only at" not in text(as_researcher.get("/models/mine/edit/"))


def test_a_suggestion_is_shown_and_taken(
    as_researcher: Client, endpoint: ModelEndpoint, answers: list[Probe]
) -> None:
    run_endpoint_test()
    assert "tools: text protocol" in text(as_researcher.get("/models/mine/"))
    as_researcher.post("/models/mine/apply/")
    endpoint.refresh_from_db()
    assert (endpoint.tools, endpoint.streams) == ("text", True)
    assert "These settings suit" not in text(as_researcher.get("/models/mine/"))


def test_a_failure_that_may_pass_decides_nothing(
    as_researcher: Client, endpoint: ModelEndpoint, answers: list[Probe]
) -> None:
    dropped = Finding("tools", False, "no connection", 20.0, "connection")
    answers[0] = probe_result(findings=(Finding("chat", True, "“ready”", 20.0), dropped))
    run_endpoint_test()
    assert "tools: text protocol" not in text(as_researcher.get("/models/mine/"))


def test_an_endpoint_that_does_not_answer_suggests_nothing(
    as_researcher: Client, endpoint: ModelEndpoint, answers: list[Probe]
) -> None:
    answers[0] = probe_result(findings=(Finding("chat", False, "the key was refused (401)", 20.0, "auth"),))
    run_endpoint_test()
    page = text(as_researcher.get("/models/mine/"))
    assert "the key was refused" in page and "Nothing else was tried." in page
    assert "These settings suit" not in page
    as_researcher.post("/models/mine/apply/")
    assert ModelEndpoint.objects.get().tools == "native"
    assert "does not answer" in text(as_researcher.get("/models/"))


def test_what_was_not_found_out_is_neither_a_yes_nor_a_no(
    as_researcher: Client, endpoint: ModelEndpoint, answers: list[Probe]
) -> None:
    busy = Finding("tools", None, "the server answered with status 429", 20.0, "rate_limit")
    answers[0] = probe_result(findings=(Finding("chat", True, "“ready”", 20.0), busy))
    run_endpoint_test()
    page = text(as_researcher.get("/models/mine/findings/"))
    assert ">not determined<" in page and ">no<" not in page
    assert "not determined: tool calls" in text(as_researcher.get("/models/"))
    answers[0] = probe_result(findings=(replace(busy, capability="chat"),))
    run_endpoint_test()
    shown = text(as_researcher.get("/models/"))
    assert "not determined" in shown and "does not answer" not in shown


def test_the_context_that_the_server_tells_is_suggested_and_judged(
    as_researcher: Client, endpoint: ModelEndpoint, answers: list[Probe]
) -> None:
    answers[0] = probe_result(listing=Listing((endpoint.model,), 2048))
    run_endpoint_test()
    page = text(as_researcher.get("/models/mine/findings/"))
    assert "context limit: 2,048" in page and "longest answer: 512" in page
    assert "The context has 2,048 tokens, and a session needs about 16,000." in page
    assert "The server lists" not in page
    as_researcher.post("/models/mine/apply/")
    endpoint.refresh_from_db()
    assert (endpoint.context_limit, endpoint.max_tokens) == (2048, 512)
    answers[0] = probe_result(listing=Listing(("other-1", "other-2"), 65536))
    run_endpoint_test()
    page = text(as_researcher.get("/models/mine/findings/"))
    assert f"The server lists other-1, other-2, and not {endpoint.model}." in page
    assert "context limit" not in page and "a session needs" not in page


@pytest.mark.parametrize(
    ("state", "age", "words", "asks_on"),
    [
        ("asked", timedelta(0), "A worker was asked", True),
        ("asked", 2 * PATIENCE, "No worker has answered yet", True),
        ("begun", timedelta(0), "A worker is testing it", True),
        ("begun", 2 * LONGEST, "has stopped; test it again", False),
        ("unreachable", timedelta(0), "No worker can be reached", False),
    ],
)
def test_the_page_says_what_became_of_a_test(
    as_researcher: Client, endpoint: ModelEndpoint, state: Any, age: timedelta, words: str, asks_on: bool
) -> None:
    stored = Findings(state=state, at=timezone.now() - age).as_json()
    ModelEndpoint.objects.update(findings=stored)
    page = text(as_researcher.get("/models/mine/findings/"))
    assert words in page and ("hx-trigger" in page) == asks_on


def test_without_a_broker_the_page_says_so(
    as_researcher: Client, endpoint: ModelEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.queue._publish", lambda *_: False)
    as_researcher.post("/models/mine/test/")
    assert "No worker can be reached" in text(as_researcher.get("/models/mine/"))


def test_a_test_of_no_endpoint_is_no_error(db: None, answers: list[Probe]) -> None:
    endpoint_test("gone")


def test_a_used_endpoint_is_retired_and_not_deleted(
    as_researcher: Client, make_model_session: Callable[..., Session]
) -> None:
    make_model_session()
    answer = as_researcher.post("/models/mine/delete/", follow=True)
    assert "Retire it instead" in text(answer) and ModelEndpoint.objects.exists()
    assert ">Delete<" not in text(answer)
    as_researcher.post("/models/mine/retire/")
    assert ModelEndpoint.objects.get().retired
    assert "retired" in text(as_researcher.get("/models/"))
    as_researcher.post("/models/mine/retire/", {"back": "1"})
    assert not ModelEndpoint.objects.get().retired


def test_an_unused_endpoint_is_deleted_after_a_question(
    as_researcher: Client, endpoint: ModelEndpoint
) -> None:
    assert 'href="/models/mine/delete/"' in text(as_researcher.get("/models/mine/"))
    assert "Delete the model “mine”?" in text(as_researcher.get("/models/mine/delete/"))
    assert ModelEndpoint.objects.exists()
    answer = as_researcher.post("/models/mine/delete/", follow=True)
    assert answer.redirect_chain == [("/models/", 302)]
    assert "The model “mine” was deleted." in text(answer)
    assert not ModelEndpoint.objects.exists()


def test_there_is_no_page_of_no_model(as_researcher: Client) -> None:
    assert as_researcher.get("/models/other/").status_code == 404
    assert as_researcher.get("/models/other/test/").status_code == 405
