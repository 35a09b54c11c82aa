"""A data folder as the first start leaves it, made once in a run of the tests and copied."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from filelock import FileLock

from tests import ROOT

SHARED = "CARAVAN_TEST_SHARED"
"""The variable that names a folder which all processes of a run share (tests.environment sets it)."""


def prepared(data: Path, *commands: Sequence[str]) -> Path:
    """Fill this folder as `manage.py prepare` would, and further commands after it; gives it."""
    if SHARED not in os.environ:  # a measurement
        _fill(data, commands)
        return data
    shared = Path(os.environ[SHARED])
    name = f"prepared-{sha256(json.dumps(commands).encode()).hexdigest()[:12]}"
    with FileLock(shared / f"{name}.lock"):
        if not (shared / name).exists():
            _fill(shared / f"{name}-filling", commands)
            (shared / f"{name}-filling").rename(shared / name)
    return Path(shutil.copytree(shared / name, data, dirs_exist_ok=True))


def _fill(data: Path, commands: Sequence[Sequence[str]]) -> None:
    if commands:
        prepared(data)
    for command in commands or [("prepare",)]:
        _manage(data, *command)


def _manage(data: Path, *command: str) -> None:
    kept = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    done = subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env={**kept, "CARAVAN_DATA": str(data)},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, f"{' '.join(command)}:\n{done.stdout}{done.stderr}"
