from __future__ import annotations

import pytest

from benchmark.suites import SUITES
from sandbox.toolsets import TOOLSETS
from tests.toysuite.suite import TOY
from tests.toysuite.tools import COUNTING


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lines that a benchmark with a toolset adds outside its folders."""
    monkeypatch.setitem(SUITES, "toy", lambda: TOY)
    monkeypatch.setitem(TOOLSETS, COUNTING.name, COUNTING)
