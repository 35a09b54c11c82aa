"""One server for all tests of a module; the starter world for all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox.worlds.reader import World, open_world
from tests.model_server import ModelServer, model_server


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


@pytest.fixture(scope="session")
def world(starter_pack: Path) -> World:
    return open_world(starter_pack)
