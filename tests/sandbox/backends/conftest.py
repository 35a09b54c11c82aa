"""A backend that talks to the local AMap server."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from sandbox.backends.amap import AmapBackend, AmapSettings
from sandbox.backends.amap.client import AmapClient
from sandbox.toolbox import Toolbox
from sandbox.toolbox.world import WorldAnswers
from sandbox.toolsets.grouptravel.tools import TOOLS
from tests.sandbox.backends.amap_server import KEY, AmapServer, amap_server

Call = Callable[..., dict[str, Any]]


@pytest.fixture
def amap() -> Iterator[AmapServer]:
    """The server."""
    with amap_server() as server:
        yield server


@pytest.fixture
def backend(amap: AmapServer) -> Iterator[AmapBackend]:
    """A backend that does not pause between attempts."""
    made = backend_of(amap)
    yield made
    made.close()


def backend_of(amap: AmapServer, **settings: Any) -> AmapBackend:
    """A backend for the server, with other settings where they are given."""
    return AmapBackend(_settings(amap, settings), pause=lambda seconds: None)


@contextmanager
def client_of(amap: AmapServer, pause_s: float = 0, **settings: Any) -> Iterator[AmapClient]:
    """A client for the server."""
    client = AmapClient(_settings(amap, settings), pause=lambda seconds: time.sleep(pause_s))
    try:
        yield client
    finally:
        client.close()


def _settings(amap: AmapServer, settings: dict[str, Any]) -> AmapSettings:
    usual: dict[str, Any] = {"key": KEY, "base_url": amap.url, "per_second": 1000, "timeout_s": 5.0}
    return AmapSettings(**(usual | settings))


@pytest.fixture
def call(backend: AmapBackend) -> Call:
    """Run a call that must succeed and fit the tool's result model."""

    def run(name: str, **arguments: Any) -> dict[str, Any]:
        outcome = Toolbox(WorldAnswers(backend)).call(name, arguments)
        assert not outcome.error, outcome.result
        TOOLS[name].result.model_validate_json(outcome.result)
        result: dict[str, Any] = json.loads(outcome.result)
        return result

    return run


@pytest.fixture
def error(backend: AmapBackend) -> Callable[..., tuple[str, str]]:
    """Run a call that must fail: the kind of error and the message."""

    def run(name: str, **arguments: Any) -> tuple[str, str]:
        return failure(backend, name, **arguments)

    return run


def failure(backend: AmapBackend, name: str, **arguments: Any) -> tuple[str, str]:
    """The kind of error and the message of a call that fails."""
    outcome = Toolbox(WorldAnswers(backend)).call(name, arguments)
    assert outcome.error, outcome.result
    return outcome.error_kind, json.loads(outcome.result)["error"]
