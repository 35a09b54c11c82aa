"""The real web server: how sockets end, what is too large, and what its log holds."""

from __future__ import annotations

import asyncio
import re
import socket
import urllib.request
from contextlib import suppress

import pytest

from tests.bench.overload import signed_in
from tests.example_data import ENDED_SESSION
from tests.installation import Installation
from tests.websocket import BINARY, TEXT, Socket

pytestmark = pytest.mark.slow
MESSAGES, CHARACTERS = 80, 19_000
LONG_SESSION = f"""
from benchmark.core.engine import Conversation, Step
from benchmark.suites.grouptravel.conversation.rules import RULES
from benchmark.core.events import MessagePosted
from webapp.catalogue.models import Task, World
from webapp.sessions import services
from webapp.sessions.log import read_log
from webapp.sessions.models import Session

session = services.create_session(
    task=Task.objects.first(), world=World.objects.get(name="starter"), setup=services.Setup(), start=False
)
claimed, log = services.claim(session_id=session.pk), Conversation(RULES)
services.pause_sessions(Session.objects.filter(pk=session.pk))
for event in read_log(session):
    log.apply(event)
for number in range({MESSAGES}):
    said = MessagePosted(role=log.state.users[0], content="字" * {CHARACTERS}, opening=True)
    services.append(claimed=claimed, events=log.append(Step("x", (said,))), state=log.state)
print(session.pk, log.state.seq)
"""


@pytest.fixture(scope="module")
def cookie(site: Installation) -> str:
    return signed_in(site)


def path_of(session: str, after: int = 0) -> str:
    return f"/ws/sessions/{session}/?after={after}"


@pytest.mark.parametrize(
    ("sent", "kind", "code", "reason"),
    [
        (b"x" * 2_000_000, TEXT, 1009, "exceeds payload limit of 1048576 octets"),
        (b"x" * 5_000, TEXT, 4400, "too long"),
        (b"[" * 3_900, TEXT, 4400, "nested too deeply"),
        (b"{}", BINARY, 4400, "only text is understood"),
    ],
)
def test_a_socket_says_why_it_ends(
    site: Installation, cookie: str, sent: bytes, kind: int, code: int, reason: str
) -> None:

    async def close_code() -> tuple[int, str]:
        opened = await Socket.connect(site.port, path_of(ENDED_SESSION, 1_000_000), cookie)
        opened.send(sent, kind)
        return await asyncio.wait_for(opened.closing(), 20)

    told = asyncio.run(close_code())
    assert told[0] == code and reason in told[1]
    assert "Traceback" not in (site.data / "log" / "web.log").read_text()


def test_a_log_longer_than_one_message_arrives_whole_and_in_order(site: Installation, cookie: str) -> None:
    session, last = site.inside.run(LONG_SESSION).split()

    async def follow_session() -> list[int]:
        opened, seen = await Socket.connect(site.port, path_of(session), cookie), []
        while not seen or seen[-1] < int(last):
            told = await asyncio.wait_for(opened.next_message(), 20)
            seen += [frame["seq"] for frame in told["events"]]
            opened.send(b'{"read": "%s"}' % told["receipt"].encode())
        return seen

    seen = asyncio.run(follow_session())
    assert seen == sorted(set(seen)) and len(seen) >= MESSAGES


@pytest.mark.parametrize(
    ("head", "piece"),
    [
        (b"Content-Length: 3000000000", b""),
        (b"Transfer-Encoding: chunked", b"%x\r\n%s\r\n" % (1_000_000, b"x" * 1_000_000)),
    ],
)
def test_a_body_beyond_all_measure_is_refused_whoever_sends_it(
    site: Installation, head: bytes, piece: bytes
) -> None:
    with socket.create_connection(("127.0.0.1", site.port), timeout=20) as client:
        client.sendall(b"POST /signin/ HTTP/1.1\r\nHost: 127.0.0.1\r\n" + head + b"\r\n\r\n")
        with suppress(ConnectionError):
            for _ in range(12 if piece else 0):
                client.sendall(piece)
        assert client.recv(100).startswith(b"HTTP/1.1 413 ")
    with urllib.request.urlopen(f"http://127.0.0.1:{site.port}/health") as page:
        assert page.status == 200
    assert "Traceback" not in (site.data / "log" / "web.log").read_text()


def test_a_form_that_is_sent_whole_is_answered_in_words(site: Installation) -> None:
    """A browser reads the answer once all of its form is sent, so the connection stays until then."""
    with socket.create_connection(("127.0.0.1", site.port), timeout=20) as client:
        length = 9 * 1024 * 1024
        head = b"POST /runs/import/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %d\r\n\r\n" % length
        client.sendall(head + b"x" * length)
        answer = b"".join(iter(lambda: client.recv(65_536), b"")).decode()
    assert answer.startswith("HTTP/1.1 413 ") and "larger than 8 MB" in answer and "超过 8 MB" in answer


def test_the_token_of_a_link_is_in_no_log(site: Installation) -> None:
    link = site.inside.command("signin_link").strip()
    with urllib.request.urlopen(link) as page:
        assert page.status == 200
    logs = "".join(path.read_text() for path in (site.data / "log").iterdir())
    assert "GET /signin/***" in logs
    assert not re.search(r"/signin/[\w-]+", logs)
