"""Which pages may open a socket: those of our own scheme, host and port."""

from __future__ import annotations

from typing import Any

import pytest

from webapp.origin import same_origin_only

pytestmark = pytest.mark.django_db
"""A refused socket closes what connections its thread has, those of tests before too."""


async def admitted(
    origin: str, *, host: str = "testserver", scheme: str = "ws", passed_on: str | None = None
) -> bool:
    """Whether a socket that a page of `origin` opens reaches the application."""
    reached = []

    async def application(scope: Any, receive: Any, send: Any) -> None:
        reached.append(scope)

    told = iter(["websocket.connect", "websocket.disconnect"])

    async def receive() -> dict[str, Any]:
        return {"type": next(told), "code": 1000}

    async def send(message: dict[str, Any]) -> None:
        assert message["type"] == "websocket.close"

    headers = [(b"host", host.encode()), (b"origin", origin.encode())]
    if passed_on is not None:
        headers.append((b"x-forwarded-proto", passed_on.encode()))
    scope = {"type": "websocket", "scheme": scheme, "headers": headers}
    await same_origin_only(application)(scope, receive, send)
    return bool(reached)


@pytest.fixture(autouse=True)
def hosts(settings: Any) -> None:
    settings.ALLOWED_HOSTS, settings.CSRF_TRUSTED_ORIGINS = ["testserver"], ["https://friend.example"]
    settings.BEHIND_PROXY = False


async def test_our_own_pages_are_admitted() -> None:
    assert await admitted("http://testserver")
    assert await admitted("http://testserver:8001", host="testserver:8001")
    assert await admitted("https://testserver", scheme="wss")
    assert await admitted("https://friend.example")


async def test_another_scheme_host_or_port_is_refused() -> None:
    assert not await admitted("https://testserver")
    assert not await admitted("http://testserver", scheme="wss")
    assert not await admitted("http://testserver:8001")
    assert not await admitted("http://evil.example")
    assert not await admitted("http://evil.example", host="evil.example")
    assert not await admitted("http://friend.example")
    assert not await admitted("")


async def test_behind_a_proxy_the_scheme_is_the_one_that_it_passes_on(settings: Any) -> None:
    settings.BEHIND_PROXY = True
    assert await admitted("https://testserver", passed_on="https")
    assert not await admitted("http://testserver", passed_on="https")
    assert not await admitted("https://testserver", passed_on="http")
    assert not await admitted("https://testserver")


async def test_without_a_proxy_what_a_client_writes_in_its_place_counts_nothing() -> None:
    assert not await admitted("https://testserver", passed_on="https")
