"""The starter world for all."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox.worlds import World, open_world


@pytest.fixture(scope="session")
def world(starter_pack: Path) -> World:
    return open_world(starter_pack)
