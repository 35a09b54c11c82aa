"""A server and a setup for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from benchmark.models import ChatRequest, ModelSetup
from tests.benchmark.models.server import Server, serving

KEY = "sk-very-secret-0815"


@pytest.fixture
def server() -> Iterator[Server]:
    """Does what its `script` says."""
    with serving() as server:
        yield server


@pytest.fixture
def setup_for(server: Server, monkeypatch: pytest.MonkeyPatch) -> Callable[..., ModelSetup]:
    """A setup for the server, with a key."""
    monkeypatch.setenv("MODELS_TEST_KEY", KEY)

    def make(**changes: Any) -> ModelSetup:
        given = {"name": "本地", "base_url": server.url, "model": "m-1", "key_variable": "MODELS_TEST_KEY"}
        return ModelSetup(**{**given, "timeout_s": 5, "deadline_s": 10, **changes})

    return make


@pytest.fixture
def question() -> ChatRequest:
    """A request without tools."""
    return ChatRequest(({"role": "user", "content": "你好"},), temperature=0.7)
