"""A pack in memory, and an endpoint on this machine."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import pytest

from sandbox.cache import published_key
from sandbox.calls import Call
from sandbox.retrieval.endpoint import EndpointEmbedder, EndpointSettings
from tests.sandbox.retrieval.endpoint_server import EmbeddingsServer


class MemoryCalls:
    """A `CachedCalls` of what it is given."""

    def __init__(self, calls: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
        self._calls = {tool: [Call(tool, each) for each in some] for tool, some in calls.items()}
        self.counts = {tool: len(some) for tool, some in calls.items()}
        keys = [f"{tool} {published_key(each)}" for tool, some in calls.items() for each in some]
        self.digest = hashlib.sha256("\n".join(keys).encode()).hexdigest()

    def calls(self, tool: str, start: int = 0) -> Iterator[Call]:
        return islice(self._calls[tool], start, None)


def quiet(tool: str, done: int, total: int) -> None:
    """No progress is shown."""


def searches(count: int, first: int = 0) -> list[dict[str, Any]]:
    """Different searches in one city."""
    return [{"keywords": f"火锅{number}", "city": "杭州"} for number in range(first, first + count)]


@pytest.fixture
def server() -> Iterator[EmbeddingsServer]:
    with EmbeddingsServer() as running:
        yield running


def embedder_at(server: EmbeddingsServer, **changed: Any) -> EndpointEmbedder:
    """An embedder of that server, with small batches."""
    told: dict[str, Any] = {
        "model": "Qwen/test-embedding",
        "batch": 4,
        "retries": 1,
        "timeout_s": 5.0,
    } | changed
    return EndpointEmbedder(EndpointSettings(url=server.url, **told))
