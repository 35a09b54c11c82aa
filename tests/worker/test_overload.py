"""The embedded web server under more page loads than it can answer: real processes."""

from __future__ import annotations

import asyncio

import pytest

from tests.bench.overload import PAGES, Flood, flood_server, load, process_resources, signed_in
from tests.example_data import ENDED_SESSION
from tests.installation import Installation
from tests.websocket import Socket

pytestmark = pytest.mark.slow
SECONDS = 6
MOST_THREADS = 40
"""Sixteen pages, four files, and what Twisted, asyncio and Django keep."""


def test_a_flood_is_answered_or_told_to_come_again_and_leaves_nothing_behind(site: Installation) -> None:
    cookie, pid = signed_in(site), site.children()["daphne"]
    before = process_resources(pid)
    flood, frame = asyncio.run(_flood_and_watch(site, cookie, pid))
    assert set(flood.statuses) <= {0, 200, 503} and flood.statuses[503] > 0 < flood.statuses[200]
    assert flood.retry_after == flood.statuses[503]
    assert flood.highest["threads"] <= MOST_THREADS, flood
    assert b'"events"' in frame, "a socket is served meanwhile"
    status, _ = asyncio.run(_later(site.port, cookie))
    assert status == 200
    assert process_resources(pid)["descriptors"] <= before["descriptors"] + MOST_THREADS


async def _flood_and_watch(site: Installation, cookie: str, pid: int) -> tuple[Flood, bytes]:
    pages = [*PAGES, f"/sessions/{ENDED_SESSION}/"]
    flood = asyncio.create_task(flood_server(site.port, cookie, pid, pages, seconds=SECONDS))
    await asyncio.sleep(SECONDS / 2)
    frame = await asyncio.wait_for(_first_frame(site.port, cookie, ENDED_SESSION), 60)
    return await flood, frame


async def _first_frame(port: int, cookie: str, session: str) -> bytes:
    """What the socket of a session sends first."""
    opened = await Socket.connect(port, f"/ws/sessions/{session}/", cookie)
    _, frame = await opened.frame()
    opened.writer.close()
    return frame


async def _later(port: int, cookie: str) -> tuple[int, bool]:
    await asyncio.sleep(5)
    return await load(port, "/tasks/", cookie)
