"""What the client repeats and what it does not, and how it tells what went wrong. No server is needed."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from caravan_client import BrokenList, Caravan, Refusal, Unreachable
from caravan_client import connection as connections

EMPTY = {"items": [], "next": None, "total": 0}
RUN: dict[str, Any] = {"id": "abc", "name": "good", "sessions": 3, "ended": 1, "state": "going"}
Answer = httpx2.Response | Exception


class Server:
    """Gives its answers one after the other, and remembers what was asked."""

    def __init__(self, *answers: Answer) -> None:
        self.answers, self.requests, self.pauses = [*answers], list[httpx2.Request](), list[float]()

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


@pytest.fixture
def caravan_at(monkeypatch: pytest.MonkeyPatch) -> Callable[[Server], Caravan]:
    def connect(server: Server) -> Caravan:
        caravan = Caravan("http://caravan.test/", "caravan_x", transport=httpx2.MockTransport(server))
        monkeypatch.setattr(caravan._connection, "_sleep", server.pauses.append)
        monkeypatch.setattr("caravan_client.client.time.sleep", server.pauses.append)
        return caravan

    return connect


Connect = Callable[[Server], Caravan]


def ok(told: Any = EMPTY) -> httpx2.Response:
    return httpx2.Response(200, json=told)


def refusal(status: int, code: str, where: str = "", **headers: str) -> httpx2.Response:
    problems = [{"where": where, "what": "Mend it."}] if where else []
    told = {"detail": "It can't be done.", "code": code, "problems": problems}
    return httpx2.Response(
        status, json=told, headers={name.replace("_", "-"): each for name, each in headers.items()}
    )


def test_what_only_reads_is_repeated_with_growing_pauses(caravan_at: Connect) -> None:
    lost = httpx2.ReadError("lost")
    server = Server(lost, refusal(503, "busy"), httpx2.Response(502), ok())
    assert list(caravan_at(server).runs()) == []
    assert len(server.requests) == 4 and server.pauses[0] < server.pauses[1] < server.pauses[2]
    assert server.requests[0].headers["Authorization"] == "Bearer caravan_x"


def test_the_server_says_how_long_to_wait(caravan_at: Connect) -> None:
    server = Server(refusal(429, "too_many", Retry_After="17"), ok())
    caravan_at(server).runs().total()
    assert server.pauses == [17.0]


def test_what_starts_a_run_is_repeated_with_its_key(caravan_at: Connect) -> None:
    server = Server(httpx2.ReadError("lost"), httpx2.Response(502), refusal(503, "storage"), ok(RUN), ok(RUN))
    caravan = caravan_at(server)
    assert caravan.start_run("good", tasks=["a"]).id == "abc"
    assert json.loads(server.requests[-1].content) == {"name": "good", "tasks": ["a"]}
    caravan.start_run("good", tasks=["a"])
    *same, other = [request.headers["Idempotency-Key"] for request in server.requests]
    assert len(same) == 4 and len({*same}) == 1 and other != same[0]


def test_what_is_refused_names_the_field(caravan_at: Connect) -> None:
    server = Server(refusal(422, "unfit", "status"))
    with pytest.raises(Refusal, match=r"It can't be done") as raised:
        caravan_at(server).sessions(status="good").first()
    assert (raised.value.status, raised.value.code) == (422, "unfit")
    assert raised.value.problems == [("status", "Mend it.")]


def test_another_server_and_no_server_are_told_clearly(caravan_at: Connect) -> None:
    with pytest.raises(Refusal, match="is this a Caravan server"):
        caravan_at(Server(httpx2.Response(404, text="<html>"))).runs().first()
    server = Server(*(httpx2.ConnectError("refused") for _ in range(6)))
    with pytest.raises(Unreachable, match=r"caravan\.test"):
        caravan_at(server).runs().first()
    assert len(server.pauses) == 5


def test_pages_follow_one_another(caravan_at: Connect) -> None:
    pages = [{"items": [RUN | {"id": name}], "next": cursor} for name, cursor in (("a", "x"), ("b", None))]
    server = Server(*map(ok, pages))
    assert [run.id for run in caravan_at(server).runs("good", state="ended")] == ["a", "b"]
    first, second = (dict(request.url.params) for request in server.requests)
    assert first == {"find": "good", "state": "ended", "limit": "1000"}
    assert second == {**first, "cursor": "x"}


def test_what_a_newer_server_tells_is_kept(caravan_at: Connect) -> None:
    run = caravan_at(Server(ok(RUN | {"created_at": "2026-03-01T10:00:00Z", "colour": "red"})))._run("abc")
    assert run.more == {"colour": "red"} and run.created_at.year == 2026 and run.values is None


def test_a_list_that_breaks_off_is_no_list(caravan_at: Connect) -> None:
    lines = b'{"id": "a"}\n{"problem": {"detail": "The disk is full.", "code": "storage"}}\n'
    with pytest.raises(BrokenList, match="The disk is full"):
        list(caravan_at(Server(httpx2.Response(200, content=lines)))._connection.lines("runs"))


def test_waiting_ends_with_the_run(caravan_at: Connect, capsys: pytest.CaptureFixture[str]) -> None:
    server = Server(ok(RUN), ok(RUN), ok(RUN | {"ended": 3, "state": "ended"}))
    assert caravan_at(server).wait("abc").ended == 3
    assert "good: 3 of 3" in capsys.readouterr().err.replace("3/3", "3 of 3") and server.pauses == [2.0, 2.0]
    with pytest.raises(TimeoutError, match="1 of 3"):
        caravan_at(Server(ok(RUN))).wait("abc", timeout_s=-1)


def test_pauses_are_bounded() -> None:
    assert connections.pause_s(50) <= 1.3 * connections.LONGEST_PAUSE_S
    assert connections.pause_s(0, "9999") == 2 * connections.LONGEST_PAUSE_S
