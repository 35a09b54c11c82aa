"""Fixtures for every test."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def reference() -> Path:
    """The reference data, which is not shipped: CARAVAN_REFERENCE, by default beside the checkout."""
    given = os.environ.get("CARAVAN_REFERENCE")
    folder = Path(given) if given else ROOT.parent / "shared" / "data"
    if folder.is_dir():
        return folder
    if given:
        pytest.fail(f"CARAVAN_REFERENCE is set to {given}, which is no folder")
    pytest.skip("the reference data is not here (set CARAVAN_REFERENCE)")
