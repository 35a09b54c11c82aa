"""`make platforms`: every pin has a wheel for each platform that the README names. Nothing is installed."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from worker.embedded.install import ROOT, SUPPORTED_VERSIONS

PLATFORMS = {
    "Linux x86-64": "x86_64-manylinux_2_28",
    "Linux arm64": "aarch64-manylinux_2_28",
    "macOS 15 on Apple silicon": "aarch64-apple-darwin",
}
"""By the name in the README. Windows runs the first by WSL."""
PINS = ("requirements.txt", "requirements-dev.txt", "requirements-figures.txt")


def missing(platform: str, python: str, pins: Path) -> str:
    """What lacks a wheel, in uv's words; "" where nothing does."""
    with tempfile.TemporaryDirectory() as nowhere:
        wanted = ["--python-platform", platform, "--python-version", python, "--target", nowhere]
        command = ["uv", "pip", "install", "--quiet", "--dry-run", "--no-deps", "--only-binary", ":all:"]
        done = subprocess.run(
            [sys.executable, "-m", *command, *wanted, "-r", str(pins)],
            env={**os.environ, "MACOSX_DEPLOYMENT_TARGET": "15.0"},
            capture_output=True,
            text=True,
            check=False,
        )
    return "" if done.returncode == 0 else done.stderr.strip()


def main() -> int:
    """One line for each platform and Python; the exit code is the number of those that lack a wheel."""
    lacking = 0
    for name, platform in PLATFORMS.items():
        for major, minor in SUPPORTED_VERSIONS:
            problems = [told for pins in PINS if (told := missing(platform, f"{major}.{minor}", ROOT / pins))]
            lacking += bool(problems)
            print(f"{name}, Python {major}.{minor}: {'every pin has a wheel' if not problems else 'MISSING'}")
            print("".join(f"{told}\n" for told in problems), end="", flush=True)
    return lacking


if __name__ == "__main__":
    sys.exit(main())
