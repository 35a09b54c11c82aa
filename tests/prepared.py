"""A data folder as the first start leaves it, made once in a run of the tests and copied."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from filelock import FileLock

from tests import ROOT

SHARED = "CARAVAN_TEST_SHARED"
"""The variable that names a folder which all processes of a run share (tests.environment sets it)."""


def prepared(data: Path) -> Path:
    """Fill this folder as `manage.py prepare` would; gives it."""
    if SHARED not in os.environ:  # a measurement
        _prepare(data)
        return data
    shared = Path(os.environ[SHARED])
    whole = shared / "prepared"
    with FileLock(shared / "prepared.lock"):
        if not whole.exists():
            _prepare(shared / "preparing")
            (shared / "preparing").rename(whole)
    return Path(shutil.copytree(whole, data, dirs_exist_ok=True))


def _prepare(data: Path) -> None:
    kept = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    command = [sys.executable, "manage.py", "prepare"]
    subprocess.run(
        command, cwd=ROOT, env={**kept, "CARAVAN_DATA": str(data)}, check=True, capture_output=True
    )
