"""How a web process works on requests: in one go, in threads that stay, with memory that start-up has settled."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Iterator
from io import BytesIO
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.http import FileResponse, HttpRequest, HttpResponse, StreamingHttpResponse
from django.test import override_settings
from django.urls import path

from webapp import memory
from webapp.admission import Door
from webapp.serving import CheckedServer, Pages, Request

calls_seen: list[tuple[str, int, object]] = []
PIECES = 50
PIECE = b"x" * 40_000


class CountingMiddleware:
    """A middleware of the old kind, which Django would run apart from those that can be asynchronous."""

    sync_capable, async_capable = True, False

    def __init__(self, get_response: Any) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> Any:
        _note("middleware")
        return self._get_response(request)


def page(request: HttpRequest) -> HttpResponse:
    connection.ensure_connection()
    _note("view")
    return HttpResponse("here")


def _note(what: str) -> None:
    calls_seen.append((what, threading.get_ident(), connection.connection))


def long_answer(request: HttpRequest) -> StreamingHttpResponse:
    def pieces() -> Iterator[bytes]:
        for _number in range(PIECES):
            _note("piece")
            yield PIECE

    return StreamingHttpResponse(pieces())


def file(request: HttpRequest) -> FileResponse:
    return FileResponse(BytesIO(PIECE * PIECES), filename="long")


urlpatterns = [path("", page), path("long", long_answer), path("file", file)]


async def ask(door: Door, path: str = "/", sent: list[dict[str, Any]] | None = None) -> int:
    """The status of a request. sent: is filled with what is sent."""
    sent = [] if sent is None else sent
    asked = asyncio.Event()

    async def receive() -> dict[str, Any]:
        if not asked.is_set():
            asked.set()
            return {"type": "http.request", "body": b""}
        await asyncio.Event().wait()
        raise AssertionError("nobody disconnects")

    async def send(message: dict[str, Any]) -> None:
        sent.append({**message, "seen": len(calls_seen)})

    scope = {"type": "http", "method": "GET", "path": path, "query_string": b"", "headers": []}
    await door(scope, receive, send)
    return int(sent[0]["status"])


@pytest.fixture
def door() -> Any:
    """To a site of one page, whose middleware can be of either kind."""
    calls_seen.clear()
    middleware = [
        "django.middleware.common.CommonMiddleware",
        f"{__name__}.CountingMiddleware",
        "django.middleware.clickjacking.XFrameOptionsMiddleware",
    ]
    with override_settings(ROOT_URLCONF=__name__, MIDDLEWARE=middleware, ALLOWED_HOSTS=["*"]):
        yield Door(Pages(), at_once=1, waiting=5)


@pytest.mark.django_db(transaction=True)
async def test_middleware_and_view_run_in_one_thread_that_stays(door: Door) -> None:
    assert [await ask(door) for _ in range(3)] == [200] * 3
    assert [what for what, _, _ in calls_seen] == ["middleware", "view"] * 3
    threads = {thread for _, thread, _ in calls_seen}
    assert len(threads) == 1 and threading.get_ident() not in threads


@pytest.mark.skipif(not settings.EMBEDDED_DATABASE, reason="PostgreSQL has a pool")
@pytest.mark.django_db(transaction=True)
async def test_the_next_request_finds_the_connection_of_the_one_before(door: Door) -> None:
    for _ in range(2):
        await ask(door)
    views = [opened for what, _, opened in calls_seen if what == "view"]
    assert views[0] is not None and views[0] is views[1]


async def test_a_request_that_breaks_gives_its_thread_back() -> None:
    async def failing_app(scope: Any, receive: Any, send: Any) -> None:
        raise RuntimeError("no page")

    door = Door(failing_app, at_once=1, waiting=0)
    for _ in range(3):
        with pytest.raises(RuntimeError, match="no page"):
            await ask(door)


def test_what_start_up_has_made_is_left_out_of_collections() -> None:
    before, frozen = gc.get_threshold(), gc.get_freeze_count()
    gc.freeze()  # what other tests have left: to search it takes seconds
    made = [[number] for number in range(20_000)]
    assert len(gc.get_objects()) > len(made)
    try:
        memory.settle()
        assert len(gc.get_objects()) < 10_000  # what a full collection looks at
        assert gc.get_threshold() == (memory.YOUNG_AFTER, before[1], memory.FULL_AFTER)
    finally:
        gc.set_threshold(*before)
        if not frozen:
            gc.unfreeze()


def test_nothing_is_collected_while_modules_are_loaded() -> None:
    """What was loaded is left out later; whoever had paused collections before still has."""
    frozen = gc.get_freeze_count()
    try:
        with memory.loading():
            assert not gc.isenabled()
            with memory.loading():
                loaded = [[number] for number in range(1_000)]
            # some of what was left out before may be gone meanwhile
            assert not gc.isenabled() and gc.get_freeze_count() <= frozen
        assert gc.isenabled() and gc.get_freeze_count() > frozen + len(loaded) / 2
    finally:
        if not frozen:
            gc.unfreeze()


@pytest.mark.django_db(transaction=True)
async def test_a_long_answer_is_sent_as_it_is_read(door: Door) -> None:
    sent: list[dict[str, Any]] = []
    assert await ask(door, "/long", sent) == 200
    bodies = [message for message in sent if message.get("body")]
    assert b"".join(message["body"] for message in bodies) == PIECE * PIECES
    assert bodies[0]["seen"] < PIECES / 2 and len({thread for _, thread, _ in calls_seen}) == 1
    sent.clear()
    assert await ask(door, "/file", sent) == 200
    bodies = [message for message in sent if message.get("body")]
    assert b"".join(message["body"] for message in bodies) == PIECE * PIECES
    assert max(len(message["body"]) for message in bodies) < 4 * len(PIECE)


async def test_what_is_sent_waits_for_its_reader() -> None:
    from twisted.web.test.requesthelper import DummyChannel  # after Daphne has chosen the reactor

    channel, server = DummyChannel(), CheckedServer.__new__(CheckedServer)
    server.connections, server.server_name = {}, ""
    channel.factory = SimpleNamespace(server=server)
    producers: list[Any] = []
    channel.registerProducer = lambda producer, streaming: producers.append(producer)
    request = Request(channel)
    more = {"type": "http.response.body", "body": PIECE, "more_body": True}
    await server.handle_reply(request, {"type": "http.response.start", "status": 200, "headers": []})
    await server.handle_reply(request, more)
    assert producers == [request]
    request.pauseProducing()
    waiting = asyncio.ensure_future(server.handle_reply(request, more))
    await asyncio.sleep(0.01)
    assert not waiting.done()
    request.resumeProducing()
    await asyncio.wait_for(waiting, 5)
