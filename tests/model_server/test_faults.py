"""Servers that misbehave, and what the ledger says of it."""

from __future__ import annotations

import http.client
import json
import threading
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from urllib.error import HTTPError, URLError

import pytest

from tests.model_server import ModelServer, model_server
from tests.model_server.playing import post
from tests.model_server.test_protocol import request, stream


def status_of(server: ModelServer, model: str, text: str = "Hello", key: str = "") -> int | str:
    """The HTTP status, or what broke."""
    try:
        post(server.url, request(model, text), key)
    except HTTPError as error:
        return error.code
    except (URLError, http.client.HTTPException, OSError) as error:
        return type(error).__name__
    except ValueError:
        return "no JSON"
    return 200


@pytest.mark.parametrize(
    ("option", "status"),
    [
        ("fail", 500),
        ("fail=503", 503),
        ("fail=429", 429),
        ("fail=418", 418),
        ("html", "no JSON"),
        ("rate=0", 429),
    ],
)
def test_an_option_fails_every_request(server: ModelServer, option: str, status: int | str) -> None:
    assert [status_of(server, f"good-user:{option}") for _ in range(2)] == [status] * 2


def test_retry_after_is_told(server: ModelServer) -> None:
    with pytest.raises(HTTPError) as raised:
        post(server.url, request("good-agent:fail=429:retry_after=1"))
    assert raised.value.headers["Retry-After"] == "1"


def test_only_the_right_key_is_let_in(server: ModelServer) -> None:
    model = "good-agent:key=sk-test"
    assert [status_of(server, model, key=key) for key in ("sk-test", "sk-other", "")] == [200, 401, 401]
    assert [entry.key for entry in server.ledger.entries if entry.model == model] == [
        "sk-test",
        "sk-other",
        "",
    ]


def test_a_cut_before_a_byte_and_one_in_the_middle(server: ModelServer) -> None:
    assert status_of(server, "good-agent:drop") == "RemoteDisconnected"
    assert status_of(server, "good-agent:drop=middle") == "IncompleteRead"
    lines = stream(server.url, request("good-agent:drop=middle"))
    assert lines
    assert "[DONE]" not in lines
    assert server.ledger.outcomes("good-agent:drop=middle") == {"cut": 2}


def test_slow_before_the_first_byte(server: ModelServer) -> None:
    started = time.monotonic()
    assert status_of(server, "good-agent:slow=0.2") == 200
    assert time.monotonic() - started >= 0.2


def test_more_than_a_few_at_once_are_refused() -> None:
    model = "good-agent:rate=2:slow=2"
    with model_server() as server, ThreadPoolExecutor(6) as callers:
        found = sorted(callers.map(lambda _: str(status_of(server, model)), range(6)))
        assert found == ["200"] * 2 + ["429"] * 4
        assert server.ledger.highest[model] >= 3


def test_one_after_the_other_is_never_two_at_once() -> None:
    """The ledger lets a request go before its caller can ask again."""
    with model_server() as server:
        for number in range(200):
            stream(server.url, request("good-agent", str(number)))
        assert server.ledger.highest["good-agent"] == 1


def test_a_caller_who_leaves_holds_no_place() -> None:
    with model_server() as server:
        host = server.url.removeprefix("http://").removesuffix("/v1")
        connection = http.client.HTTPConnection(host)
        body = json.dumps(request("good-agent:slow=30"))
        connection.request("POST", "/v1/chat/completions", body, {"Content-Type": "application/json"})
        until = time.monotonic() + 5
        while not server.ledger.entries and time.monotonic() < until:
            time.sleep(0.01)
        connection.close()
        while server.ledger.in_flight.total() and time.monotonic() < until:
            time.sleep(0.01)
        assert server.ledger.outcomes() == {"abandoned": 1}


def weather(seed: int, texts: list[str]) -> dict[str, list[int | str]]:
    """What each text's first three requests meet under a share of faults."""
    with model_server(faults=0.3, seed=seed) as server:
        return {text: [status_of(server, "good-agent", text) for _ in range(3)] for text in texts}


def test_faults_depend_on_the_request_and_not_on_the_order() -> None:
    texts = [f"request {number}" for number in range(60)]
    first = weather(1, texts)
    assert first == weather(1, texts[::-1])
    assert first != weather(2, texts)
    kinds = [kind for found in first.values() for kind in found]
    assert 0.15 < 1 - kinds.count(200) / len(kinds) < 0.45
    assert {429, 500, 503, "RemoteDisconnected", "IncompleteRead"} <= set(kinds)


def test_the_ledger_counts_tokens_of_whole_answers_alone() -> None:
    with model_server() as server:
        usage = post(server.url, request("good-agent"), "sk-1")["usage"]
        for option in (":drop=middle", ":fail", ":drop", ":html"):
            status_of(server, f"good-agent{option}")
        with urllib.request.urlopen(f"{server.url.removesuffix('/v1')}/ledger") as response:
            report = json.load(response)
    assert report["total"]["tokens"]["prompt"] == usage["prompt_tokens"]
    assert report["total"]["tokens"]["completion"] == usage["completion_tokens"]
    assert report["total"]["outcomes"] == {"whole": 1, "cut": 2, "refused": 2}
    assert report["models"]["good-agent"]["highest"] == 1
    assert report["entries"][0]["key"] == "sk-1"
    assert [entry["status"] for entry in report["entries"]] == [200, 200, 500, 200, 200]


def test_the_ledger_can_be_read_while_requests_come() -> None:
    with model_server() as server:
        done = threading.Event()

        def ask() -> None:
            while not done.is_set():
                post(server.url, request("good-agent"))

        caller = threading.Thread(target=ask)
        caller.start()
        try:
            assert all(server.ledger.report()["total"]["highest"] <= 1 for _ in range(50))
        finally:
            done.set()
            caller.join()
