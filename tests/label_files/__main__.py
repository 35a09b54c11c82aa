"""`make test-labels`, `make test-training`: install libraries beside our environment, which read what we write."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests import ROOT

FOLDER = Path(__file__).parent
LABELS = {"preferences": "CARAVAN_TRL_PYTHON", "label_studio": "CARAVAN_LABEL_STUDIO_PYTHON"}
TRAINING = {"training": "CARAVAN_TRAINING_PYTHON"}
"""The pins of each environment, `NAME.txt`, and the variable that names its Python."""


def main(options: list[str]) -> int:
    """Run the checks; the exit code is pytest's."""
    training = "--training" in options
    found = {
        variable: os.environ.get(variable) or str(_ensure_installed(name))
        for name, variable in (TRAINING if training else LABELS).items()
    }
    options = [option for option in options if option != "--training"]
    names = ("check_training.py", "check_environments.py") if training else ("check_reading.py",)
    files = [f"tests/label_files/{name}" for name in names]
    command = ["-m", "pytest", "-p", "tests.environment", "-q", "-o", "python_files=check_*.py"]
    return subprocess.call([sys.executable, *command, *(options or files)], env={**os.environ, **found})


def _ensure_installed(name: str) -> Path:
    venv, pins = ROOT / "var" / name, FOLDER / f"{name}.txt"
    python, stamp = venv / "bin" / "python", venv / "installed"
    if not stamp.exists() or stamp.read_text() != pins.read_text():
        subprocess.check_call([sys.executable, "-m", "venv", "--clear", str(venv)])
        for line in pins.read_text().splitlines():
            subprocess.check_call([str(python), "-m", "pip", "install", "-q", *line.split()])
        stamp.write_text(pins.read_text())
    return python


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
