"""The embedded web server under more page loads than it can answer: real processes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bench.overload import PAGES, Flood, flooded, held, load, signed_in
from tests.installation import Installation, free_port
from tests.prepared import prepared
from tests.websocket import Socket

pytestmark = pytest.mark.slow
SECONDS = 6
MOST_THREADS = 40
"""Sixteen pages, four files, and what Twisted, asyncio and Django keep."""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Installation]:
    running = Installation(prepared(tmp_path / "data"), free_port())
    running.wait_for("a demo session has started")
    yield running
    running.stop()


def test_a_flood_is_answered_or_told_to_come_again_and_leaves_nothing_behind(site: Installation) -> None:
    cookie, pid = signed_in(site), site.children()["daphne"]
    demo = str(site.query("SELECT id FROM caravan_sessions_session")[0][0])
    before = held(pid)
    flood, frame = asyncio.run(_flood_and_watch(site, cookie, pid, demo))
    assert set(flood.statuses) <= {0, 200, 503} and flood.statuses[503] > 0 < flood.statuses[200]
    assert flood.retry_after == flood.statuses[503]
    assert flood.highest["threads"] <= MOST_THREADS, flood
    assert b'"events"' in frame, "a socket is served meanwhile"
    status, _ = asyncio.run(_later(site.port, cookie))
    assert status == 200
    assert held(pid)["descriptors"] <= before["descriptors"] + MOST_THREADS


async def _flood_and_watch(site: Installation, cookie: str, pid: int, demo: str) -> tuple[Flood, bytes]:
    pages = [*PAGES, f"/sessions/{demo}/"]
    flood = asyncio.create_task(flooded(site.port, cookie, pid, pages, seconds=SECONDS))
    await asyncio.sleep(SECONDS / 2)
    frame = await asyncio.wait_for(_first_frame(site.port, cookie, demo), 60)
    return await flood, frame


async def _first_frame(port: int, cookie: str, session: str) -> bytes:
    """What the socket of a session sends first."""
    opened = await Socket.opened(port, f"/ws/sessions/{session}/", cookie)
    _, frame = await opened.frame()
    opened.writer.close()
    return frame


async def _later(port: int, cookie: str) -> tuple[int, bool]:
    await asyncio.sleep(5)
    return await load(port, "/tasks/", cookie)
