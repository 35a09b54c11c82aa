"""A cache with what one session over the starter world asked."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_django import Settings

from webapp.caches.models import ToolCache
from webapp.caches.services import create_cache


@pytest.fixture
def data(tmp_path: Path, settings: Settings) -> Path:
    """A data folder of this test's own for caches."""
    settings.CARAVAN_DATA = tmp_path
    return tmp_path


@pytest.fixture
def cache(db: None, data: Path) -> ToolCache:
    return create_cache(name="local")
