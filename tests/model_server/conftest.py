"""One server for all tests of a module; the starter world for all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox.worlds.reader import World, open_world
from sandbox.worlds.starter import build_starter
from tests.model_server import ModelServer, model_server


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    path = Path(tmp_path_factory.mktemp("worlds")) / "starter.world"
    build_starter(path)
    return open_world(path)
