from __future__ import annotations

from pathlib import Path

import pytest

from benchmark.suites.traveleval.world import Tables, tables_of
from sandbox.worlds import World, open_world
from sandbox.worlds.china10 import import_china10


@pytest.fixture(scope="session")
def starter(starter_pack: Path) -> Tables:
    """The tables of the starter world."""
    return tables_of(open_world(starter_pack))


@pytest.fixture(scope="session")
def china10(reference: Path, tmp_path_factory: pytest.TempPathFactory) -> World:
    """The world of the published queries, the import of which takes seconds."""
    path = tmp_path_factory.mktemp("worlds") / "china10.pack"
    return open_world(import_china10(reference / "china10", path, "china10").path)
