"""The doors of a web process: how many requests are inside, who waits, who is sent away."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from webapp import admission
from webapp.admission import Door, by_path


class House:
    """An application whose requests stay inside until they are let go."""

    def __init__(self) -> None:
        self.inside = self.highest = self.served = 0
        self.go = asyncio.Event()
        self.broken = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.inside += 1
        self.highest = max(self.highest, self.inside)
        try:
            await self.go.wait()
            if self.broken:
                raise RuntimeError("no page")
            self.served += 1
            await send({"type": "http.response.start", "status": 200, "headers": []})
        finally:
            self.inside -= 1


LOOK = {"headers": [(b"hx-request", b"true")]}
SEND = {"method": "POST", "headers": [(b"hx-request", b"true")]}


async def come(door: Any, path: str = "/", **scope: Any) -> tuple[int, dict[bytes, bytes]]:
    """Status and headers of one request."""
    sent: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    await door({"type": "http", "path": path, **scope}, None, send)
    return sent[0]["status"], dict(sent[0]["headers"])


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_so_many_are_inside_so_many_wait_and_the_others_are_told_when_to_come_again() -> None:
    house = House()
    door = Door(house, at_once=2, waiting=3)
    visitors = [asyncio.create_task(come(door)) for _ in range(9)]
    await settle()
    refused = [task.result() for task in visitors if task.done()]
    assert [status for status, _ in refused] == [503] * 4
    assert all(int(headers[b"retry-after"]) > 0 for _, headers in refused)
    assert house.inside == 2
    house.go.set()
    answers = await asyncio.gather(*visitors)
    assert sorted(status for status, _ in answers) == [200] * 5 + [503] * 4
    assert (house.highest, house.served, house.inside) == (2, 5, 0)


async def test_whoever_waits_too_long_is_sent_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "PATIENCE_S", 0.01)
    house = House()
    door = Door(house, at_once=1, waiting=1)
    first = asyncio.create_task(come(door))
    await settle()
    assert (await come(door))[0] == 503
    house.go.set()
    assert (await first)[0] == (await come(door))[0] == 200


async def test_a_page_that_breaks_gives_its_place_back() -> None:
    house = House()
    house.broken = True
    house.go.set()
    door = Door(house, at_once=1, waiting=0)
    for _ in range(3):
        with pytest.raises(RuntimeError):
            await come(door)
    house.broken = False
    assert (await come(door))[0] == 200


async def test_a_request_whose_visitor_has_left_is_worked_on_to_its_end() -> None:
    house = House()
    door = Door(house, at_once=1, waiting=0)
    visitor = asyncio.create_task(come(door))
    await settle()
    visitor.cancel()
    await settle()
    assert visitor.cancelled() and house.inside == 1
    assert (await come(door))[0] == 503, "it still has its place"
    house.go.set()
    await settle()
    assert house.served == 1
    assert (await come(door))[0] == 200


async def test_one_who_leaves_while_waiting_takes_no_place() -> None:
    house = House()
    door = Door(house, at_once=1, waiting=1)
    first = asyncio.create_task(come(door))
    second = asyncio.create_task(come(door))
    await settle()
    second.cancel()
    await settle()
    house.go.set()
    assert (await first)[0] == (await come(door))[0] == 200
    assert house.served == 2


async def test_what_is_sent_goes_in_first_and_what_a_page_looks_for_last() -> None:
    went_in: list[str] = []

    async def house(scope: Any, receive: Any, send: Any) -> None:
        went_in.append(scope["path"])
        await asyncio.sleep(0)
        await send({"type": "http.response.start", "status": 200, "headers": []})

    door = Door(house, at_once=1, waiting=9)
    asked = [("/first", {}), ("/look", LOOK), ("/page", {}), ("/send", SEND), ("/other page", {})]
    await asyncio.gather(*[come(door, path, **scope) for path, scope in asked])
    assert went_in == ["/first", "/send", "/page", "/other page", "/look"]


async def test_looks_leave_places_for_what_is_sent_and_opened() -> None:
    house = House()
    door = Door(house, at_once=3, waiting=9, looks=2)
    looks = [asyncio.create_task(come(door, **LOOK)) for _ in range(4)]
    await settle()
    assert house.inside == 2
    sent = asyncio.create_task(come(door, **SEND))
    await settle()
    assert house.inside == 3
    house.go.set()
    assert {status for status, _ in await asyncio.gather(sent, *looks)} == {200}
    house.go.clear()
    again = [asyncio.create_task(come(door, **LOOK)) for _ in range(3)]
    await settle()
    assert house.inside == 2, "each has given its place back"
    house.go.set()
    await asyncio.gather(*again)


async def test_whoever_leaves_as_their_turn_comes_gives_it_on() -> None:
    house = House()
    door = Door(house, at_once=1, waiting=2)
    first, second, third = (asyncio.create_task(come(door)) for _ in range(3))
    await settle()
    house.go.set()
    first.add_done_callback(lambda _: second.cancel())
    assert (await third)[0] == 200
    assert (await come(door))[0] == 200
    assert second.cancelled()


async def test_files_have_a_door_of_their_own() -> None:
    pages, files = House(), House()
    files.go.set()
    doors = by_path("/static/", Door(files, at_once=1, waiting=0), Door(pages, at_once=1, waiting=0))
    visitor = asyncio.create_task(come(doors, "/tasks/"))
    await settle()
    assert (await come(doors, "/tasks/"))[0] == 503
    assert (await come(doors, "/static/css/caravan.css"))[0] == 200
    pages.go.set()
    assert (await visitor)[0] == 200


async def test_a_program_is_told_in_json() -> None:
    door, told = Door(House(), at_once=0, waiting=0), []

    async def send(message: dict[str, Any]) -> None:
        told.append(message)

    await door({"type": "http", "path": "/api/seat/view"}, None, send)
    assert told[0]["status"] == 503 and (b"content-type", b"application/json") in told[0]["headers"]
    assert json.loads(told[1]["body"])["code"] == "busy"
