"""What goes wrong on the way to AMap, and what the agent and the log are told."""

from __future__ import annotations

import json
import logging
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
import pytest

from sandbox.backends.amap import AmapSettings, amap_from_environment
from sandbox.backends.amap import client as client_module
from sandbox.backends.amap.failures import AmapFailure, refusal_of
from sandbox.toolbox import Toolbox
from sandbox.toolbox.world import WorldAnswers
from tests.sandbox.backends.amap_server import KEY, AmapServer, Fault, cut, replies, says, slow
from tests.sandbox.backends.conftest import Call, backend_of, client_of, failure

Error = Callable[..., tuple[str, str]]
PATH, DETAIL = "/v5/place/detail", {"id": "B023B17M5D"}
HTML = replies(200, "text/html", "<html>网关错误 " + KEY + "</html>")
BROKEN_JSON = replies(200, "application/json", '{"status": "1", "pois": [')


@pytest.mark.parametrize(
    "fault",
    [
        replies(500, "text/plain", "oops"),
        replies(503, "text/html", "<html>"),
        replies(429, "text/plain", ""),
        cut,
        says("10021"),
        says("10004"),
        says("30001"),
    ],
)
def test_what_passes_is_tried_again(call: Call, amap: AmapServer, fault: Fault) -> None:
    amap.faults.extend([fault, fault])
    assert call("get_poi_detail", **DETAIL)["name"] == "楼外楼(孤山路店)"
    assert len(amap.requests) == 3


@pytest.mark.parametrize(
    ("fault", "requests", "words"),
    [
        (replies(500, "text/plain", "oops"), 4, "出错"),
        (cut, 4, "无法连接"),
        (says("10021"), 4, "繁忙"),
        (says("30001"), 4, "出错"),
        (says("10003"), 1, "配额"),
        (says("10009"), 1, "USERKEY_PLAT_NOMATCH 10009"),
        (says("20000"), 1, "INVALID_PARAMS 20000"),
        (replies(404, "text/html", ""), 1, "出错"),
        (replies(302, "text/html", ""), 1, "出错"),
        (HTML, 1, "无法识别"),
        (BROKEN_JSON, 1, "无法识别"),
        (replies(200, "application/json", "[]"), 1, "无法识别"),
        (replies(200, "application/json", '{"status": [], "info": "OK"}'), 1, "无法识别"),
        (replies(200, "application/json", "[" * 100_000), 1, "无法识别"),
    ],
)
def test_what_stays_is_told(error: Error, amap: AmapServer, fault: Fault, requests: int, words: str) -> None:
    amap.faults.extend([fault] * 9)
    kind, message = error("get_poi_detail", **DETAIL)
    assert kind == "backend" and words in message
    assert len(amap.requests) == requests


def test_a_slow_server_is_a_timeout(amap: AmapServer) -> None:
    amap.faults.extend([slow(0.4)] * 2)
    backend = backend_of(amap, timeout_s=0.1, retries=1)
    assert failure(backend, "get_poi_detail", **DETAIL) == ("timeout", "高德服务未在时限内回应，请稍后再试")
    assert len(amap.requests) == 2
    backend.close()


def test_no_server_at_all(amap: AmapServer) -> None:
    backend = backend_of(amap, base_url="http://127.0.0.1:1", retries=1)
    kind, message = failure(backend, "get_poi_detail", **DETAIL)
    assert kind == "backend" and "无法连接" in message
    backend.close()


def test_a_wrong_key(amap: AmapServer) -> None:
    wrong = "f" * 32
    backend = backend_of(amap, key=wrong)
    kind, message = failure(backend, "get_poi_detail", **DETAIL)
    assert kind == "backend" and "INVALID_USER_KEY" in message and wrong not in message
    assert len(amap.requests) == 1
    backend.close()


def test_messages_in_english(amap: AmapServer) -> None:
    backend = backend_of(amap)
    amap.faults.append(says("10003"))
    outcome = Toolbox(WorldAnswers(backend), "en").call("get_poi_detail", DETAIL)
    assert json.loads(outcome.result)["error"].startswith("The quota for the AMap service is used up")
    backend.close()


def test_the_key_is_in_no_log_no_message_and_no_exception(
    amap: AmapServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.DEBUG, logger="httpx2")
    faults = [HTML, BROKEN_JSON, says("10001"), cut, replies(500, "text/plain", KEY), slow(0.3)]
    echo = {"status": "0", "info": f"INVALID {KEY}", "infocode": "10001"}
    faults.append(replies(200, "application/json", json.dumps(echo)))
    backend = backend_of(amap, retries=0, timeout_s=0.2)
    messages = []
    for fault in faults:
        amap.faults.append(fault)
        messages.append(failure(backend, "get_poi_detail", **DETAIL)[1])
    assert any("HTTP Request" in each.getMessage() for each in caplog.records)
    warnings = [each for each in caplog.records if each.levelno == logging.WARNING]
    assert len(warnings) == len(faults) and PATH in warnings[0].getMessage()
    texts = [caplog.text, *messages, repr(backend), repr(AmapSettings(KEY))]
    texts += [repr(vars(each)) for each in caplog.records]
    for text in texts:
        at = text.find(KEY)
        assert at < 0, text[max(0, at - 300) : at]
    assert all(asked["key"] == KEY for _, _, asked in amap.requests)
    backend.close()


def test_an_exception_from_the_network_knows_no_key(amap: AmapServer) -> None:
    amap.faults.append(cut)
    with client_of(amap, retries=0) as client, pytest.raises(AmapFailure) as caught:
        client.get(PATH, DETAIL)
    cause = caught.value.__cause__
    assert isinstance(cause, httpx2.RequestError) and KEY not in str(cause.request.url)


def test_the_proxy_of_the_environment_is_used(amap: AmapServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", amap.url)
    monkeypatch.setenv("no_proxy", "localhost")
    with client_of(amap, base_url="http://restapi.example") as client:
        assert client.get(PATH, DETAIL)["pois"]
    monkeypatch.setenv("no_proxy", "localhost,restapi.example")
    with client_of(amap, base_url="http://restapi.example", retries=0) as client, pytest.raises(AmapFailure):
        client.get(PATH, DETAIL)
    assert amap.paths() == [PATH]


def test_the_rate_limit_holds_across_threads(amap: AmapServer) -> None:
    started = time.monotonic()
    with client_of(amap, per_second=4) as client, ThreadPoolExecutor(8) as pool:
        assert all(pool.map(lambda nth: client.get(PATH, DETAIL), range(8)))
    assert len(amap.requests) == 8 and time.monotonic() - started >= 0.9
    assert amap.busiest(0.5) <= 4


def test_a_server_with_a_lower_limit_is_waited_for(amap: AmapServer) -> None:
    amap.per_second = 1
    with client_of(amap, pause_s=0.1, retries=20) as client:
        assert all(client.get(PATH, DETAIL) for _ in range(2))
    assert len(amap.requests) > 2


def test_clients_share_a_limit_through_redis(amap: AmapServer) -> None:
    url = os.environ["REDIS_URL"]
    storage = url.replace("unix://", "redis+unix://", 1) if url.startswith("unix://") else url
    limited: dict[str, Any] = {"per_second": 2, "storage_uri": storage}
    with client_of(amap, **limited) as one, client_of(amap, **limited) as other:
        for client in (one, other, one, other):
            client.get(PATH, DETAIL)
    assert amap.busiest(0.5) <= 2


def test_a_limit_that_cannot_be_counted(amap: AmapServer) -> None:
    with client_of(amap, storage_uri="redis+unix:///nowhere/valkey.sock") as client:
        with pytest.raises(AmapFailure) as caught:
            client.get(PATH, DETAIL)
        assert caught.value.kind == "backend" and amap.requests == []


def test_a_queue_that_takes_too_long(amap: AmapServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "LONGEST_WAIT_S", 0.05)
    with client_of(amap, per_second=1) as client:
        client.get(PATH, DETAIL)
        with pytest.raises(AmapFailure) as caught:
            client.get(PATH, DETAIL)
    assert caught.value.kind == "timeout" and "排队" in caught.value.describe("zh")


def test_no_key_no_backend() -> None:
    assert amap_from_environment({}) is None
    assert amap_from_environment({"CARAVAN_AMAP_KEY": "", "CARAVAN_AMAP_QPS": "no"}) is None


def test_the_environment_sets_a_backend_up(amap: AmapServer) -> None:
    environ = {"CARAVAN_AMAP_KEY": KEY, "CARAVAN_AMAP_URL": amap.url + "/", "CARAVAN_AMAP_QPS": "50"}
    backend = amap_from_environment(environ | {"CARAVAN_AMAP_TIMEOUT": "2.5"})
    assert backend is not None
    outcome = Toolbox(WorldAnswers(backend)).call("get_poi_detail", DETAIL)
    assert not outcome.error and amap.paths() == [PATH]
    backend.close()


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("CARAVAN_AMAP_KEY", f"{KEY} "),
        ("CARAVAN_AMAP_KEY", f'"{KEY}"'),
        ("CARAVAN_AMAP_URL", "restapi.amap.com"),
        ("CARAVAN_AMAP_URL", "ftp://restapi.amap.com"),
        ("CARAVAN_AMAP_URL", f"https://restapi.amap.com?key={KEY}"),
        ("CARAVAN_AMAP_URL", "http://host:port"),
        ("CARAVAN_AMAP_URL", "http://[::1"),
        ("CARAVAN_AMAP_QPS", "0"),
        ("CARAVAN_AMAP_QPS", "2.5"),
        ("CARAVAN_AMAP_QPS", "-1"),
        ("CARAVAN_AMAP_QPS", "1001"),
        ("CARAVAN_AMAP_TIMEOUT", "0"),
        ("CARAVAN_AMAP_TIMEOUT", "nan"),
        ("CARAVAN_AMAP_TIMEOUT", "inf"),
        ("CARAVAN_AMAP_TIMEOUT", "ten"),
    ],
)
def test_a_malformed_variable_is_named(variable: str, value: str) -> None:
    with pytest.raises(ValueError, match=f"{variable} must be") as caught:
        amap_from_environment({"CARAVAN_AMAP_KEY": KEY, variable: value})
    assert KEY not in str(caught.value)


@pytest.mark.parametrize("code", ["10001", "10003", "10021", "20000", "30001"])
def test_refusals_are_told_in_both_languages(code: str) -> None:
    problem = refusal_of(code, "INFO").problem
    assert problem.zh != problem.en and problem.en.isascii() and not problem.zh.isascii()
