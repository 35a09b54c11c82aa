"""`make test-inspect`: install inspect-ai beside our environment, and have it read logs that we write."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests import ROOT

VENV = ROOT / "var" / "inspect"
PINS = Path(__file__).parent / "requirements.txt"


def main(options: list[str]) -> int:
    """Run the checks; the exit code is pytest's."""
    python = os.environ.get("CARAVAN_INSPECT_PYTHON") or str(_ensure_installed())
    command = ["-m", "pytest", "-p", "tests.environment", "-q", "-o", "python_files=check_*.py"]
    environment = {**os.environ, "CARAVAN_INSPECT_PYTHON": python}
    return subprocess.call([sys.executable, *command, *(options or ["tests/inspect_log"])], env=environment)


def _ensure_installed() -> Path:
    python = VENV / "bin" / "python"
    stamp = VENV / "installed"
    if not stamp.exists() or stamp.read_text() != PINS.read_text():
        subprocess.check_call([sys.executable, "-m", "venv", "--clear", str(VENV)])
        subprocess.check_call([str(python), "-m", "pip", "install", "-q", "-r", str(PINS)])
        stamp.write_text(PINS.read_text())
    return python


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
