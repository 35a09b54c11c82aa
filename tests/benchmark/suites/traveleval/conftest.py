from __future__ import annotations

from pathlib import Path

import pytest

from benchmark.suites.traveleval.world import Tables, tables_of
from sandbox.worlds import open_world


@pytest.fixture(scope="session")
def starter(starter_pack: Path) -> Tables:
    """The tables of the starter world."""
    return tables_of(open_world(starter_pack))
