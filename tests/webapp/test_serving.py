"""How a web process works on requests: in one go, in threads that stay, with memory that start-up has settled."""

from __future__ import annotations

import asyncio
import gc
import threading
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import override_settings
from django.urls import path

from webapp import memory
from webapp.admission import Door
from webapp.serving import Pages

calls_seen: list[tuple[str, int, object]] = []


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


urlpatterns = [path("", page)]


async def ask(door: Door) -> int:
    """The status of a request."""
    sent: list[dict[str, Any]] = []
    asked = asyncio.Event()

    async def receive() -> dict[str, Any]:
        if not asked.is_set():
            asked.set()
            return {"type": "http.request", "body": b""}
        await asyncio.Event().wait()
        raise AssertionError("nobody disconnects")

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": []}
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
            assert not gc.isenabled() and gc.get_freeze_count() == frozen
        assert gc.isenabled() and gc.get_freeze_count() >= frozen + len(loaded)
    finally:
        if not frozen:
            gc.unfreeze()
