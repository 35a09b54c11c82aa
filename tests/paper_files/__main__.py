"""`make test-exports`: install matplotlib beside our environment, draw every chart, and read what was written."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests import ROOT
from tests.licences import read_pins

FOLDER = ROOT / "var" / "figures"
PINS = Path(__file__).parent / "requirements.txt"
EXTRA = ROOT / "requirements-figures.txt"


def main(options: list[str]) -> int:
    """Run the checks; the exit code is pytest's."""
    packages = os.environ.get("CARAVAN_FIGURES_PACKAGES") or str(_ensure_installed())
    if shutil.which("pdflatex") is None:
        print(
            "pdflatex is not here, so tables are not compiled: "
            "install texlive-latex-base and texlive-latex-recommended"
        )
    path = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), packages]))
    command = ["-m", "pytest", "-p", "tests.environment", "-q", "-o", "python_files=check_*.py"]
    environment = {**os.environ, "PYTHONPATH": path, "CARAVAN_FIGURES_PACKAGES": packages}
    return subprocess.call([sys.executable, *command, *(options or ["tests/paper_files"])], env=environment)


def _ensure_installed() -> Path:
    """The folder of the packages; those that we have too are of the same versions as ours."""
    stamp, pins = FOLDER / "installed", PINS.read_text() + EXTRA.read_text()
    if not stamp.exists() or stamp.read_text() != pins:
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.mkdir(parents=True)
        versions = FOLDER / "versions.txt"
        versions.write_text("\n".join(map(str, read_pins(ROOT / "requirements-dev.txt"))))
        install = [sys.executable, "-m", "pip", "install", "-q", "--target", str(FOLDER)]
        subprocess.check_call([*install, "--require-hashes", "-r", str(EXTRA)])
        subprocess.check_call([*install, "-r", str(PINS), "-c", str(versions)])
        stamp.write_text(pins)
    return FOLDER


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
