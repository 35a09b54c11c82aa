from __future__ import annotations

from pathlib import Path

import pytest

from benchmark.suites.traveleval.world import Tables, tables_of
from sandbox.worlds import World, open_world
from sandbox.worlds.china10 import ImportReport


@pytest.fixture(scope="session")
def starter(starter_pack: Path) -> Tables:
    """The tables of the starter world."""
    return tables_of(open_world(starter_pack))


@pytest.fixture(scope="session")
def china10(ten_cities: ImportReport) -> World:
    """The world of the published queries."""
    return open_world(ten_cities.path)
