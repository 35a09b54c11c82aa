"""What a seat's socket does with what no page would send, and many requests at the same moment."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from channels.testing import WebsocketCommunicator
from django.db import connections
from django.test import Client

from tests.people import Sitter
from tests.webapp.people.two_people import arrived, inbox_contents, sit_down
from webapp.catalogue.models import Task, World
from webapp.people import consumers
from webapp.people.consumers import MOST_PAGES, TOO_MANY
from webapp.people.models import Guest
from webapp.people.tabs import MOST_DRAFT, notify_pages
from webapp.people.views import MOST_WAITING
from webapp.routing import websockets
from webapp.seats.models import Notice
from webapp.sessions.consumers import NONSENSE, NOT_ALLOWED

pytestmark = [pytest.mark.either_engine, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def sitter(task: Task, starter_world: World) -> Sitter:
    """At User1, whose turn it is."""
    return sit_down(task, starter_world)[0]


@pytest.mark.storage
def test_thirty_messages_at_the_same_moment(sitter: Sitter) -> None:
    path, cookies = sitter.path, sitter.client.cookies

    def post(number: int) -> bool:
        client = Client()
        client.cookies = cookies
        try:
            return arrived(
                client.post(path + "say/", {"client_id": f"c{number}", "content": "hello", "sure": "1"})
            )
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        taken = sum(pool.map(post, range(30)))
    assert taken == len(inbox_contents(sitter)) == MOST_WAITING


class Page:
    """A socket of a seat, as a browser with these cookies has it."""

    def __init__(self, sitter: Sitter) -> None:
        scope = f"/ws/seats/{sitter.guest.pk}/"
        self.socket = WebsocketCommunicator(websockets, scope)
        self.socket.scope["cookies"] = {name: each.value for name, each in sitter.client.cookies.items()}

    async def connect(self) -> Page:
        """Whatever it begins with is read."""
        assert (await self.socket.connect(timeout=10))[0]
        return self

    async def next_message(self) -> Any:
        message = await self.socket.receive_output(timeout=10)
        return json.loads(message["text"]) if message["type"] == "websocket.send" else message

    async def close_code(self) -> int:
        while (told := await self.next_message()).get("type") != "websocket.close":
            pass
        return int(told["code"])

    async def lives(self) -> bool:
        """It answers, after all that was sent."""
        await self.socket.send_to(text_data='{"after": 0}')
        while "events" not in (await self.next_message()):
            pass
        return True

    async def close(self) -> None:
        await self.socket.disconnect()


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consumers, "GRACE_S", 0.0)
    monkeypatch.setattr(consumers, "CALM_S", 0.05)


@pytest.fixture
def page(sitter: Sitter, quick: None) -> Iterator[Callable[[], Page]]:
    yield lambda: Page(sitter)


@pytest.mark.parametrize(
    "sent_",
    ["no json", " ", "[]", "null", "7", '"x"', '{"draft": 7, "visible": "no", "read": {}, "after": "x"}',
     '{"after": -1}', '{"after": 1e999}', '{"draft": "a\\u0000b"}', '{"draft": "\\ud800"}', '{"read": [[[]]]}'],
)  # fmt: skip
def test_what_is_no_request_changes_nothing(sitter: Sitter, page: Callable[[], Page], sent_: str) -> None:
    async def play() -> None:
        socket = await page().connect()
        await socket.socket.send_to(text_data=sent_)
        assert await socket.lives()
        await socket.close()

    async_to_sync(play)()
    assert sitter.guest.draft == ""


def test_a_draft_of_a_megabyte_ends_the_socket_and_is_not_kept(
    sitter: Sitter, page: Callable[[], Page]
) -> None:
    async def play() -> int:
        socket = await page().connect()
        await socket.socket.send_to(text_data=json.dumps({"draft": "x" * 1_000_000}))
        return await socket.close_code()

    assert async_to_sync(play)() == NONSENSE
    assert sitter.guest.draft == ""


def test_the_longest_draft_is_kept(sitter: Sitter, page: Callable[[], Page]) -> None:
    longest = "\n" * MOST_DRAFT
    sitter_pk = sitter.guest.pk

    async def play() -> None:
        socket = await page().connect()
        await socket.socket.send_to(text_data=json.dumps({"draft": longest}))
        for _ in range(100):
            if (await Guest.objects.aget(holds=True, pk=sitter_pk)).draft:
                break
            await asyncio.sleep(0.1)
        assert await socket.lives()
        await socket.close()

    async_to_sync(play)()
    assert sitter.guest.draft == longest


def test_a_flood_from_a_page_is_stored_now_and_then(sitter: Sitter, page: Callable[[], Page]) -> None:
    """A page that says it is hidden and shown a thousand times would fill the log of its session."""
    sitter_pk = sitter.guest.pk

    async def play() -> None:
        socket = await page().connect()
        for number in range(500):
            told = {"visible": bool(number % 2), "draft": f"draft {number}"}
            await socket.socket.send_to(text_data=json.dumps(told))
        assert await socket.lives()
        for _ in range(100):
            if (await Guest.objects.aget(holds=True, pk=sitter_pk)).draft == "draft 499":
                break
            await asyncio.sleep(0.1)
        await socket.close()

    async_to_sync(play)()
    assert sitter.guest.draft == "draft 499"
    assert Notice.objects.filter(type="presence_changed").count() <= 60


def test_pages_of_one_guest_beyond_number_are_sent_away(sitter: Sitter, page: Callable[[], Page]) -> None:
    async def play() -> None:
        sockets = [await page().connect() for _ in range(MOST_PAGES)]
        for socket in sockets:
            assert await socket.lives()
        assert await (await page().connect()).close_code() == TOO_MANY
        await sockets[0].close()
        assert await (await page().connect()).lives()

    async_to_sync(play)()


def test_a_socket_ends_when_the_seat_is_somebody_else_s(sitter: Sitter, page: Callable[[], Page]) -> None:
    guest = sitter.guest.pk

    async def play() -> int:
        socket = await page().connect()
        assert await socket.lives()
        await Guest.objects.aupdate(holds=False)
        await sync_to_async(notify_pages)(guest)
        return await socket.close_code()

    assert async_to_sync(play)() == NOT_ALLOWED
