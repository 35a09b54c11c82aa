"""Addresses of endpoints."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator

import pytest

from benchmark.models import ModelSetup
from benchmark.models.lines import Line
from sandbox.endpoints import NO_KEY, BadAddress, check_address
from sandbox.retrieval.endpoint import EndpointEmbedder, EndpointSettings
from tests.local_server import Handler, running_server


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1:8000/v1", "https://host/a/b@c/v1/", "http://[::1]:80/v1", "http://模型.example/v1"],
)
def test_addresses_that_can_be_asked(url: str) -> None:
    check_address(url)


@pytest.mark.parametrize(
    ("url", "fault", "says"),
    [
        ("ftp://host/v1", "form", "http:// or https://"),
        ("http:///v1", "form", "with a host"),
        ("http://[::1/v1", "form", "with a host"),
        ("http://[::1]9000/v1", "form", "with a host"),
        ("http://x[::1]/v1", "form", "with a host"),
        ("https://me:sk-abc@host/v1", "form", "without name and password"),
        ("http://host/v1?api_key=sk-abc", "query", "a key belongs into an environment variable"),
        ("http://host/v1/chat/completions?sk-abc", "query", "whose name is given"),
        ("http://host/v1?", "query", "without ?"),
        ("http://host/v1#sk-abc", "query", "or #"),
        ("http://a b/v1", "blank", "blanks"),
        ("http://host/v1\tsk-abc", "blank", "blanks"),
        ("http://ho\u200bst/v1", "blank", "control characters"),
        ("http://host:99999/v1", "port", "from 1 to 65535"),
        ("http://host:0/v1", "port", "from 1 to 65535"),
        ("http://host:sk-abc/v1", "port", "from 1 to 65535"),
    ],
)
def test_what_is_wrong_with_an_address_is_said_without_quoting_it(url: str, fault: str, says: str) -> None:
    with pytest.raises(BadAddress) as refused:
        check_address(url)
    assert refused.value.fault == fault and says in str(refused.value)
    assert "sk-abc" not in str(refused.value) and refused.value.__cause__ is None


@pytest.fixture
def listener() -> Iterator[tuple[str, list[str]]]:
    """An address, and the headers of the requests that came there."""
    heard: list[str] = []

    class Endpoint(Handler):
        def do_POST(self) -> None:
            heard.append(str(self.headers))
            self.body()
            answer = {
                "choices": [],
                "data": [{"embedding": [1.0], "index": 0}],
                "object": "list",
                "model": "m",
            }
            self.reply(200, json.dumps(answer))

    with running_server(Endpoint) as address:
        yield f"{address}/v1", heard


async def _chat(url: str) -> None:
    async with Line(ModelSetup(name="m", base_url=url, model="m"), NO_KEY).in_use() as client:
        await client.chat.completions.create(model="m", messages=[{"role": "user", "content": "?"}])


def test_nothing_that_a_client_finds_in_the_environment_is_sent(
    listener: tuple[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(
        "OPENAI_CUSTOM_HEADERS", "X-Gateway: secret-header\nAuthorization: Bearer secret-bearer"
    )
    for name in ("ORG_ID", "PROJECT_ID", "API_KEY", "ADMIN_KEY", "WEBHOOK_SECRET"):
        monkeypatch.setenv(f"OPENAI_{name}", f"secret-{name}")
    url, heard = listener
    asyncio.run(_chat(url))
    monkeypatch.setenv("EMBEDDINGS_API_KEY", "own-key")
    assert EndpointEmbedder(EndpointSettings(url, "m", "EMBEDDINGS_API_KEY")).dimension == 1
    assert len(heard) == 2 and "Bearer none" in heard[0] and "Bearer own-key" in heard[1]
    assert not any("secret" in headers for headers in heard)
